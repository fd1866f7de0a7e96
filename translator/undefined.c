/* SPDX-License-Identifier: MIT
 *
 * Local variables that begin without a value.
 *
 * Of a variable that is read before it is set, mem2reg makes `undef`, and simplifies phis that have it: after "int x; if (c)
 * x = 5;" x is 5.  That is allowed, but it hides the error.  So before mem2reg each variable that it will remove is given
 * a value of its own, what a function without a body returns, and mem2reg has no reason to think it anything else.  Where
 * nothing can read that value, nothing uses it, and it is not even lowered.
 *
 * clang puts the allocation of a variable at the start of its function, so one in a loop keeps what it had in the round
 * before.
 */
#include "internal.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

#define SOURCE   "bitspin.undefined"
#define VARIABLE "bitspin.variable"

bool is_undefined(LLVMValueRef function)
{
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);
	return strncmp(name, SOURCE, sizeof SOURCE - 1) == 0;
}

/* Does mem2reg remove this variable, and is it read at all?  As isAllocaPromotable() of LLVM's PromoteMemoryToRegister, less
 * what clang makes at higher levels of optimisation only. */
static bool becomes_register(LLVMValueRef alloca)
{
	LLVMTypeRef type = LLVMGetAllocatedType(alloca);
	bool is_read = false;
	if (!LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) || LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0)) != 1)
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use), store = LLVMIsAStoreInst(user), load = LLVMIsALoadInst(user);
		if (store && LLVMGetOperand(store, 0) != alloca && LLVMTypeOf(LLVMGetOperand(store, 0)) == type && !LLVMGetVolatile(store))
			continue;
		if (!load || LLVMTypeOf(load) != type || LLVMGetVolatile(load))
			return false;
		is_read = true;
	}
	return is_read;
}

/* The function whose results are values of this type that were never set. */
static LLVMValueRef source(LLVMModuleRef module, LLVMTypeRef type)
{
	for (LLVMValueRef f = LLVMGetLastFunction(module); f; f = LLVMGetPreviousFunction(f))
		if (is_undefined(f) && LLVMGetReturnType(LLVMGlobalGetValueType(f)) == type)
			return f;
	return LLVMAddFunction(module, SOURCE, LLVMFunctionType(type, NULL, 0, 0));
}

static LLVMValueRef mark(LLVMModuleRef module, LLVMValueRef alloca)
{
	LLVMTypeRef type = LLVMGetAllocatedType(alloca), function_type = LLVMFunctionType(type, NULL, 0, 0);
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(alloca));
	LLVMValueRef value = LLVMBuildCall2(builder, function_type, source(module, type), NULL, 0, "");
	LLVMBuildStore(builder, value, alloca);
	LLVMDisposeBuilder(builder);
	return value;
}

/* The declaration of a variable, if it is known, tells the value's name and place: mem2reg removes it. */
static void name_values(LLVMValueRef function, struct map *marked, LLVMValueRef *values)
{
	unsigned kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)), VARIABLE, sizeof VARIABLE - 1);
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef insn = LLVMGetFirstInstruction(block); insn; insn = LLVMGetNextInstruction(insn)) {
			uint32_t number;
			LLVMValueRef described = LLVMIsADbgDeclareInst(insn) ? LLVMGetOperand(insn, 0) : NULL, alloca = NULL;
			if (described && LLVMGetMDNodeNumOperands(described) == 1)
				LLVMGetMDNodeOperands(described, &alloca);
			if (!alloca || !map_get(marked, alloca, &number))
				continue;
			LLVMSetMetadata(values[number], kind, LLVMGetOperand(insn, 1));
			LLVMInstructionSetDebugLoc(values[number], LLVMInstructionGetDebugLoc(insn));
		}
}

static void mark_function(LLVMModuleRef module, LLVMValueRef function)
{
	struct map *marked = NULL;
	LLVMValueRef *values = NULL;
	uint32_t count = 0;
	for (LLVMValueRef insn = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); insn; insn = LLVMGetNextInstruction(insn))
		if (LLVMIsAAllocaInst(insn) && becomes_register(insn)) {
			values = xrealloc(values, (count + 1) * sizeof *values);
			map_put(&marked, insn, count);
			values[count++] = mark(module, insn);
		}
	if (count)
		name_values(function, marked, values);
	map_free(&marked);
	free(values);
}

void mark_undefined(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			mark_function(module, f);
}

uint32_t undefined_symbol(struct translation *t, LLVMValueRef value)
{
	LLVMValueRef variable = LLVMGetMetadata(value, LLVMGetMDKindIDInContext(t->context, VARIABLE, sizeof VARIABLE - 1));
	struct image_symbol symbol = { .location = location_of(t, value) };
	if (!variable || !debug_local(t, variable, &symbol.name, &symbol.type))
		return IMAGE_NONE;
	return builder_add(&t->builder, IMAGE_SYMBOLS, &symbol, 1);
}
