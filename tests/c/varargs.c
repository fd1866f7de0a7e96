/* SPDX-License-Identifier: MIT
 *
 * Variable arguments of all kinds: promoted, 64-bit, double, long double, structs, va_copy, va_list as argument,
 * overflow area.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdarg.h>
#include <string.h>

struct small { int a, b; };
struct mixed { double d; long l; };
struct large { long v[5]; };

static long sum(int n, ...)
{
	va_list ap;
	va_start(ap, n);
	long s = 0;
	for (int i = 0; i < n; i++)
		s += va_arg(ap, int);
	va_end(ap);
	return s;
}

static double various(const char *kinds, ...)
{
	va_list ap;
	va_start(ap, kinds);
	double s = 0;
	for (; *kinds; kinds++) {
		switch (*kinds) {
		case 'i': s += va_arg(ap, int); break;
		case 'u': s += va_arg(ap, unsigned); break;
		case 'l': s += (double)va_arg(ap, long); break;
		case 'd': s += va_arg(ap, double); break;
		case 'L': s += (double)va_arg(ap, long double); break;
		case 's': s += (double)strlen(va_arg(ap, const char *)); break;
		case 'S': { struct small x = va_arg(ap, struct small); s += x.a - x.b; break; }
		case 'M': { struct mixed x = va_arg(ap, struct mixed); s += x.d + (double)x.l; break; }
		case 'B': { struct large x = va_arg(ap, struct large); s += (double)(x.v[0] + x.v[4]); break; }
		}
	}
	va_end(ap);
	return s;
}

static long vsum(int n, va_list ap)
{
	long s = 0;
	while (n-- > 0)
		s += va_arg(ap, long);
	return s;
}

static long twice(int n, ...)
{
	va_list ap, again;
	va_start(ap, n);
	va_copy(again, ap);
	long s = vsum(n, ap) + vsum(n, again);
	va_end(again);
	va_end(ap);
	return s;
}

int main(void)
{
	assert(sum(0) == 0 && sum(3, 1, -2, 3) == 2);
	assert(sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) == 78);
	assert(various("iuld", -1, 4000000000u, 5000000000L, 0.5) == 9000000000.0 - 1 + 0.5);
	assert(various("dLd", 1.5, 2.5L, 3.5f) == 7.5);
	assert(various("Lis", 1.25L, (char)3, "four") == 8.25);
	struct large large = {{1, 2, 3, 4, 5}};
	assert(various("SMBi", (struct small){5, 3}, (struct mixed){0.5, 7}, large, 100) == 2 + 7.5 + 6 + 100);
	assert(various("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.) == 55);
	struct mixed one = {1, 1};
	assert(various("MMMMM", one, one, one, one, one) == 10);
	assert(twice(3, 1L, 20L, 300L) == 642 && twice(8, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L) == 16);
	return 0;
}
