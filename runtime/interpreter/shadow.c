/* SPDX-License-Identifier: MIT
 *
 * See shadow.h.  Values here have 0 where their shadow has 1.  So for each operand a, the values that it may have lie
 * between a and a | shadow.
 */
#include "shadow.h"
#include "../state/levels.h"
#include "../symbolic/symbolic.h"
#include "arith.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef vm_wide wide;

/* an operand: value and shadow */
struct bits {
	wide value, shadow;
};

/* ---- operations ---------------------------------------------------------------------------------------------------- */

static bool any(struct bits a, struct bits b)
{
	return (a.shadow | b.shadow) != 0;
}

/* Return the bits from the lowest one of a set on. */
static wide from_lowest(wide set)
{
	return set ? ~((set & -set) - 1) : 0;
}

static unsigned trailing(wide set)
{
	return set == 0       ? 128 :
		(uint64_t)set ? (unsigned)__builtin_ctzll((uint64_t)set) :
				64 + (unsigned)__builtin_ctzll((uint64_t)(set >> 64));
}

/* Return the bits up to the highest one of a set. */
static wide up_to_highest(wide set)
{
	for (unsigned shift = 1; shift < 128; shift *= 2)
		set |= set >> shift;
	return set;
}

static wide shadow_of_sum(struct bits a, struct bits b)
{
	return a.shadow | b.shadow | ((a.value + b.value) ^ ((a.value | a.shadow) + (b.value | b.shadow)));
}

static wide shadow_of_difference(struct bits a, struct bits b)
{
	return a.shadow | b.shadow | ((a.value - (b.value | b.shadow)) ^ ((a.value | a.shadow) - b.value));
}

/* Return the shadow of (a + x)(b + y), for x in the shadow of a and y in that of b: x b and y a are multiples of powers of two. */
static wide shadow_of_product(struct bits a, struct bits b)
{
	wide lowest = 0;
	unsigned left = trailing(a.shadow) + trailing(b.value | b.shadow),
		 right = trailing(b.shadow) + trailing(a.value | a.shadow);
	if (left < 128)
		lowest |= (wide)1 << left;
	if (right < 128)
		lowest |= (wide)1 << right;
	return from_lowest(lowest);
}

/* Return the shadow of a quotient, which lies between two numbers: the bits that both begin with are initialized. */
static wide shadow_of_quotient(struct bits a, struct bits b)
{
	assert(b.value && !b.shadow && !(a.value & a.shadow));
	if (a.shadow == 0)
		return 0;
	return up_to_highest((a.value / b.value) ^ ((a.value | a.shadow) / b.value));
}

static bool is_power(wide n)
{
	return n && !(n & (n - 1));
}

static wide shadow_of_division(const struct image_insn *insn, struct bits a, struct bits b)
{
	if (b.shadow)
		vm_refuse_unset("the divisor of a division");
	if (insn->op == IMAGE_UREM && is_power(b.value))
		return a.shadow & (b.value - 1);
	if (insn->op == IMAGE_UDIV && b.value)
		return shadow_of_quotient(a, b);
	return a.shadow ? vm_wide_mask(insn->bits) : 0;
}

static wide shadow_of_shift(const struct image_insn *insn, struct bits a, struct bits count)
{
	if (count.shadow)
		return vm_wide_mask(insn->bits);
	if (count.value >= insn->bits)
		return 0;
	unsigned n = (unsigned)count.value;
	return insn->op == IMAGE_SHL   ? a.shadow << n :
		insn->op == IMAGE_LSHR ? a.shadow >> n :
					 (wide)(vm_wide_signed(a.shadow, insn->bits) >> n);
}

/* Is the answer to a < b, or to a <= b, the same whatever the uninitialized bits are?  Signed numbers are compared as unsigned ones
 * with the sign turned over. */
static bool order_is_set(struct bits a, struct bits b, bool is_signed, bool or_equal, unsigned bits)
{
	if (is_signed) {
		wide sign = (wide)1 << (bits - 1);
		a.value = (a.value ^ sign) & ~a.shadow;
		b.value = (b.value ^ sign) & ~b.shadow;
	}
	wide a_most = a.value | a.shadow, b_most = b.value | b.shadow;
	return or_equal ? (a_most <= b.value || a.value > b_most) : (a_most < b.value || a.value >= b_most);
}

static bool comparison_is_set(const struct image_insn *insn, struct bits a, struct bits b)
{
	switch ((enum image_icmp)insn->aux) {
	case ICMP_EQ:
	case ICMP_NE: return !any(a, b) || ((a.value ^ b.value) & ~(a.shadow | b.shadow));
	case ICMP_ULT: return order_is_set(a, b, false, false, insn->bits);
	case ICMP_ULE: return order_is_set(a, b, false, true, insn->bits);
	case ICMP_UGT: return order_is_set(b, a, false, false, insn->bits);
	case ICMP_UGE: return order_is_set(b, a, false, true, insn->bits);
	case ICMP_SLT: return order_is_set(a, b, true, false, insn->bits);
	case ICMP_SLE: return order_is_set(a, b, true, true, insn->bits);
	case ICMP_SGT: return order_is_set(b, a, true, false, insn->bits);
	case ICMP_SGE: return order_is_set(b, a, true, true, insn->bits);
	case ICMP_PREDICATES: break;
	}
	return false;
}

/* Return the shadow of what is a or b, where it is not known which. */
static wide shadow_of_either(struct bits a, struct bits b)
{
	return (a.value ^ b.value) | a.shadow | b.shadow;
}

static wide shadow_of_absolute(const struct image_insn *insn, struct bits a)
{
	return a.shadow >> (insn->bits - 1) & 1 ? vm_wide_mask(insn->bits) : from_lowest(a.shadow);
}

static wide shadow_of_funnel(const struct image_insn *insn, struct bits a, struct bits b, struct bits count)
{
	bool left = insn->op == IMAGE_FSHL;
	return count.shadow ? vm_wide_mask(insn->bits) : vm_wide_funnel(a.shadow, b.shadow, count.value, insn->bits, left);
}

/* Return the shadow of the number of zeros on one side: that is initialized if a one that is initialized ends them. */
static wide shadow_of_zeros(const struct image_insn *insn, struct bits a)
{
	wide from = insn->op == IMAGE_CTTZ ? from_lowest(a.shadow) : up_to_highest(a.shadow);
	wide ones = insn->op == IMAGE_CTTZ ? from_lowest(a.value) : up_to_highest(a.value);
	return a.shadow == 0 || (from & ~ones) == 0 ? 0 : vm_wide_mask(insn->bits);
}

static wide shadow_of_index(struct bits base, struct bits index, struct bits scale)
{
	struct bits delta = { index.value * scale.value, shadow_of_product(index, scale) };
	delta.value &= ~delta.shadow;
	return shadow_of_sum(base, delta);
}

/* Return the shadow of an instruction's (first) result; bits above its width do not count. */
static wide shadow_of_result(const struct image_insn *insn, struct bits a, struct bits b, struct bits c)
{
	unsigned bits = insn->bits;
	wide all = a.shadow | b.shadow | c.shadow ? ~(wide)0 : 0;
	switch ((enum image_opcode)insn->op) {
	/* clang-format off */
	case IMAGE_MOV: case IMAGE_TRUNC: case IMAGE_BOOL: case IMAGE_ZEXT: case IMAGE_FNEG: return a.shadow;
	case IMAGE_FREEZE: return 0;
	case IMAGE_SEXT: return (wide)vm_wide_signed(a.shadow, bits);
	case IMAGE_FABS: return a.shadow & ~((wide)1 << (bits - 1));
	case IMAGE_ADD: case IMAGE_SADDO: case IMAGE_UADDO: return shadow_of_sum(a, b);
	case IMAGE_SUB: case IMAGE_SSUBO: case IMAGE_USUBO: return shadow_of_difference(a, b);
	case IMAGE_MUL: case IMAGE_SMULO: case IMAGE_UMULO: return shadow_of_product(a, b);
	case IMAGE_UDIV: case IMAGE_SDIV: case IMAGE_UREM: case IMAGE_SREM: return shadow_of_division(insn, a, b);
	case IMAGE_AND: return (a.shadow | b.shadow) & (a.value | a.shadow) & (b.value | b.shadow);
	case IMAGE_OR: return (a.shadow | b.shadow) & ~(a.value | b.value);
	case IMAGE_XOR: return a.shadow | b.shadow;
	case IMAGE_SHL: case IMAGE_LSHR: case IMAGE_ASHR: return shadow_of_shift(insn, a, b);
	case IMAGE_ICMP: return !comparison_is_set(insn, a, b);
	case IMAGE_ABS: return shadow_of_absolute(insn, a);
	case IMAGE_SMAX: case IMAGE_SMIN: case IMAGE_UMAX: case IMAGE_UMIN: return any(a, b) ? shadow_of_either(a, b) : 0;
	case IMAGE_BSWAP: return vm_wide_reverse(a.shadow, bits, 8);
	case IMAGE_BITREVERSE: return vm_wide_reverse(a.shadow, bits, 1);
	case IMAGE_CTLZ: case IMAGE_CTTZ: return shadow_of_zeros(insn, a);
	case IMAGE_FSHL: case IMAGE_FSHR: return shadow_of_funnel(insn, a, b, c);
	case IMAGE_SELECT: return a.shadow ? shadow_of_either(b, c) : a.value ? b.shadow : c.shadow;
	case IMAGE_INDEX: return shadow_of_index(a, b, c);
	/* clang-format on */
	default: return all;
	}
}

/* ---- one instruction ----------------------------------------------------------------------------------------------- */

static struct bits get(const struct image_insn *insn, int field, const uint64_t *registers, const uint64_t *shadows,
		       const uint64_t *constants)
{
	char role = image_opcodes[insn->op].roles[field];
	uint32_t at = field == 1 ? insn->a : field == 2 ? insn->b : insn->c;
	bool two = role == 'x' && insn->bits > 64;
	if (role != 'x' && role != 'q')
		return (struct bits){ 0, 0 };
	if (at & IMAGE_CONST) {
		const uint64_t *constant = constants + (at & ~IMAGE_CONST);
		return (struct bits){ constant[0] | (two ? (wide)constant[1] << 64 : 0), 0 };
	}
	return (struct bits){
		(registers[at] & ~shadows[at]) | (two ? (wide)(registers[at + 1] & ~shadows[at + 1]) << 64 : 0),
		shadows[at] | (two ? (wide)shadows[at + 1] << 64 : 0),
	};
}

static unsigned result_bits(const struct image_insn *insn)
{
	switch (image_opcodes[insn->op].roles[0]) {
	case 'D': return insn->aux;
	case '1': return insn->op == IMAGE_INDEX ? 64 : 1;
	default: return insn->bits;
	}
}

/* Does the shadow of the result depend on shadows alone? */
static bool only_moves(uint16_t op)
{
	return op == IMAGE_MOV || op == IMAGE_FREEZE || op == IMAGE_ZEXT || op == IMAGE_SEXT || op == IMAGE_TRUNC;
}

/* Is a register of the running function asked only for which of its bits are initialized? */
static bool is_asked(uint32_t at)
{
	const struct vm_thread *thread = vm_this.current;
	const struct vm_frame *frame = &thread->frames[thread->header.frames - 1];
	return image_is_asked(vm_this.image.pool, &vm_this.image.functions[frame->function], at);
}

/* Is an operand the term of an input (symbolic/symbolic.h)? */
static bool has_term(const struct image_insn *insn, const uint64_t *registers, const uint64_t *shadows)
{
	const uint32_t at[] = { insn->a, insn->b, insn->c };
	for (unsigned i = 0; i < 3; i++) {
		char role = image_opcodes[insn->op].roles[i + 1];
		if ((role == 'x' || role == 'q') && !(at[i] & IMAGE_CONST) && vm_is_term(registers[at[i]], shadows[at[i]]))
			return true;
	}
	return false;
}

void vm_compute_shadowed(const struct image_insn *insn, uint64_t *registers, uint64_t *shadows, const uint64_t *constants)
{
	assert(vm_this.current->shadowed);
	if (vm_symbolic_on() && has_term(insn, registers, shadows) && vm_symbolic_compute(insn, registers, shadows, constants))
		return;
	struct bits a = get(insn, 1, registers, shadows, constants), b = get(insn, 2, registers, shadows, constants),
		    c = get(insn, 3, registers, shadows, constants);
	unsigned bits = result_bits(insn);
	bool unset = a.shadow || b.shadow || c.shadow, flag = image_opcodes[insn->op].roles[0] == 'f';
	if (unset && vm_this.slices && !only_moves(insn->op) && is_asked(insn->dst))
		vm_levels_refuse_unset();
	wide shadow = unset ? shadow_of_result(insn, a, b, c) & vm_wide_mask(bits) : 0;
	vm_compute(insn, registers, constants, !unset);
	uint32_t at = insn->dst;
	for (wide rest = shadow; at < insn->dst + (bits > 64 ? 2 : 1); at++, rest >>= 64) {
		shadows[at] = (uint64_t)rest;
		if (!vm_this.keeps_unset)
			registers[at] &= ~(uint64_t)rest;
	}
	if (flag) {
		shadows[at] = unset;
		if (!vm_this.keeps_unset)
			registers[at] &= ~(uint64_t)unset;
	}
}
