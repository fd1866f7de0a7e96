/* SPDX-License-Identifier: MIT
 *
 * Corners of arithmetic: promotion and conversion of every pair, shifts by nothing and by all but one, wrapping, remainders of
 * negative numbers, 128 bits with others; conversions of floats at the edges, NaN, signed zero, denormal and infinite numbers;
 * the built-in functions of GNU C on edge values and mixed types.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static volatile int zero, minus_one = -1, int_min = INT_MIN;
static volatile unsigned all = UINT_MAX;
static volatile long long_min = LONG_MIN;
static volatile signed char small = -128;
static volatile unsigned char byte = 255;
static volatile short half = -32768;
static volatile double nan_, huge = 1e300, tiny = DBL_MIN, minus_zero = -0.0;
static volatile float tiny_float = FLT_MIN, sixteen_million = 16777216.0f;
static volatile __int128 wide;

static void integers(void)
{
	assert(small - 1 == -129 && (signed char)(small - 1) == 127 && byte + 1 == 256 && (unsigned char)(byte + 1) == 0);
	assert(-half == 32768 && (short)-half == -32768 && (unsigned short)half == 32768 && ~byte == -256 && !byte == 0);
	assert(small < 0u + 1 == 0 && minus_one > 0u && minus_one < 0L && (long)all > minus_one && -1L < (long)all);
	assert((byte << 24 >> 24) == -1 && byte << 23 > 0 && (unsigned)small >> 31 == 1 && small >> 7 == -1 && small >> 31 == -1);
	assert(1u << (31 + zero) == 0x80000000u && all >> (31 + zero) == 1 && all << zero == all && long_min >> (63 + zero) == -1);
	assert(1L << (62 - zero) == 0x4000000000000000 && (unsigned long)long_min >> 63 == 1);
	assert(-7 / (2 + zero) == -3 && -7 % (2 + zero) == -1 && 7 % (-2 + zero) == 1 && 7 / (-2 + zero) == -3);
	assert(int_min / (1 + zero) == INT_MIN && int_min % (INT_MAX + zero) == -1 && (unsigned)int_min / 3 == 715827882);
	assert(all + 1 == 0 && all * all == 1 && 0u - 1 == all && -all == 1 && (unsigned)int_min * 2 == 0);
	assert((int)(all + 1ull) == 0 && (int8_t)0x180 == -128 && (bool)256 == 1 && (bool)0.1 && !(bool)minus_zero);
	assert((uint64_t)minus_one == UINT64_MAX && (uint64_t)all == 0xffffffff && (int64_t)(int)all == -1);
	int8_t a = 100;
	a += 100;
	uint16_t b = 65535;
	b *= (unsigned)b; /* as int it would overflow */
	assert(a == -56 && b == 1);
	char c = (char)200;
	c >>= 1;
	c ^= -1;
	assert(c == 27 && (c = 300 - 45) == -1);
	unsigned u = 5;
	u -= 6;
	u %= 10;
	u <<= 31;
	assert(u == 0x80000000);
	assert((true + true) / 2 == 1 && sizeof(true ? 1 : 'a') == 4 && sizeof(zero ? 1 : 1L) == 8 && (zero ? -1 : 1u) == 1);
	assert((minus_one, 3) == 3 && sizeof('a') == 4 && sizeof(small + small) == 4 && 'ab' == 'a' * 256 + 'b' && '\377' == -1);
}

static void integers128(void)
{
	wide = (__int128)int_min * long_min;
	assert(wide == (__int128)1 << 94 && (wide >> 64) == 1 << 30 && (uint64_t)wide == 0);
	wide = -wide / 3 + all - (unsigned char)small;
	__int128 back = (wide - all + 128) * 3;
	assert(-back <= (__int128)1 << 94 && -back > ((__int128)1 << 94) - 3);
	assert((unsigned __int128)minus_one == ~(unsigned __int128)0 && (unsigned __int128)all == UINT_MAX);
	assert((unsigned __int128)minus_one >> (127 + zero) == 1 && (wide << zero) == wide &&
	       ((__int128)minus_one >> (127 - zero)) == -1);
	assert(((unsigned __int128)1 << (64 + zero)) / 10 == UINT64_MAX / 10 && ((unsigned __int128)1 << (64 + zero)) % 10 == 6);
	assert((double)((__int128)1 << (100 + zero)) == 0x1p100 && (float)(__int128)minus_one == -1.0f);
	assert((__int128)(huge / 1e270) == (__int128)1e30 && (__int128)-1.9 == -1 &&
	       (unsigned __int128)0x1p127 == (unsigned __int128)1 << 127);
	unsigned __int128 u = 3;
	u -= 5;
	u /= UINT64_MAX;
	assert(u == (unsigned __int128)1 << 64);
}

static void floats(void)
{
	nan_ = (double)NAN;
	assert(nan_ != nan_ && !(nan_ == nan_) && !(nan_ < 1) && !(nan_ >= 1) && !(nan_ > nan_) && (nan_ != 1 || 0));
	assert(!isgreater(nan_, 1.0) && isunordered(nan_, 1.0) && isnan(nan_ * 0) && isnan((float)nan_) && nan_ ? 1 : 0);
	assert(minus_zero == 0 && signbit(minus_zero) && !signbit(minus_zero + 0.0) && 1 / minus_zero == -INFINITY);
	assert(signbit(minus_zero * 1) && !signbit(minus_zero * -1));
	assert(tiny / 2 > 0 && tiny / 0x1p52 > 0 && tiny / 0x1p53 == 0 && !isnormal(tiny / 2) && tiny / 2 * 2 == tiny);
	assert(tiny_float / 2 > 0 && tiny_float / 0x1p24f == 0 && (float)(tiny / 2) == 0 && (float)huge == INFINITY);
	assert(huge * huge == INFINITY && -huge * huge == -INFINITY && isnan(huge * huge - huge * huge) && isnan(0 * (huge * huge)));
	assert(sixteen_million + 1 == sixteen_million && (double)sixteen_million + 1 > sixteen_million);
	assert((float)16777217 == 16777216.0f && (float)INT_MAX == 2147483648.0f && (double)INT64_MAX == 0x1p63 &&
	       (float)all == 0x1p32f);
	assert((int)-0.99 == 0 && (int)2147483647.0 == INT_MAX && (int)-2147483648.9 == INT_MIN && (unsigned)4294967295.9 == all);
	assert((unsigned char)255.9 == 255 && (long)-9223372036854775808.0 == long_min && (uint64_t)0x1p63 == 1ull << 63);
	assert((double)(uint64_t)0x8000000000000401 == 0x1.0000000000001p63 && (float)(uint64_t)0xffffff8000000001 == 0x1p64f);
	assert(0.1f != 0.1 && 0.1 + 0.2 != 0.3 && 0.1L != 0.1 && (float)0.1 == 0.1f && fma(0.1, 10, -1) != 0);
	long double l = 1;
	l += LDBL_EPSILON;
	assert(l != 1 && (double)l == 1 && (long double)UINT64_MAX == 18446744073709551615.0L &&
	       (uint64_t)18446744073709551615.0L == UINT64_MAX);
	assert(fmin(nan_, 1) == 1 && fmax(-1, nan_) == -1 && copysign(nan_, -1) != 0 && signbit(copysign(nan_, -1)));
	double whole;
	assert(modf(-3.25, &whole) == -0.25 && whole == -3 && round(-2.5) == -3 && rint(2.5) == 2 && nearbyint(-1.5) == -2 &&
	       trunc(-2.7) == -2);
	assert(remainder(5, 3) == -1 && fmod(-5, 3) == -2 && ldexp(1, -1074) > 0 && nextafter(0, 1) == 0x1p-1074 &&
	       ilogb(0x1p-1074) == -1074);
	int exponent;
	assert(frexp(0x1p-1074, &exponent) == 0.5 && exponent == -1073 && hypot(3, 4) == 5);
}

static void builtins(void)
{
	assert(__builtin_clz(1u + zero) == 31 && __builtin_clzll(1ull << 63) == 0 && __builtin_ctzl((unsigned long)long_min) == 63);
	assert(__builtin_ffs(zero) == 0 && __builtin_ffsll(long_min) == 64 && __builtin_popcountll(-1ll - zero) == 64 &&
	       __builtin_popcount(int_min) == 1);
	assert(__builtin_parity(7 + zero) == 1 && __builtin_parityll(long_min | 1) == 0 && __builtin_clrsb(minus_one) == 31 &&
	       __builtin_clrsbll(1ll + zero) == 62);
	assert(__builtin_bswap16((uint16_t)(0x1234 + zero)) == 0x3412 && __builtin_bswap32(1u + zero) == 1u << 24);
	assert(__builtin_bswap64(0x0102030405060708ull + zero) == 0x0807060504030201ull && __builtin_abs(minus_one) == 1);
	int8_t narrow;
	uint8_t byte_out;
	unsigned u;
	long l;
	__int128 w;
	assert(__builtin_add_overflow(100 + zero, 100, &narrow) && narrow == -56 &&
	       !__builtin_add_overflow(-100 + zero, 200u, &narrow) && narrow == 100);
	assert(__builtin_sub_overflow(0u + zero, 1, &u) && u == UINT_MAX && !__builtin_sub_overflow(minus_one, minus_one, &u) &&
	       u == 0);
	assert(__builtin_mul_overflow(-1 + zero, 1u, &u) && __builtin_mul_overflow(long_min, -1, &l) &&
	       !__builtin_mul_overflow(long_min, 1, &l));
	assert(!__builtin_mul_overflow(long_min, long_min, &w) && w == (__int128)1 << 126 && __builtin_mul_overflow(w, 4, &w));
	assert(__builtin_add_overflow(byte, minus_one, &byte_out) == 0 && byte_out == 254 &&
	       __builtin_add_overflow(byte, 1ull, &byte_out));
	assert(__builtin_constant_p(3) && !__builtin_constant_p(zero) && __builtin_expect(zero == 0, 1) &&
	       __builtin_expect_with_probability(1 + zero, 1, 0.9));
	assert(__builtin_types_compatible_p(int, signed) && __builtin_choose_expr(1, 2, "x") == 2 &&
	       __builtin_offsetof(struct { char a; long b[3]; }, b[2]) == 24);
	char buffer[8];
	assert(__builtin_object_size(buffer + 3, 0) == 5 && __builtin_object_size((char *)(uintptr_t)zero, 0) == (size_t)-1);
	assert(__builtin_isinf_sign(-huge * huge) == -1 && __builtin_isnan(nan_) && __builtin_signbit(minus_zero) &&
	       __builtin_huge_val() == INFINITY);
	if (zero)
		__builtin_unreachable();
	if (zero)
		__builtin_trap();
	memset(buffer, 1, sizeof buffer);
	__builtin_memcpy(buffer + 1, "abc", 3);
	assert(__builtin_strlen("abc") == 3 && __builtin_memcmp(buffer, "\1abc", 4) == 0 && __builtin_strcmp("a", "b") < 0 &&
	       buffer[7] == 1);
	__builtin_prefetch(buffer);
	assert((uintptr_t)__builtin_assume_aligned(&wide, 16) == (uintptr_t)&wide);
}

int main(void)
{
	integers();
	integers128();
	floats();
	builtins();
	return 0;
}
