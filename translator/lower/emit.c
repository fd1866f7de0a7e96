/* SPDX-License-Identifier: MIT
 *
 * Emitting instructions: registers, labels, operands, and putting a function together at the end.
 */
#include "emit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Is it an atomic access that lacks nothing? */
static bool is_total(enum image_opcode op, unsigned aux)
{
	bool accesses = op == IMAGE_LOAD || op == IMAGE_STORE || op == IMAGE_RMW || op == IMAGE_CMPXCHG;
	return accesses && (aux & IMAGE_ATOMIC) && !(aux & IMAGE_WEAKER);
}

void emit(struct emitter *e, enum image_opcode op, unsigned bits, unsigned aux, uint32_t dst, uint32_t a, uint32_t b, uint32_t c)
{
	assert(bits <= 128 && aux <= UINT8_MAX);
	if (e->count == e->capacity) {
		e->capacity = e->capacity ? 2 * e->capacity : 256;
		e->code = xrealloc(e->code, e->capacity * sizeof *e->code);
	}
	e->code[e->count++] = (struct image_insn){
		.op = (uint8_t)op,
		.order = is_total(op, aux) ? IMAGE_TOTAL | IMAGE_TOTAL_FAILURE : 0,
		.bits = (uint8_t)bits,
		.aux = (uint8_t)aux,
		.dst = dst,
		.a = a,
		.b = b,
		.c = c,
		.location = e->location,
		.live = IMAGE_NONE,
	};
}

uint32_t new_register(struct emitter *e, unsigned slots)
{
	uint32_t first = e->registers;
	assert(!((first + slots) & IMAGE_CONST)); /* else it would be taken for a constant */
	e->registers += slots;
	return first;
}

uint32_t emit_binary(struct emitter *e, enum image_opcode op, unsigned bits, uint32_t a, uint32_t b)
{
	uint32_t result = new_register(e, 1);
	assert(bits <= 64);
	emit(e, op, bits, 0, result, a, b, IMAGE_NONE);
	return result;
}

uint32_t new_label(struct emitter *e)
{
	e->labels = xrealloc(e->labels, (e->nlabels + 1) * sizeof *e->labels);
	e->labels[e->nlabels] = IMAGE_NONE;
	return (uint32_t)e->nlabels++;
}

void place_label(struct emitter *e, uint32_t label)
{
	assert(label < e->nlabels && e->labels[label] == IMAGE_NONE);
	e->labels[label] = (uint32_t)e->count;
}

uint32_t number(struct emitter *e, uint64_t value)
{
	return builder_constant(&e->t->builder, value, 0, 1) | IMAGE_CONST;
}

/* ---- operands ------------------------------------------------------------------------------------------------------ */

void emit_undefined(struct emitter *e, uint32_t reg, unsigned bits, uint32_t symbol)
{
	emit(e, IMAGE_UNDEF, bits, 0, reg, symbol, IMAGE_NONE, IMAGE_NONE);
}

static uint32_t constant_operand(struct emitter *e, const struct constant *c, unsigned bits)
{
	if (c->undefined) {
		uint32_t reg = new_register(e, slots_of_bits(bits));
		emit_undefined(e, reg, bits, IMAGE_NONE);
		return reg;
	}
	if (c->computed)
		return e->compute(e, c->computed);
	if (c->tls == IMAGE_NONE)
		return builder_constant(&e->t->builder, c->low, c->high, slots_of_bits(bits)) | IMAGE_CONST;
	uint32_t base = new_register(e, 1);
	emit(e, IMAGE_TLSADDR, 64, 0, base, c->tls, IMAGE_NONE, IMAGE_NONE);
	return add_offset(e, base, c->low);
}

void operands_add(struct operands *list, uint32_t operand)
{
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 16;
		list->items = xrealloc(list->items, list->capacity * sizeof *list->items);
	}
	list->items[list->count++] = operand;
}

/* Append the operands of all slots of the constant `value` to `list`. */
static void constant_operands(struct emitter *e, struct operands *list, LLVMValueRef value)
{
	struct leaves leaves = flatten(e->t, LLVMTypeOf(value), value);
	struct constant *constants = xrealloc(NULL, (leaves.count + 1) * sizeof *constants);
	if (!constant_leaves(e->t, value, constants, leaves.count, e->function))
		memset(constants, 0, leaves.count * sizeof *constants);
	for (unsigned i = 0; i < leaves.count; i++) {
		uint32_t operand = constant_operand(e, &constants[i], leaves.items[i].bits);
		for (unsigned k = 0; k < slots_of_bits(leaves.items[i].bits); k++)
			operands_add(list, operand + k);
	}
	free(constants);
	free(leaves.items);
}

void operands_value(struct emitter *e, struct operands *list, LLVMValueRef value)
{
	if (LLVMIsConstant(value)) {
		constant_operands(e, list, value);
		return;
	}
	struct leaves leaves = flatten(e->t, LLVMTypeOf(value), value);
	uint32_t first = result_of(e, value);
	assert(first + leaves.slots <= e->registers);
	for (unsigned i = 0; i < leaves.slots; i++)
		operands_add(list, first + i);
	free(leaves.items);
}

uint32_t operand_at(struct emitter *e, LLVMValueRef value, unsigned slot)
{
	if (!LLVMIsConstant(value))
		return result_of(e, value) + slot;
	struct operands list = { 0 };
	constant_operands(e, &list, value);
	uint32_t operand = slot < list.count ? list.items[slot] : number(e, 0);
	free(list.items);
	return operand;
}

uint32_t operand_of(struct emitter *e, LLVMValueRef value)
{
	return operand_at(e, value, 0);
}

uint32_t result_of(struct emitter *e, LLVMValueRef value)
{
	uint32_t first;
	if (map_get(e->values, value, &first))
		return first;
	struct leaves leaves = flatten(e->t, LLVMTypeOf(value), value);
	first = new_register(e, leaves.slots);
	free(leaves.items);
	map_put(&e->values, value, first);
	return first;
}

uint32_t static_object(struct emitter *e, uint64_t size, uint64_t align, uint32_t symbol, bool escapes)
{
	assert(align <= UINT32_MAX && (align & (align - 1)) == 0);
	uint32_t address = new_register(e, 1);
	e->prologue = xrealloc(e->prologue, (e->nprologue + 1) * sizeof *e->prologue);
	e->prologue[e->nprologue++] = (struct image_insn){
		.op = IMAGE_ALLOCA,
		.bits = 64,
		.aux = escapes ? IMAGE_ESCAPES : 0,
		.dst = address,
		.a = number(e, size),
		.b = symbol,
		.c = (uint32_t)align,
		.location = e->location,
		.live = IMAGE_NONE,
	};
	return address;
}

void emit_lifetime(struct emitter *e, uint32_t object, bool begins)
{
	for (size_t i = 0; i < e->nprologue; i++)
		if (e->prologue[i].dst == object)
			emit(e, IMAGE_LIFETIME, 0, 0, IMAGE_NONE, (uint32_t)i, begins, IMAGE_NONE);
}

uint32_t add_offset(struct emitter *e, uint32_t address, uint64_t offset)
{
	if (offset == 0)
		return address;
	uint32_t sum = new_register(e, 1);
	emit(e, IMAGE_INDEX, 64, 0, sum, address, number(e, offset), number(e, 1));
	return sum;
}

static uint32_t extended(struct emitter *e, LLVMValueRef value, enum image_opcode op)
{
	unsigned bits = bits_of_type(LLVMTypeOf(value));
	if (bits == 64)
		return operand_of(e, value);
	uint32_t wide = new_register(e, 1);
	emit(e, bits < 64 ? op : IMAGE_TRUNC, bits, 64, wide, operand_of(e, value), IMAGE_NONE, IMAGE_NONE);
	return wide;
}

uint32_t sign_extended(struct emitter *e, LLVMValueRef value)
{
	return extended(e, value, IMAGE_SEXT);
}

uint32_t zero_extended(struct emitter *e, LLVMValueRef value)
{
	return extended(e, value, IMAGE_ZEXT);
}

/* ---- the end of a function ----------------------------------------------------------------------------------------- */

/* Return the place in the whole function of the label that an instruction names. */
static uint32_t place_of_label(const struct emitter *e, uint32_t label)
{
	assert(label < e->nlabels && e->labels[label] != IMAGE_NONE); /* each that is named has been placed */
	return e->labels[label] + (uint32_t)e->nprologue;
}

static void resolve_labels(struct emitter *e, struct image_insn *code, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct image_insn *insn = &code[i];
		const char *roles = image_opcodes[insn->op].roles;
		uint32_t *fields[] = { &insn->dst, &insn->a, &insn->b, &insn->c };
		for (int k = 0; k < 4; k++) {
			if (roles[k] == 'l') {
				*fields[k] = place_of_label(e, *fields[k]);
			} else if (roles[k] == 'W') {
				uint32_t n = 3 * *fields[k + 1];
				uint32_t *cases = xrealloc(NULL, n * sizeof *cases);
				if (n)
					memcpy(cases, builder_at(&e->t->builder, IMAGE_POOL, *fields[k]), n * sizeof *cases);
				for (uint32_t c = 2; c < n; c += 3)
					cases[c] = place_of_label(e, cases[c]);
				*fields[k] = builder_pool(&e->t->builder, cases, n);
				free(cases);
			}
		}
	}
}

void finish_function(struct emitter *e, struct image_function *f)
{
	struct builder *b = &e->t->builder;
	size_t count = e->nprologue + e->count;
	struct image_insn *code = xrealloc(NULL, (count + 1) * sizeof *code);
	if (e->nprologue)
		memcpy(code, e->prologue, e->nprologue * sizeof *code);
	if (e->count)
		memcpy(code + e->nprologue, e->code, e->count * sizeof *code);
	resolve_labels(e, code, count);
	f->registers = e->registers;
	find_live_registers(e, code, count, f);
	f->code = builder_add(b, IMAGE_CODE, code, count);
	f->ncode = (uint32_t)count;
	free(code);
	free(e->code);
	free(e->prologue);
	free(e->labels);
	map_free(&e->values);
	map_free(&e->blocks);
	map_free(&e->loops);
	free(e->counts);
	free(e->counters.items);
	free(e->bounds.items);
}
