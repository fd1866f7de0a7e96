/* SPDX-License-Identifier: MIT
 *
 * What a program asks for and has said itself, so that it is the same everywhere (runtime/state/untried.def).
 *
 * A program that sends a signal to itself names itself by its process id: kill(getpid(), SIGUSR1).  No outcome depends on the
 * number there, so it is a constant.  Random numbers that begin with a constant seed, or without one, are always the same.
 */
#include "passes.h"
#include "read.h"

#include <string.h>

enum { PROCESS = 1000 }; /* getpid() in libc/ */

/* Is `number` only the first argument of `user`, a call of a function that takes the process to act on first? */
static bool names_process(LLVMValueRef user, LLVMValueRef number)
{
	static const char *const functions[] = {
		"kill",    "sigqueue", "sched_setaffinity", "sched_getaffinity", "sched_setscheduler", "sched_setparam",
		"getpgid", "getsid",
	};
	LLVMValueRef called = directly_called(user);
	if (!called || LLVMGetNumArgOperands(user) == 0 || LLVMGetOperand(user, 0) != number)
		return false;
	for (unsigned i = 1; i < LLVMGetNumArgOperands(user); i++)
		if (LLVMGetOperand(user, i) == number)
			return false;
	return IS_AMONG(function_name(called), functions);
}

static bool names_process_only(LLVMValueRef call)
{
	for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use))
		if (!names_process(LLVMGetUser(use), call))
			return false;
	return LLVMGetFirstUse(call) != NULL;
}

void name_itself(struct translation *t)
{
	LLVMValueRef function = LLVMGetNamedFunction(t->module, "getpid");
	LLVMUseRef next;
	for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = next) {
		LLVMValueRef call = LLVMGetUser(use);
		next = LLVMGetNextUse(use);
		if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function || !names_process_only(call))
			continue;
		LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), PROCESS, false));
		LLVMInstructionEraseFromParent(call);
	}
}

/* Is `user` a call of `function` with a constant seed, or one in the C library? */
static bool is_constant_seed(LLVMValueRef user, LLVMValueRef function)
{
	bool call = LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function && LLVMGetNumArgOperands(user) == 1;
	return call &&
		(LLVMIsAConstantInt(LLVMGetOperand(user, 0)) ||
		 is_library(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))));
}

bool seeds_itself(const struct translation *t)
{
	static const char *const functions[] = { "srand", "srandom", "srand48" };
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		LLVMValueRef function = LLVMGetNamedFunction(t->module, functions[i]);
		for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use))
			if (!is_constant_seed(LLVMGetUser(use), function))
				return false;
	}
	return true;
}
