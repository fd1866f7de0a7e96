/* SPDX-License-Identifier: MIT
 *
 * Inputs that are floating-point numbers: conversions, what a number does with itself, bits, functions, threads.  The verdicts are
 * derived by hand.  With -DNATIVE, cases of one float run for all 2^32 of them, and others for numbers near edges.
 *
 * Those that ask too much are inconclusive, by name.
 *
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=1
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=2
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=3
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=4
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=5
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=6
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=7
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=8
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=9
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=10
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=11
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=12
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=13
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=14
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=15
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=16
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=17
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=18
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=19
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=20
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=21
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=22
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=23
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=24
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=25
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=26
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=27
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=28
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=29
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=30
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=31
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=32
 * EXPECT: inconclusive: a condition asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=33
 * EXPECT: inconclusive: a condition asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=34
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=35
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=36
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=37
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=38
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=39
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=40
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=41
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=42
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=43
 * EXPECT: inconclusive: an operation on an input and what is computed from it asks for more of an input
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=44
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=45
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=46
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=47
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=48
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=49
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=50
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=51
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=52
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=53
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=54
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=55
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=56
 * EXPECT: violated invalid-conversion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=61
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=62
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=63
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=64
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=65
 * EXPECT: inconclusive: an operation on two inputs asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=66
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=67
 * EXPECT: inconclusive: an operation on an input and what is computed from it asks for more of an input
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=68
 * EXPECT: inconclusive: sqrtf asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=69
 * EXPECT: inconclusive: an operation that is done on numbers only asks for more of an input
 * RUN: check -O2 --profile svcomp --inputs sets -DCASE=10
 * EXPECT: verified
 * RUN: check -O2 --profile svcomp --inputs sets -DCASE=14
 * EXPECT: verified
 * RUN: check -O2 --profile svcomp --inputs sets -DCASE=28
 * EXPECT: violated assertion
 * RUN: check -O2 --profile svcomp --inputs sets -DCASE=46
 * EXPECT: verified
 * RUN: check -O2 --profile svcomp --inputs sets -DCASE=52
 * EXPECT: violated assertion
 * RUN: check --profile svcomp -DCASE=9
 * EXPECT: violated invalid-conversion
 * RUN: check --profile svcomp -DCASE=46
 * EXPECT: verified
 */
#include "inputs.h"

#include <math.h>

static float moved;
static _Atomic unsigned bits_of_it;
static _Atomic float real;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned bits(float x)
{
	unsigned bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static void *move(void *unused)
{
	pthread_mutex_lock(&mutex);
	moved *= 2;
	pthread_mutex_unlock(&mutex);
	bits_of_it ^= 0x80000000;
	return unused;
}

/* One float. */
#if CASE <= 20
static void one(float x)
{
	(void)x;
#if CASE == 1 /* infinity */
	check(isnan(x) || x * 0 == 0);
#elif CASE == 2
	check(!isfinite(x) || x * 0 == 0);
#elif CASE == 3 /* infinity less infinity */
	check(isnan(x) || x - x == 0);
#elif CASE == 4
	check(!isfinite(x) || x - x == 0);
#elif CASE == 5 /* -0 */
	check(x != 0 || !signbit(x));
#elif CASE == 6 /* ... which times itself is +0 */
	check(x != 0 || 1 / (x * x) > 0);
#elif CASE == 7
	check(x == 0 || !isfinite(x) || x / x == 1);
#elif CASE == 8 /* infinity by infinity */
	check(x == 0 || isnan(x) || x / x == 1);
#elif CASE == 9 /* a number that is too large, and a NaN */
	int n = (int)x; /* ERROR */
	(void)n;
#elif CASE == 10 /* the least integer is a float */
	if (x > -2147483904.0f && x < 2147483648.0f)
		check((int)x >= INT_MIN);
#elif CASE == 11 /* the greatest is none: the float that is nearest is too large */
	if (x > 0 && x <= (float)INT_MAX)
		check((int)x /* ERROR */ >= 0);
#elif CASE == 12 /* what is above -1 is 0 */
	if (x > -1 && x < 256)
		check((unsigned char)x <= 255 && ((unsigned char)x != 0 || x < 1));
#elif CASE == 13 /* -1 does not fit */
	if (x >= -1 && x < 256)
		check((unsigned char)x <= 255); /* ERROR */
#elif CASE == 14
	if (x > -1 && x < 3)
		switch ((int)x) {
		case 0: check(x < 1 && x > -1); break;
		case 1: check(x >= 1 && x < 2); break;
		case 2: check(x >= 2); break;
		default: check(0);
		}
#elif CASE == 15 /* an index */
	static const int a[4] = { 1, 2, 3, 4 };
	if (x > -1 && x < 4)
		check(a[(int)x] > x);
#elif CASE == 16
	static const int a[4] = { 1, 2, 3, 4 };
	if (x > -1 && x <= 4)
		check(a[(int)x] > 0); /* ERROR */
#elif CASE == 17 /* a float is a double */
	check((double)x == x || isnan(x));
#elif CASE == 18 /* half of the least number is a tie, and rounds to 0 */
	check(x <= 0 || isnan(x) || x * 0.5f > 0);
#elif CASE == 19 /* ... that of the next one is a number */
	check(x < 2.8e-45f || isnan(x) || x * 0.5f > 0);
#elif CASE == 20
	check(((bits(x) & 0x7fffffff) > 0x7f800000) == !!isnan(x));
#endif
}
#else
static void one(float x)
{
	(void)x;
#if CASE == 21 /* infinity is not below it */
	check(((bits(x) & 0x7fffffff) >= 0x7f800000) == !!isnan(x));
#elif CASE == 22 /* NaN again */
	check(islessgreater(x, 1.0f) == (x != 1));
#elif CASE == 23
	check(isunordered(x, 1.0f) == !!isnan(x));
#elif CASE == 24
	check(fabsf(x) >= 0 || isnan(x));
#elif CASE == 25
	check(fabsf(x) > 0 || isnan(x));
#elif CASE == 26
	check(isnan(x) || (fmaxf(x, 2) >= 2 && fminf(x, 2) <= 2));
#elif CASE == 27
	check(floorf(x) != 3 || (x >= 3 && x < 4));
#elif CASE == 28 /* 2.5 */
	check(roundf(x) != 3 || (x > 2.5f && x < 3.5f));
#elif CASE == 29 /* ... to even */
	check(rintf(x) != 3 || (x > 2.5f && x < 3.5f));
#elif CASE == 30 /* -0.5 is -0 */
	check(!(x > -1 && x < 0) || signbit(ceilf(x)));
#elif CASE == 31 /* ... and as an integer it is 0 */
	check(!(x > -1 && x < 0) || !signbit((float)(int)x));
#elif CASE == 32 /* a number that is too large for the last bit of its integer */
	if (x > 0 && x < 1e9)
		check((float)(int)x <= 16777216.0f || (int)x % 2 == 0);
#elif CASE == 33
	if (x > 0 && x < 1e9)
		check((int)x <= 16777216 || (int)x % 4 == 0);
#elif CASE == 34 /* through a lock */
	pthread_t thread;
	moved = x;
	pthread_create(&thread, NULL, move, NULL);
	pthread_join(thread, NULL);
	check(!(x > 1 && x < 2) || (moved > 2 && moved < 4));
#elif CASE == 35 /* ... and bits through an atomic: -0 */
	pthread_t thread;
	bits_of_it = bits(x);
	pthread_create(&thread, NULL, move, NULL);
	pthread_join(thread, NULL);
	unsigned after = bits_of_it;
	memcpy(&moved, &after, sizeof moved);
	check(moved < 0 || x <= 0 || isnan(x));
#elif CASE == 36
	real = x;
	check(real <= 5 || x > 5 || isnan(x));
#elif CASE == 37 /* infinity times 0 */
	check(!(x > 3e38f) || x * 2 * 0 == 0);
#elif CASE == 38 /* the sign of a NaN */
	check(!isnan(x) || signbit(x) == signbit(x + 1));
#elif CASE == 39
	check(x * x >= 0 || isnan(x));
#elif CASE == 40 /* 0x1p-75 and below */
	check(x * x > 0 || x == 0 || isnan(x));
#endif
}
#endif

/* A double or an integer. */
static void other_kind(double x, int n)
{
	(void)x, (void)n;
#if CASE == 41 /* 2^24 + 1 is a tie, and rounds to 2^24 */
	check(n <= 16777216 || (float)n > 16777216.0f);
#elif CASE == 42
	check(n <= 16777217 || (float)n > 16777216.0f);
#elif CASE == 43 /* 0.1 */
	check((float)x == x || isnan(x));
#elif CASE == 44
	check(!(x > 16777216 && x <= 16777217) || (float)x == 16777216);
#elif CASE == 45 /* the next double after the tie */
	check(!(x > 16777216 && x < 16777217.001) || (float)x == 16777216);
#elif CASE == 46 /* what is after the point does not count */
	if (x > -2147483649.0 && x < 2147483648.0)
		check((int)x >= INT_MIN);
#elif CASE == 47
	if (x >= -2147483649.0 && x < 2147483648.0)
		check((int)x /* ERROR */ >= INT_MIN);
#elif CASE == 48 /* a NaN is not */
	if (!(x <= -2147483649.0) && !(x >= 2147483648.0))
		check((int)x /* ERROR */ >= INT_MIN);
#elif CASE == 49
	if (x >= 0 && x < 18446744073709551616.0)
		check((unsigned long)x <= ULONG_MAX && ((unsigned long)x != 5 || (x >= 5 && x < 6)));
#elif CASE == 50 /* the double that is nearest to the greatest integer is above it */
	if (x >= 0 && x <= (double)LONG_MAX)
		check((long)x /* ERROR */ >= 0);
#elif CASE == 51 /* a term of an integer, back again */
	if (n > -1000 && n < 1000)
		check((int)(n * 0.5) != 3 || n == 6 || n == 7);
#elif CASE == 52 /* -7 / 2 is -3, and so is -6 / 2 */
	check((int)(n * 0.5) != -3 || n == -6);
#elif CASE == 53
	check(!(x > 1 && x < 2) || trunc(x) == 1);
#elif CASE == 54 /* subnormal floats */
	check(!(x > 0 && x < 1e-38) || (float)x < 1.1754944e-38f);
#elif CASE == 55 /* ... and 0 */
	check(!(x > 0 && x < 1e-38) || (float)x > 0);
#elif CASE == 56 /* 2^32 */
	if (x >= 0 && x <= 4294967296.0)
		check((unsigned)x /* ERROR */ < UINT_MAX || x >= 4294967295.0);
#endif
}

/* Two inputs, or what is not known. */
static void two(float x, float y)
{
	(void)x, (void)y;
#if CASE == 61 /* one is always less */
	if (x >= 0 && x <= 1 && y > 1 && y <= 5)
		check(x < y && y > x && x != y);
#elif CASE == 62 /* +0 and -0 are equal, always */
	if (x == 0 && y == 0)
		check(x == y && x <= y && !(x < y));
#elif CASE == 63 /* a NaN */
	if (isnan(x) && y > 1)
		check(!(x < y) && !(x >= y) && x != y);
#elif CASE == 64 /* 1 */
	if (x >= 0 && x <= 1 && y >= 1 && y <= 5)
		check(x < y);
#elif CASE == 65
	check(!(x < y) || !(y < x));
#elif CASE == 66 /* one of few values */
	if (y == 1 || y == 3)
		check(!(x < y) || x < 3);
#elif CASE == 67
	check(!(x > 0 && x < 1e30f) || x < x + 1);
#elif CASE == 68
	check(sqrtf(x) >= 0 || isnan(x) || x < 0);
#elif CASE == 69 /* NaN */
	check((long double)x < 1 || x >= 1);
#endif
}

#ifdef NATIVE
static unsigned long failed;

void reach_error(void)
{
	failed++;
}

int main(void)
{
	static const double edges[] = { 0, 1, 2, 3, 5, 6, 1e-38, 1.1754944e-38, 5e-324, 16777216, 16777217, 2147483648.0, 2147483649.0,
					0.1, 1e300, 9223372036854775808.0, 18446744073709551616.0, INFINITY, NAN, 1e-46, 7e-46 };
	unsigned long ran = 0;
	for (unsigned long k = 0; CASE <= 40 && k < 1ul << 32; k++, ran++) {
		unsigned from = (unsigned)k;
		float x;
		memcpy(&x, &from, sizeof x);
		one(x);
	}
	for (long k = 0; CASE > 40 && k < 1l << 32; k += CASE < 43 || CASE > 50 ? 1 : 1 << 30, ran++)
		other_kind(0, (int)k);
	for (unsigned e = 0; e < sizeof edges / sizeof *edges; e++)
		for (long k = -200000; k < 200000; k++, ran++) {
			double d = e % 2 ? -edges[e / 2] : edges[e / 2];
			long from;
			memcpy(&from, &d, sizeof d);
			from += k;
			memcpy(&d, &from, sizeof d);
			if (CASE > 42 && CASE < 60)
				other_kind(d, 0);
			float x = (float)edges[e], y = (float)edges[(unsigned long)k % (sizeof edges / sizeof *edges)];
			if (CASE > 60)
				two(x, y), two(-x, y), two(x, -y), two(-x, -y);
		}
	printf("%d: %lu of %lu\n", CASE, failed, ran);
	return 0;
}
#else
int main(void)
{
	need_not_be_used();
	(void)move, (void)moved, (void)bits, (void)real;
	if (CASE <= 40)
		one(FLOAT());
#if CASE > 40 && CASE < 60
	else if (CASE < 43 || CASE == 51 || CASE == 52)
		other_kind(0, INT());
	else
		other_kind(DOUBLE(), 0);
#endif
#if CASE > 60
	float x = FLOAT();
	two(x, CASE < 67 ? FLOAT() : 0);
#else
	(void)two, (void)other_kind;
#endif
	return 0;
}
#endif
