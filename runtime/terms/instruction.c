/* SPDX-License-Identifier: MIT
 *
 * See instruction.h.  arith.c has the same for numbers: tests/bench/sets.sh compares the two.
 */
#include "instruction.h"

#include <assert.h>

static uint32_t constant(unsigned width, uint64_t value)
{
	return vm_node_constant(width, value);
}

static uint32_t binary(enum node_op op, uint32_t a, uint32_t b)
{
	return vm_node_binary(op, a, b);
}

static uint64_t least_of(unsigned bits)
{
	return UINT64_C(1) << (bits - 1);
}

static uint32_t is_negative(uint32_t a)
{
	return vm_node_extract(a, vm_node_width(a) - 1, 1);
}

/* ---- overflow -------------------------------------------------------------------------------------------------------- */

/* Does a + k overflow, signed? */
static uint32_t sum_overflows(uint32_t a, uint64_t k, unsigned bits)
{
	if (k == 0)
		return constant(1, 0);
	bool negative = k & least_of(bits);
	uint64_t bound = (negative ? least_of(bits) - k : least_of(bits) - 1 - k) & vm_mask(bits);
	return negative ? binary(NODE_SLT, a, constant(bits, bound)) : binary(NODE_SLT, constant(bits, bound), a);
}

/* A sum overflows if its operands have one sign and it has the other; a difference, if they have two and it has not that of the
 * first one. */
static uint32_t adds_overflow(const struct node_instruction *i, bool subtract)
{
	uint32_t a = i->operands[0], b = i->operands[1];
	uint64_t least = least_of(i->bits);
	if (vm_node_is_constant(b) && i->bits > 1 && (!subtract || vm_node(b)->value != least)) {
		uint64_t k = vm_node(b)->value;
		return sum_overflows(a, (subtract ? -k : k) & vm_mask(i->bits), i->bits);
	}
	if (vm_node_is_constant(a) && i->bits > 1 && !subtract)
		return sum_overflows(b, vm_node(a)->value, i->bits);
	uint32_t sum = subtract ? vm_node_subtract(a, b) : binary(NODE_ADD, a, b);
	uint32_t x = is_negative(a), y = is_negative(b), z = is_negative(sum);
	uint32_t may = binary(NODE_XOR, x, y), changed = binary(NODE_XOR, x, z);
	return binary(NODE_AND, subtract ? may : vm_node_not(may), changed);
}

static uint32_t shift_overflows(const struct node_instruction *i)
{
	uint32_t a = i->operands[0], count = i->operands[1], back = binary(NODE_ASHR, binary(NODE_SHL, a, count), count);
	uint32_t in = binary(NODE_ULT, count, constant(i->bits, i->bits));
	return binary(NODE_AND, in, vm_node_not(binary(NODE_EQ, back, a)));
}

/* Is a count the width or more? */
static uint32_t is_far(const struct node_instruction *i)
{
	return vm_node_not(binary(NODE_ULT, i->operands[1], constant(i->bits, i->bits)));
}

uint32_t vm_node_flag(const struct node_instruction *i)
{
	uint32_t a = i->operands[0], b = i->operands[1];
	switch (i->op) {
	case IMAGE_ADD:
	case IMAGE_SADDO:
	case IMAGE_SADDSAT: return adds_overflow(i, false);
	case IMAGE_SUB:
	case IMAGE_SSUBO:
	case IMAGE_SSUBSAT: return adds_overflow(i, true);
	case IMAGE_UADDO:
	case IMAGE_UADDSAT: return binary(NODE_ULT, binary(NODE_ADD, a, b), a);
	case IMAGE_USUBO:
	case IMAGE_USUBSAT: return binary(NODE_ULT, a, b);
	case IMAGE_MUL:
	case IMAGE_SMULO: return binary(NODE_SMULO, a, b);
	case IMAGE_UMULO: return binary(NODE_UMULO, a, b);
	default: VM_BUG("instruction %s has no flag", image_opcodes[i->op].name);
	}
}

/* Is the distance of pointer arithmetic larger than any object, or not even a number? */
static uint32_t index_is_far(const struct node_instruction *i)
{
	uint32_t delta = binary(NODE_MUL, i->operands[1], i->operands[2]);
	uint32_t above = binary(NODE_SLT, constant(64, IMAGE_MAX_SIZE - 1), delta),
		 below = binary(NODE_SLT, delta, constant(64, -(uint64_t)IMAGE_MAX_SIZE));
	uint32_t lost = binary(NODE_SMULO, i->operands[1], i->operands[2]);
	return binary(NODE_OR, lost, binary(NODE_OR, above, below));
}

uint32_t vm_node_fault(const struct node_instruction *i)
{
	uint32_t a = i->operands[0], b = i->operands[1], none = constant(1, 0), zero = constant(i->bits, 0);
	bool optimised = vm_this.image.options->optimised;
	switch (i->op) {
	case IMAGE_UDIV:
	case IMAGE_UREM: return binary(NODE_EQ, b, zero);
	case IMAGE_SDIV:
	case IMAGE_SREM: {
		uint32_t least = binary(NODE_EQ, a, constant(i->bits, least_of(i->bits)));
		uint32_t all = binary(NODE_EQ, b, constant(i->bits, vm_mask(i->bits)));
		return binary(NODE_OR, binary(NODE_EQ, b, zero), binary(NODE_AND, all, least));
	}
	case IMAGE_SHL: {
		uint32_t far = optimised ? none : is_far(i);
		return i->aux & IMAGE_NSW ? binary(NODE_OR, far, shift_overflows(i)) : far;
	}
	case IMAGE_LSHR:
	case IMAGE_ASHR: return is_far(i);
	case IMAGE_ADD:
	case IMAGE_SUB:
	case IMAGE_MUL: return vm_node_flag(i);
	case IMAGE_ABS: return binary(NODE_EQ, a, constant(i->bits, least_of(i->bits)));
	case IMAGE_BOOL: return i->bits == 1 ? none : binary(NODE_ULT, constant(i->bits, 1), a);
	case IMAGE_INDEX: return index_is_far(i);
	default: return none;
	}
}

/* ---- results --------------------------------------------------------------------------------------------------------- */

static uint32_t compare(const struct node_instruction *i)
{
	uint32_t a = i->operands[0], b = i->operands[1];
	switch ((enum image_icmp)i->aux) {
	case ICMP_EQ: return binary(NODE_EQ, a, b);
	case ICMP_NE: return vm_node_not(binary(NODE_EQ, a, b));
	case ICMP_UGT: return binary(NODE_ULT, b, a);
	case ICMP_UGE: return vm_node_not(binary(NODE_ULT, a, b));
	case ICMP_ULT: return binary(NODE_ULT, a, b);
	case ICMP_ULE: return vm_node_not(binary(NODE_ULT, b, a));
	case ICMP_SGT: return binary(NODE_SLT, b, a);
	case ICMP_SGE: return vm_node_not(binary(NODE_SLT, a, b));
	case ICMP_SLT: return binary(NODE_SLT, a, b);
	case ICMP_SLE: return vm_node_not(binary(NODE_SLT, b, a));
	case ICMP_PREDICATES: break;
	}
	VM_BUG("unknown comparison %u", i->aux);
}

/* Return a shifted number; by a count that is too large, 0, as arith.c has it. */
static uint32_t shift(const struct node_instruction *i)
{
	enum node_op op = i->op == IMAGE_SHL ? NODE_SHL : i->op == IMAGE_LSHR ? NODE_LSHR : NODE_ASHR;
	uint32_t shifted = binary(op, i->operands[0], i->operands[1]);
	return op == NODE_ASHR ? vm_node_choose(is_far(i), constant(i->bits, 0), shifted) : shifted;
}

static uint32_t rotate(const struct node_instruction *i, bool left)
{
	uint32_t bits = constant(i->bits, i->bits);
	uint32_t n = binary(NODE_UREM, i->operands[2], bits), m = vm_node_subtract(bits, n);
	uint32_t high = binary(NODE_SHL, i->operands[0], left ? n : m), low = binary(NODE_LSHR, i->operands[1], left ? m : n);
	return binary(NODE_OR, high, low);
}

static uint32_t count_ones(uint32_t a, unsigned bits)
{
	uint32_t sum = constant(bits, 0);
	for (unsigned k = 0; k < bits; k++)
		sum = binary(NODE_ADD, sum, vm_node_extend(vm_node_extract(a, k, 1), bits, false));
	return sum;
}

/* Return the number of zeros before the first one, from one side. */
static uint32_t count_zeros(uint32_t a, unsigned bits, bool leading)
{
	uint32_t n = constant(bits, bits);
	for (unsigned k = bits; k-- > 0;)
		n = vm_node_choose(vm_node_extract(a, leading ? bits - 1 - k : k, 1), constant(bits, k), n);
	return n;
}

static uint32_t reverse(uint32_t a, unsigned bits, unsigned unit)
{
	uint32_t r = constant(bits, 0);
	for (unsigned at = 0; at < bits; at += unit) {
		uint32_t part = vm_node_extend(vm_node_extract(a, at, unit), bits, false);
		r = binary(NODE_ADD, r, binary(NODE_SHL, part, constant(bits, bits - unit - at)));
	}
	return r;
}

static uint32_t saturate(const struct node_instruction *i)
{
	bool is_signed = i->op == IMAGE_SADDSAT || i->op == IMAGE_SSUBSAT,
	     subtract = i->op == IMAGE_SSUBSAT || i->op == IMAGE_USUBSAT;
	uint32_t a = i->operands[0], b = i->operands[1];
	uint32_t exact = subtract ? vm_node_subtract(a, b) : binary(NODE_ADD, a, b), end;
	if (is_signed)
		end = vm_node_choose(is_negative(a), constant(i->bits, least_of(i->bits)),
				     constant(i->bits, least_of(i->bits) - 1));
	else
		end = constant(i->bits, subtract ? 0 : UINT64_MAX);
	return vm_node_choose(vm_node_flag(i), end, exact);
}

static uint32_t least_or_most(const struct node_instruction *i)
{
	uint32_t a = i->operands[0], b = i->operands[1];
	bool is_signed = i->op == IMAGE_SMAX || i->op == IMAGE_SMIN, least = i->op == IMAGE_SMIN || i->op == IMAGE_UMIN;
	uint32_t below = binary(is_signed ? NODE_SLT : NODE_ULT, a, b);
	return vm_node_choose(below, least ? a : b, least ? b : a);
}

uint32_t vm_node_result(const struct node_instruction *i)
{
	uint32_t a = i->operands[0], b = i->operands[1];
	switch (i->op) {
	/* clang-format off */
	case IMAGE_ADD: case IMAGE_SADDO: case IMAGE_UADDO: return binary(NODE_ADD, a, b);
	case IMAGE_SUB: case IMAGE_SSUBO: case IMAGE_USUBO: return vm_node_subtract(a, b);
	case IMAGE_MUL: case IMAGE_SMULO: case IMAGE_UMULO: return binary(NODE_MUL, a, b);
	case IMAGE_SADDSAT: case IMAGE_UADDSAT: case IMAGE_SSUBSAT: case IMAGE_USUBSAT: return saturate(i);
	case IMAGE_SMAX: case IMAGE_SMIN: case IMAGE_UMAX: case IMAGE_UMIN: return least_or_most(i);
	case IMAGE_SHL: case IMAGE_LSHR: case IMAGE_ASHR: return shift(i);
	/* clang-format on */
	case IMAGE_UDIV: return binary(NODE_UDIV, a, b);
	case IMAGE_UREM: return binary(NODE_UREM, a, b);
	case IMAGE_SDIV: return binary(NODE_SDIV, a, b);
	case IMAGE_SREM: return binary(NODE_SREM, a, b);
	case IMAGE_AND: return binary(NODE_AND, a, b);
	case IMAGE_OR: return binary(NODE_OR, a, b);
	case IMAGE_XOR: return binary(NODE_XOR, a, b);
	case IMAGE_ICMP: return compare(i);
	case IMAGE_BOOL:
	case IMAGE_TRUNC: return vm_node_extract(a, 0, i->width);
	case IMAGE_ZEXT:
	case IMAGE_SEXT: return vm_node_extend(a, i->width, i->op == IMAGE_SEXT);
	case IMAGE_CTPOP: return count_ones(a, i->bits);
	case IMAGE_CTLZ:
	case IMAGE_CTTZ: return count_zeros(a, i->bits, i->op == IMAGE_CTLZ);
	case IMAGE_BSWAP: return reverse(a, i->bits, 8);
	case IMAGE_BITREVERSE: return reverse(a, i->bits, 1);
	case IMAGE_ABS: return vm_node_choose(is_negative(a), vm_node_negative(a), a);
	case IMAGE_FSHL:
	case IMAGE_FSHR: return rotate(i, i->op == IMAGE_FSHL);
	case IMAGE_INDEX: return binary(NODE_ADD, a, binary(NODE_MUL, b, i->operands[2]));
	default: VM_BUG("instruction %s has no term", image_opcodes[i->op].name);
	}
}
