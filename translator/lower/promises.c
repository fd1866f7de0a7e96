/* SPDX-License-Identifier: MIT
 *
 * What a program promises to the compiler, who may rely on it: __builtin_assume, __builtin_assume_aligned, parameters that are
 * nonnull or [static N], and results that are returns_nonnull or assume_aligned.  A promise that is not kept is undefined
 * behaviour, so each is checked where it is made.  What the C library's own functions are promised is left to them: they report
 * what they cannot use.
 */
#include "instructions.h"
#include "../read/read.h"
#include "../symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

static void check(struct emitter *e, const char *name, const uint32_t *operands, unsigned count)
{
	emit(e, IMAGE_CALL, 0, 0, NONE, extern_index(e->t, name, count, 0), builder_pool(&e->t->builder, operands, count), count);
}

static LLVMValueRef operand(LLVMValueRef call, unsigned i)
{
	return LLVMGetOperand(call, i);
}

/* Has `call` the operand bundle `tag`, and no other?  LLVM's C interface has no bundles before version 18: they are operands after
 * the arguments, and the text names them. */
static bool has_one_bundle(LLVMValueRef call, const char *tag)
{
	char *text = LLVMPrintValueToString(call);
	const char *bundle = strstr(text, " [ \"");
	bool one = bundle && strncmp(bundle + 4, tag, strlen(tag)) == 0 && bundle[4 + strlen(tag)] == '"' &&
		!strstr(bundle, "), \"");
	LLVMDisposeMessage(text);
	return one;
}

void lower_promise(struct emitter *e, LLVMValueRef call)
{
	LLVMValueRef condition = operand(call, 0);
	if (!LLVMIsAConstantInt(condition) || LLVMConstIntGetZExtValue(condition) == 0)
		check(e, "__bitspin_promise", (uint32_t[]){ operand_of(e, condition) }, 1);
	unsigned count = (unsigned)LLVMGetNumOperands(call); /* the function is the last */
	if (count >= 4 && has_one_bundle(call, "align"))
		check(e, "__bitspin_promise_aligned",
		      (uint32_t[]){ operand_of(e, operand(call, 1)), operand_of(e, operand(call, 2)),
				    count > 4 ? operand_of(e, operand(call, 3)) : number(e, 0) },
		      3);
}

/* Need `value` not be compared with NULL?  A variable's own address cannot be NULL.  An optimiser that finds a parameter unused
 * passes poison for it, which is no NULL that the program passes. */
static bool is_surely_given(LLVMValueRef value)
{
	return LLVMIsAAllocaInst(value) || LLVMIsAGlobalVariable(value) || LLVMIsAFunction(value) || LLVMIsUndef(value);
}

/* Is the parameter (or the result) at `index` of a function, or of a call, promised to be no NULL?  `static` in the brackets of a
 * parameter promises an object. */
static bool is_never_null(LLVMValueRef value, LLVMAttributeIndex index)
{
	return attribute_of(value, index, "nonnull") || attribute_of(value, index, "dereferenceable");
}

void lower_given(struct emitter *e, LLVMValueRef call, LLVMValueRef function)
{
	unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call)), known = function ? LLVMCountParams(function) : 0;
	if (is_library(e->function) || (function && (LLVMIsDeclaration(function) || is_library(function))))
		return;
	for (unsigned i = 0; i < fixed && i < LLVMGetNumArgOperands(call); i++)
		if ((is_never_null(call, i + 1) || (i < known && is_never_null(function, i + 1))) &&
		    !is_surely_given(operand(call, i)))
			check(e, "__bitspin_promise_given", (uint32_t[]){ operand_of(e, operand(call, i)) }, 1);
}

static bool is_called_by_name_only(LLVMValueRef function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
			return false;
	}
	return true;
}

/* Check the parameters where the function begins, if it may be called through a pointer: such a call does not tell which function
 * it is of. */
void lower_entered(struct emitter *e)
{
	if (is_library(e->function) || is_called_by_name_only(e->function))
		return;
	for (unsigned i = 0; i < LLVMCountParams(e->function); i++)
		if (is_never_null(e->function, i + 1))
			check(e, "__bitspin_promise_given", (uint32_t[]){ operand_of(e, LLVMGetParam(e->function, i)) }, 1);
}

void lower_returned(struct emitter *e, LLVMValueRef value)
{
	if (!is_library(e->function) && is_never_null(e->function, LLVMAttributeReturnIndex) && !is_surely_given(value))
		check(e, "__bitspin_promise_returned", (uint32_t[]){ operand_of(e, value) }, 1);
}

void lower_given_back(struct emitter *e, LLVMValueRef call, LLVMValueRef function)
{
	LLVMAttributeRef align = attribute_of(call, LLVMAttributeReturnIndex, "align");
	if (align && function && !LLVMIsDeclaration(function) && !is_library(function) && !is_library(e->function))
		check(e, "__bitspin_promise_aligned",
		      (uint32_t[]){ result_of(e, call), number(e, LLVMGetEnumAttributeValue(align)), number(e, 0) }, 3);
}
