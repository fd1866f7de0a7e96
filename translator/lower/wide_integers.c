/* SPDX-License-Identifier: MIT
 *
 * Integers of more than 128 bits, which clang makes of long runs of bit-fields: words of 64 bits, the last one cut to what
 * is left of the width.  What bit-fields need is here: shifts by a constant, widening, narrowing, equality; bitwise
 * operations, loads, stores and the like work on the words by themselves.
 */
#include "instructions.h"

#include <assert.h>
#include <stdlib.h>

#define NONE IMAGE_NONE

static unsigned width_of(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static unsigned words_of(unsigned width)
{
	return (width + 63) / 64;
}

/* Return the words of an integer of any width as operands; words above it, up to `count`, are `fill`.  The caller frees them. */
static uint32_t *words(struct emitter *e, LLVMValueRef value, unsigned count, uint32_t fill)
{
	struct operands list = { 0 };
	operands_value(e, &list, value);
	assert(list.count <= count || e->t->result->nmessages);
	while (list.count < count)
		operands_add(&list, fill);
	return list.items;
}

static uint32_t binary(struct emitter *e, enum image_opcode op, uint32_t a, uint32_t b)
{
	return emit_binary(e, op, 64, a, b);
}

/* Set the words of the result of `insn`, of `width` bits, and drop what lies above the width. */
static void set_words(struct emitter *e, LLVMValueRef insn, const uint32_t *from, unsigned width)
{
	assert(width > 0);
	uint32_t result = result_of(e, insn);
	for (unsigned i = 0; i < words_of(width); i++) {
		unsigned bits = i + 1 < words_of(width) || width % 64 == 0 ? 64 : width % 64;
		emit(e, IMAGE_AND, 64, 0, result + i, from[i], number(e, low_ones(bits)), NONE);
	}
}

/* Extend the sign of the integer in `from` to its whole top word, and return a word that is all ones if the integer is negative,
 * else zero. */
static uint32_t spread_sign(struct emitter *e, uint32_t *from, unsigned width)
{
	uint32_t *top = &from[words_of(width) - 1];
	if (width % 64) {
		uint32_t extended = new_register(e, 1);
		emit(e, IMAGE_SEXT, width % 64, 64, extended, *top, NONE, NONE);
		*top = extended;
	}
	return binary(e, IMAGE_ASHR, *top, number(e, 63));
}

static void lower_shift(struct emitter *e, LLVMValueRef insn, unsigned width)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(insn);
	LLVMValueRef amount = LLVMGetOperand(insn, 1);
	struct constant count[32];
	if (!LLVMIsConstant(amount) || words_of(width) > 32 || !constant_leaves(e->t, amount, count, words_of(width), insn) ||
	    count[0].computed) {
		unsupported(e->t, insn, "unsupported shift of an integer of %u bits", width);
		return;
	}
	unsigned n = (unsigned)count[0].low, whole = n / 64, rest = n % 64, k = words_of(width);
	uint32_t zero = number(e, 0), *from = words(e, LLVMGetOperand(insn, 0), k, zero), *to = xrealloc(NULL, k * sizeof *to);
	uint32_t fill = opcode == LLVMAShr ? spread_sign(e, from, width) : zero;
	bool left = opcode == LLVMShl;
	for (unsigned i = 0; i < k; i++) {
		unsigned near = left ? i - whole : i + whole, far = left ? near - 1 : near + 1; /* wrap round when out of range */
		uint32_t a = near < k ? from[near] : fill, b = far < k ? from[far] : fill;
		to[i] = a;
		if (rest)
			to[i] = binary(e, IMAGE_OR, binary(e, left ? IMAGE_SHL : IMAGE_LSHR, a, number(e, rest)),
				       binary(e, left ? IMAGE_LSHR : IMAGE_SHL, b, number(e, 64 - rest)));
	}
	set_words(e, insn, to, width);
	free(from);
	free(to);
}

/* Emit trunc, zext or sext, from or to a wide integer. */
static void lower_resize(struct emitter *e, LLVMValueRef insn, unsigned from_width, unsigned to_width)
{
	unsigned have = words_of(from_width), want = words_of(to_width);
	uint32_t *list = words(e, LLVMGetOperand(insn, 0), have > want ? have : want, number(e, 0));
	if (LLVMGetInstructionOpcode(insn) == LLVMSExt) {
		uint32_t fill = spread_sign(e, list, from_width);
		for (unsigned i = have; i < want; i++)
			list[i] = fill;
	}
	set_words(e, insn, list, to_width);
	free(list);
}

static void lower_equality(struct emitter *e, LLVMValueRef insn, unsigned width)
{
	unsigned k = words_of(width);
	uint32_t zero = number(e, 0), *a = words(e, LLVMGetOperand(insn, 0), k, zero),
		 *b = words(e, LLVMGetOperand(insn, 1), k, zero);
	uint32_t different = zero;
	for (unsigned i = 0; i < k; i++)
		different = binary(e, IMAGE_OR, different, binary(e, IMAGE_XOR, a[i], b[i]));
	unsigned predicate = LLVMGetICmpPredicate(insn) == LLVMIntEQ ? ICMP_EQ : ICMP_NE;
	emit(e, IMAGE_ICMP, 64, predicate, result_of(e, insn), different, zero, NONE);
	free(a);
	free(b);
}

static uint32_t compare_words(struct emitter *e, enum image_icmp predicate, uint32_t a, uint32_t b)
{
	uint32_t result = new_register(e, 1);
	emit(e, IMAGE_ICMP, 64, predicate, result, a, b, NONE);
	return result;
}

/* Emit an unequal comparison, from the lowest word, which decides last, to the highest.  Signed numbers are compared as unsigned
 * ones with the sign turned over. */
static void lower_order(struct emitter *e, LLVMValueRef insn, unsigned width)
{
	LLVMIntPredicate p = LLVMGetICmpPredicate(insn);
	bool is_signed = p == LLVMIntSGT || p == LLVMIntSGE || p == LLVMIntSLT || p == LLVMIntSLE;
	bool greater = p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE;
	bool or_equal = p == LLVMIntUGE || p == LLVMIntULE || p == LLVMIntSGE || p == LLVMIntSLE;
	unsigned k = words_of(width);
	uint32_t zero = number(e, 0), sign = number(e, UINT64_C(1) << (width - 1) % 64), below = number(e, or_equal);
	uint32_t *a = words(e, LLVMGetOperand(insn, greater), k, zero), *b = words(e, LLVMGetOperand(insn, !greater), k, zero);
	for (unsigned i = 0; i < k; i++) {
		bool turned = is_signed && i == k - 1;
		uint32_t x = turned ? binary(e, IMAGE_XOR, a[i], sign) : a[i], y = turned ? binary(e, IMAGE_XOR, b[i], sign) : b[i];
		uint32_t same = compare_words(e, ICMP_EQ, x, y), less = compare_words(e, ICMP_ULT, x, y);
		below = binary(e, IMAGE_OR, less, binary(e, IMAGE_AND, same, below));
	}
	emit(e, IMAGE_MOV, 64, 0, result_of(e, insn), below, NONE, NONE);
	free(a);
	free(b);
}

/* Emit an addition or subtraction, from the lowest word on, each with the carry of the one before. */
static void add_words(struct emitter *e, const uint32_t *a, const uint32_t *b, uint32_t *to, unsigned count, bool subtracts)
{
	uint32_t carry = number(e, 0);
	for (unsigned i = 0; i < count; i++) {
		enum image_opcode op = subtracts ? IMAGE_SUB : IMAGE_ADD;
		uint32_t first = binary(e, op, a[i], b[i]);
		uint32_t over = compare_words(e, ICMP_ULT, subtracts ? a[i] : first, subtracts ? b[i] : a[i]);
		to[i] = binary(e, op, first, carry);
		uint32_t again = compare_words(e, ICMP_ULT, subtracts ? first : to[i], carry);
		carry = binary(e, IMAGE_OR, over, again);
	}
}

/* Return the first of two registers that hold the word `value` as 128 bits. */
static uint32_t widened(struct emitter *e, uint32_t value)
{
	uint32_t pair = new_register(e, 2);
	emit(e, IMAGE_MOV, 64, 0, pair, value, NONE, NONE);
	emit(e, IMAGE_MOV, 64, 0, pair + 1, number(e, 0), NONE, NONE);
	return pair;
}

static uint32_t binary_128(struct emitter *e, enum image_opcode op, uint32_t a, uint32_t b)
{
	uint32_t pair = new_register(e, 2);
	emit(e, op, 128, 0, pair, a, b, NONE);
	return pair;
}

/* Emit a multiplication as on paper: a product of two words, and two words more, are less than 2^128. */
static void multiply_words(struct emitter *e, const uint32_t *a, const uint32_t *b, uint32_t *to, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		to[i] = number(e, 0);
	for (unsigned i = 0; i < count; i++) {
		uint32_t carry = number(e, 0);
		for (unsigned k = 0; i + k < count; k++) {
			uint32_t product = binary_128(e, IMAGE_MUL, widened(e, a[i]), widened(e, b[k]));
			product = binary_128(e, IMAGE_ADD, product, widened(e, to[i + k]));
			product = binary_128(e, IMAGE_ADD, product, widened(e, carry));
			to[i + k] = product;
			carry = product + 1;
		}
	}
}

/* Emit an addition, a subtraction or a multiplication, unless its overflow is to be reported; return whether it is emitted. */
static bool lower_sum(struct emitter *e, LLVMValueRef insn, unsigned width)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(insn);
	bool product = opcode == LLVMMul;
	if ((!product && opcode != LLVMAdd && opcode != LLVMSub) || e->t->request->options.overflow)
		return false;
	unsigned k = words_of(width);
	uint32_t zero = number(e, 0), *a = words(e, LLVMGetOperand(insn, 0), k, zero),
		 *b = words(e, LLVMGetOperand(insn, 1), k, zero), *to = xrealloc(NULL, k * sizeof *to);
	if (product)
		multiply_words(e, a, b, to, k);
	else
		add_words(e, a, b, to, k, opcode == LLVMSub);
	set_words(e, insn, to, width);
	free(a);
	free(b);
	free(to);
	return true;
}

bool lower_wide(struct emitter *e, LLVMValueRef insn)
{
	if (LLVMGetNumOperands(insn) == 0)
		return false;
	unsigned from = width_of(LLVMTypeOf(LLVMGetOperand(insn, 0))), to = width_of(LLVMTypeOf(insn));
	if (from <= 128 && to <= 128)
		return false;
	switch (LLVMGetInstructionOpcode(insn)) {
	/* clang-format off */
	case LLVMShl: case LLVMLShr: case LLVMAShr: lower_shift(e, insn, to); return true;
	case LLVMTrunc: case LLVMZExt: case LLVMSExt: lower_resize(e, insn, from, to); return true;
	case LLVMICmp:
		if (LLVMGetICmpPredicate(insn) == LLVMIntEQ || LLVMGetICmpPredicate(insn) == LLVMIntNE)
			lower_equality(e, insn, from);
		else
			lower_order(e, insn, from);
		return true;
	case LLVMAnd: case LLVMOr: case LLVMXor: case LLVMFreeze: return false; /* word by word, as any aggregate */
	case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem: break;
	/* clang-format on */
	default: return false;
	}
	if (!lower_sum(e, insn, to))
		unsupported(e->t, insn, "unsupported arithmetic on an integer of %u bits", from > to ? from : to);
	return true;
}
