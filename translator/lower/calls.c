/* SPDX-License-Identifier: MIT
 *
 * Calls: of functions, through pointers.  Intrinsics are in intrinsics.c, inline assembly in assembly.c.
 *
 * Variable arguments (System V ABI for x86-64, section 3.5.7): the code that clang makes for va_arg takes an argument from
 * the register save area as long as registers are left, else from the overflow area.  The caller lays out both in one
 * stack object, and passes what va_start stores as three more arguments: see area_operands().
 */
#include "instructions.h"
#include "../read/read.h"
#include "../read/variables.h"
#include "../symbols/symbols.h"
#include "../../runtime/image/match.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

static LLVMTypeRef byval_type(LLVMValueRef call, unsigned argument)
{
	LLVMAttributeRef attribute = attribute_of(call, argument + 1, "byval");
	return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* Return the alignment on the stack of an argument that is passed by value: a word at least. */
static uint64_t byval_alignment(LLVMValueRef call, unsigned argument)
{
	LLVMAttributeRef attribute = attribute_of(call, argument + 1, "align");
	uint64_t align = attribute ? LLVMGetEnumAttributeValue(attribute) : 0;
	return align > 8 ? align : 8;
}

/* Return the function that `call` names, through the casts of old-style declarations; NULL if the call goes through a pointer. */
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

/* Copy argument `i`, a struct passed by value, and return the operand for the address of the copy, which ends when the callee
 * returns. */
static uint32_t copy_of(struct emitter *e, LLVMValueRef call, unsigned i, LLVMTypeRef type)
{
	LLVMValueRef function = called_function(call), argument = LLVMGetOperand(call, i);
	bool known = function && i < LLVMCountParams(function);
	uint32_t symbol = known ? symbol_of(e->t, function, LLVMGetParam(function, i)) : NONE;
	uint64_t size = LLVMABISizeOfType(e->t->layout, type);
	uint32_t copy = static_object(e, size, 16, symbol, true);
	emit_lifetime(e, copy, true);
	emit(e, IMAGE_MEMCPY, 64, 0, NONE, copy, operand_of(e, argument), number(e, size));
	return copy;
}

/* ---- variable arguments ------------------------------------------------------------------------------------------------ */

/* where the registers of each kind end in a register save area */
#define GENERAL_END 48
#define VECTOR_END  176

/* parts of the object of variable arguments; in each, one argument follows the other */
enum part {
	PART_GENERAL, /* a word for each general register */
	PART_VECTOR,  /* two words for each vector register */
	PART_OVERFLOW,
	NPARTS,
};

static const unsigned registers_of_part[NPARTS] = {
	[PART_GENERAL] = GENERAL_END / 8, [PART_VECTOR] = (VECTOR_END - GENERAL_END) / 16
};

/* Variable arguments.  They are placed twice: to learn the sizes of the parts, and to store them. */
struct area {
	uint32_t object;          /* NONE: the sizes are not known yet */
	unsigned fixed, argument; /* operands of the call: how many are named, and which is placed */
	unsigned used[NPARTS];    /* registers, by the named arguments as well */
	uint64_t start[NPARTS], size[NPARTS];
	uint64_t align; /* of the overflow area */
	char *letters;  /* what each word of the object is, see struct image_symbol */
	uint64_t words;
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

static enum part part_of(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind:
	case LLVMIntegerTypeKind: return PART_GENERAL;
	case LLVMX86_FP80TypeKind:
	case LLVMFP128TypeKind: return PART_OVERFLOW; /* of fp128, clang's va_arg looks there; the ABI has registers */
	default: return PART_VECTOR;
	}
}

/* Return where the next argument goes in the object of variable arguments.  An argument takes registers only if there are enough
 * for the whole of it. */
static uint64_t place(struct area *area, enum part part, uint64_t size, uint64_t align, char letter)
{
	unsigned registers = part == PART_GENERAL ? (unsigned)(size + 7) / 8 : 1;
	if (part == PART_OVERFLOW || area->used[part] + registers > registers_of_part[part])
		part = PART_OVERFLOW;
	else
		area->used[part] += registers;
	if (area->argument < area->fixed)
		return 0;
	uint64_t unit = part == PART_GENERAL ? 8 : part == PART_VECTOR ? 16 : align;
	uint64_t at = (area->size[part] + unit - 1) / unit * unit, end = at + (size + 7) / 8 * 8;
	area->size[part] = part == PART_VECTOR ? at + 16 : end;
	area->align = part == PART_OVERFLOW && align > area->align ? align : area->align;
	at += area->start[part];
	for (uint64_t word = at / 8; area->letters && word < (at + size + 7) / 8; word++) {
		unsigned order = area->argument - area->fixed;
		assert(word < area->words);
		area->letters[word] = word == at / 8 || letter == '?' ? letter : '-';
		area->letters[area->words + word] = (char)('!' + (order < IMAGE_ORDERS ? order : IMAGE_ORDERS));
	}
	assert(at % 8 == 0); /* each has words of its own */
	return at;
}

static void place_argument(struct emitter *e, LLVMValueRef call, struct area *area)
{
	unsigned i = area->argument;
	LLVMValueRef argument = LLVMGetOperand(call, i);
	LLVMTypeRef copied = byval_type(call, i), type = LLVMTypeOf(argument);
	bool write = area->object != NONE && i >= area->fixed;
	if (copied) {
		uint64_t size = LLVMABISizeOfType(e->t->layout, copied),
			 at = place(area, PART_OVERFLOW, size, byval_alignment(call, i), '?');
		if (write)
			emit(e, IMAGE_MEMCPY, 64, 0, NONE, add_offset(e, area->object, at), operand_of(e, argument),
			     number(e, size));
		return;
	}
	struct leaves leaves = flatten(e->t, type, call);
	bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
	if (vector) { /* one register, such as two floats of a struct: its elements lie side by side */
		uint64_t size = LLVMABISizeOfType(e->t->layout, type),
			 at = place(area, size > 16 ? PART_OVERFLOW : PART_VECTOR, size, size > 8 ? size : 8, '?');
		for (unsigned k = 0; write && k < leaves.count; k++)
			emit(e, IMAGE_STORE, leaves.items[k].bits, 0, NONE,
			     add_offset(e, area->object, at + leaves.items[k].offset),
			     operand_at(e, argument, leaves.items[k].slot), NONE);
	}
	for (unsigned k = 0; !vector && k < leaves.count; k++) {
		unsigned bits = leaves.items[k].bits, size = bits > 64 ? 16 : 8;
		uint64_t at = place(area, part_of(type), size, size, letter_of(type));
		if (write) /* a whole word: what is above the value must be defined, printf reads it */
			emit(e, IMAGE_STORE, bits > 64 ? bits : 64, 0, NONE, add_offset(e, area->object, at),
			     operand_at(e, argument, leaves.items[k].slot), NONE);
	}
	free(leaves.items);
}

static void place_all(struct emitter *e, LLVMValueRef call, struct area *area)
{
	unsigned count = LLVMGetNumArgOperands(call);
	memset(area->used, 0, sizeof area->used);
	memset(area->size, 0, sizeof area->size);
	for (area->argument = 0; area->argument < count; area->argument++)
		place_argument(e, call, area);
}

/* Place the parts, whose sizes are known, and return the size of the object.  What a register save area has between its general and
 * its vector registers is there only if the call passes both. */
static uint64_t start_parts(struct area *area)
{
	uint64_t general = area->size[PART_GENERAL], vector = area->size[PART_VECTOR];
	area->start[PART_GENERAL] = vector ? general % 16 : 0; /* the vector registers are aligned */
	area->start[PART_VECTOR] = area->start[PART_GENERAL] + general;
	if (general && vector)
		area->start[PART_VECTOR] += VECTOR_END - GENERAL_END - vector;
	uint64_t end = area->start[PART_VECTOR] + vector;
	area->start[PART_OVERFLOW] = (end + area->align - 1) / area->align * area->align;
	return area->size[PART_OVERFLOW] ? area->start[PART_OVERFLOW] + area->size[PART_OVERFLOW] : end;
}

/* Append what va_start stores to `list`: the address of the overflow area, that of the register save area, and the offsets of the
 * next registers in the latter.  The object has no more registers than the call passes, and they are the last ones of their kind: a
 * callee that takes more of them goes on in the overflow area, and out of the object. */
static void area_operands(struct emitter *e, LLVMValueRef call, unsigned fixed, struct operands *list)
{
	struct area area = { .object = NONE, .fixed = fixed, .align = 8 };
	place_all(e, call, &area);
	uint64_t size = start_parts(&area), general = area.size[PART_GENERAL], vector = area.size[PART_VECTOR];
	if (size) {
		area.words = size / 8;
		area.letters = xrealloc(NULL, 2 * area.words);
		memset(area.letters, '-', 2 * area.words);
		struct image_symbol symbol = {
			.name = builder_string(&e->t->builder, "the variable arguments", strlen("the variable arguments")),
			.location = e->location,
		};
		uint32_t index = builder_add(&e->t->builder, IMAGE_SYMBOLS, &symbol, 1);
		area.object = static_object(e, size, area.align > 16 ? area.align : 16, index, true);
		place_all(e, call, &area);
		assert(start_parts(&area) == size); /* both times, each argument has the same place */
		((struct image_symbol *)builder_at(&e->t->builder, IMAGE_SYMBOLS, index))
			->arguments = builder_string(&e->t->builder, area.letters, 2 * area.words);
		free(area.letters);
	}
	bool overflow = area.size[PART_OVERFLOW];
	assert(general <= GENERAL_END && vector <= VECTOR_END - GENERAL_END);
	uint64_t saved = general ? area.start[PART_GENERAL] + general - GENERAL_END : area.start[PART_VECTOR] + vector - VECTOR_END;
	operands_add(list, size ? add_offset(e, area.object, overflow ? area.start[PART_OVERFLOW] : size) : number(e, 0));
	operands_add(list, general || vector ? add_offset(e, area.object, saved) : number(e, 0));
	operands_add(list, number(e, (GENERAL_END - general) | (VECTOR_END - vector) << 32));
}

/* Append the operands of `call` to `list`, and those that are addresses of copies to `copies`. */
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
		area_operands(e, call, fixed, list);
}

/* ---- calls --------------------------------------------------------------------------------------------------------- */

/* Return the name by which the program calls `function`: that of an alias, if the call goes through one. */
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

/* Emit a call of the function at `address`.  The word before the list of operands is the type of the call. */
static void emit_indirect(struct emitter *e, LLVMValueRef call, uint32_t address, const struct operands *list, unsigned results)
{
	struct operands typed = { 0 };
	operands_add(&typed, signature_of_call(e->t, call));
	for (unsigned i = 0; i < list->count; i++)
		operands_add(&typed, list->items[i]);
	emit(e, IMAGE_CALLI, 0, results, results ? result_of(e, call) : NONE, address, list_in_pool(e, &typed) + 1, list->count);
	free(typed.items);
}

/* Is the function `f` declared with one type where `call` is, and defined with another? */
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
	assert(!(f.flags & FUNCTION_VARIADIC) || list->count >= IMAGE_AREA_OPERANDS);
	bool blind = (f.flags & FUNCTION_EXTERN) && !LLVMGetFirstUse(call);
	emit(e, IMAGE_CALL, 0, blind ? IMAGE_BLIND : 0, results ? result_of(e, call) : NONE, index, list_in_pool(e, list),
	     list->count);
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
		bool ours = begins(name, "llvm.lifetime.") && !e->t->optimised;
		if (!begins(name, "llvm.dbg.") && !ours)
			add_use(e, USE_INTRINSIC, name, call, done);
		if (!done)
			unsupported(e->t, call, "unsupported intrinsic '%s'", name);
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
	lower_given_back(e, call, function);
	for (unsigned i = 0; i < copies.count; i++)
		emit_lifetime(e, copies.items[i], false);
	free(copies.items);
	free(list.items);
	free(results.items);
}
