/* SPDX-License-Identifier: MIT
 *
 * Inputs as terms (--inputs symbolic): relations between inputs, arithmetic at its ends, loops that close.  The verdicts are
 * derived by hand.
 *
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=1
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=2
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=3
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=4
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=5
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=6
 * EXPECT: violated division-by-zero
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=7
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic --overflow -DCASE=8
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --profile svcomp --inputs symbolic --overflow -DCASE=9
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic --overflow -DCASE=10
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic --overflow -DCASE=11
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=12
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=13
 * EXPECT: violated invalid-shift
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=14
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=15
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=16
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=17
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=18
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=19
 * EXPECT: verified
 * RUN: check -O0 --inputs symbolic -DCASE=20
 * EXPECT: violated data-race
 * RUN: check -O0 --inputs symbolic -DCASE=21
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=22
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=23
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=24
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=25
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=26
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=27
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=28
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=29
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=30
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=31
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=32
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=33
 * EXPECT: verified
 * RUN: check -O0 --inputs symbolic -DCASE=34
 * EXPECT: violated deadlock
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=35
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=36
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs symbolic --max-values 5 -DCASE=37
 * EXPECT: inconclusive: the address of an access asks for more of an input than --inputs symbolic can tell (--max-values 5)
 * RUN: check -O0 --profile svcomp --inputs symbolic --max-values 8 -DCASE=37
 * EXPECT: violated assertion
 * RUN: check -O0 --inputs symbolic -DCASE=38
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs symbolic --cores 2 -DCASE=18
 * EXPECT: verified
 * RUN: check -O0 --inputs symbolic --cores 2 -DCASE=34
 * EXPECT: violated deadlock
 * RUN: check -O0 --inputs symbolic --search bitstate -DCASE=20
 * EXPECT: violated data-race
 * RUN: check -O0 --inputs symbolic --solver-budget 1 -DCASE=39
 * EXPECT: inconclusive: a condition asks too hard a question of the solver (--solver-budget 1)
 * RUN: check -O0 --inputs symbolic -DCASE=41
 * EXPECT: verified
 * RUN: check -O0 --inputs symbolic -DCASE=42
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --solver-budget 1 -DCASE=40
 * EXPECT: inconclusive: a condition asks too hard a question of the solver (--solver-budget 1)
 */
#include "bitspin.h"
#include "inputs.h"

static unsigned one, in[2];
static _Atomic unsigned sum;
static int raced;

static void *adds_one(void *p)
{
	sum += one;
	return p;
}

static void *adds_input(void *p)
{
	unsigned *own = p;
	*own = UINT();
	sum += *own;
	return NULL;
}

static void *writes(void *p)
{
	raced = 1; /* ERROR */
	return p;
}

static void *waits(void *p)
{
	while (!atomic) /* ERROR */
		;
	return p;
}

#if CASE == 1 /* two inputs compared */
static void test(void)
{
	int x = INT(), y = INT();
	if (x < y)
		check(y > x && x != y);
	else
		check(x >= y);
}
#elif CASE == 2  /* a relation that few pairs meet */
static void test(void)
{
	int x = INT(), y = INT();
	__VERIFIER_assume(x > 1000000 && x < 2000000000);
	check(y != x + 7);
}
#elif CASE == 3  /* x + 1 > x, but for the largest */
static void test(void)
{
	unsigned x = UINT();
	__VERIFIER_assume(x != UINT_MAX);
	check(x + 1 > x);
}
#elif CASE == 4  /* x + 1 > x is wrong for UINT_MAX */
static void test(void)
{
	unsigned x = UINT();
	check(x + 1 > x);
}
#elif CASE == 5  /* the product of two neighbours is even */
static void test(void)
{
	unsigned x = UINT();
	__VERIFIER_assume(x < 1000);
	check(x * (x + 1) % 2 == 0);
}
#elif CASE == 6  /* the least int by -1 */
static void test(void)
{
	int x = INT(), y = INT();
	__VERIFIER_assume(y < 0 && x < -2147483647);
	global = x / y; /* ERROR */
}
#elif CASE == 7  /* no int but the least one overflows by -1 */
static void test(void)
{
	int x = INT(), y = INT();
	__VERIFIER_assume(y != 0 && x > INT_MIN && y > -3 && y < 3 && x < 5 && x > -5);
	check(x / y * y + x % y == x);
}
#elif CASE == 8  /* a sum of two inputs */
static void test(void)
{
	int x = INT(), y = INT();
	__VERIFIER_assume(x >= 0 && x <= 1073741824 && y >= 0 && y <= 1073741824);
	global = x + y; /* ERROR */
}
#elif CASE == 9  /* a sum that just fits */
static void test(void)
{
	int x = INT(), y = INT();
	__VERIFIER_assume(x >= 0 && x <= 1073741823 && y >= 0 && y <= 1073741824);
	check(x + y >= 0);
}
#elif CASE == 10 /* a product of two bounded inputs fits */
static void test(void)
{
	int x = INT(), y = INT();
	__VERIFIER_assume(x >= -1000 && x <= 1000 && y >= -1000 && y <= 1000);
	check(x * y <= 1000000);
}
#elif CASE == 11 /* a product that may overflow */
static void test(void)
{
	int x = INT(), y = INT();
	__VERIFIER_assume(x >= -46341 && x <= 46341 && y == x);
	global = x * y; /* ERROR */
}
#elif CASE == 12 /* shifts by an input, there and back */
static void test(void)
{
	unsigned x = UINT(), n = UINT();
	__VERIFIER_assume(n < 32 && x < 256 && n <= 24);
	check(x << n >> n == x);
}
#elif CASE == 13 /* a shift by as many bits as there are */
static void test(void)
{
	unsigned x = UINT(), n = UINT();
	__VERIFIER_assume(n <= 32);
	global = (int)(x >> n); /* ERROR */
}
#elif CASE == 14 /* an arithmetic shift keeps the sign */
static void test(void)
{
	int x = INT();
	unsigned n = UINT();
	__VERIFIER_assume(n < 32);
	check((x >> n < 0) == (x < 0));
}
#elif CASE == 15 /* sign extension of a truncated number */
static void test(void)
{
	int x = INT();
	signed char c = (signed char)x;
	check(x < -128 || x > 127 || c == x);
}
#elif CASE == 16 /* truncation loses 256 */
static void test(void)
{
	int x = INT();
	check((unsigned char)x == x || x < 0 || x > 256);
}
#elif CASE == 17 /* bytes of two inputs, put together and taken apart */
static void test(void)
{
	unsigned char b[4] = { UCHAR(), 2, UCHAR(), 0 }, c[4];
	unsigned u;
	memcpy(&u, b, 4);
	u += 0x100;
	memcpy(c, &u, 4);
	check(c[0] == b[0] && c[1] == 3 && c[2] == b[2] && c[3] == 0);
}
#elif CASE == 18 /* one input known to two threads */
static void test(void)
{
	pthread_t a, b;
	one = UINT();
	pthread_create(&a, NULL, adds_one, NULL);
	pthread_create(&b, NULL, adds_one, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	check(sum == 2 * one);
}
#elif CASE == 19 /* inputs of threads, added in any order */
static void test(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, adds_input, &in[0]);
	pthread_create(&b, NULL, adds_input, &in[1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	check(sum == in[0] + in[1]);
}
#elif CASE == 20 /* a race only where x * x is 49 */
static void test(void)
{
	pthread_t a;
	int x = bitspin_any_int();
	bitspin_assume(x > -20 && x < 20);
	pthread_create(&a, NULL, writes, NULL);
	if (x * x == 49)
		raced = 2; /* ERROR */
	pthread_join(a, NULL);
}
#elif CASE == 21 /* no race, as no square is 50 */
static void test(void)
{
	pthread_t a;
	int x = bitspin_any_int();
	bitspin_assume(x > -20 && x < 20);
	pthread_create(&a, NULL, writes, NULL);
	if (x * x == 50)
		raced = 2;
	pthread_join(a, NULL);
}
#elif CASE == 22 /* assumptions that exclude each other: there is no path */
static void test(void)
{
	int x = INT(), y = INT();
	__VERIFIER_assume(x < y);
	__VERIFIER_assume(y < x);
	check(0);
}
#elif CASE == 23 /* a product of 64 bits */
static void test(void)
{
	unsigned long x = ULONG();
	__VERIFIER_assume(x < 1000000);
	check(x * 1000003 != 999983 * 1000003ul);
}
#elif CASE == 24 /* a square of 64 bits is no 3 modulo 4 */
static void test(void)
{
	unsigned long x = ULONG();
	check((x * x & 3) < 2);
}
#elif CASE == 25 /* equal states by two paths: a loop that closes */
static void test(void)
{
	unsigned x = UINT();
	for (;;) {
		if (x & 1)
			x += 2;
		else
			x -= 2;
		if (atomic)
			break;
	}
}
#elif CASE == 26 /* requests of any two values, for ever */
static void test(void)
{
	for (;;) {
		int x = INT(), y = INT();
		atomic = x < y;
		if (atomic)
			check(x < y);
	}
}
#elif CASE == 27 /* the smallest of three is none of them */
static void test(void)
{
	int x = INT(), y = INT(), z = INT(), m = x < y ? x : y;
	m = m < z ? m : z;
	check(m != 17 || (x != 17 && y != 17) || z == 17);
}
#elif CASE == 28 /* sorted: three inputs in memory */
static void test(void)
{
	int a[3] = { INT(), INT(), INT() };
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2 - i; k++)
			if (a[k] > a[k + 1]) {
				int t = a[k];
				a[k] = a[k + 1];
				a[k + 1] = t;
			}
	check(a[0] <= a[1] && a[1] <= a[2]);
}
#elif CASE == 29 /* an index that is a difference */
static void test(void)
{
	static int a[4];
	unsigned x = UINT(), y = UINT();
	__VERIFIER_assume(x < 8 && y < 8 && x >= y);
	global = a[x - y]; /* ERROR */
}
#elif CASE == 30 /* an index that is a difference, and bounded by a third */
static void test(void)
{
	static int a[4];
	unsigned x = UINT(), y = UINT();
	__VERIFIER_assume(x < 100 && x >= y && x < y + 4);
	global = a[x - y];
	check(global == 0);
}
#elif CASE == 31 /* a compare-and-exchange with an input */
static void test(void)
{
	int x = INT(), y = INT();
	atomic = x;
	check(!atomic_compare_exchange_strong(&atomic, &y, 3) || x != 12345);
}
#elif CASE == 32 /* a compare-and-exchange finds what was stored */
static void test(void)
{
	int x = INT(), y = x;
	atomic = x;
	check(atomic_compare_exchange_strong(&atomic, &y, x + 1));
	check(atomic == x + 1);
}
#elif CASE == 33 /* gcd of two small inputs divides both */
static void test(void)
{
	unsigned x = UINT(), y = UINT();
	__VERIFIER_assume(x >= 1 && x < 8 && y >= 1 && y < 8);
	unsigned a = x, b = y;
	while (b) {
		unsigned t = a % b;
		a = b;
		b = t;
	}
	check(x % a == 0 && y % a == 0);
}
#elif CASE == 34 /* a thread waits for ever where two inputs are equal */
static void test(void)
{
	pthread_t a;
	int x = bitspin_any_int(), y = bitspin_any_int();
	pthread_create(&a, NULL, waits, NULL);
	if (x != y)
		atomic = 1;
	pthread_join(a, NULL);
}
#elif CASE == 35 /* absolute values, minima: what clang makes of them */
static void test(void)
{
	int x = INT(), y = INT();
	__VERIFIER_assume(x > -100 && x < 100 && y > -100 && y < 100);
	int d = x > y ? x - y : y - x;
	check(d >= 0 && d < 199 && (d == 0) == (x == y));
}
#elif CASE == 36 /* a switch on a sum */
static void test(void)
{
	unsigned x = UINT(), y = UINT();
	__VERIFIER_assume(x + y < 3);
	switch (x + y) {
	case 0: check(x == -y); break;
	case 1: check(y == 1 - x); break;
	case 2: check(x + y > 1); break;
	default: check(0);
	}
}
#elif CASE == 37 /* never are only some of the values of an index tried */
static void test(void)
{
	static const unsigned table[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	unsigned x = UINT();
	__VERIFIER_assume(x < 8);
	check(table[x] != 8);
}
#elif CASE == 38 /* inputs of few bits: 13 and 7 only, and their replay */
static void test(void)
{
	int x = bitspin_choose(0, 15), y = bitspin_choose(-8, 7);
	check(x * y != 91 || x < y);
}
#elif CASE == 39 /* the factors of a number: a question that is given up is none that has the answer no */
static void test(void)
{
	unsigned long x = bitspin_any_unsigned(), y = bitspin_any_unsigned();
	bitspin_assume(x > 1 && y > 1 && x < 1048576 && y < 1048576);
	check(x * y != 1000003UL * 999983);
}
#elif CASE == 40 /* the search ends, though each round of the loop makes a harder question */
static void test(void)
{
	unsigned x = UINT(), y = UINT(), a = x, b = y;
	__VERIFIER_assume(x && y);
	while (b) {
		unsigned t = a % b;
		a = b;
		b = t;
	}
	check(x % a == 0 && y % a == 0);
}
#elif CASE == 41 /* a square is not negative, which no solver is asked */
static void test(void)
{
	int x = bitspin_any_int();
	long square = (long)x * x;
	check(square >= 0);
}
#elif CASE == 42 /* ... unless it wraps around */
static void test(void)
{
	signed char x = bitspin_any_char();
	check((signed char)(x * x) >= 0);
}
#endif

int main(void)
{
	need_not_be_used();
	(void)one, (void)in, (void)sum, (void)raced, (void)adds_one, (void)adds_input, (void)writes, (void)waits;
	test();
	return 0;
}
