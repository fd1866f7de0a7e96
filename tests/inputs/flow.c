/* SPDX-License-Identifier: MIT
 *
 * Inputs on their way through memory, calls and copies.
 *
 * RUN: check -O0 --profile svcomp -DCASE=1
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=2
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=3
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=4
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=5
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=6
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=7
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=8
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=9
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=10
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=11
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=12
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=13
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=14
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=15
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=16
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=17
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=18
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=19
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=20
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=21
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=22
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 --profile svcomp -DCASE=23
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=24
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=25
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=26
 * EXPECT: verified
 */
#include "inputs.h"

static int first(void)
{
#if CASE == 1
	global = INT(); if (global == 77) error();
#elif CASE == 2
	int *p = &global; *p = INT(); if (*p == 77) error();
#elif CASE == 3
	global = INT(); other = global; if (other == 77) error();
#elif CASE == 4
	if (same(INT()) == 77) error();
#elif CASE == 5
	if (through(INT()) == 77) error();
#elif CASE == 6
	struct pair s = { INT(), 1 }, t; t = s; if (t.a == 77) error();
#elif CASE == 7
	struct pair s = { INT(), 1 }, t; t = s; if (t.b != 1) error();
#elif CASE == 8
	struct pair *s = malloc(sizeof *s); if (!s) return 0; s->a = INT(); if (s->a == 77) error(); free(s);
#elif CASE == 9
	int a[4] = { 0 }; for (int i = 0; i < 4; i++) a[i] = INT(); if (a[2] == 77) error();
#elif CASE == 10
	int a[4] = { 0 }; for (int i = 0; i < 4; i++) a[i] = INT(); if (a[1] == 77 && a[2] == 78 && a[3] == 79) error();
#elif CASE == 11
	int x = INT(), y = 0; memcpy(&y, &x, sizeof y); if (y == 77) error();
#elif CASE == 12
	union { int i; unsigned u; } u; u.i = INT(); if (u.u == 0xdeadbeef) error();
#elif CASE == 13
	atomic = INT(); if (atomic == 77) error();
#endif
	return 0;
}

static int second(void)
{
#if CASE == 14
	int x = INT(), y = global ? x : 3; global = x; if (y == 77) error();
#elif CASE == 15
	global = BOOL(); int x = INT(), y = global ? x : 3; if (y == 77) error();
#elif CASE == 16
	unsigned char c = INT(); if (c == 200) error();
#elif CASE == 17
	memset(&global, 0, sizeof global); global = INT(); memset(&global, 0, sizeof global); if (global == 77) error();
#elif CASE == 18
	int x = INT(); printf("%d %d", x, x + 1);
#elif CASE == 19
	double d = DOUBLE(); global = 0; stored = d;
#elif CASE == 20
	double d = DOUBLE(); printf("%f", d * 2 + 1);
#elif CASE == 21
	global = INT(); int x = global + 1; printf("%d", (x * 3 + 4) / 5);
#elif CASE == 22
	char unset[4]; global = INT(); memcpy((char *)&global + 1, unset, 1); printf("%d", (global + 1) >> 16); /* ERROR */
#elif CASE == 23
	global = INT(); other = global + 5; free(malloc(8));
#elif CASE == 24
	int x = INT(), y = x / 3 * 5 + 7; other = y;
#elif CASE == 25
	struct bits b = { 0 }; b.low = INT(); if (b.low == -4) error();
#elif CASE == 26
	_Bool b = INT(); if (b) check(global == 0); else check(global == 0);
#endif
	return 0;
}

int main(void)
{
	need_not_be_used();
	return first() + second();
}
