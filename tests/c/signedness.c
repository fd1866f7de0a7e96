/* SPDX-License-Identifier: MIT
 *
 * Conversions between signed and unsigned, widening, narrowing, mixed comparison, integer promotion.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <limits.h>
#include <stdint.h>

static volatile signed char sc = -1;
static volatile unsigned char uc = 200;
static volatile short s = -2;
static volatile unsigned u = 4000000000u;
static volatile int i = -1;
static volatile long l = LONG_MIN;

int main(void)
{
	assert(sc == -1 && (unsigned char)sc == 255 && (unsigned)sc == UINT_MAX && (uint64_t)sc == UINT64_MAX);
	assert((signed char)uc == -56 && (int)uc == 200 && uc + uc == 400 && (unsigned char)(uc + uc) == 144);
	assert((int)u == -294967296 && (long)u == 4000000000 && u + 294967296u == 0);
	assert((i < u) == 0 && i > -2 && (long)i < (long)u);
	assert((unsigned short)s == 65534 && (s >> 1) == -1 && (unsigned)s >> 31 == 1);
	assert((int)l == 0 && (uint64_t)l == 1ull << 63 && l < 0);
	assert(-7 / (2 * -i) == -3 && -7 % (2 * -i) == -1 && 7 % (2 * i) == 1);
	assert((unsigned)i / 2 == INT_MAX && (unsigned)i % 10 == 5);
	assert((_Bool)(u & 256) == ((u & 256) != 0) && (_Bool)0.5 == 1 && !(_Bool)(uc - 200));
	assert(~uc == -201 && -uc == -200 && !uc == 0 && (char)~sc == 0);
	unsigned char wrap = 255;
	wrap++;
	assert(wrap == 0 && --wrap == 255);
	unsigned long long product = (unsigned long long)u * u;
	assert(product == 16000000000000000000ull && u * u == (unsigned)product);
	assert(sizeof(uc + uc) == sizeof(int) && sizeof('a') == sizeof(int));
	return 0;
}
