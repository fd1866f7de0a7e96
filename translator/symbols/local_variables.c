/* SPDX-License-Identifier: MIT
 *
 * Symbols of local variables: what a report calls an object of the stack, memory that was allocated, or an uninitialized value.
 */
#include "symbols.h"
#include "../read/variables.h"

#include <assert.h>
#include <string.h>

static uint32_t add_symbol(struct translation *t, LLVMValueRef function, LLVMValueRef variable, LLVMValueRef where)
{
	struct image_symbol symbol = { .location = location_of(t, where) };
	if (!debug_local(t, variable, &symbol.name, &symbol.type))
		return IMAGE_NONE;
	symbol.function = function_text(t, function);
	return builder_add(&t->builder, IMAGE_SYMBOLS, &symbol, 1);
}

uint32_t variable_symbol(struct translation *t, LLVMValueRef value)
{
	LLVMValueRef variable = named_variable(value);
	return variable ? add_symbol(t, LLVMGetBasicBlockParent(LLVMGetInstructionParent(value)), variable, value) : IMAGE_NONE;
}

uint32_t symbol_of(struct translation *t, LLVMValueRef function, LLVMValueRef place)
{
	assert(place); /* what declares nothing has none */
	LLVMBasicBlockRef block = LLVMIsDeclaration(function) ? NULL : LLVMGetFirstBasicBlock(function);
	for (; block; block = LLVMGetNextBasicBlock(block)) {
		for (LLVMValueRef insn = LLVMGetFirstInstruction(block); insn; insn = LLVMGetNextInstruction(insn)) {
			LLVMValueRef variable;
			uint32_t symbol = declared_place(insn, &variable) == place ? add_symbol(t, function, variable, insn) :
										     IMAGE_NONE;
			if (symbol != IMAGE_NONE)
				return symbol;
		}
	}
	return IMAGE_NONE;
}
