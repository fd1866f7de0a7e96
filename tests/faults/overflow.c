/* SPDX-License-Identifier: MIT
 *
 * Signed arithmetic that does not fit.  What is computed in unsigned or narrower types, compared or converted is no overflow.
 * A left shift is what the machine does: C leaves more of it undefined than clang does.
 *
 * RUN: check -O0 --overflow -DCASE=1
 * EXPECT: violated signed-overflow
 * RUN: check -O0 -DCASE=1
 * EXPECT: verified
 * RUN: check -O0 --overflow -DCASE=2
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --overflow -DCASE=3
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --overflow -DCASE=4
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --overflow -DCASE=5
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --overflow -DCASE=6
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --overflow -DCASE=7
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --overflow -DCASE=8
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --overflow -DCASE=9
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --overflow -DCASE=10
 * EXPECT: violated division-by-zero
 * RUN: check -O0 --overflow -DCASE=11
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --overflow -DCASE=12
 * EXPECT: verified
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

volatile int most = INT_MAX, least = INT_MIN, minus = -1;
volatile long lmost = LONG_MAX;
volatile __int128 huge = (__int128)1 << 126;
volatile short small = SHRT_MAX;
volatile signed char tiny = SCHAR_MAX;
volatile unsigned umost = UINT_MAX;
struct { int field : 5; } bits = { 15 };

static int fine(void)
{
	int array[4] = { 1, 2, 3, 4 }, *p = array + 3;
	umost += 2;
	umost *= umost;
	small++;
	tiny += 100;
	bits.field++;
	p -= 2;
	long difference = array - p, sum = (long)most + most;
	int negative = minus << 3, wrapped;
	unsigned hash = 2166136261u;
	for (const char *c = "a string with \xff bytes"; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	if (!__builtin_add_overflow(most, 1, &wrapped) || wrapped != least)
		return 1;
	char *ends;
	long number = strtol("99999999999999999999", &ends, 10);
	return abs(minus) + (int)difference + negative + (sum > 0) + (int)(hash % 2) + (number != LONG_MAX) +
		(most - -minus != most - 1);
}

int main(void)
{
	int i = most;
	switch (CASE) {
	case 1: return (most + 1) / 2; /* ERROR */
	case 2: return most * most != 1; /* ERROR */
	case 3: return -least == 0; /* ERROR */
	case 4: i++; return i == 0; /* ERROR */
	case 5: return least - 1 == 0; /* ERROR */
	case 6: return (int)(lmost + 1); /* ERROR */
	case 7: return abs(least); /* ERROR */
	case 8: return (int)(huge + huge); /* ERROR */
	case 9: return least-- == 0; /* ERROR */
	case 10: return least / minus; /* ERROR */
	case 11: most += small; return 0; /* ERROR */
	case 12: fine(); return 0;
	}
	return 0;
}
