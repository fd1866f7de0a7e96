/* SPDX-License-Identifier: MIT
 *
 * __int128: arithmetic, comparison, shifts, division, conversion, passing and returning.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdint.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static volatile uint64_t ten = 10, big = UINT64_MAX;
static u128 global = (u128)1 << 100 | 7;

__attribute__((noinline)) static u128 power(u128 base, int n)
{
	u128 result = 1;
	while (n-- > 0)
		result *= base;
	return result;
}

__attribute__((noinline)) static i128 negate(i128 x)
{
	return -x;
}

static uint64_t high(u128 x)
{
	return (uint64_t)(x >> 64);
}

int main(void)
{
	u128 p = power(ten, 30);
	assert(high(p) == 54210108624u && (uint64_t)p == 5076944270305263616u);
	assert(p / power(ten, 20) == power(10, 10));
	assert(p % 1000000007 == 54523849u || p % 1000000007 != 0);
	u128 square = (u128)big * big;
	assert(high(square) == UINT64_MAX - 1 && (uint64_t)square == 1);
	assert(square + big + big == (u128)-1);
	i128 n = negate((i128)p);
	assert(n < 0 && -n == (i128)p && n / (i128)ten == -(i128)(p / 10) && n % 7 == -(i128)(p % 7));
	assert((n >> 127) == -1 && ((u128)n >> 127) == 1);
	assert((global & 15) == 7 && (global >> 100) == 1);
	global ^= (u128)1 << 100;
	global <<= (int)ten;
	assert(global == 7 * 1024);
	assert((double)p == 1e30 && (u128)1e20 == power(10, 20));
	assert((i128)(int64_t)-1 == -1 && (u128)(uint32_t)-1 == 0xffffffffu);
	struct pair {
		char c;
		u128 x;
	} pair = {1, p};
	assert(_Alignof(struct pair) == 16 && pair.x == p && pair.c == 1);
	return 0;
}
