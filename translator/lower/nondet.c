/* SPDX-License-Identifier: MIT
 *
 * The inputs of a program, of which all values count: results of bitspin_any functions, and of __VERIFIER_nondet functions but
 * where the user gives a range; under the SV-COMP profile also those of undefined functions, and initial values of undefined
 * variables.  Any value is possible.  analyse/inputs.c finds for most of them a few values that stand for all.
 * Of the others we try a few: if the program only tests whether the value is zero, nothing is lost by that; the rest is reported.
 */
#include "instructions.h"
#include "lower.h"
#include "../read/read.h"
#include "../symbols/symbols.h"
#include "../../runtime/image/policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

/* of the values that an input flows into */
struct visit {
	LLVMValueRef seen[32];
	unsigned count;
};

static bool only_truth(struct visit *visit, LLVMValueRef value);

static bool is_assumption(const char *name)
{
	return strcmp(name, "__VERIFIER_assume") == 0 || strcmp(name, "bitspin_assume") == 0;
}

/* Is `value` only tested for zero where `call` gets it as an argument: is the function an assumption, or one of the program that
 * only tests it? */
static bool argument_is_truth(struct visit *visit, LLVMValueRef call, LLVMValueRef value)
{
	LLVMValueRef called = LLVMIsAFunction(LLVMGetCalledValue(call));
	unsigned count = LLVMGetNumArgOperands(call);
	if (!called || LLVMGetCalledValue(call) == value)
		return false;
	if (LLVMIsDeclaration(called))
		return is_assumption(function_name(called));
	for (unsigned i = 0; i < count; i++)
		if (LLVMGetOperand(call, i) == value &&
		    (i >= LLVMCountParams(called) || !only_truth(visit, LLVMGetParam(called, i))))
			return false;
	return true;
}

static bool use_is_truth(struct visit *visit, LLVMValueRef user, LLVMValueRef value)
{
	LLVMValueRef other;
	if (!LLVMIsAInstruction(user))
		return false;
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMICmp:
		other = LLVMGetOperand(user, LLVMGetOperand(user, 0) == value);
		return LLVMIsConstant(other) && LLVMIsNull(other) &&
			(LLVMGetICmpPredicate(user) == LLVMIntEQ || LLVMGetICmpPredicate(user) == LLVMIntNE);
	case LLVMZExt:
	case LLVMSExt:
	case LLVMPHI:
	case LLVMFreeze: return only_truth(visit, user);
	case LLVMSelect: return LLVMGetOperand(user, 0) != value && only_truth(visit, user);
	case LLVMCall: return argument_is_truth(visit, user, value);
	default: return false;
	}
}

static bool only_truth(struct visit *visit, LLVMValueRef value)
{
	assert(visit->count <= sizeof visit->seen / sizeof *visit->seen);
	for (unsigned i = 0; i < visit->count; i++)
		if (visit->seen[i] == value)
			return true;
	if (visit->count == sizeof visit->seen / sizeof *visit->seen)
		return false;
	visit->seen[visit->count++] = value;
	for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
		if (!use_is_truth(visit, LLVMGetUser(use), value))
			return false;
	return true;
}

/* Note an input; return its row in the result. */
static size_t add_input(struct translation *t, const char *what, LLVMValueRef where, bool truth)
{
	struct translator_result *result = t->result;
	char *place = place_text(t, where);
	for (size_t i = 0; i < result->ninputs; i++)
		if (strcmp(result->inputs[i].name, what) == 0 && strcmp(result->inputs[i].place, place) == 0) {
			result->inputs[i].truth = result->inputs[i].truth && truth;
			result->inputs[i].exact = false;
			free(place);
			return i;
		}
	result->inputs = xrealloc(result->inputs, (result->ninputs + 1) * sizeof *result->inputs);
	result->inputs[result->ninputs] = (struct translator_input_use){ .name = xstrdup(what), .place = place, .truth = truth };
	return result->ninputs++;
}

/* Note that the function being lowered gets the input `row` in register `reg`. */
static void add_call(struct emitter *e, size_t row, uint32_t reg)
{
	struct translation *t = e->t;
	t->input_calls = xrealloc(t->input_calls, (t->ninput_calls + 1) * sizeof *t->input_calls);
	uint32_t function = e->function ? function_index(t, e->function) : t->start;
	t->input_calls[t->ninput_calls++] = (struct input_call){ function, reg, row };
}

/* Is it an input of which all values count, whatever the profile is? */
static bool is_any(const char *name)
{
	return begins(name, "bitspin_any_");
}

bool is_input(const char *name)
{
	return begins(name, "__VERIFIER_nondet_") || (builtin_policy(name) == POLICY_UNKNOWN && !is_provided(name));
}

static bool is_noted(const struct translation *t, const char *name)
{
	if (t->request->options.svcomp)
		return is_any(name) || is_input(name);
	return is_any(name) || (begins(name, "__VERIFIER_nondet_") && !is_told(t, name));
}

void note_input(struct emitter *e, LLVMValueRef call, LLVMValueRef function)
{
	const char *name = function_name(function);
	if (!is_noted(e->t, name) || LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind || !LLVMGetFirstUse(call) ||
	    (e->function && is_library(e->function)))
		return;
	bool boolean = bits_of_type(LLVMTypeOf(call)) == 1; /* both values are tried */
	size_t row = add_input(e->t, name, call, boolean || only_truth(&(struct visit){ .count = 0 }, call));
	add_call(e, row, result_of(e, call));
}

/* Is the address of the function `value` taken, so that it may be called anywhere? */
static bool is_passed_on(LLVMValueRef value)
{
	for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		bool cast = LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMBitCast;
		if (cast ? is_passed_on(user) : !LLVMIsACallInst(user) || LLVMGetCalledValue(user) != value)
			return true;
	}
	return false;
}

void note_passed_inputs(struct translation *t)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f)) {
		LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(f));
		bool counts = LLVMIsDeclaration(f) && LLVMGetIntrinsicID(f) == 0 && map_get(t->functions, f, NULL) &&
			LLVMGetTypeKind(result) != LLVMVoidTypeKind && is_noted(t, function_name(f)) &&
			!is_told(t, function_name(f));
		if (counts && is_passed_on(f))
			add_input(t, function_name(f), NULL, false);
	}
}

/* ---- undefined variables --------------------------------------------------------------------------------------------- */

static bool is_undefined_variable(struct translation *t, LLVMValueRef global)
{
	size_t length;
	const char *name = LLVMGetValueName2(global, &length);
	static const char *const streams[] = { "stdin", "stdout", "stderr" };
	return !IS_AMONG(name, streams) && LLVMIsDeclaration(global) && LLVMGetFirstUse(global) &&
		LLVMGetLinkage(global) != LLVMExternalWeakLinkage && !begins(name, "__bitspin_") && t->request->options.svcomp;
}

static bool loads_are_truth(LLVMValueRef global)
{
	for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsALoadInst(user) || !only_truth(&(struct visit){ .count = 0 }, user))
			return false;
	}
	return true;
}

/* Let each undefined variable that is a number of at most 64 bits begin with one of a few values, chosen before anything else
 * happens.  Larger variables are zero. */
void choose_variables(struct emitter *e)
{
	struct translation *t = e->t;
	for (LLVMValueRef g = LLVMGetFirstGlobal(t->module); g; g = LLVMGetNextGlobal(g)) {
		if (!is_undefined_variable(t, g))
			continue;
		size_t length;
		LLVMTypeRef type = LLVMGlobalGetValueType(g);
		unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
		bool chosen = bits >= 8 && bits <= 64 && !LLVMIsThreadLocal(g);
		char *what = NULL;
		if (asprintf(&what, "the undefined variable %s", LLVMGetValueName2(g, &length)) < 0)
			exit(2);
		LLVMValueRef user = LLVMGetUser(LLVMGetFirstUse(g));
		size_t row = add_input(t, what, LLVMIsAInstruction(user) ? user : g, chosen && loads_are_truth(g));
		free(what);
		if (!chosen)
			continue;
		uint32_t before = new_register(e, 1), value = new_register(e, 1), fits = new_register(e, 1);
		uint32_t function = extern_index(t, "bitspin_nondet_long", 0, 1);
		emit(e, IMAGE_MOV, 64, 0, before, number(e, 0), NONE, NONE); /* see call_runtime() in start_inputs.c */
		emit(e, IMAGE_CALL, 0, 0, value, function, 0, 0);
		add_call(e, row, value);
		emit(e, bits < 64 ? IMAGE_TRUNC : IMAGE_MOV, 64, bits < 64 ? bits : 0, fits, value, NONE, NONE);
		emit(e, IMAGE_STORE, bits, 0, NONE, number(e, image_global_address(global_index(t, g), 0)), fits, NONE);
	}
}
