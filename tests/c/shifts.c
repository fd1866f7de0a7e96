/* SPDX-License-Identifier: MIT
 *
 * Shifts and rotations of every width, bit counting, byte swapping, checked arithmetic.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

static volatile int n = 5;
static volatile uint32_t word = 0x80000001u;
static volatile int64_t wide = INT64_MIN;

static uint32_t rotate(uint32_t x, int k)
{
	return x << (k & 31) | x >> (-k & 31);
}

int main(void)
{
	assert(word << n == 0x20 && word >> n == 0x04000000u && (int32_t)word >> n == -67108864);
	assert(wide >> 63 == -1 && (uint64_t)wide >> 63 == 1 && 1ull << (58 + n) == (uint64_t)wide);
	assert((uint8_t)(0x81 << n) == 0x20 && (uint16_t)((uint16_t)word >> 1) == 0);
	assert(rotate(word, 1) == 3 && rotate(word, n) == 0x30);
	assert(rotate(word, 0) == word && rotate(word, 31) == 0xc0000000u);
	assert(__builtin_popcount(word) == 2 && __builtin_clz(word >> n) == 5 && __builtin_ctz(word << n) == 5);
	assert(__builtin_ctzll((uint64_t)wide) == 63 && __builtin_clzll((uint64_t)n) == 61 && __builtin_ffs(n - 1) == 3);
	assert(__builtin_bswap32(word) == 0x01000080u && __builtin_bswap64((uint64_t)n) == 5ull << 56);
	assert(__builtin_bswap16(0x1234) == 0x3412);
	assert(__builtin_parity(word) == 0);
	int r;
	unsigned ur;
	long lr;
	assert(!__builtin_add_overflow(INT_MAX - n, 5, &r) && r == INT_MAX);
	assert(__builtin_add_overflow(INT_MAX - n, 6, &r) && r == INT_MIN);
	assert(__builtin_sub_overflow(4u, (unsigned)n, &ur) && ur == UINT_MAX);
	assert(__builtin_mul_overflow(word, 2u, &ur) && ur == 2 && !__builtin_mul_overflow((long)n, -n, &lr) && lr == -25);
	bool carry = __builtin_mul_overflow(LONG_MAX / 2, (long)n, &lr);
	assert(carry);
	return 0;
}
