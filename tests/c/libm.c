/* SPDX-License-Identifier: MIT
 *
 * math.h through the host's library.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <math.h>

static volatile double x = 0.5, two = 2.0;
static volatile float f = 2.25f;

static int near(double a, double b)
{
	return fabs(a - b) < 1e-12;
}

int main(void)
{
	assert(near(sin(x) * sin(x) + cos(x) * cos(x), 1) && near(tan(x), sin(x) / cos(x)));
	assert(near(exp(log(two)), 2) && near(log2(two * 4), 3) && near(log10(two * 50), 2) && near(exp2(two), 4));
	assert(pow(two, 10) == 1024 && sqrt(two * two) == two);
	assert(near(cbrt(two * 4), 2) && near(hypot(two * 1.5, two * 2), 5));
	assert(near(atan2(x, x), atan(x / x)) && near(asin(sin(x)), x) && near(acos(cos(x)), x));
	assert(fmin(x, two) == x && fmax(x, two) == two && copysign(x, -two) == -x && fma(x, two, x) == 1.5);
	assert(sqrtf(f) == 1.5f && floorf(f) == 2 && ceilf(f) == 3 && fabsf(-f) == f && near(powf(f, 2), 5.0625));
	assert(round(x * 5) == 3 && lround(-x * 5) == -3 && rint(x * 5) == 2 && ldexp(x, 3) == 4);
	return 0;
}
