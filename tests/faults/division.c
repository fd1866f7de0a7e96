/* SPDX-License-Identifier: MIT
 *
 * Division by zero: quotient, remainder, unsigned, 64 bits; INT_MIN / -1; floating point is no fault.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated division-by-zero
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated division-by-zero
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated division-by-zero
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated division-by-zero
 * RUN: check -O0 -DCASE=5
 * EXPECT: violated division-by-zero
 * RUN: check -O0 -DCASE=6
 * EXPECT: violated division-by-zero
 * RUN: check -O0 -DCASE=7
 * EXPECT: verified
 */
#include <limits.h>

volatile int zero, minus = -1, least = INT_MIN;
volatile unsigned uzero;
volatile long lzero;

int main(void)
{
	switch (CASE) {
	case 1:
		return 5 / zero; /* ERROR */
	case 2:
		return 5 % zero; /* ERROR */
	case 3:
		return (int)(5u / uzero); /* ERROR */
	case 4:
		return (int)(5 % lzero); /* ERROR */
	case 5:
		return least / minus; /* ERROR */
	case 6:
		return least % minus; /* ERROR */
	case 7:
		return 5.0 / zero > 1e300 ? 0 : 1;
	}
	return 0;
}
