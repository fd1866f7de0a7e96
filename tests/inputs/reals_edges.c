/* SPDX-License-Identifier: MIT
 *
 * Edges of floating point in sets: NaN, -0.0, denormals, ties.  The verdicts are derived by hand.
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
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=10
 * EXPECT: verified
 */
#include "inputs.h"

#include <assert.h>

int main(void)
{
#if CASE == 1
	float x = FLOAT();
	assert(x == x); /* ERROR */
#elif CASE == 2
	float x = FLOAT();
	if (x != x)
		assert(!(x <= 1) && !(x > 1));
#elif CASE == 3
	double x = DOUBLE();
	if (x == 0)
		assert(1 / x > 0); /* ERROR */
#elif CASE == 4
	double x = DOUBLE();
	if (x == 0)
		assert(1 / x > 1e300 || 1 / x < -1e300);
#elif CASE == 5
	float x = FLOAT();
	if (x > 0)
		assert(x / 2 > 0); /* ERROR */
#elif CASE == 6
	double x = DOUBLE();
	if (x >= 1.0 && x <= 9007199254740991.0)
		assert(x + 1.0 >= 2.0);
#elif CASE == 7
	float x = FLOAT();
	assert(x != 0.1); /* no float is the double 0.1 */
#elif CASE == 8
	double x = DOUBLE();
	if (x > 0.1 && x < 0.11)
		assert((float)x > 0.1f); /* ERROR */
#elif CASE == 9
	long i = LONG();
	if (i > 0 && i <= (1L << 53) + 1)
		assert((double)i <= 9007199254740992.0); /* a tie, to even */
#elif CASE == 10
	int i = INT();
	if (i > 2147483583)
		assert((float)i == 2147483648.0f); /* a tie, to even */
#endif
	return 0;
}
