/* SPDX-License-Identifier: MIT
 *
 * long double: 80-bit arithmetic, storage, passing and returning.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>

static volatile long double one = 1.0L, tiny = 0x1p-63L;
static long double table[3] = {1.0L, 0x1.8p1L, -1e4000L};

__attribute__((noinline)) static long double half(long double x, int n)
{
	while (n-- > 0)
		x /= 2;
	return x;
}

struct holder {
	char c;
	long double x;
};

int main(void)
{
	assert(sizeof(long double) == 16);
	assert(one + tiny != one && (double)(one + tiny) == 1.0);
	assert(one + tiny / 4 == one);
	assert(table[1] == 3.0L && table[2] < -1e300L && table[2] * table[2] > 1e300L);
	assert(half(one, 63) == tiny && half(table[1], 1) == 1.5L);
	assert((long double)UINT64_MAX != 0x1p64L && (uint64_t)(long double)UINT64_MAX == UINT64_MAX);
	assert((int64_t)(-one * 7.9L) == -7 && (float)(one / 3) == 1.0f / 3);
	struct holder h = {1, one + tiny}, copy = h;
	assert(copy.x - one == tiny && copy.c == 1);
	long double sum = 0;
	for (int i = 1; i <= 10; i++)
		sum += i * one;
	assert(sum == 55 && -sum < 0 && !(sum != sum));
	return 0;
}
