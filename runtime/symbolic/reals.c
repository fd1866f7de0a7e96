/* SPDX-License-Identifier: MIT
 *
 * Sets of floating-point numbers, in pieces: a piece has the bits of the numbers (IEEE 754).  These are of four kinds, in order:
 * from +0 up to infinity, NaNs, from -0 down to -infinity, NaNs again.  Within a kind of numbers the order of the bits is the
 * order of the numbers, or its reverse.
 *
 * So an operation that never falls where its operand rises, or never rises, has all results between those of the ends of a piece
 * of one kind, if these two are of one kind, too.  Rounding does not change that.  A NaN comes out of numbers only where one is 0
 * or infinite, which are the ends of a kind; only of the square root out of all that are less.  Any other piece is cut (pieces.c).
 *
 * So it is with an operation on a number and itself: x + x and x * x rise with the size of x, and x - x and x / x are the same for
 * all x but 0 and infinities.
 *
 * A conversion to an integer cuts off what is after the point.  It is defined, or not, for all numbers up to one, and for no NaN.
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
	case IMAGE_FABS:
	case IMAGE_FCLASS:
	case IMAGE_FSQRT:
	case IMAGE_FFLOOR:
	case IMAGE_FCEIL:
	case IMAGE_FTRUNC:
	case IMAGE_FRINT:
	case IMAGE_FROUND:
	case IMAGE_FMINNUM:
	case IMAGE_FMAXNUM:
	case IMAGE_FCOPYSIGN: return insn->bits == 32 || insn->bits == 64;
	case IMAGE_FPCAST: return (insn->bits == 32 || insn->bits == 64) && (insn->aux == 32 || insn->aux == 64);
	case IMAGE_FPTOSI:
	case IMAGE_FPTOUI: return insn->aux <= 64 && (insn->bits == 32 || insn->bits == 64);
	case IMAGE_SITOFP:
	case IMAGE_UITOFP: return insn->bits <= 64 && (insn->aux == 32 || insn->aux == 64);
	default: return false;
	}
}

/* Let the piece be the answers, which change once at most. */
static bool answer(struct vm_piece *p, bool low, bool high, bool *exact)
{
	*exact = *exact || low == high;
	*p = (struct vm_piece){ low && high, low || high, 1 };
	return true;
}

/* The relation to a constant changes at most twice in a piece, where it is equal.  Only of == and != may the answer, too. */
static bool compare(struct vm_piece *p, const struct vm_operation *o, bool *exact)
{
	bool low = vm_operation_value(o, p->low) & 1, high = vm_operation_value(o, p->high) & 1;
	bool with_itself = o->which == 3,
	     twice = !(o->aux & REAL_GREATER) == !(o->aux & REAL_LESS) && !(o->aux & REAL_EQUAL) != !(o->aux & REAL_LESS);
	double k = with_itself ? 0 : number_of(o->constants[o->which == 1 ? 1 : 0], o->bits);
	double from = number_of(p->low, o->bits), to = number_of(p->high, o->bits);
	bool same = with_itself || isnan(from) || isnan(k);
	if (same && low != high)
		VM_BUG("a comparison of one kind of numbers has two answers");
	if (!same && twice && low == high && (from < k) != (to < k))
		return false;
	return answer(p, low, high, exact);
}

/* ---- conversions to integers ------------------------------------------------------------------------------------------ */

bool vm_real_fits(const struct vm_operation *o, uint64_t value)
{
	bool is_signed = o->op == IMAGE_FPTOSI;
	double x = trunc(number_of(value, o->bits)), limit = ldexp(1, (int)o->aux - is_signed);
	return x >= (is_signed ? -limit : 0) && x < limit;
}

/* Is each integer between 0 and a number one that its format has? */
static bool is_dense(uint64_t value, unsigned bits)
{
	return fabs(number_of(value, bits)) <= (bits == 32 ? 0x1p24 : 0x1p53);
}

/* What does not fit, where that is no fault, is the nearest integer if the conversion saturates; else the least one, or the
 * greatest one without a sign; but negative numbers wrap then.  A NaN is 0. */
static bool to_integer(struct vm_piece *p, const struct vm_operation *o, bool *exact)
{
	bool fits = vm_real_fits(o, p->low) && vm_real_fits(o, p->high), negative = p->low & sign_of(o->bits);
	bool saturates = o->immediates[1] != 1;
	uint64_t a = vm_operation_value(o, p->low), b = vm_operation_value(o, p->high);
	if (!fits && !is_nan(p->low, o->bits) && negative && o->op == IMAGE_FPTOUI && !saturates)
		return false;
	if (o->op == IMAGE_FPTOSI && (a ^ b) & sign_of(o->aux)) /* 0 is not beside -1 */
		return false;
	*exact = a == b || (*exact && fits && p->step == 1 && is_dense(p->low, o->bits) && is_dense(p->high, o->bits));
	*p = (struct vm_piece){ a < b ? a : b, a < b ? b : a, 1 };
	return true;
}

/* ---- questions -------------------------------------------------------------------------------------------------------- */

/* Return the class of a number: which bit of llvm.is.fpclass is its own. */
static unsigned class_of(struct vm_operation o, uint64_t value)
{
	unsigned class = 0;
	do
		o.immediates[1] = 1u << class;
	while (!(vm_operation_value(&o, value) & 1) && ++class < 10);
	return class;
}

/* Of one kind, classes follow each other. */
static bool classify(struct vm_piece *p, const struct vm_operation *o, bool *exact)
{
	bool low = vm_operation_value(o, p->low) & 1, high = vm_operation_value(o, p->high) & 1;
	unsigned a = class_of(*o, p->low), b = class_of(*o, p->high), apart = a < b ? b - a : a - b;
	return (low != high || apart <= 1) && answer(p, low, high, exact);
}

static bool ask(struct vm_piece *p, const struct vm_operation *o, bool *exact)
{
	if (o->op == IMAGE_FCMP)
		return compare(p, o, exact);
	if (o->op == IMAGE_FCLASS)
		return classify(p, o, exact);
	return answer(p, vm_operation_value(o, p->low) & 1, vm_operation_value(o, p->high) & 1, exact);
}

bool vm_real_range(struct vm_piece *p, const struct vm_operation *o, bool *exact)
{
	bool of_integer = o->op == IMAGE_SITOFP || o->op == IMAGE_UITOFP, is_signed = o->op == IMAGE_SITOFP;
	unsigned bits = o->bits, width = o->width;
	assert(o->which && o->which <= 3 && o->asked != TERM_SECOND);
	if (of_integer ? is_signed && (p->low ^ p->high) & sign_of(bits) : !is_one_kind(p->low, p->high, bits))
		return false;
	if (o->op == IMAGE_FCMP || o->op == IMAGE_FCLASS || o->asked == TERM_FAULTS)
		return ask(p, o, exact);
	if (o->op == IMAGE_FPTOSI || o->op == IMAGE_FPTOUI)
		return to_integer(p, o, exact);
	uint64_t a = vm_operation_value(o, p->low), b = vm_operation_value(o, p->high);
	if (!is_one_kind(a, b, width))
		return false;
	*exact = false;
	if (!is_nan(a, width)) {
		*p = (struct vm_piece){ a < b ? a : b, a < b ? b : a, 1 };
		return true;
	}
	/* A NaN passes its sign on, if there is one only; its other bits may change.  A square root makes NaNs of one sign, too. */
	if (of_integer || (!is_nan(p->low, bits) && o->op != IMAGE_FSQRT) ||
	    (o->which == 1 ? is_nan(o->constants[1], bits) : is_nan(o->constants[0], bits)))
		return false;
	uint64_t sign = a & sign_of(width);
	*p = (struct vm_piece){ sign | (infinity_of(width) + 1), sign | (sign_of(width) - 1), 1 };
	return true;
}

/* ---- all numbers of a term --------------------------------------------------------------------------------------------- */

static void add(struct vm_reals *reals, uint64_t value)
{
	if (is_nan(value, reals->bits)) {
		reals->nan = true;
		return;
	}
	double x = number_of(value, reals->bits);
	if (!reals->any || x < number_of(reals->least, reals->bits))
		reals->least = value;
	if (!reals->any || x > number_of(reals->greatest, reals->bits))
		reals->greatest = value;
	reals->any = true;
}

bool vm_term_reals(const struct vm_term *term, struct vm_reals *reals)
{
	enum { TRIES = 2000 };
	const struct vm_symbol *symbol = &vm_symbols.symbols[term->symbol];
	*reals = (struct vm_reals){ .bits = term->bits };
	for (uint32_t row = 0; term->column && row < symbol->rows; row++)
		add(reals, term->column[row]);
	if (term->column)
		return true;
	struct vm_piece *work = vm_scratch((symbol->count + TRIES + CUT_MOST) * sizeof *work);
	uint32_t left = symbol->count;
	memcpy(work, symbol->pieces, left * sizeof *work);
	for (uint32_t tries = 0; left; tries++) {
		struct vm_piece piece = work[--left], range;
		bool exact;
		uint64_t modulus;
		if (tries == TRIES || left + CUT_MOST > TRIES)
			return false;
		range = vm_term_range(term, piece, &exact, &modulus);
		if (!is_one_kind(range.low, range.high, term->bits)) {
			left += vm_piece_cut(piece, modulus, work + left);
			continue;
		}
		add(reals, range.low);
		add(reals, range.high);
	}
	return true;
}

unsigned vm_reals_relations(const struct vm_reals *a, const struct vm_reals *b)
{
	unsigned may = a->nan || b->nan ? REAL_UNORDERED : 0;
	if (!a->any || !b->any)
		return may;
	double low = number_of(a->least, a->bits), high = number_of(a->greatest, a->bits);
	double least = number_of(b->least, b->bits), greatest = number_of(b->greatest, b->bits);
	may |= low < greatest ? REAL_LESS : 0;
	may |= high > least ? REAL_GREATER : 0;
	return may | (low <= greatest && high >= least ? REAL_EQUAL : 0);
}
