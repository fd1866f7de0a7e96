/* SPDX-License-Identifier: MIT
 *
 * Inputs that are floating-point numbers, as sets.  The verdicts are derived by hand.
 *
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=1
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=2
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=3
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=4
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=5
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=6
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=7
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=8
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=9
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=10
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=11
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=12
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=13
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=14
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=15
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=16
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=17
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=18
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=19
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=20
 * EXPECT: violated assertion
 * RUN: check --profile svcomp -DCASE=3
 * EXPECT: verified
 * RUN: check --profile svcomp -DCASE=5
 * EXPECT: violated assertion
 * RUN: check --profile svcomp -DCASE=11
 * EXPECT: violated assertion
 * RUN: check --profile svcomp -DCASE=15
 * EXPECT: violated assertion
 * RUN: check --profile svcomp -DCASE=20
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=21
 * EXPECT: inconclusive: an operation on two inputs asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=7
 * EXPECT: inconclusive: __VERIFIER_nondet_float returns an input that is no integer of at most 64 bits (--inputs symbolic)
 */
#include "inputs.h"

static double rate;
static int mode;

static void *decide(void *unused)
{
	if (rate > 0.5)
		mode = 2;
	if (rate <= 0.5)
		mode = 1;
	return unused;
}

#if CASE < 12
static void test(double x, float f, int n)
{
	(void)x, (void)f, (void)n;
#if CASE == 1 /* a NaN is neither */
	check(x < 1.0 || x >= 1.0);
#elif CASE == 2 /* ... and equal to nothing, not even itself */
	if (x < 1.0 || x >= 1.0)
		check(x == x);
#elif CASE == 3 /* both zeroes are equal */
	if (x == 0.0)
		check(!(x < 0) && !(x > 0));
	else
		check(x != 0.0);
#elif CASE == 4 /* ... but not the same bits */
	unsigned long bits;
	memcpy(&bits, &x, sizeof bits);
	check(x != 0.0 || bits == 0);
#elif CASE == 5 /* the float that is nearest to 0.1 is above it */
	check(!(f >= 0.1 && f <= 0.1000000016));
#elif CASE == 6 /* ... and none is 0.1 */
	check(f != 0.1);
#elif CASE == 7 /* 37.25 is a float */
	check(f != 37.25);
#elif CASE == 8 /* an integer, as a number */
	double y = n;
	if (y > 2147483000.5)
		check(n >= 2147483001);
#elif CASE == 9 /* ... a negative one */
	double y = n;
	if (y < -2147483000.5)
		check(n != INT_MIN);
#elif CASE == 10 /* computed: 120 F are below 49 C */
	if (x >= -40 && x <= 120) {
		double c = (x - 32) * 5 / 9;
		check(c >= -40 && c < 49);
	}
#elif CASE == 11 /* ... and 32 F are 0 C */
	if (x >= -40 && x <= 120) {
		double c = (x - 32) * 5 / 9;
		check(c != 0);
	}
#endif
}
#else
static void test(double x, float f, int n)
{
	(void)x, (void)f, (void)n;
#if CASE == 12 /* infinity times 0 */
	double y = x * 0;
	check(y == y || x != x);
#elif CASE == 13 /* all comparisons with a NaN fail */
	if (x != x)
		check(!(x < 5) && !(x > 5) && x != 5);
#elif CASE == 14 /* the sign */
	double y = -x;
	if (x < 0)
		check(y > 0);
#elif CASE == 15 /* a double that is too large for a float */
	float g = (float)x;
	if (x > 0 && x < 1e300)
		check(g <= 3.4e38f);
#elif CASE == 16 /* ... and one that is too small, turned over */
	if (x > 0 && x < 1e300) {
		double y = 1 / x;
		check(y > 0);
	}
#elif CASE == 17 /* 1e16 + 1 is 1e16 */
	if (x >= 1e16 && x < 1e17) {
		double y = x + 1 - 1e16;
		check(y != 0);
	}
#elif CASE == 18 /* the bits of an input are its own: 0.5 */
	unsigned long bits;
	memcpy(&bits, &x, sizeof bits);
	check((bits == 0x3fe0000000000000) == (x == 0.5));
#elif CASE == 19 /* another thread decides by it */
	rate = x;
	pthread_t thread;
	if (!(x >= 0 && x <= 1))
		return;
	pthread_create(&thread, NULL, decide, NULL);
	pthread_join(thread, NULL);
	check(mode == (x > 0.5 ? 2 : 1));
#elif CASE == 20 /* ... and forgets NaNs */
	rate = x;
	pthread_t thread;
	pthread_create(&thread, NULL, decide, NULL);
	pthread_join(thread, NULL);
	check(mode == (x > 0.5 ? 2 : 1));
#elif CASE == 21 /* two are not compared: terms would not help, so that is said, and not that they know no reals */
	double y = DOUBLE();
	check(!(x < y) || !(y < x));
#endif
}
#endif

int main(void)
{
	need_not_be_used();
	(void)decide, (void)mode, (void)rate;
#if CASE >= 5 && CASE <= 7
	test(0, FLOAT(), 0);
#elif CASE == 8 || CASE == 9
	test(0, 0, INT());
#else
	test(DOUBLE(), 0, 0);
#endif
	return 0;
}
