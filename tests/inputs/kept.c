/* SPDX-License-Identifier: MIT
 *
 * Inputs whose values matter in another way than by the region in which they lie: a few values are tried, and the last line
 * says so.
 *
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=1
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=2
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=3
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=4
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=5
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=6
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=7
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=8
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=9
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_float returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=10
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_double returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=11
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=12
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=13
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=14
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=15
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=16
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=17
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=18
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=19
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=20
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=21
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=22
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=23
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=24
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=25
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=26
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=27
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=28
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_uint returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=29
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=30
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=31
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=32
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=33
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=34
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=35
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what number returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=36
 * EXPECT: inconclusive: no violation found, but only a few values were tried of the undefined variable table
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=37
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what pointer returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=38
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=39
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=40
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=41
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=42
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check -O0 --profile svcomp -DCASE=43
 * EXPECT: violated assertion
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=44
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=45
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 */
#include "inputs.h"

static int first(void)
{
#if CASE == 1
	int x = INT(); if (x * 2 == 14) error();
#elif CASE == 2
	int x = INT(); if (x / 10 == 3) error();
#elif CASE == 3
	int x = INT(); if (x % 10 == 7) error();
#elif CASE == 4
	int x = INT(), y = INT(); if (x == y + 70) error();
#elif CASE == 5
	int x = INT(); if (x + 1 < x) error();
#elif CASE == 6
	int x = INT(); if (x == global + 70) error();
#elif CASE == 7
	int x = INT(); for (global = 0; x-- > 0;) if (++global == 9) error();
#elif CASE == 8
	int x = INT(), n = 0; while (x != n && n < 9) n++; check(n != 9 || x < 9);
#elif CASE == 9
	float f = FLOAT(); if (f == 0.5f) error();
#elif CASE == 10
	double d = DOUBLE(); if (d > 1e9) error();
#elif CASE == 11
	int x = INT(), y = INT(); printf("%d", x + y);
#elif CASE == 12
	int x = INT(), a[4] = { 0, 0, 0, 1 }; __VERIFIER_assume(x >= 0 && x < 4); if (a[x]) error();
#elif CASE == 13
	int x = INT(), y = 0; memcpy(&y, &x, 2); if (y == 77) error();
#elif CASE == 14
	union { int i; char c[4]; } u; u.i = INT(); if (u.c[1] == 3) error();
#elif CASE == 15
	union { int i; char c[4]; } u; u.i = INT(); u.c[1] = 3; if (u.i == 0x377) error();
#elif CASE == 16
	global = INT(); memset((char *)&global + 1, 3, 1); if (global == 0x377) error();
#elif CASE == 17
	global = INT(); memcpy((char *)&global + 1, "\3", 1); if (global == 0x377) error();
#elif CASE == 18
	atomic = INT(); atomic++; if (atomic == 77) error();
#elif CASE == 19
	atomic = INT(); if (atomic_compare_exchange_strong(&atomic, &other, 3) && other == 77) error();
#elif CASE == 20
	int expected = 77; atomic = INT(); if (atomic_compare_exchange_strong(&atomic, &expected, 3)) error();
#elif CASE == 21
	int x = INT(); if (((unsigned)x * 31 + 7) % 16 == 9 && (unsigned)x > 50) error();
#elif CASE == 22
	int x = INT(); if ((char)x == 77 && x > 1000) error();
#elif CASE == 23
	int x = INT(); if ((x & 1) && x == 77) error();
#endif
	return 0;
}

static int second(void)
{
#if CASE == 24
	int x = INT(); if ((x & 70) == 68) error();
#elif CASE == 25
	int x = INT(); if ((x ^ 5) == 77) error();
#elif CASE == 26
	int x = INT(); if ((x | 5) == 77) error();
#elif CASE == 27
	int x = INT(); if (x >> 4 == 77) error();
#elif CASE == 28
	unsigned x = UINT(); if (1u << (x & 31) == 512) error();
#elif CASE == 29
	int x = INT(); if (-x == 77) error();
#elif CASE == 30
	int x = INT(); if (abs(x) == 77) error();
#elif CASE == 31
	int x = INT(); if (100 / (x - 77) > 1000) error();
#elif CASE == 32
	int x = INT(); __VERIFIER_assume(x > 0); char *p = malloc(x); if (p) { p[x > 70] = 0; free(p); }
#elif CASE == 33
	pthread_t t; pthread_create(&t, 0, takes, (void *)(long)INT()); pthread_join(t, 0);
#elif CASE == 34
	return INT();
#elif CASE == 35
	int (*volatile p)(void) = number; if (p() == 77) error();
#elif CASE == 36
	if (table[1] == 77) error();
#elif CASE == 37
	if (pointer() == &global + 1) error();
#elif CASE == 38
	char text[20]; sprintf(text, "%d", INT()); if (strcmp(text, "77") == 0) error();
#elif CASE == 39
	static char b[100]; setvbuf(stdout, b, _IOFBF, 100); printf("%d", INT()); if (b[0] == 55 && b[1] == 55) error();
#elif CASE == 40
	char *b; size_t n; FILE *f = open_memstream(&b, &n); if (!f) return 0; fprintf(f, "%d", INT()); fclose(f);
	if (strcmp(b, "77") == 0) error(); free(b);
#elif CASE == 41
	int sum; if (__builtin_add_overflow(INT(), 1, &sum)) error();
#elif CASE == 42
	struct bits b = { 0 }; b.high = INT(); if (b.high == -9) error();
#elif CASE == 43
	int x = INT(); int a[4] = { 0, 0, 0, 1 }; int *p = a + (x & 3); if (x < 100 && *p) error();
#elif CASE == 44
	switch ((long)INT() * 2) { case 154: error(); }
#elif CASE == 45
	__int128 x = INT(); if (x == 77) error();
#endif
	return 0;
}

int main(void)
{
	need_not_be_used();
	return first() + second();
}
