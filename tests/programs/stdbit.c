/* SPDX-License-Identifier: MIT
 *
 * <stdbit.h>: every function of every type against a plain loop, for values near the powers of two and some others.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -O2 -std=c2x
 * EXPECT: verified
 * RUN: check -DWRONG
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <limits.h>
#include <stdbit.h>

static unsigned run(unsigned long long x, int width, int step, unsigned bit)
{
	unsigned n = 0;
	for (int i = step < 0 ? width - 1 : 0; i >= 0 && i < width && (x >> i & 1) == bit; i += step)
		n++;
	return n;
}

static unsigned ones(unsigned long long x)
{
	unsigned n = 0;
	for (; x; x >>= 1)
		n += x & 1;
	return n;
}

static unsigned first(unsigned before, int width)
{
	return before == (unsigned)width ? 0 : before + 1;
}

static unsigned long long ceiling(unsigned long long x, int width)
{
	for (int i = 0; i < width; i++)
		if (1ULL << i >= x)
			return 1ULL << i;
	return 0; /* does not fit */
}

static unsigned long long floor_of(unsigned long long x, int width)
{
	for (int i = width - 1; i >= 0; i--)
		if (1ULL << i <= x)
			return 1ULL << i;
	return 0;
}

/* clang-format off */
#define COMPARE(type, suffix, value)                                                                                     \
	do {                                                                                                             \
		type x = (type)(value);                                                                                  \
		int w = sizeof x * CHAR_BIT;                                                                             \
		unsigned lz = run(x, w, -1, 0), lo = run(x, w, -1, 1), tz = run(x, w, 1, 0), to = run(x, w, 1, 1);       \
		assert(stdc_leading_zeros_##suffix(x) == lz && stdc_leading_zeros(x) == lz);                             \
		assert(stdc_leading_ones_##suffix(x) == lo && stdc_leading_ones(x) == lo);                               \
		assert(stdc_trailing_zeros_##suffix(x) == tz && stdc_trailing_zeros(x) == tz);                           \
		assert(stdc_trailing_ones_##suffix(x) == to && stdc_trailing_ones(x) == to);                             \
		assert(stdc_first_leading_one_##suffix(x) == first(lz, w) && stdc_first_leading_one(x) == first(lz, w)); \
		assert(stdc_first_leading_zero_##suffix(x) == first(lo, w) && stdc_first_leading_zero(x) == first(lo, w)); \
		assert(stdc_first_trailing_one_##suffix(x) == first(tz, w) && stdc_first_trailing_one(x) == first(tz, w)); \
		assert(stdc_first_trailing_zero_##suffix(x) == first(to, w) && stdc_first_trailing_zero(x) == first(to, w)); \
		assert(stdc_count_ones_##suffix(x) == ones(x) && stdc_count_ones(x) == ones(x));                         \
		assert(stdc_count_zeros_##suffix(x) == w - ones(x) && stdc_count_zeros(x) == w - ones(x));               \
		assert(stdc_has_single_bit_##suffix(x) == (ones(x) == 1) && stdc_has_single_bit(x) == (ones(x) == 1));   \
		assert(stdc_bit_width_##suffix(x) == w - lz && stdc_bit_width(x) == w - lz);                             \
		assert(stdc_bit_floor_##suffix(x) == floor_of(x, w) && stdc_bit_floor(x) == floor_of(x, w));             \
		assert(stdc_bit_ceil_##suffix(x) == ceiling(x, w) && stdc_bit_ceil(x) == ceiling(x, w));                 \
	} while (0)
/* clang-format on */

static void compare(unsigned long long given)
{
	COMPARE(unsigned char, uc, given);
	COMPARE(unsigned short, us, given);
	COMPARE(unsigned, ui, given);
	COMPARE(unsigned long, ul, given);
	COMPARE(unsigned long long, ull, given);
}

int main(void)
{
	static const unsigned long long others[] = { 0, 0x123456789abcdef0, 0xf0f0f0f0f0f0f0f0, 0xc000000000000003 };
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		compare(others[i]);
	for (int i = 0; i < 64; i += 3) {
		compare(1ULL << i);
		compare((1ULL << i) - 1);
		compare(-(1ULL << i));
		compare((1ULL << i) + 1);
	}
	_Static_assert(sizeof stdc_bit_floor((unsigned char)1) == 1, "the type is that of the argument");
	_Static_assert(__STDC_ENDIAN_NATIVE__ == __STDC_ENDIAN_LITTLE__, "as x86-64 is");
#ifdef WRONG
	assert(stdc_leading_zeros((unsigned char)1) == 31); /* ERROR */
#endif
	return 0;
}
