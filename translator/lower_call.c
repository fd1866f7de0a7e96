/* SPDX-License-Identifier: MIT
 *
 * Calls: of functions, through pointers.  Intrinsics are in lower_intrinsic.c, inline assembly in lower_asm.c.
 *
 * Variable arguments (System V ABI for x86-64, section 3.5.7): the caller lays them out in a stack object as the
 * overflow area of a va_list, and passes its address as one more argument; va_start makes a va_list whose register areas
 * are used up, so that the code clang made for va_arg reads that area only.
 */
#include "lower.h"
#include "symbols.h"
#include "variables.h"
#include "../runtime/image/match.h"

#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

static LLVMTypeRef byval_type(LLVMValueRef call, unsigned argument)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
	LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
	return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* On the stack, nothing is aligned to less than a word. */
static uint64_t byval_alignment(LLVMValueRef call, unsigned argument)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
	LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
	uint64_t align = attribute ? LLVMGetEnumAttributeValue(attribute) : 0;
	return align > 8 ? align : 8;
}

/* The function a call names, through the casts of old-style declarations; NULL if it goes through a pointer. */
static LLVMValueRef called_function(LLVMValueRef call)
{
	LLVMValueRef called = LLVMGetCalledValue(call);
	for (;;) {
		if (LLVMIsAFunction(called))
			return called;
		if (LLVMIsAGlobalAlias(called))
			called = LLVMAliasGetAliasee(called);
		else if (LLVMIsAConstantExpr(called) && LLVMGetConstOpcode(called) == LLVMBitCast)
			called = LLVMGetOperand(called, 0);
		else
			return NULL;
	}
}

/* A struct passed by value: the callee gets the address of a copy, which ends when it returns. */
static uint32_t copy_of(struct emitter *e, LLVMValueRef call, unsigned i, LLVMTypeRef type)
{
	LLVMValueRef function = called_function(call), argument = LLVMGetOperand(call, i);
	bool known = function && i < LLVMCountParams(function);
	uint32_t symbol = known ? symbol_of(e, function, LLVMGetParam(function, i)) : NONE;
	uint64_t size = LLVMABISizeOfType(e->t->layout, type);
	uint32_t copy = static_object(e, size, 16, symbol, true);
	emit_lifetime(e, copy, true);
	emit(e, IMAGE_MEMCPY, 64, 0, NONE, copy, operand_of(e, argument), number(e, size));
	return copy;
}

/* of variable arguments: where each goes */
struct area {
	uint64_t size;
	char *letters; /* what each word is, see runtime/externals/print.c */
};

static char letter_of(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind: return 'p';
	case LLVMDoubleTypeKind: return 'd';
	case LLVMX86_FP80TypeKind: return 'x';
	case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 32 ? 'i' : LLVMGetIntTypeWidth(type) == 64 ? 'l' : '?';
	default: return '?'; /* a structure, or what a vector is made of */
	}
}

static uint64_t place(struct area *area, uint64_t size, uint64_t align, char letter)
{
	uint64_t at = (area->size + align - 1) / align * align, end = at + (size + 7) / 8 * 8;
	area->letters = xrealloc(area->letters, end / 8 + 1);
	for (uint64_t word = area->size / 8; word < end / 8; word++)
		area->letters[word] = word == at / 8 || (word > at / 8 && letter == '?') ? letter : '-';
	area->size = end;
	return at;
}

static void place_argument(struct emitter *e, LLVMValueRef call, unsigned i, struct area *area, uint32_t object, bool write)
{
	LLVMValueRef argument = LLVMGetOperand(call, i);
	LLVMTypeRef type = byval_type(call, i);
	if (type) {
		uint64_t size = LLVMABISizeOfType(e->t->layout, type), at = place(area, size, byval_alignment(call, i), '?');
		if (write)
			emit(e, IMAGE_MEMCPY, 64, 0, NONE, add_offset(e, object, at), operand_of(e, argument), number(e, size));
		return;
	}
	struct leaves leaves = flatten(e->t, LLVMTypeOf(argument), call);
	bool vector = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMVectorTypeKind;
	if (vector) { /* one register, such as two floats of a struct: its elements lie side by side */
		uint64_t size = LLVMABISizeOfType(e->t->layout, LLVMTypeOf(argument)),
			 at = place(area, size, size > 8 ? 16 : 8, '?');
		for (unsigned k = 0; write && k < leaves.count; k++)
			emit(e, IMAGE_STORE, leaves.items[k].bits, 0, NONE, add_offset(e, object, at + leaves.items[k].offset),
			     operand_at(e, argument, leaves.items[k].slot), NONE);
	}
	for (unsigned k = 0; !vector && k < leaves.count; k++) {
		unsigned bits = leaves.items[k].bits;
		uint64_t at = place(area, bits > 64 ? 16 : 8, bits > 64 ? 16 : 8, letter_of(LLVMTypeOf(argument)));
		if (write) /* a whole word: what is above the value must be defined, printf reads it */
			emit(e, IMAGE_STORE, bits > 64 ? bits : 64, 0, NONE, add_offset(e, object, at),
			     operand_at(e, argument, leaves.items[k].slot), NONE);
	}
	free(leaves.items);
}

/* The address of the variable arguments, from the `fixed`-th on. */
static uint32_t variable_area(struct emitter *e, LLVMValueRef call, unsigned fixed)
{
	unsigned count = LLVMGetNumArgOperands(call);
	struct area area = { 0 };
	for (unsigned i = fixed; i < count; i++)
		place_argument(e, call, i, &area, NONE, false);
	if (area.size == 0)
		return number(e, 0);
	struct image_symbol symbol = {
		.name = builder_string(&e->t->builder, "the variable arguments", strlen("the variable arguments")),
		.location = e->location,
		.arguments = builder_string(&e->t->builder, area.letters, area.size / 8),
	};
	uint32_t object = static_object(e, area.size, 16, builder_add(&e->t->builder, IMAGE_SYMBOLS, &symbol, 1), true);
	area.size = 0;
	for (unsigned i = fixed; i < count; i++)
		place_argument(e, call, i, &area, object, true);
	free(area.letters);
	return object;
}

/* The operands of a call; `copies`: those that are addresses of copies. */
static void lower_arguments(struct emitter *e, LLVMValueRef call, struct operands *list, struct operands *copies)
{
	LLVMTypeRef type = LLVMGetCalledFunctionType(call);
	unsigned fixed = LLVMCountParamTypes(type), count = LLVMGetNumArgOperands(call);
	for (unsigned i = 0; i < fixed && i < count; i++) {
		LLVMTypeRef copied = byval_type(call, i);
		if (!copied) {
			operands_value(e, list, LLVMGetOperand(call, i));
			continue;
		}
		uint32_t copy = copy_of(e, call, i, copied);
		operands_add(list, copy);
		operands_add(copies, copy);
	}
	if (LLVMIsFunctionVarArg(type))
		operands_add(list, variable_area(e, call, fixed));
}

/* ---- calls --------------------------------------------------------------------------------------------------------- */

/* Its name in the program: that of an alias, if the call is through one. */
static const char *called_name(LLVMValueRef call, LLVMValueRef function)
{
	LLVMValueRef called = LLVMGetCalledValue(call);
	while (LLVMIsAConstantExpr(called) && LLVMGetConstOpcode(called) == LLVMBitCast)
		called = LLVMGetOperand(called, 0);
	return function_name(LLVMIsAGlobalAlias(called) ? called : function);
}

static uint32_t list_in_pool(struct emitter *e, const struct operands *list)
{
	return builder_pool(&e->t->builder, list->items, list->count);
}

/* A call through a pointer; the word before its list of operands says of what type it is. */
static void emit_indirect(struct emitter *e, LLVMValueRef call, uint32_t address, const struct operands *list, unsigned results)
{
	struct operands typed = { 0 };
	operands_add(&typed, signature_of_call(e->t, call));
	for (unsigned i = 0; i < list->count; i++)
		operands_add(&typed, list->items[i]);
	emit(e, IMAGE_CALLI, 0, results, results ? result_of(e, call) : NONE, address, list_in_pool(e, &typed) + 1, list->count);
	free(typed.items);
}

/* Is the function declared one way where it is called, and defined another? */
static bool is_misdeclared(struct emitter *e, LLVMValueRef call, const struct image_function *f)
{
	if (!e->t->request->options.calls)
		return false;
	uint32_t type = signature_of_call(e->t, call);
	const char *called = builder_at(&e->t->builder, IMAGE_STRINGS, type);
	return !image_signatures_match(called, builder_at(&e->t->builder, IMAGE_STRINGS, f->signature));
}

static void lower_direct(struct emitter *e, LLVMValueRef call, LLVMValueRef function, struct operands *list, unsigned results)
{
	uint32_t index = function_index(e->t, function);
	struct image_function f = *(struct image_function *)builder_at(&e->t->builder, IMAGE_FUNCTIONS, index);
	if (list->count < f.parameters || (results && f.results != results) || is_misdeclared(e, call, &f)) {
		emit_indirect(e, call, number(e, image_function_address(index)), list, results); /* the VM tells when it happens */
		return;
	}
	emit(e, IMAGE_CALL, 0, 0, results ? result_of(e, call) : NONE, index, list_in_pool(e, list), list->count);
	uint32_t symbol = results == 1 && !is_library(e->function) ? variable_symbol(e->t, call) : NONE;
	if (symbol != NONE) /* its declaration is elsewhere */
		((struct image_symbol *)builder_at(&e->t->builder, IMAGE_SYMBOLS, symbol))->location = 0;
	if (symbol != NONE)
		emit(e, IMAGE_NOTE, 64, 0, NONE, result_of(e, call), symbol, NONE);
}

static void lower_undefined(struct emitter *e, LLVMValueRef call)
{
	struct leaves leaves = flatten(e->t, LLVMTypeOf(call), call);
	uint32_t symbol = LLVMGetFirstUse(call) ? variable_symbol(e->t, call) : NONE;
	for (unsigned i = 0; LLVMGetFirstUse(call) && i < leaves.count; i++)
		emit_undefined(e, result_of(e, call) + leaves.items[i].slot, leaves.items[i].bits, symbol);
	free(leaves.items);
}

void lower_call(struct emitter *e, LLVMValueRef call)
{
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
		lower_assembly(e, call);
		return;
	}
	LLVMValueRef function = called_function(call);
	if (function && LLVMGetIntrinsicID(function) != 0) {
		size_t length;
		const char *name = LLVMGetValueName2(function, &length);
		bool done = lower_intrinsic(e, call, name);
		/* Without an optimiser, the marks of lifetimes are there because we asked for them. */
		bool ours = strncmp(name, "llvm.lifetime.", 14) == 0 && !e->t->optimised;
		if (strncmp(name, "llvm.dbg.", 9) != 0 && !ours)
			add_use(e, USE_INTRINSIC, name, call, done);
		if (!done)
			complain(e->t, call, "unsupported intrinsic '%s'", name);
		return;
	}
	if (function && is_keeper(function))
		return;
	if (function && is_undefined(function)) {
		lower_undefined(e, call);
		return;
	}
	if (function && is_missing(e->t, function)) { /* a call through a null pointer */
		struct operands none = { 0 };
		struct leaves leaves = flatten(e->t, LLVMTypeOf(call), call);
		emit_indirect(e, call, number(e, 0), &none, leaves.slots);
		free(leaves.items);
		return;
	}
	if (function && LLVMIsDeclaration(function) && lower_atomic(e, call, function_name(function))) {
		add_use(e, USE_INTRINSIC, function_name(function), call, true);
		return;
	}
	if (function && LLVMIsDeclaration(function))
		note_input(e, call, function);
	if (function && (LLVMIsDeclaration(function) || is_library(function)))
		add_use(e, USE_FUNCTION, called_name(call, function), call, true);
	struct operands list = { 0 }, copies = { 0 };
	struct leaves results = flatten(e->t, LLVMTypeOf(call), call);
	lower_given(e, call, function);
	lower_arguments(e, call, &list, &copies);
	if (function)
		lower_direct(e, call, function, &list, results.slots);
	else
		emit_indirect(e, call, operand_of(e, LLVMGetCalledValue(call)), &list, results.slots);
	for (unsigned i = 0; i < copies.count; i++)
		emit_lifetime(e, copies.items[i], false);
	free(copies.items);
	free(list.items);
	free(results.items);
}
