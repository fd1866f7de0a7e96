/* SPDX-License-Identifier: MIT
 *
 * Calls of syscall() become calls of what does the system call: of a function of the C library, or of one of the VM that is called
 * syscall(SYS_...).  So the tables of functions say all that there is to say of them, and who asks what a program needs is told
 * which system call it is.  The number must be a constant in the program's bitcode.
 */
#include "passes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

enum { MOST_PARAMETERS = 6 };

static const struct row {
	unsigned long number;
	const char *name, *function, *type;
} rows[] = {
#define SYSCALL(name, function, type) { SYS_##name, #name, function, type },
#include "syscalls.def"
#undef SYSCALL
};

static const struct row *row_of(unsigned long number)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].number == number)
			return &rows[i];
	return NULL;
}

static LLVMTypeRef type_of(const struct translation *t, char letter)
{
	switch (letter) {
	case 'v': return LLVMVoidTypeInContext(t->context);
	case 'i': return LLVMInt32TypeInContext(t->context);
	case 'p': return LLVMPointerType(LLVMInt8TypeInContext(t->context), 0);
	default: assert(letter == 'l'); return LLVMInt64TypeInContext(t->context);
	}
}

static LLVMTypeRef function_type(const struct translation *t, const char *letters)
{
	assert(*letters);
	LLVMTypeRef parameters[MOST_PARAMETERS];
	unsigned count = 0;
	const char *at = letters[1] ? letters + 2 : letters + 1;
	for (; *at && *at != '.'; at++) {
		assert(count < MOST_PARAMETERS);
		parameters[count++] = type_of(t, *at);
	}
	return LLVMFunctionType(type_of(t, letters[0]), parameters, count, *at == '.');
}

static bool is_word(LLVMValueRef value)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
	return kind == LLVMPointerTypeKind || kind == LLVMIntegerTypeKind;
}

/* Convert `value`, a register of the call, to `type`. */
static LLVMValueRef as_type(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef type)
{
	assert(is_word(value));
	bool from = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind, to = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
	if (from && to)
		return LLVMBuildBitCast(b, value, type, "");
	if (from)
		return LLVMBuildPtrToInt(b, value, type, "");
	return to ? LLVMBuildIntToPtr(b, value, type, "") : LLVMBuildIntCast2(b, value, type, true, "");
}

static LLVMValueRef declare(const struct translation *t, const char *name, LLVMTypeRef type)
{
	LLVMValueRef function = LLVMGetNamedFunction(t->module, name);
	return function ? function : LLVMAddFunction(t->module, name, type);
}

/* Let `call` call a function by the name syscall(SYS_name), or by the number, which nobody provides. */
static void rename_call(struct translation *t, LLVMValueRef call, const struct row *row, unsigned long number)
{
	char name[64];
	if (row)
		snprintf(name, sizeof name, "syscall(SYS_%s)", row->name);
	else
		snprintf(name, sizeof name, "syscall(%lu)", number);
	LLVMValueRef called = LLVMGetCalledValue(call);
	LLVMValueRef function = declare(t, name, LLVMGetCalledFunctionType(call));
	for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(call); i++)
		if (LLVMGetOperand(call, i) == called)
			LLVMSetOperand(call, i, LLVMConstBitCast(function, LLVMTypeOf(called)));
}

static void replace_call(struct translation *t, LLVMValueRef call, const struct row *row)
{
	LLVMTypeRef type = function_type(t, row->type), parameters[MOST_PARAMETERS];
	LLVMValueRef function = declare(t, row->function, type), arguments[MOST_PARAMETERS];
	assert(LLVMGetNumArgOperands(call) > 0); /* the number of the system call */
	unsigned count = LLVMCountParamTypes(type), given = LLVMGetNumArgOperands(call) - 1;
	LLVMBuilderRef b = LLVMCreateBuilderInContext(t->context);
	LLVMPositionBuilderBefore(b, call);
	assert(count <= MOST_PARAMETERS);
	LLVMGetParamTypes(type, parameters);
	for (unsigned i = 0; i < count; i++) /* what is not passed is not looked at, or Linux finds whatever is there */
		arguments[i] = i < given ? as_type(b, LLVMGetOperand(call, i + 1), parameters[i]) : LLVMConstNull(parameters[i]);
	for (; LLVMIsFunctionVarArg(type) && count < given && count < MOST_PARAMETERS; count++)
		arguments[count] = LLVMGetOperand(call, count + 1);
	LLVMValueRef called = LLVMBuildBitCast(b, function, LLVMPointerType(type, 0), "");
	LLVMValueRef result = LLVMBuildCall2(b, type, called, arguments, count, "");
	if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
		LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
	else
		LLVMReplaceAllUsesWith(call, as_type(b, result, LLVMTypeOf(call)));
	LLVMInstructionEraseFromParent(call);
	LLVMDisposeBuilder(b);
}

static void name_call(struct translation *t, LLVMValueRef call)
{
	LLVMValueRef number = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
	if (!number || !LLVMIsAConstantInt(number) || !LLVMIsACallInst(call))
		return;
	const struct row *row = row_of(LLVMConstIntGetZExtValue(number));
	bool words = true;
	for (unsigned i = 1; i < LLVMGetNumArgOperands(call); i++)
		words = words && is_word(LLVMGetOperand(call, i));
	if (row && row->function && words)
		replace_call(t, call, row);
	else
		rename_call(t, call, row, LLVMConstIntGetZExtValue(number));
}

/* Leave calls of syscall() only where the number is no constant. */
void name_system_calls(struct translation *t)
{
	LLVMValueRef function = LLVMGetNamedFunction(t->module, "syscall");
	if (!function || !LLVMIsDeclaration(function))
		return;
	LLVMUseRef next;
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = next) {
		LLVMValueRef user = LLVMGetUser(use);
		next = LLVMGetNextUse(use);
		if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function)
			name_call(t, user);
	}
}
