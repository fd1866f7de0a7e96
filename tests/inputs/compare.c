/* SPDX-License-Identifier: MIT
 *
 * Inputs that are compared with constants: a value of each region between them stands for all, the ends of the types included.
 *
 * RUN: check -O0 --profile svcomp -DCASE=1
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=2
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=3
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=4
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=5
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=6
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=7
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=8
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=9
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=10
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=11
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=12
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=13
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=14
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=15
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=16
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=17
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=18
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=19
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=20
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=21
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=22
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=23
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=24
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=25
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=26
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=27
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=28
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=29
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=30
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=31
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=32
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=33
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=34
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=35
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=36
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=37
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=38
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=39
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=40
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=41
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=42
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=43
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=44
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=45
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=46
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=47
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=48
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=49
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=50
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=51
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=52
 * EXPECT: verified
 */
#include "inputs.h"

static int first(void)
{
#if CASE == 1
	int x = INT(); if (x == INT_MIN) error();
#elif CASE == 2
	int x = INT(); if (x == INT_MAX) error();
#elif CASE == 3
	int x = INT(); if (x > 5 && x < 7) error();
#elif CASE == 4
	int x = INT(); if (x > 5 && x < 6) error();
#elif CASE == 5
	int x = INT(); if (x > 99 && x != 100 && x <= 101) error();
#elif CASE == 6
	int x = INT(); if (x >= 100 && x <= 101 && x != 100 && x != 101) error();
#elif CASE == 7
	int x = INT(); if (-7 == x) error();
#elif CASE == 8
	int x = INT(); if (5 < x && 7 > x && x != 6) error();
#elif CASE == 9
	int x = INT(); if ((unsigned)x > 0x80000000u) error();
#elif CASE == 10
	int x = INT(); if ((unsigned)x > 0x80000000u && x >= 0) error();
#elif CASE == 11
	int x = INT(); if (x < 0 && (unsigned)x < 0x80000001u) error();
#elif CASE == 12
	char c = CHAR(); if (c == 128) error();
#elif CASE == 13
	char c = CHAR(); if (c == -128) error();
#elif CASE == 14
	char c = CHAR(); if ((unsigned char)c == 200) error();
#elif CASE == 15
	unsigned char c = UCHAR(); if (c < 0 || c > 255) error();
#elif CASE == 16
	unsigned char c = UCHAR(); if (c == 255) error();
#elif CASE == 17
	short s = SHORT(); if (s == -32768) error();
#elif CASE == 18
	short s = SHORT(); if (s == 32768 || s < -32768) error();
#elif CASE == 19
	unsigned short s = USHORT(); if (s - 65535 == 0) error();
#elif CASE == 20
	unsigned long u = ULONG(); if (u > 0xffffffffffff0000u) error();
#elif CASE == 21
	long l = LONG(); if (l == LONG_MIN) error();
#elif CASE == 22
	long l = INT(); if (l == 4294967295) error();
#elif CASE == 23
	long l = (unsigned)INT(); if (l == 4294967295) error();
#elif CASE == 24
	long l = INT(); if (l == -2147483648) error();
#elif CASE == 25
	int x = INT(); if (x + 1 == 7) error();
#elif CASE == 26
	int x = INT(); if (x - 3 == 4 && x != 7) error();
#endif
	return 0;
}

static int second(void)
{
#if CASE == 27
	unsigned u = UINT(); if (u + 1 == 0) error();
#elif CASE == 28
	unsigned u = UINT(); if (u - 10 < 5) check(u >= 10 && u <= 14);
#elif CASE == 29
	unsigned u = UINT(); if (u - 10 < 5) check(u >= 10 && u < 14);
#elif CASE == 30
	unsigned u = UINT(); if (u < 1000) check(u + 1 <= 1000);
#elif CASE == 31
	char c = CHAR(); if (c + 1 == 128) error();
#elif CASE == 32
	char c = CHAR(); c = c + 1; if (c == -128) error();
#elif CASE == 33
	int x = INT(); if (x & 1) error();
#elif CASE == 34
	int x = INT(); if ((x & 1) == 2) error();
#elif CASE == 35
	int x = INT(); if ((x & 7) == 5) error();
#elif CASE == 36
	unsigned u = UINT(); if (u % 8 == 7) error();
#elif CASE == 37
	int x = INT(); if ((x & 3) == 2 && (x & 15) == 10) error();
#elif CASE == 38
	int x = INT(); if ((x & 3) == 2 && (x & 15) > 7) error();
#elif CASE == 39
	int x = INT(); if ((x & 3) == 2 && (x & 15) == 9) error();
#elif CASE == 40
	int x = INT(); if ((char)x == 77) error();
#elif CASE == 41
	int x = INT(); if ((char)x == 200) error();
#elif CASE == 42
	int x = INT(); if ((_Bool)x) error();
#elif CASE == 43
	int x = INT(); switch (x) { case 3: break; case 100000: error(); }
#elif CASE == 44
	int x = INT(); if (x >= 0 && x <= 2) switch (x) { case 0: case 1: case 2: break; default: error(); }
#elif CASE == 45
	int x = INT(); if (x >= -1 && x <= 2) switch (x) { case 0: case 1: case 2: break; default: error(); }
#elif CASE == 46
	int x = INT(); __VERIFIER_assume(x > 10 && x < 12); check(x == 11);
#elif CASE == 47
	int x = INT(); __VERIFIER_assume(x - 5); check(x != 5);
#elif CASE == 48
	int x = INT(); __VERIFIER_assume(x - 5); check(x != 6);
#elif CASE == 49
	if (outside == 7) error();
#elif CASE == 50
	if (small == -32768) error();
#elif CASE == 51
	if (number() == 7) error();
#elif CASE == 52
	if (BOOL() == 2) error();
#endif
	return 0;
}

int main(void)
{
	need_not_be_used();
	return first() + second();
}
