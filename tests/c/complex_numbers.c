/* SPDX-License-Identifier: MIT
 *
 * _Complex: arithmetic, passing and returning.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <complex.h>

__attribute__((noinline)) static double complex square(double complex z)
{
	return z * z;
}

__attribute__((noinline)) static float complex turn(float complex z)
{
	return z * I;
}

static volatile double two = 2;

int main(void)
{
	double complex z = two + 3 * I;
	assert(creal(z) == 2 && cimag(z) == 3);
	double complex s = square(z);
	assert(__real__ s == -5 && __imag__ s == 12);
	float complex t = turn(1.0f);
	assert(crealf(t) == 0 && cimagf(t) == 1);
	z += 1;
	z = conj(z);
	assert(z == 3 - 3 * I && -z == -3 + 3 * I);
	return 0;
}
