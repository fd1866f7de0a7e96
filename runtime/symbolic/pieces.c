/* SPDX-License-Identifier: MIT
 *
 * Sets of many values, in pieces: arithmetic progressions.  What an operation makes of a piece is bounded by another piece.  It may
 * be too large, unless it is said to be exact, and it has all values: so a question that the bound answers is answered for all
 * values.  Where it does not, the piece is cut, and at the latest a single value answers it.
 */
#include "terms.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* a piece, what is known of it, and how the values of the symbol go into it: it has `scale` of them for one */
struct range {
	struct vm_piece piece;
	bool exact;
	uint64_t modulus, scale;
};

static bool single(const struct range *r)
{
	return r->piece.low == r->piece.high;
}

static void all(struct range *r, unsigned bits)
{
	r->piece = (struct vm_piece){ 0, vm_mask(bits), 1 };
	r->exact = false;
}

static void set(struct range *r, uint64_t low, uint64_t high, uint64_t step)
{
	assert(low <= high && step);
	r->piece = (struct vm_piece){ low, high, low == high ? 1 : step };
}

/* Are these all numbers of `bits` bits? */
static bool is_whole(const struct range *r, unsigned bits)
{
	return r->piece.low == 0 && r->piece.high == vm_mask(bits) && r->piece.step == 1;
}

/* Add k, modulo 2^bits. */
static void add(struct range *r, uint64_t k, unsigned bits)
{
	uint64_t low = (r->piece.low + k) & vm_mask(bits), high = (r->piece.high + k) & vm_mask(bits);
	if (low <= high)
		set(r, low, high, r->piece.step);
	else if (!is_whole(r, bits))
		all(r, bits);
}

/* Take from k. */
static void subtract_from(struct range *r, uint64_t k, unsigned bits)
{
	uint64_t low = (k - r->piece.high) & vm_mask(bits), high = (k - r->piece.low) & vm_mask(bits);
	if (low <= high)
		set(r, low, high, r->piece.step);
	else if (!is_whole(r, bits))
		all(r, bits);
}

static bool is_negative(uint64_t value, unsigned bits)
{
	return value >> (bits - 1) & 1;
}

static bool is_one_sign(const struct range *r, unsigned bits)
{
	return is_negative(r->piece.low, bits) == is_negative(r->piece.high, bits);
}

static void multiply(struct range *r, uint64_t k, unsigned bits)
{
	if (k == (uint64_t)1 << 63) {
		all(r, bits);
		return;
	}
	__int128 low = (__int128)r->piece.low * (__int128)(int64_t)vm_signed(k, bits),
		 high = (__int128)r->piece.high * (__int128)(int64_t)vm_signed(k, bits);
	if (low > high) {
		__int128 swap = low;
		low = high;
		high = swap;
	}
	unsigned __int128 step = (unsigned __int128)r->piece.step * (uint64_t)llabs(vm_signed(k, bits));
	bool together = bits == 64 ? low >> 64 == high >> 64 : low >> bits == high >> bits;
	if (!together)
		all(r, bits);
	else
		set(r, (uint64_t)low & vm_mask(bits), (uint64_t)high & vm_mask(bits), low == high ? 1 : (uint64_t)step);
}

static void divide(struct range *r, uint64_t k)
{
	assert(k);
	struct vm_piece p = r->piece;
	bool even = p.step % k == 0;
	r->exact = r->exact && (even || p.step <= k || p.low / k == p.high / k);
	r->scale = r->scale > UINT64_MAX / k ? 0 : r->scale * k;
	set(r, p.low / k, p.high / k, even ? p.step / k : 1);
}

static void remainder_of(struct range *r, uint64_t k)
{
	assert(k);
	struct vm_piece p = r->piece;
	if (p.low / k == p.high / k || p.step % k == 0) {
		set(r, p.low % k, p.step % k == 0 ? p.low % k : p.high % k, p.step);
		return;
	}
	r->exact = r->exact && p.step == 1 && p.high - p.low >= k - 1;
	if (r->modulus == 0 && r->scale && k <= CUT_MOST / r->scale)
		r->modulus = k * r->scale;
	set(r, 0, k - 1, 1);
}

static void divide_signed(struct range *r, uint64_t k, unsigned bits, bool remainder)
{
	uint64_t divisor = is_negative(k, bits) ? -k & vm_mask(bits) : k;
	bool negative = is_negative(r->piece.low, bits);
	if (k == 0 || !is_one_sign(r, bits)) {
		all(r, bits);
		return;
	}
	if (negative)
		subtract_from(r, 0, bits);
	if (remainder)
		remainder_of(r, divisor);
	else
		divide(r, divisor);
	if (negative != (!remainder && is_negative(k, bits)))
		subtract_from(r, 0, bits);
}

static bool is_low_mask(uint64_t k)
{
	return (k & (k + 1)) == 0;
}

static void mask(struct range *r, uint64_t k, unsigned bits)
{
	unsigned at = k ? (unsigned)__builtin_ctzll(k) : 0;
	if (k == vm_mask(bits))
		return;
	if (is_low_mask(k)) {
		remainder_of(r, k + 1);
	} else if (is_low_mask(k >> at)) { /* a row of ones in the middle */
		divide(r, (uint64_t)1 << at);
		if ((k >> at) != vm_mask(bits - at))
			remainder_of(r, (k >> at) + 1);
		set(r, r->piece.low << at, r->piece.high << at, r->piece.step << at);
	} else {
		set(r, 0, k < r->piece.high ? k : r->piece.high, 1);
		r->exact = false;
	}
}

static void flip(struct range *r, uint64_t k, unsigned bits)
{
	if (k == vm_mask(bits))
		subtract_from(r, k, bits);
	else if (k == (uint64_t)1 << (bits - 1))
		add(r, k, bits);
	else if (k)
		all(r, bits);
}

static void shift_right(struct range *r, uint64_t count, unsigned bits, bool is_signed)
{
	bool negative = is_signed && is_negative(r->piece.low, bits);
	if (count >= bits || (is_signed && !is_one_sign(r, bits))) {
		all(r, bits);
		return;
	}
	if (negative)
		subtract_from(r, vm_mask(bits), bits);
	divide(r, (uint64_t)1 << count);
	if (negative)
		subtract_from(r, vm_mask(bits), bits);
}

static void truncate(struct range *r, unsigned bits, unsigned width)
{
	if (width < bits)
		remainder_of(r, (uint64_t)1 << width);
}

/* Answer for a piece on which the answer changes once at most: `low` for the lowest value, `high` for the highest. */
static void answer(struct range *r, bool low, bool high)
{
	r->exact = r->exact || low == high;
	set(r, low && high, low || high, 1);
}

static void compare(struct range *r, unsigned predicate, uint64_t k, unsigned bits, bool turned)
{
	static const uint8_t other[] = { ICMP_EQ,  ICMP_NE,  ICMP_ULT, ICMP_ULE, ICMP_UGT,
					 ICMP_UGE, ICMP_SLT, ICMP_SLE, ICMP_SGT, ICMP_SGE };
	struct vm_piece p = r->piece;
	uint64_t sign = (uint64_t)1 << (bits - 1);
	if (turned)
		predicate = other[predicate];
	if (predicate == ICMP_EQ || predicate == ICMP_NE) {
		bool in = k >= p.low && k <= p.high && (k - p.low) % p.step == 0, ne = predicate == ICMP_NE;
		if (!in || single(r))
			answer(r, in != ne, in != ne);
		else
			answer(r, false, true);
		return;
	}
	if (predicate >= ICMP_SGT) {
		if (!is_one_sign(r, bits)) {
			all(r, 1);
			return;
		}
		p.low ^= sign;
		p.high ^= sign;
		k ^= sign;
	}
	switch (predicate) {
	case ICMP_UGT:
	case ICMP_SGT: answer(r, p.low > k, p.high > k); break;
	case ICMP_UGE:
	case ICMP_SGE: answer(r, p.low >= k, p.high >= k); break;
	case ICMP_ULT:
	case ICMP_SLT: answer(r, p.low < k, p.high < k); break;
	default: answer(r, p.low <= k, p.high <= k); break;
	}
}

/* Does the answer, a fault or an overflow, change at most once in a range of numbers of one sign? */
static bool is_monotone(const struct vm_operation *o)
{
	switch (o->op) {
	case IMAGE_ADD:
	case IMAGE_SUB:
	case IMAGE_MUL:
	case IMAGE_SADDO:
	case IMAGE_UADDO:
	case IMAGE_SSUBO:
	case IMAGE_USUBO:
	case IMAGE_SMULO:
	case IMAGE_UMULO:
	case IMAGE_INDEX:
	case IMAGE_BOOL: return (o->which & (o->which - 1)) == 0;
	case IMAGE_SHL:
	case IMAGE_LSHR:
	case IMAGE_ASHR: return o->which == 1 || (o->which == 2 && !(o->aux & IMAGE_NSW));
	default: return false;
	}
}

/* Answer whether an operation is a fault, or overflows. */
static void overflow(struct range *r, const struct vm_operation *o)
{
	uint64_t low = r->piece.low, high = r->piece.high;
	unsigned bits = o->op == IMAGE_INDEX ? 64 : o->bits;
	bool by_divisor = o->asked == TERM_FAULTS && o->op >= IMAGE_UDIV && o->op <= IMAGE_SREM;
	if (single(r))
		answer(r, vm_operation_value(o, low) & 1, vm_operation_value(o, low) & 1);
	else if (by_divisor && o->which == 1 && o->constants[1] == vm_mask(bits) && (o->op == IMAGE_SDIV || o->op == IMAGE_SREM))
		compare(r, ICMP_EQ, (uint64_t)1 << (bits - 1), bits, false);
	else if (by_divisor && o->which == 1)
		answer(r, o->constants[1] == 0, o->constants[1] == 0);
	else if (by_divisor && o->which == 2 && low > 0 && high < vm_mask(bits)) /* neither 0 nor -1 */
		answer(r, false, false);
	else if (is_monotone(o) && is_one_sign(r, bits))
		answer(r, vm_operation_value(o, low) & 1, vm_operation_value(o, high) & 1);
	else
		all(r, 1);
}

static void through(struct range *r, const struct vm_operation *o)
{
	uint64_t a = o->constants[0], b = o->constants[1];
	unsigned bits = o->bits;
	bool first = o->which == 1;
	if (o->asked) {
		overflow(r, o);
		return;
	}
	if (single(r)) {
		uint64_t value = vm_operation_value(o, r->piece.low);
		set(r, value, value, 1);
		return;
	}
	if (o->op == IMAGE_INDEX && o->which == 2) {
		multiply(r, o->constants[2], 64);
		add(r, a, 64);
		return;
	}
	if (o->op == IMAGE_ICMP && (first || o->which == 2)) {
		compare(r, o->aux, first ? b : a, bits, !first);
		return;
	}
	bool commutes = o->op == IMAGE_ADD || o->op == IMAGE_MUL || o->op == IMAGE_AND || o->op == IMAGE_XOR ||
		o->op == IMAGE_SADDO || o->op == IMAGE_UADDO || o->op == IMAGE_SMULO || o->op == IMAGE_UMULO;
	uint64_t k = first ? b : a;
	bool known = first || (commutes && o->which == 2);
	switch (known ? (enum image_opcode)o->op : IMAGE_OPCODES) {
	case IMAGE_ADD:
	case IMAGE_SADDO:
	case IMAGE_UADDO: add(r, k, bits); break;
	case IMAGE_SUB:
	case IMAGE_SSUBO:
	case IMAGE_USUBO: add(r, -k & vm_mask(bits), bits); break;
	case IMAGE_MUL:
	case IMAGE_SMULO:
	case IMAGE_UMULO: multiply(r, k, bits); break;
	case IMAGE_SHL:
		if (k + 1 < bits)
			multiply(r, (uint64_t)1 << k, bits);
		else
			all(r, bits);
		break;
	case IMAGE_UDIV:
		if (k)
			divide(r, k);
		break;
	case IMAGE_UREM:
		if (k)
			remainder_of(r, k);
		break;
	case IMAGE_SDIV: divide_signed(r, k, bits, false); break;
	case IMAGE_SREM: divide_signed(r, k, bits, true); break;
	case IMAGE_LSHR: shift_right(r, k, bits, false); break;
	case IMAGE_ASHR: shift_right(r, k, bits, true); break;
	case IMAGE_AND: mask(r, k, bits); break;
	case IMAGE_XOR: flip(r, k, bits); break;
	case IMAGE_ZEXT:
	case IMAGE_BOOL: break;
	case IMAGE_TRUNC: truncate(r, bits, o->aux); break;
	case IMAGE_SEXT:
		if (!is_one_sign(r, bits))
			all(r, o->aux);
		else if (is_negative(r->piece.low, bits))
			add(r, vm_mask(o->aux) - vm_mask(bits), o->aux);
		break;
	default:
		if (o->op == IMAGE_SUB && o->which == 2)
			subtract_from(r, a, bits);
		else
			all(r, o->width);
		break;
	}
}

static void through_real(struct range *r, const struct vm_operation *o)
{
	if (!vm_real_range(&r->piece, o, &r->exact))
		all(r, o->width);
}

struct vm_piece vm_term_range(const struct vm_term *term, struct vm_piece piece, bool *exact, uint64_t *modulus)
{
	struct range r = { .piece = piece, .exact = true, .scale = 1 };
	assert(!term->column && piece.low <= piece.high && piece.step && (piece.high - piece.low) % piece.step == 0);
	for (uint32_t i = 0; i < term->count; i++) {
		const struct vm_operation *o = &term->operations[i];
		bool is_real = o->op == IMAGE_FCMP || (o->op >= IMAGE_FPTOUI && o->op <= IMAGE_FMA);
		(is_real && !single(&r) ? through_real : through)(&r, o);
	}
	*exact = r.exact;
	*modulus = r.modulus;
	return r.piece;
}

/* ---- pieces ---------------------------------------------------------------------------------------------------------- */

uint32_t vm_piece_cut(struct vm_piece piece, uint64_t modulus, struct vm_piece *parts)
{
	uint64_t values = (piece.high - piece.low) / piece.step, count = 0; /* values: less one */
	assert(values);
	/* `whole` steps of the piece make a multiple of the modulus */
	uint64_t whole = modulus;
	for (uint64_t a = modulus, b = piece.step; modulus && b;) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
		if (b == 0)
			whole = modulus / a;
	}
	if (modulus && whole > 1 && whole <= CUT_MOST && values >= whole) {
		for (; count < whole; count++) {
			uint64_t low = piece.low + count * piece.step, steps = (values - count) / whole;
			parts[count] = (struct vm_piece){ low, low + steps * whole * piece.step, steps ? whole * piece.step : 1 };
		}
		return (uint32_t)count;
	}
	uint64_t half = values / 2, middle = piece.low + half * piece.step;
	parts[0] = (struct vm_piece){ piece.low, middle, half ? piece.step : 1 };
	parts[1] = (struct vm_piece){ middle + piece.step, piece.high, middle + piece.step == piece.high ? 1 : piece.step };
	return 2;
}

uint64_t vm_pieces_size(const struct vm_piece *pieces, uint32_t count, uint64_t most)
{
	uint64_t size = 0;
	for (uint32_t i = 0; i < count && size <= most; i++) {
		uint64_t values = (pieces[i].high - pieces[i].low) / pieces[i].step; /* less one */
		size = values >= most - size ? most + 1 : size + values + 1;
	}
	return size;
}

static int by_low(const void *a, const void *b)
{
	const struct vm_piece *x = a, *y = b;
	return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : (x->high > y->high) - (x->high < y->high);
}

uint32_t vm_pieces_sort(struct vm_piece *pieces, uint32_t count)
{
	uint32_t n = 0;
	qsort(pieces, count, sizeof *pieces, by_low);
	for (uint32_t i = 0; i < count; i++) {
		struct vm_piece *last = n ? &pieces[n - 1] : NULL;
		bool touches = last && last->step == 1 && pieces[i].step == 1 && pieces[i].low <= last->high + 1 && last->high + 1;
		if (!touches)
			pieces[n++] = pieces[i];
		else if (pieces[i].high > last->high)
			last->high = pieces[i].high;
	}
	return n;
}

struct vm_piece *vm_term_image(const struct vm_term *term, uint32_t *count)
{
	enum { MOST = 1024, TRIES = 20000 };
	const struct vm_symbol *symbol = &vm_symbols.symbols[term->symbol];
	struct vm_piece *work = vm_scratch((symbol->count + TRIES + CUT_MOST) * sizeof *work),
			*image = vm_scratch(MOST * sizeof *image);
	uint32_t left = symbol->count, n = 0, tries = 0;
	memcpy(work, symbol->pieces, left * sizeof *work);
	while (left) {
		struct vm_piece piece = work[--left];
		bool exact;
		uint64_t modulus;
		struct vm_piece range = vm_term_range(term, piece, &exact, &modulus);
		if (n == MOST)
			n = vm_pieces_sort(image, n);
		if (n == MOST || ++tries == TRIES / 2)
			return NULL;
		if (exact || range.low == range.high)
			image[n++] = range;
		else if (left + CUT_MOST > TRIES)
			return NULL;
		else
			left += vm_piece_cut(piece, modulus, work + left);
	}
	*count = vm_pieces_sort(image, n);
	return image;
}
