/* SPDX-License-Identifier: MIT
 *
 * The functions of libatomic for one size, __atomic_fetch_add_16() and its kin, which compilers call for what the machine
 * they compile for may not be able to do: they are instructions of the VM.  Those for objects of any size are external
 * functions (runtime/externals/atomic.c).
 */
#include "instructions.h"
#include "../symbols/symbols.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

static const struct operation {
	const char *name;
	enum image_rmw rmw;
	enum image_opcode op; /* makes the new value of the old one and the operand */
} operations[] = {
	{ "add", RMW_ADD, IMAGE_ADD }, { "sub", RMW_SUB, IMAGE_SUB }, { "and", RMW_AND, IMAGE_AND },
	{ "or", RMW_OR, IMAGE_OR },    { "xor", RMW_XOR, IMAGE_XOR }, { "nand", RMW_NAND, IMAGE_AND },
};

/* Compute from the value `old` that an operation returns the value that it leaves in memory. */
static void combine(struct emitter *e, const struct operation *operation, unsigned bits, uint32_t to, uint32_t old, uint32_t value)
{
	emit(e, operation->op, bits, 0, to, old, value, NONE);
	if (operation->rmw != RMW_NAND)
		return;
	uint32_t ones = builder_constant(&e->t->builder, low_ones(bits < 64 ? bits : 64), bits > 64 ? UINT64_MAX : 0,
					 bits > 64 ? 2 : 1) |
		IMAGE_CONST;
	emit(e, IMAGE_XOR, bits, 0, to, to, ones, NONE);
}

/* Return the operand for a value of `bits` from argument number `argument` on; NONE if there is none.  The ABI passes 128 bits as
 * two words. */
static uint32_t value_from(struct emitter *e, LLVMValueRef call, unsigned argument, unsigned bits)
{
	unsigned count = (unsigned)LLVMGetNumArgOperands(call);
	if (count <= argument)
		return NONE;
	unsigned width = bits_of_type(LLVMTypeOf(LLVMGetOperand(call, argument)));
	if (width == bits)
		return operand_of(e, LLVMGetOperand(call, argument));
	if (bits != 128 || width != 64 || count <= argument + 1 ||
	    bits_of_type(LLVMTypeOf(LLVMGetOperand(call, argument + 1))) != 64)
		return NONE;
	uint32_t value = new_register(e, 2);
	emit(e, IMAGE_MOV, 64, 0, value, operand_of(e, LLVMGetOperand(call, argument)), NONE, NONE);
	emit(e, IMAGE_MOV, 64, 0, value + 1, operand_of(e, LLVMGetOperand(call, argument + 1)), NONE, NONE);
	return value;
}

/* Emit __atomic_fetch_OP(object, value, order), which returns the old value, or __atomic_OP_fetch, which returns the new one. */
static bool lower_fetch(struct emitter *e, const char *name, unsigned bits, unsigned flags, uint32_t result, uint32_t object,
			uint32_t value)
{
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
		char before[32], after[32];
		snprintf(before, sizeof before, "fetch_%s", operations[i].name);
		snprintf(after, sizeof after, "%s_fetch", operations[i].name);
		bool returns_new = strcmp(name, after) == 0;
		if (!returns_new && strcmp(name, before) != 0)
			continue;
		emit(e, IMAGE_RMW, bits, flags, result, object, value, operations[i].rmw);
		if (returns_new)
			combine(e, &operations[i], bits, result, result, value);
		return true;
	}
	return false;
}

/* Emit a compare-and-exchange that writes what it found to the address `at` where it fails, and only there. */
static void lower_compare(struct emitter *e, unsigned bits, unsigned flags, uint32_t result, uint32_t object, uint32_t at,
			  uint32_t desired)
{
	assert(result != NONE && bits % 8 == 0);
	uint32_t slots = bits > 64 ? 2 : 1, old = new_register(e, slots + 1), expected = new_register(e, slots);
	uint32_t unused = static_object(e, bits / 8, 16, NONE, false), to = new_register(e, 1);
	emit(e, IMAGE_LOAD, bits, 0, expected, at, NONE, NONE);
	emit(e, IMAGE_CMPXCHG, bits, flags, old, object, expected, desired);
	emit(e, IMAGE_SELECT, 64, 0, to, old + slots, unused, at);
	emit(e, IMAGE_STORE, bits, 0, NONE, to, old, NONE);
	emit(e, IMAGE_MOV, 64, 0, result, old + slots, NONE, NONE);
}

/* Emit a call of a function whose parameters are (object, ...) and whose name is `name` between "__atomic_" and the size. */
static bool lower_sized(struct emitter *e, LLVMValueRef call, const char *name, unsigned bits, unsigned flags)
{
	struct leaves results = flatten(e->t, LLVMTypeOf(call), call);
	bool same = results.slots == (bits > 64 ? 2 : 1) && (results.items[0].bits == bits || results.count == 2);
	bool none = results.slots == 0;
	free(results.items);
	uint32_t object = value_from(e, call, 0, 64), result = none ? NONE : result_of(e, call), value;
	if (object == NONE)
		return false;
	if (strcmp(name, "load") == 0 && same) {
		emit(e, IMAGE_LOAD, bits, flags, result, object, NONE, NONE);
		return true;
	}
	if (strcmp(name, "compare_exchange") == 0) { /* (object, expected, desired, order, order) */
		uint32_t at = value_from(e, call, 1, 64);
		value = value_from(e, call, 2, bits);
		if (at == NONE || value == NONE || none)
			return false;
		lower_compare(e, bits, flags, result, object, at, value);
		return true;
	}
	value = value_from(e, call, 1, bits);
	if (value == NONE)
		return false;
	if (strcmp(name, "store") == 0 && none)
		emit(e, IMAGE_STORE, bits, flags, NONE, object, value, NONE);
	else if (strcmp(name, "exchange") == 0 && same)
		emit(e, IMAGE_RMW, bits, flags, result, object, value, RMW_XCHG);
	else
		return same && lower_fetch(e, name, bits, flags, result, object, value);
	return true;
}

/* Return the flags for what the memory_order `order` lacks.  One that is no constant may be any, and so counts as relaxed. */
static unsigned lacks(LLVMValueRef order)
{
	enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
	uint64_t value = LLVMIsAConstantInt(order) ? LLVMConstIntGetZExtValue(order) : RELAXED;
	bool acquires = value == CONSUME || value == ACQUIRE || value >= ACQ_REL;
	return flags_of_order(acquires, value >= RELEASE, value == SEQ_CST);
}

/* Return the flags of the access.  The last argument is the order; of a compare-and-exchange, the last two are the orders of
 * success and failure. */
static unsigned access_flags(LLVMValueRef call, const char *name)
{
	unsigned count = (unsigned)LLVMGetNumArgOperands(call);
	bool compares = strstr(name, "compare") != NULL;
	if (count < 2)
		return IMAGE_ATOMIC;
	unsigned last = lacks(LLVMGetOperand(call, count - 1));
	if (!compares)
		return IMAGE_ATOMIC | last | (LLVMGetFirstUse(call) ? 0 : IMAGE_BLIND);
	return IMAGE_ATOMIC | lacks(LLVMGetOperand(call, count - 2)) | (last & IMAGE_WEAKER) |
		(last & IMAGE_RELAXED_READ ? IMAGE_RELAXED_FAILURE : 0);
}

/* Note which of its two orders the compare-and-exchange among the instructions from `first` on has. */
static void note_totals(struct emitter *e, size_t first, LLVMValueRef call)
{
	unsigned count = (unsigned)LLVMGetNumArgOperands(call);
	for (size_t i = first; i < e->count; i++)
		if (e->code[i].op == IMAGE_CMPXCHG)
			e->code[i].order = (lacks(LLVMGetOperand(call, count - 2)) ? 0 : IMAGE_TOTAL) |
				(lacks(LLVMGetOperand(call, count - 1)) ? 0 : IMAGE_TOTAL_FAILURE);
}

bool lower_atomic(struct emitter *e, LLVMValueRef call, const char *name)
{
	static const char prefix[] = "__atomic_";
	const char *size = strrchr(name, '_');
	if (strncmp(name, prefix, sizeof prefix - 1) != 0)
		return false;
	char *end, operation[32];
	unsigned long bytes = strtoul(size + 1, &end, 10);
	size_t length = size < name + sizeof prefix ? 0 : (size_t)(size - name) - (sizeof prefix - 1);
	if (*end || end == size + 1 || bytes == 0 || bytes > 16 || (bytes & (bytes - 1)) || length == 0 ||
	    length >= sizeof operation)
		return false;
	assert(size > name); /* the prefix has this character, too */
	memcpy(operation, name + sizeof prefix - 1, length);
	operation[length] = '\0';
	size_t before = e->count;
	bool lowered = lower_sized(e, call, operation, (unsigned)bytes * 8, access_flags(call, name));
	if (lowered && strcmp(operation, "compare_exchange") == 0)
		note_totals(e, before, call);
	return lowered;
}
