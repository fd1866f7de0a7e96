/* SPDX-License-Identifier: MIT
 *
 * Sets of floating-point numbers, in pieces: a piece has the bits of the numbers (IEEE 754).  These are of four kinds, in order:
 * from +0 up to infinity, NaNs, from -0 down to -infinity, NaNs again.  Within a kind of numbers the order of the bits is the
 * order of the numbers, or its reverse.
 *
 * So an operation that never falls where its operand rises, or never rises, has all results between those of the ends of a piece
 * of one kind, if these two are of one kind, too.  Rounding does not change that.  A NaN comes out of numbers only where one is 0
 * or infinite, which are the ends of a kind.  Any other piece is cut (pieces.c).
 */
#include "terms.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static uint64_t sign_of(unsigned bits)
{
	return (uint64_t)1 << (bits - 1);
}

static uint64_t infinity_of(unsigned bits)
{
	return bits == 32 ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);
}

static bool is_nan(uint64_t value, unsigned bits)
{
	return (value & ~sign_of(bits)) > infinity_of(bits);
}

static bool is_one_kind(uint64_t a, uint64_t b, unsigned bits)
{
	return (a & sign_of(bits)) == (b & sign_of(bits)) && is_nan(a, bits) == is_nan(b, bits);
}

static double number_of(uint64_t value, unsigned bits)
{
	uint32_t half = (uint32_t)value;
	float f;
	double d;
	memcpy(&f, &half, sizeof f);
	memcpy(&d, &value, sizeof d);
	return bits == 32 ? (double)f : d;
}

bool vm_real_is_known(const struct image_insn *insn)
{
	switch ((enum image_opcode)insn->op) {
	case IMAGE_FCMP:
	case IMAGE_FADD:
	case IMAGE_FSUB:
	case IMAGE_FMUL:
	case IMAGE_FDIV:
	case IMAGE_FNEG:
	case IMAGE_FABS: return insn->bits == 32 || insn->bits == 64;
	case IMAGE_FPCAST: return (insn->bits == 32 || insn->bits == 64) && (insn->aux == 32 || insn->aux == 64);
	case IMAGE_SITOFP:
	case IMAGE_UITOFP: return insn->bits <= 64 && (insn->aux == 32 || insn->aux == 64);
	default: return false;
	}
}

/* The relation to a constant changes at most twice in a piece, where it is equal.  Only of == and != may the answer, too. */
static bool compare(struct vm_piece *p, const struct vm_operation *o, bool *exact)
{
	enum { EQUAL = 1, GREATER = 2, LESS = 4 };
	bool low = vm_operation_value(o, p->low) & 1, high = vm_operation_value(o, p->high) & 1;
	if (!is_one_kind(p->low, p->high, o->bits))
		return false;
	bool with_itself = o->which == 3, twice = !(o->aux & GREATER) == !(o->aux & LESS) && !(o->aux & EQUAL) != !(o->aux & LESS);
	double k = with_itself ? 0 : number_of(o->constants[o->which == 1 ? 1 : 0], o->bits);
	double from = number_of(p->low, o->bits), to = number_of(p->high, o->bits);
	bool same = with_itself || isnan(from) || isnan(k);
	if (same && low != high)
		VM_BUG("a comparison of one kind of numbers has two answers");
	if (!same && twice && low == high && (from < k) != (to < k))
		return false;
	*exact = *exact || low == high;
	*p = (struct vm_piece){ low && high, low || high, 1 };
	return true;
}

bool vm_real_range(struct vm_piece *p, const struct vm_operation *o, bool *exact)
{
	bool of_integer = o->op == IMAGE_SITOFP || o->op == IMAGE_UITOFP, alone = (o->which & (o->which - 1)) == 0;
	bool is_signed = o->op == IMAGE_SITOFP;
	unsigned bits = o->bits, width = o->width;
	assert(o->which && o->asked == 0);
	if (o->op == IMAGE_FCMP)
		return (alone || o->which == 3) && compare(p, o, exact);
	if (!alone)
		return false;
	if (of_integer ? is_signed && (p->low ^ p->high) & sign_of(bits) : !is_one_kind(p->low, p->high, bits))
		return false;
	uint64_t a = vm_operation_value(o, p->low), b = vm_operation_value(o, p->high);
	if (!is_one_kind(a, b, width))
		return false;
	*exact = false;
	if (!is_nan(a, width)) {
		*p = (struct vm_piece){ a < b ? a : b, a < b ? b : a, 1 };
		return true;
	}
	/* A NaN passes its sign on, if there is one only; its other bits may change. */
	if (of_integer || !is_nan(p->low, bits) || (o->which == 1 ? is_nan(o->constants[1], bits) : is_nan(o->constants[0], bits)))
		return false;
	uint64_t sign = a & sign_of(width);
	*p = (struct vm_piece){ sign | (infinity_of(width) + 1), sign | (sign_of(width) - 1), 1 };
	return true;
}
