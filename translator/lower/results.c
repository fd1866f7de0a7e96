/* SPDX-License-Identifier: MIT
 *
 * Results of threads that nobody asks for.
 */
#include "results.h"
#include "../symbols/values.h"

static bool asks(LLVMValueRef call)
{
	LLVMValueRef where = LLVMGetNumArgOperands(call) > 1 ? LLVMGetOperand(call, 1) : call;
	return !LLVMIsConstant(where) || !LLVMIsNull(where);
}

static bool anybody_asks(LLVMModuleRef module)
{
	static const char *const joining[] = { "pthread_join", "pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np",
					       "thrd_join" };
	for (size_t i = 0; i < sizeof joining / sizeof *joining; i++) {
		LLVMValueRef function = LLVMGetNamedFunction(module, joining[i]);
		LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL;
		for (; use; use = LLVMGetNextUse(use))
			if (!IS_AMONG(name_of_called(LLVMGetUser(use)), joining) || asks(LLVMGetUser(use)))
				return true;
	}
	return false;
}

static bool only_starts(LLVMValueRef function, unsigned depth);

/* Does the call, which gets `function` as an argument, do nothing with it but to start threads? */
static bool starts(LLVMValueRef call, LLVMValueRef function, unsigned depth)
{
	static const char *const creating[] = { "pthread_create", "thrd_create" };
	LLVMValueRef called = LLVMGetCalledValue(call);
	bool creates = IS_AMONG(name_of_called(call), creating);
	if (called == function || !LLVMIsAFunction(called) || (!creates && LLVMIsDeclaration(called)))
		return false;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		if (LLVMGetOperand(call, i) != function)
			continue;
		bool known = creates ? i == 1 + (LLVMGetNumArgOperands(call) == 4) : i < LLVMCountParams(called);
		if (!known || (!creates && !only_starts(LLVMGetParam(called, i), depth - 1)))
			return false;
	}
	return true;
}

/* Is a function, or a parameter that is one, used for nothing but to start threads?  Follow `depth` calls. */
static bool only_starts(LLVMValueRef function, unsigned depth)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (depth == 0 || !LLVMIsACallInst(user) || !starts(user, function, depth))
			return false;
	}
	return true;
}

bool result_is_unused(const struct translation *t, LLVMValueRef function)
{
	enum { DEEPEST = 8 };
	return !t->request->options.leaks && LLVMGetFirstUse(function) && only_starts(function, DEEPEST) &&
		!anybody_asks(t->module);
}
