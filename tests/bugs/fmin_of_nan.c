/* SPDX-License-Identifier: MIT
 *
 * fmin() and fmax() of a number and a NaN are the number, whatever NaN it is: so says clang's code.  A signalling one made a NaN.
 *
 * RUN: check --inputs sets
 * EXPECT: verified
 * RUN: check --inputs sets -DFLOAT
 * EXPECT: verified
 * RUN: check --inputs sets -DOTHER
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <math.h>

double __VERIFIER_nondet_double(void);
float __VERIFIER_nondet_float(void);

int main(void)
{
#ifdef FLOAT
	float x = __VERIFIER_nondet_float();
	assert(fminf(1, x) <= 1 && fminf(x, 1) <= 1 && fmaxf(1, x) >= 1 && fmaxf(x, 1) >= 1);
#elif defined OTHER
	double x = __VERIFIER_nondet_double();
	assert(fmin(5, x) <= 1); /* ERROR */
#else
	double x = __VERIFIER_nondet_double();
	assert(fmin(1, x) <= 1 && fmin(x, 1) <= 1 && fmax(1, x) >= 1 && fmax(x, 1) >= 1);
#endif
	return 0;
}
