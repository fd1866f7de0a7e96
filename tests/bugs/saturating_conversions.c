/* SPDX-License-Identifier: MIT
 *
 * With -fno-strict-float-cast-overflow, a floating-point number that does not fit an integer becomes the nearest one that does, and
 * a NaN 0.  Without it, that is undefined.
 *
 * RUN: check -fno-strict-float-cast-overflow
 * EXPECT: verified
 * RUN: check -fno-strict-float-cast-overflow -DANY --inputs sets
 * EXPECT: verified
 * RUN: check -DUNDEFINED
 * EXPECT: violated invalid-conversion
 */
#include <assert.h>
#include <limits.h>
#include <math.h>

double __VERIFIER_nondet_double(void);

static volatile double large = 1e20, just = 2147483648.0, half = -0.5, minus = -1, none = NAN;
static volatile float small = -1e20f;
static volatile long double extended = 1e30L;
static volatile __float128 quad = 1e30;

#ifdef ANY
int main(void)
{
	double x = __VERIFIER_nondet_double();
	if (x >= 3e9)
		assert((int)x == INT_MAX && (unsigned char)x == UCHAR_MAX);
	if (x <= -1)
		assert((unsigned)x == 0 && (unsigned long)x == 0);
	return 0;
}
#elif defined UNDEFINED
int main(void)
{
	return (int)just; /* ERROR */
}
#else
int main(void)
{
	assert((int)large == INT_MAX && (unsigned)large == UINT_MAX && (unsigned char)large == UCHAR_MAX && (long)large == LONG_MAX);
	assert((int)just == INT_MAX && (unsigned)just == 2147483648u && (short)just == SHRT_MAX);
	assert((int)half == 0 && (unsigned)half == 0 && (int)minus == -1 && (unsigned)minus == 0 && (unsigned long)minus == 0);
	assert((int)none == 0 && (unsigned char)none == 0);
	assert((int)small == INT_MIN && (long)small == LONG_MIN && (signed char)small == SCHAR_MIN && (unsigned)small == 0);
	assert((int)extended == INT_MAX && (unsigned long)extended == ULONG_MAX);
	assert((int)quad == INT_MAX && (int)-quad == INT_MIN && (unsigned)-quad == 0);
	return 0;
}
#endif
