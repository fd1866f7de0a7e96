/* SPDX-License-Identifier: MIT
 *
 * Floating-point numbers that no integer of the type can be: too large, negative, infinite, not a number.  The fraction is cut
 * off first.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 -DCASE=5
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 -DCASE=6
 * EXPECT: violated invalid-conversion
 * RUN: check -DCASE=7
 * EXPECT: verified
 */
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

volatile double large = 2147483648.0, negative = -1.0, zero;
volatile float small = 256;
volatile long double wide = 18446744073709551616.0L;

static void fine(void)
{
	assert((int)(large - 0.5) == INT_MAX);
	assert((int)(-large - 0.5) == INT_MIN);
	assert((unsigned)(negative + 0.25) == 0);
	assert((unsigned)(2 * large - 0.5) == UINT_MAX);
	assert((unsigned char)(small - 1) == 255);
	assert((signed char)(-small / 2) == -128);
	assert((uint64_t)(wide - 1) == UINT64_MAX);
	assert((int64_t)(-wide / 2) == INT64_MIN);
	assert((bool)(zero / zero) && (bool)large && !(bool)zero);
	assert((__int128)wide == (__int128)1 << 64);
	assert((unsigned)(int)negative == UINT_MAX);
}

int main(void)
{
	switch (CASE) {
	case 1: return (int)large; /* ERROR */
	case 2: return (int)(unsigned)negative; /* ERROR */
	case 3: return (unsigned char)small; /* ERROR */
	case 4: return (int)(zero / zero); /* ERROR */
	case 5: return (long)(1 / zero) == 0; /* ERROR */
	case 6: return (uint64_t)wide == 0; /* ERROR */
	case 7: fine();
	}
	return 0;
}
