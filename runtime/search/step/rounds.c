/* SPDX-License-Identifier: MIT
 *
 * See rounds.h.  The values for which a comparison holds, or for "not equal" those for which it does not, are an arc of the circle
 * of all values.  So are the values of the variable: to add and to negate moves and turns an arc; and what an extension makes of
 * the smaller circle is an arc of the larger one, whose part in another arc is an arc again, where the ends of the smaller circle
 * meet.  The comparison changes when the variable comes into the arc, or leaves it.
 */
#include "rounds.h"
#include "../../interpreter/arith.h"

#include <assert.h>

/* The values low .. low + length, modulo 2^bits. */
struct arc {
	uint64_t low, length;
	bool none;
};

static uint64_t mask(unsigned bits)
{
	return (uint64_t)vm_wide_mask(bits);
}

/* Return the arc from `low` up to `high`. */
static struct arc arc(uint64_t low, uint64_t high, unsigned bits)
{
	return (struct arc){ .low = low & mask(bits), .length = (high - low) & mask(bits) };
}

static struct arc where_it_holds(enum image_icmp predicate, uint64_t limit, unsigned bits)
{
	assert(bits > 0 && bits <= 64);
	const struct arc none = { .none = true };
	uint64_t most = mask(bits), least_signed = UINT64_C(1) << (bits - 1), most_signed = least_signed - 1;
	switch (predicate) {
	case ICMP_EQ:
	case ICMP_NE: return arc(limit, limit, bits);
	case ICMP_ULT: return limit == 0 ? none : arc(0, limit - 1, bits);
	case ICMP_ULE: return arc(0, limit, bits);
	case ICMP_UGT: return limit == most ? none : arc(limit + 1, most, bits);
	case ICMP_UGE: return arc(limit, most, bits);
	case ICMP_SLT: return limit == least_signed ? none : arc(least_signed, limit - 1, bits);
	case ICMP_SLE: return arc(least_signed, limit, bits);
	case ICMP_SGT: return limit == most_signed ? none : arc(limit + 1, most_signed, bits);
	case ICMP_SGE: return arc(limit, most_signed, bits);
	case ICMP_PREDICATES: break;
	}
	return none;
}

/* Return the x of which `x + add` is in the arc, or `add - x` if `negated`. */
static struct arc undo_sum(struct arc a, bool negated, uint64_t add, unsigned bits)
{
	if (!a.none)
		a.low = (negated ? add - a.low - a.length : a.low - add) & mask(bits);
	return a;
}

/* Return the x of `bits` bits which, extended to `wide_bits`, are in the arc, counted from the least of them. */
static struct arc undo_extension(struct arc a, enum image_extension extension, unsigned bits, unsigned wide_bits)
{
	assert(bits <= wide_bits);
	uint64_t most = mask(bits), least = extension == EXTENSION_SIGN ? -(UINT64_C(1) << (bits - 1)) : 0;
	if (a.none || extension == EXTENSION_NONE)
		return a;
	uint64_t first = (a.low - least) & mask(wide_bits), last = (a.low + a.length - least) & mask(wide_bits);
	bool around = first > last; /* it has the largest and the least number */
	if (!around && first > most)
		return (struct arc){ .none = true };
	if (first > most)
		first = 0;
	return arc(least + first, least + (last > most ? most : last), bits);
}

/* Put into *k the least k for which low <= factor * k modulo `modulus` <= high, where 0 < low <= high < modulus.  Return false if
 * there is none.  By Euclid's algorithm: if no multiple of the factor is between them, k has to go round y times, for the least y
 * for which modulus * y, modulo the factor, is between -high and -low. */
static bool least_multiple(vm_wide factor, vm_wide modulus, vm_wide low, vm_wide high, vm_wide *k)
{
	vm_wide rounds;
	assert(0 < low && low <= high && high < modulus && factor < modulus);
	if (factor == 0)
		return false;
	*k = (low + factor - 1) / factor;
	if (*k * factor <= high)
		return true;
	if (!least_multiple(modulus % factor, factor, factor - high % factor, factor - low % factor, &rounds))
		return false;
	*k = (low + modulus * rounds + factor - 1) / factor;
	return true;
}

/* Put into *steps after how many steps the value is in the arc, in which it is not now.  Return false if it never is. */
static bool steps_into(struct arc a, uint64_t from, uint64_t step, unsigned bits, uint64_t *steps)
{
	vm_wide k, modulus = (vm_wide)1 << bits, low = (a.low - from) & mask(bits);
	if (!least_multiple(step, modulus, low, low + a.length, &k))
		return false;
	assert(k > 0 && k < modulus); /* then the multiples come again */
	*steps = (uint64_t)k;
	return true;
}

uint64_t vm_limit_of(const struct image_bound *bound, uint64_t reg)
{
	if (bound->reg == IMAGE_NONE)
		return image_halves(bound->limit_add) & mask(bound->wide_bits);
	if (bound->reg_extension == EXTENSION_ZERO)
		reg &= mask(bound->reg_bits);
	if (bound->reg_extension == EXTENSION_SIGN)
		reg = (uint64_t)vm_wide_signed(reg & mask(bound->reg_bits), bound->reg_bits);
	return (image_halves(bound->limit_factor) * reg + image_halves(bound->limit_add)) & mask(bound->wide_bits);
}

bool vm_rounds_to_change(const struct image_bound *bound, uint64_t limit, uint64_t from, uint64_t step, uint64_t *rounds)
{
	struct arc a = where_it_holds((enum image_icmp)bound->predicate, limit, bound->wide_bits);
	if (bound->extension != EXTENSION_NONE) {
		a = undo_sum(a, bound->wide_negated, image_halves(bound->wide_add), bound->wide_bits);
		a = undo_extension(a, (enum image_extension)bound->extension, bound->bits, bound->wide_bits);
	}
	a = undo_sum(a, bound->negated, image_halves(bound->add), bound->bits);
	from &= mask(bound->bits), step &= mask(bound->bits);
	if (a.none || a.length == mask(bound->bits))
		return false;
	/* If it is in the arc, the way out is the way into the rest of the circle. */
	if (((from - a.low) & mask(bound->bits)) <= a.length)
		a = arc(a.low + a.length + 1, a.low - 1, bound->bits);
	return steps_into(a, from, step, bound->bits, rounds);
}
