/* SPDX-License-Identifier: MIT
 *
 * Saves what is known about local variables before mem2reg removes them: that they start uninitialized, where their blocks begin
 * and end, and which variable gets the address of an allocation (for names in traces).
 *
 * mem2reg replaces a read of an uninitialized variable by `undef` and simplifies phis with it: after "int x; if (c) x = 5;" it
 * takes x to be 5.  That is allowed, but it hides the error.  So each variable that mem2reg will remove first gets a value of
 * its own, the result of a function without a body, about which mem2reg knows nothing.  If nothing can read that value, nothing
 * uses it, and it is not even lowered.
 *
 * clang allocates a variable at the start of its function, and marks where its block is entered.
 */
#include "variables.h"

#include <llvm-c/DebugInfo.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE   "bitspin.undefined"
#define VARIABLE "bitspin.variable"
#define KEEPER   "bitspin.keep"

bool is_undefined(LLVMValueRef function)
{
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);
	return begins(name, SOURCE);
}

/* Is `call` one that marks the begin or end of the block of a variable, its name beginning with `which`? */
static bool is_lifetime(LLVMValueRef call, const char *which)
{
	LLVMValueRef called = directly_called(call);
	size_t length;
	return called && begins(LLVMGetValueName2(called, &length), which);
}

static bool marks_lifetime(LLVMValueRef user)
{
	if (!LLVMIsABitCastInst(user))
		return is_lifetime(user, "llvm.lifetime.");
	for (LLVMUseRef use = LLVMGetFirstUse(user); use; use = LLVMGetNextUse(use))
		if (!is_lifetime(LLVMGetUser(use), "llvm.lifetime."))
			return false;
	return true;
}

enum fate { FATE_UNREAD, FATE_REGISTER, FATE_MEMORY };

/* Return what mem2reg makes of a variable, if it looks once: as isAllocaPromotable() of LLVM's PromoteMemoryToRegister, less what
 * clang makes at higher levels of optimisation only. */
static enum fate fate_of(LLVMValueRef alloca)
{
	assert(LLVMIsAAllocaInst(alloca));
	LLVMTypeRef type = LLVMGetAllocatedType(alloca);
	enum fate fate = FATE_UNREAD;
	if (!LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) || LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0)) != 1)
		return FATE_MEMORY;
	for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use), store = LLVMIsAStoreInst(user), load = LLVMIsALoadInst(user);
		if (marks_lifetime(user))
			continue;
		if (store && LLVMGetOperand(store, 0) != alloca && LLVMTypeOf(LLVMGetOperand(store, 0)) == type &&
		    !LLVMGetVolatile(store))
			continue;
		if (!load || LLVMTypeOf(load) != type || LLVMGetVolatile(load))
			return FATE_MEMORY;
		fate = FATE_REGISTER;
	}
	return fate;
}

bool stays_in_memory(LLVMValueRef alloca)
{
	return fate_of(alloca) == FATE_MEMORY;
}

/* Return the function that returns uninitialized values of `type`, and add it if it is new. */
static LLVMValueRef source(LLVMModuleRef module, LLVMTypeRef type)
{
	for (LLVMValueRef f = LLVMGetLastFunction(module); f; f = LLVMGetPreviousFunction(f))
		if (is_undefined(f) && LLVMGetReturnType(LLVMGlobalGetValueType(f)) == type)
			return f;
	LLVMValueRef added = LLVMAddFunction(module, SOURCE, LLVMFunctionType(type, NULL, 0, 0));
	assert(is_undefined(added)); /* although LLVM may have put a number behind the name */
	return added;
}

/* Store an undefined value into the variable at the start of the function, and wherever the block of the variable is entered.
 * Return that value. */
static LLVMValueRef mark(LLVMModuleRef module, LLVMValueRef alloca)
{
	assert(LLVMGetNextInstruction(alloca)); /* a block does not end with a variable */
	LLVMTypeRef type = LLVMGetAllocatedType(alloca), function_type = LLVMFunctionType(type, NULL, 0, 0);
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(alloca));
	LLVMValueRef value = LLVMBuildCall2(builder, function_type, source(module, type), NULL, 0, "");
	LLVMBuildStore(builder, value, alloca);
	for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use), cast = LLVMIsABitCastInst(user);
		for (LLVMUseRef inner = cast ? LLVMGetFirstUse(cast) : use; inner; inner = cast ? LLVMGetNextUse(inner) : NULL) {
			if (!is_lifetime(LLVMGetUser(inner), "llvm.lifetime.start"))
				continue;
			LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(LLVMGetUser(inner)));
			LLVMBuildStore(builder, value, alloca);
		}
	}
	LLVMDisposeBuilder(builder);
	return value;
}

/* Name each call whose result the variable gets after the variable: if the call allocates memory, the type of the variable tells
 * the type of that. */
static void name_allocations(LLVMValueRef alloca, LLVMValueRef variable, unsigned kind)
{
	for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef store = LLVMIsAStoreInst(LLVMGetUser(use)), value = store ? LLVMGetOperand(store, 0) : NULL;
		while (value && LLVMIsABitCastInst(value))
			value = LLVMGetOperand(value, 0);
		LLVMValueRef called = value ? directly_called(value) : NULL;
		bool pointer = value && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
		if (called && pointer && LLVMGetIntrinsicID(called) == 0)
			LLVMSetMetadata(value, kind, variable);
	}
}

LLVMValueRef declared_place(LLVMValueRef insn, LLVMValueRef *variable)
{
	LLVMValueRef place = NULL;
	if (!LLVMIsADbgDeclareInst(insn))
		return NULL;
	if (LLVMGetMDNodeNumOperands(LLVMGetOperand(insn, 0)) == 1)
		LLVMGetMDNodeOperands(LLVMGetOperand(insn, 0), &place);
	*variable = LLVMGetOperand(insn, 1);
	return place;
}

/* Name the undefined values in `values` after the variables that they are the first values of, as their declarations tell, which
 * mem2reg removes. */
static void name_values(LLVMValueRef function, struct map *marked, LLVMValueRef *values)
{
	unsigned kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)), VARIABLE,
						 sizeof VARIABLE - 1);
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef insn = LLVMGetFirstInstruction(block); insn; insn = LLVMGetNextInstruction(insn)) {
			uint32_t number;
			LLVMValueRef variable, alloca = declared_place(insn, &variable);
			if (alloca && LLVMIsAAllocaInst(alloca))
				name_allocations(alloca, variable, kind);
			if (!alloca || !map_get(marked, alloca, &number))
				continue;
			LLVMSetMetadata(values[number], kind, variable);
			LLVMInstructionSetDebugLoc(values[number], LLVMInstructionGetDebugLoc(insn));
		}
}

/* Keep the variable in memory, by passing its address to a function.  mem2reg works in rounds: it may remove a variable because it
 * has just removed the one that held its address, and with it the end of the block and accesses after that. */
static void keep(LLVMModuleRef module, LLVMValueRef alloca)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef pointer = LLVMPointerType(LLVMInt8TypeInContext(context), LLVMGetPointerAddressSpace(LLVMTypeOf(alloca)));
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, 1, 0);
	LLVMValueRef function = LLVMGetNamedFunction(module, KEEPER);
	if (!function)
		function = LLVMAddFunction(module, KEEPER, type);
	assert(is_keeper(function));
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
	LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(alloca));
	LLVMValueRef address = LLVMBuildBitCast(builder, alloca, pointer, "");
	LLVMBuildCall2(builder, type, function, &address, 1, "");
	LLVMDisposeBuilder(builder);
}

bool is_keeper(LLVMValueRef function)
{
	size_t length;
	return strcmp(LLVMGetValueName2(function, &length), KEEPER) == 0;
}

static void mark_function(LLVMModuleRef module, LLVMValueRef function, bool stay)
{
	struct map *marked = NULL;
	LLVMValueRef *values = NULL;
	uint32_t count = 0;
	for (LLVMValueRef insn = stay ? NULL : LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); insn;
	     insn = LLVMGetNextInstruction(insn)) {
		enum fate fate = LLVMIsAAllocaInst(insn) ? fate_of(insn) : FATE_UNREAD;
		if (fate == FATE_MEMORY) {
			keep(module, insn);
		} else if (fate == FATE_REGISTER) {
			values = xrealloc(values, (count + 1) * sizeof *values);
			map_put(&marked, insn, count);
			values[count++] = mark(module, insn);
		}
	}
	name_values(function, marked, values);
	map_free(&marked);
	free(values);
}

void mark_variables(LLVMModuleRef module, bool stay)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			mark_function(module, f, stay);
}

LLVMValueRef named_variable(LLVMValueRef value)
{
	assert(LLVMIsAInstruction(value));
	LLVMContextRef context = LLVMGetModuleContext(
		LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(value))));
	return LLVMGetMetadata(value, LLVMGetMDKindIDInContext(context, VARIABLE, sizeof VARIABLE - 1));
}
