/* SPDX-License-Identifier: MIT
 *
 * Handles of threads: does a program do nothing with what pthread_create() hands out but give it to pthread_join()?  Then
 * nobody can tell threads apart by their handles (runtime/search/reduce/sort_threads.c relies on it).
 *
 * A handle lies in memory: a variable, an array, what malloc() returned; its *root*.  All uses of a root must be known:
 * creating and joining, freeing, clearing, passing it on to a function of the program.  A value that is read there goes to
 * pthread_join() and nowhere else, which must not ask for the result.
 *
 * A weaker question: does a program do nothing with handles but to join and to detach threads?  Then nobody can tell whether a new
 * thread has the handle of one that has ended (runtime/sync/names.c).  A join may ask for the result, and pthread_self() may be
 * called for a handle to detach.
 */
#include "analyse.h"
#include "../read/variables.h"
#include "../symbols/values.h"

#include <assert.h>
#include <string.h>

enum { DEEPEST = 12 }; /* calls and computations that are followed */

static const char *const creating[] = { "pthread_create", "thrd_create" };
static const char *const joining[] = { "pthread_join", "thrd_join" };
static const char *const detaching[] = { "pthread_detach", "thrd_detach" };
static const char *const telling[] = { "pthread_self", "thrd_current" };
static const char *const allocating[] = { "malloc", "calloc" };

/* Is `value` argument number `argument` of `call`, and nothing else in it? */
static bool is_only_argument(LLVMValueRef call, LLVMValueRef value, unsigned argument)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if ((LLVMGetOperand(call, i) == value) != (i == argument))
			return false;
	return LLVMGetCalledValue(call) != value;
}

/* Does `call` join a thread by this handle, and do nothing else with it?  The weaker question takes all results, and detaching. */
static bool is_join(LLVMValueRef call, LLVMValueRef handle, bool weakly)
{
	if (weakly && IS_AMONG(name_of_called(call), detaching))
		return LLVMGetNumArgOperands(call) == 1 && is_only_argument(call, handle, 0);
	if (!IS_AMONG(name_of_called(call), joining) || LLVMGetNumArgOperands(call) != 2 || !is_only_argument(call, handle, 0))
		return false;
	return weakly || (LLVMIsConstant(LLVMGetOperand(call, 1)) && LLVMIsNull(LLVMGetOperand(call, 1)));
}

static bool is_only_joined(LLVMValueRef handle, bool weakly)
{
	for (LLVMUseRef use = LLVMGetFirstUse(handle); use; use = LLVMGetNextUse(use))
		if (!is_join(LLVMGetUser(use), handle, weakly))
			return false;
	return LLVMGetTypeKind(LLVMTypeOf(handle)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(handle)) == 64;
}

/* what is asked: how many calls and computations are still followed; is it the weaker question? */
struct question {
	unsigned depth;
	bool weakly;
};

static struct question deeper(struct question question)
{
	assert(question.depth > 0);
	question.depth--;
	return question;
}

static bool keeps_handles(LLVMValueRef place, struct question question);

static bool call_keeps(LLVMValueRef call, LLVMValueRef place, struct question question)
{
	const char *name = name_of_called(call);
	if (IS_AMONG(name, creating) || begins(name, "llvm.memset.") || strcmp(name, "free") == 0 ||
	    is_keeper(LLVMGetCalledValue(call)))
		return is_only_argument(call, place, 0);
	if (begins(name, "llvm.lifetime."))
		return is_only_argument(call, place, 1);
	LLVMValueRef function = LLVMGetCalledValue(call);
	if (!LLVMIsAFunction(function) || LLVMIsDeclaration(function) || function == place)
		return false;
	unsigned count = LLVMGetNumArgOperands(call);
	for (unsigned i = 0; i < count; i++)
		if (LLVMGetOperand(call, i) == place &&
		    (i >= LLVMCountParams(function) || !keeps_handles(LLVMGetParam(function, i), question)))
			return false;
	return true;
}

static bool user_keeps(LLVMValueRef user, LLVMValueRef place, struct question question)
{
	if (LLVMIsACallInst(user))
		return call_keeps(user, place, question);
	if (!LLVMIsAInstruction(user) && !LLVMIsAConstantExpr(user))
		return false;
	switch (opcode_of(user)) {
	case LLVMGetElementPtr: return LLVMGetOperand(user, 0) == place && keeps_handles(user, question);
	case LLVMBitCast: return keeps_handles(user, question);
	case LLVMLoad: return is_only_joined(user, question.weakly);
	case LLVMStore: return LLVMGetOperand(user, 0) != place && LLVMIsConstant(LLVMGetOperand(user, 0));
	case LLVMICmp: return LLVMIsNull(LLVMGetOperand(user, 0)) || LLVMIsNull(LLVMGetOperand(user, 1));
	default: return false;
	}
}

/* Do all uses of the address `place` only keep handles there, as the comment at the head says? */
static bool keeps_handles(LLVMValueRef place, struct question question)
{
	if (question.depth == 0)
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(place); use; use = LLVMGetNextUse(use))
		if (!user_keeps(LLVMGetUser(use), place, deeper(question)))
			return false;
	return true;
}

static bool is_kept(LLVMValueRef address, struct question question);

/* Does each call of the function pass as its `parameter` an address that is_kept()? */
static bool callers_keep(LLVMValueRef parameter, struct question question)
{
	LLVMValueRef function = LLVMGetParamParent(parameter);
	unsigned number = 0;
	while (LLVMGetParam(function, number) != parameter) {
		number++;
		assert(number < LLVMCountParams(function));
	}
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef call = LLVMGetUser(use);
		if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function || number >= LLVMGetNumArgOperands(call) ||
		    !is_kept(LLVMGetOperand(call, number), question))
			return false;
	}
	return LLVMGetFirstUse(function) != NULL;
}

/* Does `address` lie in a root that keeps handles? */
static bool is_kept(LLVMValueRef address, struct question question)
{
	LLVMOpcode opcode = opcode_of(address);
	if (question.depth == 0)
		return false;
	if (opcode == LLVMGetElementPtr || opcode == LLVMBitCast)
		return is_kept(LLVMGetOperand(address, 0), deeper(question));
	if (LLVMIsAArgument(address))
		return callers_keep(address, deeper(question));
	bool root = LLVMIsAAllocaInst(address) || LLVMIsAGlobalVariable(address) || IS_AMONG(name_of_called(address), allocating);
	return root && keeps_handles(address, (struct question){ DEEPEST, question.weakly });
}

static bool is_own_handle(LLVMValueRef value)
{
	return IS_AMONG(name_of_called(value), telling) && is_only_joined(value, true);
}

static bool is_of_handles(LLVMValueRef user, LLVMValueRef function, bool weakly)
{
	struct question question = { DEEPEST, weakly };
	if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
		return false;
	if (IS_AMONG(name_of_called(user), telling))
		return is_own_handle(user);
	LLVMValueRef first = LLVMGetOperand(user, 0);
	if (IS_AMONG(name_of_called(user), creating))
		return is_kept(first, question);
	if (weakly && is_own_handle(first))
		return true;
	return LLVMIsALoadInst(first) && is_join(user, first, weakly) && is_kept(LLVMGetOperand(first, 0), question);
}

/* Is the instruction in a function that nothing reaches, as in a file of libc/ that was linked for another one? */
static bool is_left_out(const struct translation *t, LLVMValueRef user)
{
	uint32_t index;
	return LLVMIsAInstruction(user) && !map_get(t->functions, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)), &index);
}

static bool all_of_handles(const struct translation *t, const char *const *names, size_t count, bool weakly)
{
	for (size_t i = 0; i < count; i++) {
		LLVMValueRef function = LLVMGetNamedFunction(t->module, names[i]);
		LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL;
		for (; use; use = LLVMGetNextUse(use))
			if (!is_left_out(t, LLVMGetUser(use)) && !is_of_handles(LLVMGetUser(use), function, weakly))
				return false;
	}
	return true;
}

#define ARE_OF_HANDLES(t, names, weakly) all_of_handles(t, names, sizeof(names) / sizeof *(names), weakly)

/* Does a call that creates a thread get an address in the variable `place`, to put the handle there? */
static bool is_created_in(LLVMValueRef place, unsigned depth)
{
	for (LLVMUseRef use = LLVMGetFirstUse(place); use && depth; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		bool further = LLVMIsAConstantExpr(user) || LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user);
		if (IS_AMONG(name_of_called(user), creating) || (further && is_created_in(user, depth - 1)))
			return true;
	}
	return false;
}

bool note_handles(struct translation *t)
{
	for (LLVMValueRef global = LLVMGetFirstGlobal(t->module); global; global = LLVMGetNextGlobal(global)) {
		uint32_t index;
		if (map_get(t->globals, global, &index) && is_created_in(global, DEEPEST) &&
		    keeps_handles(global, (struct question){ DEEPEST, false }))
			((struct image_global *)builder_at(&t->builder, IMAGE_GLOBALS, index))->flags |= GLOBAL_HANDLES;
	}
	return ARE_OF_HANDLES(t, creating, false) && ARE_OF_HANDLES(t, joining, false);
}

bool handles_are_not_told(const struct translation *t)
{
	return ARE_OF_HANDLES(t, creating, true) && ARE_OF_HANDLES(t, joining, true) && ARE_OF_HANDLES(t, detaching, true) &&
		ARE_OF_HANDLES(t, telling, true);
}
