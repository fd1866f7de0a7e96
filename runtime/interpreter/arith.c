/* SPDX-License-Identifier: MIT
 *
 * Arithmetic.  Integers of every width are computed in 128 bits and cut to their width, except for a few frequent cases of at
 * most 64 bits.  Floats are computed by the host, in their own precision, in its rounding mode.
 */
#include "arith.h"
#include "interpreter.h"
#include "../state/whole.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef vm_wide wide;
typedef __int128 swide;
typedef _Float128 quad; /* by functions of libgcc and the C library */

/* The instruction under way; a struct so that helpers need one argument. */
struct compute {
	const struct image_insn *insn;
	uint64_t *registers;
	const uint64_t *constants;
	unsigned bits;
	bool certain; /* the operands have values, else a result that does not fit says nothing */
};

static const uint64_t *slots(const struct compute *c, uint32_t operand)
{
	return operand & IMAGE_CONST ? c->constants + (operand & ~IMAGE_CONST) : c->registers + operand;
}

static wide get(const struct compute *c, uint32_t operand)
{
	const uint64_t *s = slots(c, operand);
	return c->bits > 64 ? s[0] | (wide)s[1] << 64 : s[0];
}

static swide get_signed(const struct compute *c, uint32_t operand)
{
	return vm_wide_signed(get(c, operand), c->bits);
}

static void set(const struct compute *c, wide value, unsigned bits)
{
	value &= vm_wide_mask(bits);
	c->registers[c->insn->dst] = (uint64_t)value;
	if (bits > 64)
		c->registers[c->insn->dst + 1] = (uint64_t)(value >> 64);
}

/* ---- floats -------------------------------------------------------------------------------------------------------- */

static float get_float(const struct compute *c, uint32_t operand)
{
	float f;
	memcpy(&f, slots(c, operand), sizeof f);
	return f;
}

static double get_double(const struct compute *c, uint32_t operand)
{
	double d;
	memcpy(&d, slots(c, operand), sizeof d);
	return d;
}

static long double get_extended(const struct compute *c, uint32_t operand)
{
	long double x = 0;
	memcpy(&x, slots(c, operand), 10);
	return x;
}

static quad get_quad(const struct compute *c, uint32_t operand)
{
	quad x;
	memcpy(&x, slots(c, operand), sizeof x);
	return x;
}

static void set_float(const struct compute *c, float f)
{
	uint64_t *slot = c->registers + c->insn->dst;
	*slot = 0;
	memcpy(slot, &f, sizeof f);
}

static void set_double(const struct compute *c, double d)
{
	memcpy(c->registers + c->insn->dst, &d, sizeof d);
}

static void set_extended(const struct compute *c, long double x)
{
	uint64_t *slot = c->registers + c->insn->dst;
	slot[0] = slot[1] = 0;
	memcpy(slot, &x, 10);
}

static void set_quad(const struct compute *c, quad x)
{
	memcpy(c->registers + c->insn->dst, &x, sizeof x);
}

/* Return the value of a float operand that is no quadruple in the widest of the other formats, which is exact. */
static long double get_real(const struct compute *c, uint32_t operand)
{
	return c->bits == 32 ? get_float(c, operand) : c->bits == 64 ? get_double(c, operand) : get_extended(c, operand);
}

static void set_real(const struct compute *c, long double x, unsigned bits)
{
	if (bits == 32)
		set_float(c, (float)x);
	else if (bits == 64)
		set_double(c, (double)x);
	else if (bits == 80)
		set_extended(c, x);
	else
		set_quad(c, x);
}

/* One operation in each of the four formats. */
#define REAL1(F, D, L, Q) \
	do { \
		if (c->bits == 32) { \
			float a = get_float(c, c->insn->a); \
			set_float(c, F); \
		} else if (c->bits == 64) { \
			double a = get_double(c, c->insn->a); \
			set_double(c, D); \
		} else if (c->bits == 80) { \
			long double a = get_extended(c, c->insn->a); \
			set_extended(c, L); \
		} else { \
			quad a = get_quad(c, c->insn->a); \
			set_quad(c, Q); \
		} \
	} while (0)
#define REAL2(F, D, L, Q) \
	do { \
		if (c->bits == 32) { \
			float a = get_float(c, c->insn->a), b = get_float(c, c->insn->b); \
			set_float(c, F); \
		} else if (c->bits == 64) { \
			double a = get_double(c, c->insn->a), b = get_double(c, c->insn->b); \
			set_double(c, D); \
		} else if (c->bits == 80) { \
			long double a = get_extended(c, c->insn->a), b = get_extended(c, c->insn->b); \
			set_extended(c, L); \
		} else { \
			quad a = get_quad(c, c->insn->a), b = get_quad(c, c->insn->b); \
			set_quad(c, Q); \
		} \
	} while (0)

static void compute_fma(const struct compute *c)
{
	const struct image_insn *insn = c->insn;
	if (c->bits == 32)
		set_float(c, fmaf(get_float(c, insn->a), get_float(c, insn->b), get_float(c, insn->c)));
	else if (c->bits == 64)
		set_double(c, fma(get_double(c, insn->a), get_double(c, insn->b), get_double(c, insn->c)));
	else if (c->bits == 80)
		set_extended(c, fmal(get_extended(c, insn->a), get_extended(c, insn->b), get_extended(c, insn->c)));
	else
		set_quad(c, fmaf128(get_quad(c, insn->a), get_quad(c, insn->b), get_quad(c, insn->c)));
}

static void compute_fcmp(const struct compute *c)
{
	unsigned relation;
	if (c->bits == 128) {
		quad a = get_quad(c, c->insn->a), b = get_quad(c, c->insn->b);
		relation = a != a || b != b ? 8 : a < b ? 4 : a > b ? 2 : 1;
	} else {
		long double a = get_real(c, c->insn->a), b = get_real(c, c->insn->b);
		relation = isunordered(a, b) ? 8 : a < b ? 4 : a > b ? 2 : 1;
	}
	c->registers[c->insn->dst] = (c->insn->aux & relation) != 0;
}

/* Return the class of a float, as a bit of llvm.is.fpclass (LLVM language reference). */
static unsigned class_of(const struct compute *c)
{
	enum { SIGNALLING_NAN = 1, QUIET_NAN = 2 }; /* then from -infinity down to -0, and from +0 up to +infinity */
	static const unsigned quiet_bit[] = { 22, 51, 62 };
	const uint64_t *s = slots(c, c->insn->a);
	if (c->bits == 128) {
		const quad q = get_quad(c, c->insn->a);
		unsigned exponent = s[1] >> 48 & 0x7fff, rank = q == 0 ? 0 : exponent == 0 ? 1 : exponent < 0x7fff ? 2 : 3;
		return q != q ? (s[1] >> 47 & 1 ? QUIET_NAN : SIGNALLING_NAN) : 1u << (s[1] >> 63 ? 5 - rank : 6 + rank);
	}
	long double x = get_real(c, c->insn->a);
	bool negative = c->bits == 80 ? s[1] >> 15 & 1 : s[0] >> (c->bits - 1) & 1;
	unsigned format = c->bits == 32 ? 0 : c->bits == 64 ? 1 : 2, size = 0; /* 0 zero, 1 subnormal, 2 normal, 3 infinity */
	if (isnan(x))
		return s[0] >> quiet_bit[format] & 1 ? QUIET_NAN : SIGNALLING_NAN;
	int kind = c->bits == 32 ? fpclassify(get_float(c, c->insn->a)) :
		c->bits == 64    ? fpclassify(get_double(c, c->insn->a)) :
				   fpclassify(x);
	size = kind == FP_ZERO ? 0 : kind == FP_SUBNORMAL ? 1 : kind == FP_NORMAL ? 2 : 3;
	return 1u << (negative ? 5 - size : 6 + size);
}

static void compute_sign(const struct compute *c, bool flip)
{
	uint64_t *dst = c->registers + c->insn->dst;
	const uint64_t *src = slots(c, c->insn->a);
	unsigned sign_slot = c->bits > 64, sign_bit = (c->bits - 1) % 64;
	uint64_t low = src[0], high = sign_slot ? src[1] : 0;
	uint64_t *sign = sign_slot ? &high : &low, bit = UINT64_C(1) << sign_bit;
	*sign = flip ? *sign ^ bit : *sign & ~bit;
	dst[0] = low;
	if (sign_slot)
		dst[1] = high;
}

/* Does the integral part of a number fit an integer? */
static bool fits_integer(long double x, unsigned bits, bool is_signed)
{
	long double limit = ldexpl(1, (int)bits - is_signed), least = is_signed ? -limit : 0;
	return x >= least && x < limit;
}

/* Report a violation if the integral part of a number does not fit an integer (C17 6.3.1.4).  Return false if the user has
 * suppressed the violation.  An optimizer may convert what nothing uses; our library is another's program. */
static bool check_conversion(const struct compute *c, long double x, bool is_signed)
{
	unsigned bits = c->insn->aux;
	if (!c->certain || c->insn->b != 1 || fits_integer(x, bits, is_signed) || vm_this.image.options->optimised ||
	    vm_this.in_library)
		return true;
	vm_fault(VIOLATION_INVALID_CONVERSION, "%Lg does not fit %s integer of %u bits", x, is_signed ? "a signed" : "an unsigned",
		 bits);
	return false;
}

/* Of a conversion that saturates (llvm.fptosi.sat), set the result if the integral part of the number does not fit.  Return whether
 * that is so. */
static bool saturate(const struct compute *c, long double x, bool is_signed)
{
	unsigned bits = c->insn->aux;
	wide most = vm_wide_mask(bits - is_signed);
	if (c->insn->b == 1 || fits_integer(x, bits, is_signed))
		return false;
	set(c, isnan(x) ? 0 : x > 0 ? most : is_signed ? most + 1 : 0, bits);
	return true;
}

/* Return what CVTTSD2SI makes of a number, with a register of 32 or 64 bits. */
static uint64_t machine_integer(long double x, unsigned bits)
{
	assert(bits == 32 || bits == 64);
	long double limit = ldexpl(1, (int)bits - 1);
	return x >= -limit && x < limit ? (uint64_t)(int64_t)x : UINT64_C(1) << (bits - 1);
}

/* Return the integer that clang's code for x86-64 makes of a number that does not fit. */
static uint64_t machine_conversion(long double x, unsigned bits, bool is_signed)
{
	if (bits < 32 || (bits == 32 && is_signed))
		return machine_integer(x, 32);
	uint64_t low = machine_integer(x, 64);
	if (bits == 64 && !is_signed && low >> 63)
		return low | machine_integer(x - ldexpl(1, 63), 64);
	return low;
}

/* Convert a quadruple, as libgcc does where it does not fit. */
static void quad_to_integer(const struct compute *c, bool is_signed)
{
	unsigned bits = c->insn->aux;
	quad x = truncf128(get_quad(c, c->insn->a)), limit = ldexpl(1, (int)bits - is_signed);
	/* The check looks at a number of the other formats, which is in the range just if x is. */
	long double near = x >= limit ? HUGE_VALL : x < (is_signed ? -limit : 0) ? -HUGE_VALL : x != x ? NAN : 0;
	check_conversion(c, near, is_signed);
	if (saturate(c, near, is_signed))
		return;
	if (bits > 64)
		set(c, is_signed ? (wide)(swide)x : (wide)x, bits);
	else if (bits > 32)
		set(c, is_signed ? (wide)(int64_t)x : (wide)(uint64_t)x, bits);
	else
		set(c, is_signed || bits < 32 ? (wide)(int32_t)x : (wide)(uint32_t)x, bits);
}

static void compute_to_integer(const struct compute *c, bool is_signed)
{
	unsigned bits = c->insn->aux;
	if (c->bits == 128) {
		quad_to_integer(c, is_signed);
		return;
	}
	long double x = truncl(get_real(c, c->insn->a));
	if (saturate(c, x, is_signed))
		return;
	bool fits = check_conversion(c, x, is_signed);
	if (!fits && bits <= 64) {
		set(c, machine_conversion(x, bits, is_signed), bits);
	} else if (isnan(x)) {
		set(c, 0, bits);
	} else if (is_signed) {
		long double limit = ldexpl(1, (int)bits - 1);
		set(c, x >= limit || x < -limit ? (wide)1 << (bits - 1) : (wide)(swide)x, bits);
	} else {
		long double limit = ldexpl(1, (int)bits);
		set(c, x >= limit ? vm_wide_mask(bits) : x < 0 ? (wide)(swide)x : (wide)x, bits);
	}
}

static void compute_from_integer(const struct compute *c, bool is_signed)
{
	unsigned bits = c->insn->aux;
	if (bits == 32)
		set_float(c, is_signed ? (float)get_signed(c, c->insn->a) : (float)get(c, c->insn->a));
	else if (bits == 64)
		set_double(c, is_signed ? (double)get_signed(c, c->insn->a) : (double)get(c, c->insn->a));
	else if (bits == 80)
		set_extended(c, is_signed ? (long double)get_signed(c, c->insn->a) : (long double)get(c, c->insn->a));
	else
		set_quad(c, is_signed ? (quad)get_signed(c, c->insn->a) : (quad)get(c, c->insn->a));
}

static void compute_cast(const struct compute *c)
{
	unsigned bits = c->insn->aux;
	quad x;
	if (c->bits < 128) {
		set_real(c, get_real(c, c->insn->a), bits);
		return;
	}
	x = get_quad(c, c->insn->a);
	if (bits == 32) /* in one step, which rounds once */
		set_float(c, (float)x);
	else if (bits == 64)
		set_double(c, (double)x);
	else
		set_real(c, (long double)x, bits);
}

/* What the code of clang for x86-64 makes of fmin() and fmax(): a number beside a NaN, also beside a signalling one, of which glibc
 * makes a NaN; and of zeros, the first one. */
#define LEAST(a, b)    (isnan(a) ? (b) : (b) < (a) ? (b) : (a))
#define GREATEST(a, b) (isnan(a) ? (b) : (b) > (a) ? (b) : (a))

static bool compute_float(const struct compute *c)
{
	switch ((enum image_opcode)c->insn->op) {
	case IMAGE_FCMP: compute_fcmp(c); return true;
	case IMAGE_FCLASS: c->registers[c->insn->dst] = (class_of(c) & c->insn->b) != 0; return true;
	case IMAGE_FPTOUI: compute_to_integer(c, false); return true;
	case IMAGE_FPTOSI: compute_to_integer(c, true); return true;
	case IMAGE_UITOFP: compute_from_integer(c, false); return true;
	case IMAGE_SITOFP: compute_from_integer(c, true); return true;
	case IMAGE_FPCAST: compute_cast(c); return true;
	case IMAGE_FADD: REAL2(a + b, a + b, a + b, a + b); return true;
	case IMAGE_FSUB: REAL2(a - b, a - b, a - b, a - b); return true;
	case IMAGE_FMUL: REAL2(a * b, a * b, a * b, a * b); return true;
	case IMAGE_FDIV: REAL2(a / b, a / b, a / b, a / b); return true;
	case IMAGE_FREM: REAL2(fmodf(a, b), fmod(a, b), fmodl(a, b), fmodf128(a, b)); return true;
	case IMAGE_FNEG: compute_sign(c, true); return true;
	case IMAGE_FABS: compute_sign(c, false); return true;
	case IMAGE_FSQRT: REAL1(sqrtf(a), sqrt(a), sqrtl(a), sqrtf128(a)); return true;
	case IMAGE_FFLOOR: REAL1(floorf(a), floor(a), floorl(a), floorf128(a)); return true;
	case IMAGE_FCEIL: REAL1(ceilf(a), ceil(a), ceill(a), ceilf128(a)); return true;
	case IMAGE_FTRUNC: REAL1(truncf(a), trunc(a), truncl(a), truncf128(a)); return true;
	case IMAGE_FRINT: REAL1(rintf(a), rint(a), rintl(a), rintf128(a)); return true;
	case IMAGE_FROUND: REAL1(roundf(a), round(a), roundl(a), roundf128(a)); return true;
	case IMAGE_FSIN: REAL1(sinf(a), sin(a), sinl(a), sinf128(a)); return true;
	case IMAGE_FCOS: REAL1(cosf(a), cos(a), cosl(a), cosf128(a)); return true;
	case IMAGE_FEXP: REAL1(expf(a), exp(a), expl(a), expf128(a)); return true;
	case IMAGE_FEXP2: REAL1(exp2f(a), exp2(a), exp2l(a), exp2f128(a)); return true;
	case IMAGE_FLOG: REAL1(logf(a), log(a), logl(a), logf128(a)); return true;
	case IMAGE_FLOG2: REAL1(log2f(a), log2(a), log2l(a), log2f128(a)); return true;
	case IMAGE_FLOG10: REAL1(log10f(a), log10(a), log10l(a), log10f128(a)); return true;
	case IMAGE_FPOW: REAL2(powf(a, b), pow(a, b), powl(a, b), powf128(a, b)); return true;
	case IMAGE_FPOWI: {
		int32_t n = (int32_t)*slots(c, c->insn->b);
		REAL1(powf(a, (float)n), pow(a, n), powl(a, n), powf128(a, n));
		return true;
	}
	case IMAGE_FMINNUM: REAL2(LEAST(a, b), LEAST(a, b), fminl(a, b), fminf128(a, b)); return true;
	case IMAGE_FMAXNUM: REAL2(GREATEST(a, b), GREATEST(a, b), fmaxl(a, b), fmaxf128(a, b)); return true;
	case IMAGE_FCOPYSIGN: REAL2(copysignf(a, b), copysign(a, b), copysignl(a, b), copysignf128(a, b)); return true;
	case IMAGE_FMA: compute_fma(c); return true;
	default: return false;
	}
}

/* ---- integers ------------------------------------------------------------------------------------------------------ */

static void check_overflow(const struct compute *c, swide exact, bool lost)
{
	if (!c->certain || !vm_this.image.options->overflow || !(c->insn->aux & IMAGE_NSW) || vm_this.in_library)
		return;
	if (lost || vm_wide_signed((wide)exact & vm_wide_mask(c->bits), c->bits) != exact)
		vm_fault(VIOLATION_SIGNED_OVERFLOW, "the result does not fit a signed integer of %u bits", c->bits);
}

static void compute_divide(const struct compute *c, bool is_signed, bool remainder)
{
	wide a = get(c, c->insn->a), b = get(c, c->insn->b);
	if (b == 0)
		vm_violation(VIOLATION_DIVISION_BY_ZERO, "%s by zero", remainder ? "remainder of a division" : "division");
	if (!is_signed) {
		set(c, remainder ? a % b : a / b, c->bits);
		return;
	}
	if (b == vm_wide_mask(c->bits) && a == (wide)1 << (c->bits - 1))
		vm_violation(VIOLATION_DIVISION_BY_ZERO, "the least integer of %u bits divided by -1 does not fit", c->bits);
	swide sa = vm_wide_signed(a, c->bits), sb = vm_wide_signed(b, c->bits);
	set(c, (wide)(remainder ? sa % sb : sa / sb), c->bits);
}

static void compute_bool(const struct compute *c)
{
	wide value = get(c, c->insn->a);
	if (value > 1 && c->certain)
		vm_fault(VIOLATION_INVALID_BOOL, "a _Bool is read that holds %u, which is neither 0 nor 1", (unsigned)value);
	set(c, value, c->insn->aux);
}

static void compute_shift(const struct compute *c)
{
	wide a = get(c, c->insn->a), count = get(c, c->insn->b);
	if (count >= c->bits && c->certain && !vm_this.image.options->optimised) {
		vm_fault(VIOLATION_INVALID_SHIFT, "shift of %u bits by %lld", c->bits, (long long)get_signed(c, c->insn->b));
		count &= c->bits > 64 ? 127 : c->bits > 32 ? 63 : 31; /* as x86-64's instructions do */
	}
	if (count >= c->bits) {
		set(c, 0, c->bits);
		return;
	}
	unsigned n = (unsigned)count;
	if (c->insn->op == IMAGE_SHL) {
		swide before = vm_wide_signed(a, c->bits);
		check_overflow(c, before, vm_wide_signed(a << n & vm_wide_mask(c->bits), c->bits) >> n != before);
		set(c, a << n, c->bits);
	} else {
		set(c, c->insn->op == IMAGE_LSHR ? a >> n : (wide)(vm_wide_signed(a, c->bits) >> n), c->bits);
	}
}

vm_wide vm_wide_funnel(vm_wide a, vm_wide b, vm_wide count, unsigned bits, bool left)
{
	unsigned n = (unsigned)(count % bits), m = bits - n;
	if (n == 0)
		return left ? a : b;
	return left ? a << n | b >> m : b >> n | a << m;
}

static void compute_funnel(const struct compute *c, bool left)
{
	set(c, vm_wide_funnel(get(c, c->insn->a), get(c, c->insn->b), get(c, c->insn->c), c->bits, left), c->bits);
}

static unsigned count_leading(wide value, unsigned bits)
{
	unsigned n = 0;
	while (n < bits && !(value >> (bits - 1 - n) & 1))
		n++;
	return n;
}

vm_wide vm_wide_reverse(vm_wide value, unsigned bits, unsigned unit)
{
	assert(unit && bits % unit == 0);
	wide result = 0;
	for (unsigned at = 0; at < bits; at += unit)
		result |= (value >> at & vm_wide_mask(unit)) << (bits - unit - at);
	return result;
}

static bool multiply_overflows(const struct compute *c, bool is_signed, wide *product)
{
	wide a = get(c, c->insn->a), b = get(c, c->insn->b);
	if (is_signed) {
		swide p;
		bool lost = __builtin_mul_overflow(vm_wide_signed(a, c->bits), vm_wide_signed(b, c->bits), &p);
		*product = (wide)p;
		return lost || vm_wide_signed(*product & vm_wide_mask(c->bits), c->bits) != p;
	}
	bool lost = __builtin_mul_overflow(a, b, product);
	return lost || (*product & ~vm_wide_mask(c->bits));
}

static bool add_overflows(const struct compute *c, bool is_signed, bool subtract, wide *sum)
{
	wide a = get(c, c->insn->a), b = get(c, c->insn->b);
	if (is_signed) {
		swide s, sa = vm_wide_signed(a, c->bits), sb = vm_wide_signed(b, c->bits);
		bool lost = subtract ? __builtin_sub_overflow(sa, sb, &s) : __builtin_add_overflow(sa, sb, &s);
		*sum = (wide)s;
		return lost || vm_wide_signed(*sum & vm_wide_mask(c->bits), c->bits) != s;
	}
	bool lost = subtract ? __builtin_sub_overflow(a, b, sum) : __builtin_add_overflow(a, b, sum);
	return lost || (*sum & ~vm_wide_mask(c->bits));
}

static void set_overflowing(const struct compute *c, wide value, bool overflow)
{
	unsigned flag = c->bits > 64 ? 2 : 1;
	set(c, value, c->bits);
	c->registers[c->insn->dst + flag] = overflow;
}

static void set_saturating(const struct compute *c, bool is_signed, bool subtract)
{
	wide value, lowest = (wide)1 << (c->bits - 1);
	bool overflow = add_overflows(c, is_signed, subtract, &value);
	bool negative = (get(c, c->insn->a) & lowest) != 0; /* of the first operand, and so of an overflowing result */
	if (overflow && is_signed)
		value = negative ? lowest : lowest - 1;
	else if (overflow)
		value = subtract ? 0 : vm_wide_mask(c->bits);
	set(c, value, c->bits);
}

static bool compute_intrinsic(const struct compute *c)
{
	const struct image_insn *insn = c->insn;
	unsigned bits = c->bits;
	wide a = get(c, insn->a), value;
	switch ((enum image_opcode)insn->op) {
	case IMAGE_CTPOP:
		set(c, (unsigned)__builtin_popcountll((uint64_t)a) + (unsigned)__builtin_popcountll((uint64_t)(a >> 64)), bits);
		return true;
	case IMAGE_CTLZ: set(c, count_leading(a, bits), bits); return true;
	case IMAGE_CTTZ: set(c, count_leading(vm_wide_reverse(a, bits, 1), bits), bits); return true;
	case IMAGE_BSWAP: set(c, vm_wide_reverse(a, bits, 8), bits); return true;
	case IMAGE_BITREVERSE: set(c, vm_wide_reverse(a, bits, 1), bits); return true;
	case IMAGE_ABS:
		check_overflow(c, 0, a == (wide)1 << (bits - 1));
		set(c, get_signed(c, insn->a) < 0 ? -a : a, bits);
		return true;
	case IMAGE_FSHL: compute_funnel(c, true); return true;
	case IMAGE_FSHR: compute_funnel(c, false); return true;
	case IMAGE_SMAX: set(c, get_signed(c, insn->a) > get_signed(c, insn->b) ? a : get(c, insn->b), bits); return true;
	case IMAGE_SMIN: set(c, get_signed(c, insn->a) < get_signed(c, insn->b) ? a : get(c, insn->b), bits); return true;
	case IMAGE_UMAX: set(c, a > get(c, insn->b) ? a : get(c, insn->b), bits); return true;
	case IMAGE_UMIN: set(c, a < get(c, insn->b) ? a : get(c, insn->b), bits); return true;
	/* clang-format off */
	case IMAGE_SADDO: { bool o = add_overflows(c, true, false, &value); set_overflowing(c, value, o); return true; }
	case IMAGE_UADDO: { bool o = add_overflows(c, false, false, &value); set_overflowing(c, value, o); return true; }
	case IMAGE_SSUBO: { bool o = add_overflows(c, true, true, &value); set_overflowing(c, value, o); return true; }
	case IMAGE_USUBO: { bool o = add_overflows(c, false, true, &value); set_overflowing(c, value, o); return true; }
	case IMAGE_SMULO: { bool o = multiply_overflows(c, true, &value); set_overflowing(c, value, o); return true; }
	case IMAGE_UMULO: { bool o = multiply_overflows(c, false, &value); set_overflowing(c, value, o); return true; }
	/* clang-format on */
	case IMAGE_SADDSAT: set_saturating(c, true, false); return true;
	case IMAGE_UADDSAT: set_saturating(c, false, false); return true;
	case IMAGE_SSUBSAT: set_saturating(c, true, true); return true;
	case IMAGE_USUBSAT: set_saturating(c, false, true); return true;
	default: return false;
	}
}

static bool compare(const struct compute *c)
{
	wide a = get(c, c->insn->a), b = get(c, c->insn->b);
	swide sa = vm_wide_signed(a, c->bits), sb = vm_wide_signed(b, c->bits);
	switch ((enum image_icmp)c->insn->aux) {
	case ICMP_EQ: return a == b;
	case ICMP_NE: return a != b;
	case ICMP_UGT: return a > b;
	case ICMP_UGE: return a >= b;
	case ICMP_ULT: return a < b;
	case ICMP_ULE: return a <= b;
	case ICMP_SGT: return sa > sb;
	case ICMP_SGE: return sa >= sb;
	case ICMP_SLT: return sa < sb;
	case ICMP_SLE: return sa <= sb;
	case ICMP_PREDICATES: break;
	}
	VM_BUG("unknown comparison %u", c->insn->aux);
}

/* Does an address that is moved stay in or near an object of several parts, which it is in or near? */
static bool stays_in_parts(uint64_t base, int64_t delta)
{
	struct vm_whole whole = vm_whole_of(base);
	int64_t after, near = (int64_t)IMAGE_MAX_SIZE;
	return whole.parts > 1 && !__builtin_add_overflow(whole.offset, delta, &after) && after >= -near &&
		after < (int64_t)whole.size + near;
}

static void compute_index(const struct compute *c)
{
	uint64_t base = *slots(c, c->insn->a);
	int64_t delta;
	bool lost = __builtin_mul_overflow((int64_t)*slots(c, c->insn->b), (int64_t)*slots(c, c->insn->c), &delta);
	/* Farther than this, the sum could land in another object and an access there would pass for a good one. */
	bool far = lost || delta >= (int64_t)IMAGE_MAX_SIZE || delta < -(int64_t)IMAGE_MAX_SIZE;
	if (far && !lost && stays_in_parts(base, delta))
		far = false;
	if (far && c->certain && !vm_this.image.options->optimised)
		vm_violation(VIOLATION_OUT_OF_BOUNDS, "pointer arithmetic leaves %s by %lld elements", vm_describe(base),
			     (long long)*slots(c, c->insn->b));
	c->registers[c->insn->dst] = base + (uint64_t)delta;
}

static bool compute_integer(const struct compute *c)
{
	const struct image_insn *insn = c->insn;
	switch ((enum image_opcode)insn->op) {
	case IMAGE_MOV:
	case IMAGE_FREEZE: set(c, get(c, insn->a), c->bits); return true;
	case IMAGE_ADD: {
		wide value;
		bool lost = add_overflows(c, true, false, &value);
		check_overflow(c, (swide)value, lost);
		set(c, value, c->bits);
		return true;
	}
	case IMAGE_SUB: {
		wide value;
		bool lost = add_overflows(c, true, true, &value);
		check_overflow(c, (swide)value, lost);
		set(c, value, c->bits);
		return true;
	}
	case IMAGE_MUL: {
		wide value;
		bool lost = multiply_overflows(c, true, &value);
		check_overflow(c, (swide)value, lost);
		set(c, get(c, insn->a) * get(c, insn->b), c->bits);
		return true;
	}
	case IMAGE_UDIV: compute_divide(c, false, false); return true;
	case IMAGE_SDIV: compute_divide(c, true, false); return true;
	case IMAGE_UREM: compute_divide(c, false, true); return true;
	case IMAGE_SREM: compute_divide(c, true, true); return true;
	case IMAGE_AND: set(c, get(c, insn->a) & get(c, insn->b), c->bits); return true;
	case IMAGE_OR: set(c, get(c, insn->a) | get(c, insn->b), c->bits); return true;
	case IMAGE_XOR: set(c, get(c, insn->a) ^ get(c, insn->b), c->bits); return true;
	case IMAGE_SHL:
	case IMAGE_LSHR:
	case IMAGE_ASHR: compute_shift(c); return true;
	case IMAGE_ICMP: c->registers[insn->dst] = compare(c); return true;
	case IMAGE_TRUNC:
	case IMAGE_ZEXT: set(c, get(c, insn->a), insn->aux); return true;
	case IMAGE_BOOL: compute_bool(c); return true;
	case IMAGE_SEXT: set(c, (wide)get_signed(c, insn->a), insn->aux); return true;
	case IMAGE_SELECT: set(c, get(c, *slots(c, insn->a) ? insn->b : insn->c), c->bits); return true;
	case IMAGE_INDEX: compute_index(c); return true;
	default: return false;
	}
}

/* Compute the frequent cases, of at most 64 bits and with nothing to check.  Return false if the instruction is none of them. */
static bool compute_narrow(const struct image_insn *insn, uint64_t *r, const uint64_t *k)
{
	if (insn->bits > 64)
		return false;
	uint64_t a = vm_operand(insn->a, r, k);
	switch ((enum image_opcode)insn->op) {
	case IMAGE_MOV: r[insn->dst] = a; return true;
	case IMAGE_ZEXT: r[insn->dst] = a; return insn->aux <= 64;
	case IMAGE_TRUNC: r[insn->dst] = a & vm_mask(insn->aux); return true;
	case IMAGE_BOOL: r[insn->dst] = a & 1; return a <= 1;
	case IMAGE_AND: r[insn->dst] = a & vm_operand(insn->b, r, k); return true;
	case IMAGE_OR: r[insn->dst] = a | vm_operand(insn->b, r, k); return true;
	case IMAGE_XOR: r[insn->dst] = a ^ vm_operand(insn->b, r, k); return true;
	case IMAGE_ADD:
	case IMAGE_SUB: {
		if (vm_this.image.options->overflow)
			return false;
		uint64_t b = vm_operand(insn->b, r, k);
		r[insn->dst] = (insn->op == IMAGE_ADD ? a + b : a - b) & vm_mask(insn->bits);
		return true;
	}
	default: return false;
	}
}

void vm_compute(const struct image_insn *insn, uint64_t *registers, const uint64_t *constants, bool certain)
{
	if (compute_narrow(insn, registers, constants))
		return;
	struct compute c = {
		.insn = insn,
		.registers = registers,
		.constants = constants,
		.bits = insn->bits,
		.certain = certain,
	};
	if (!compute_integer(&c) && !compute_float(&c) && !compute_intrinsic(&c))
		VM_BUG("instruction %s is not computed", image_opcodes[insn->op].name);
}

/* ---- atomic read-modify-write -------------------------------------------------------------------------------------- */

static uint64_t combine_float(unsigned bits, uint64_t old, uint64_t value, bool subtract)
{
	assert(bits == 32 || bits == 64);
	uint64_t result = 0;
	if (bits == 32) {
		float a, b;
		memcpy(&a, &old, sizeof a);
		memcpy(&b, &value, sizeof b);
		a = subtract ? a - b : a + b;
		memcpy(&result, &a, sizeof a);
	} else {
		double a, b;
		memcpy(&a, &old, sizeof a);
		memcpy(&b, &value, sizeof b);
		a = subtract ? a - b : a + b;
		memcpy(&result, &a, sizeof a);
	}
	return result;
}

uint64_t vm_combine(enum image_rmw operation, unsigned bits, uint64_t old, uint64_t value)
{
	assert(bits > 0 && bits <= 64);
	int64_t so = vm_signed(old, bits), sv = vm_signed(value, bits);
	switch (operation) {
	case RMW_XCHG: return value;
	case RMW_ADD: return (old + value) & vm_mask(bits);
	case RMW_SUB: return (old - value) & vm_mask(bits);
	case RMW_AND: return old & value;
	case RMW_NAND: return ~(old & value) & vm_mask(bits);
	case RMW_OR: return old | value;
	case RMW_XOR: return old ^ value;
	case RMW_MAX: return so > sv ? old : value;
	case RMW_MIN: return so < sv ? old : value;
	case RMW_UMAX: return old > value ? old : value;
	case RMW_UMIN: return old < value ? old : value;
	case RMW_FADD: return combine_float(bits, old, value, false);
	case RMW_FSUB: return combine_float(bits, old, value, true);
	case RMW_OPERATIONS: break;
	}
	VM_BUG("unknown atomic operation %u", operation);
}

void vm_combine_wide(enum image_rmw operation, const uint64_t old[2], uint64_t value[2])
{
	unsigned __int128 a = old[0] | (unsigned __int128)old[1] << 64, b = value[0] | (unsigned __int128)value[1] << 64;
	switch (operation) {
	case RMW_XCHG: break;
	case RMW_ADD: b = a + b; break;
	case RMW_SUB: b = a - b; break;
	case RMW_AND: b = a & b; break;
	case RMW_NAND: b = ~(a & b); break;
	case RMW_OR: b = a | b; break;
	case RMW_XOR: b = a ^ b; break;
	case RMW_MAX: b = (__int128)a > (__int128)b ? a : b; break;
	case RMW_MIN: b = (__int128)a < (__int128)b ? a : b; break;
	case RMW_UMAX: b = a > b ? a : b; break;
	case RMW_UMIN: b = a < b ? a : b; break;
	default: VM_BUG("unknown atomic operation %u on 128 bits", operation);
	}
	value[0] = (uint64_t)b;
	value[1] = (uint64_t)(b >> 64);
}
