/* SPDX-License-Identifier: MIT
 *
 * float and double: arithmetic, comparison with NaN, conversion, rounding, infinities.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static volatile double zero = 0.0, tenth = 0.1, three = 3.0;
static volatile float fthree = 3.0f;
static double table[] = {1.5, -2.25, 1e300, 0x1p-1074};

static uint64_t bits(double d)
{
	uint64_t u;
	memcpy(&u, &d, sizeof u);
	return u;
}

int main(void)
{
	double nan = zero / zero, infinity = 1.0 / zero;
	assert(nan != nan && !(nan < 1) && !(nan >= 1) && !(nan == nan));
	assert(infinity > table[2] && -infinity < -table[2] && infinity - 1 == infinity);
	assert(tenth + 0.2 != 0.3 && bits(tenth + 0.2) == 0x3fd3333333333334u);
	assert((float)tenth != tenth && (float)(1.0 / three) == 1.0f / fthree);
	assert(1.0f / fthree * fthree == 1.0f);
	assert((int)-2.9 == -2 && (int)table[1] == -2 && (unsigned char)(three * 80) == 240);
	assert((int64_t)(three * 1e18) == 3000000000000000000 && (uint64_t)(three * 4e18) == 12000000000000000000u);
	assert((double)UINT64_MAX == 0x1p64 && (float)16777217 == 16777216.0f);
	assert(table[3] > 0 && table[3] / 2 == 0);
	assert(-zero == zero && bits(-zero) != bits(zero) && 1 / -zero == -infinity);
	assert(fmod(7.5, three) == 1.5 && fabs(table[1]) == 2.25 && sqrt(three * three) == three);
	assert(floor(-0.5 * three) == -2 && ceil(-0.5 * three) == -1 && trunc(2.7 * zero + 2.7) == 2);
	assert(isnan(nan) && isinf(infinity) && !isnan(tenth) && signbit(-zero));
	float f = 0;
	for (int i = 0; i < 10; i++)
		f += 0.1f;
	assert(f != 1.0f && fabsf(f - 1.0f) < 1e-6f);
	double d = 10;
	d -= 0.5, d *= 2, d /= 4, d++;
	assert(d == 5.75);
	return 0;
}
