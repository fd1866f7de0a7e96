/* SPDX-License-Identifier: MIT
 *
 * __float128: arithmetic with 113 bits, constants, storage, passing, returning, conversions.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -O2
 * EXPECT: verified
 * RUN: check -O0 -DFAULT=1
 * EXPECT: violated invalid-conversion
 * RUN: check -DFAULT=2
 * EXPECT: violated uninitialized-read
 */
#include <assert.h>
#include <stdarg.h>
#include <stdint.h>

typedef __float128 quad;

static volatile quad one = 1, tiny = 0x1p-112Q;
static quad table[3] = { 1.5Q, -0x1.8p16000Q, 0x1.0000000000000000000000000001p0Q };
static volatile double small = 2.25;
static volatile int64_t least = INT64_MIN;
static volatile uint64_t most = UINT64_MAX;
static volatile __int128 widest = (__int128)1 << 126;

__attribute__((noinline)) static quad half(quad x, int n)
{
	while (n-- > 0)
		x /= 2;
	return x;
}

struct holder {
	char c;
	quad x;
};

__attribute__((noinline)) static struct holder hold(char c, quad x)
{
	return (struct holder){ c, x };
}

static quad sum(int n, ...)
{
	va_list list;
	quad total = 0;
	va_start(list, n);
	for (int i = 0; i < n; i++)
		total += va_arg(list, quad);
	va_end(list);
	return total;
}

int main(void)
{
	assert(sizeof(quad) == 16 && _Alignof(quad) == 16);
	assert(one + tiny != one && (long double)(one + tiny) == 1.0L && one + tiny / 2 == one);
	assert(table[2] - one == tiny && table[1] < -1e4800Q && -table[1] * 2 > 1e4800Q);
	assert(half(one, 112) == tiny && half(table[0], 1) == 0.75Q);
	struct holder h = hold('h', one + tiny), copy = h;
	assert(copy.x - one == tiny && copy.c == 'h');
#if defined __BITSPIN__ || !defined __clang__                              /* clang's va_arg looks where no caller puts them */
	assert(sum(9, one, one, one, one, one, one, one, one, tiny) == 8); /* the last is lost: 8 has 109 places behind the point */
	assert(sum(2, one, tiny) == one + tiny);
#endif
	assert((quad)most == 0x1p64Q - 1 && (uint64_t)(quad)most == most && (quad)least == -0x1p63Q &&
	       (int64_t)(quad)least == least);
	assert((__int128)(quad)widest == widest && (quad)widest == 0x1p126Q);
	assert((int)(-one * 7.9Q) == -7 && (double)(small * one) == 2.25 && (float)(one / 3) == 1.0f / 3);
	quad infinite = one / (tiny * 0), none = infinite - infinite;
	assert(infinite > table[2] && none != none && !(none < one) && !(none >= one));
	assert(__builtin_fabsf128(-one) == one && __builtin_copysignf128(one, -tiny) == -one);
#if FAULT == 1
	return (int)(table[1] + one); /* ERROR */
#elif FAULT == 2
	quad unset;
	if (*(volatile quad *)&unset + one > 2) /* ERROR */
		return 1;
#endif
	return 0;
}
