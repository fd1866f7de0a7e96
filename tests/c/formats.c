/* SPDX-License-Identifier: MIT
 *
 * printf's conversions, through snprintf and sprintf.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char buffer[200];

static int is(const char *expected, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	int n = vsnprintf(buffer, sizeof buffer, format, ap);
	va_end(ap);
	return n == (int)strlen(expected) && !strcmp(buffer, expected);
}

int main(void)
{
	assert(is("plain 100%", "plain 100%%"));
	assert(is("-5 5 +5 00005 5    |", "%d %i %+d %05d %-5d|", -5, 5, 5, 5, 5));
	assert(is("4294967295 ff FF 0xff 377", "%u %x %X %#x %o", 4294967295u, 255, 255, 255, 255));
	assert(is("-1 -2 -3 -4 18446744073709551615", "%hhd %hd %ld %lld %llu", -1, -2, -3L, -4LL, UINT64_MAX));
	assert(is("7 8 9 10", "%zu %td %jd %lu", (size_t)7, (ptrdiff_t)8, (intmax_t)9, 10ul));
	assert(is("1.500000 1.50 1.5 1.500000e+00", "%f %.2f %g %e", 1.5, 1.5, 1.5, 1.5));
	assert(is("0x1.8p+0 1e+20 0.0001", "%a %g %g", 1.5, 1e20, 0.0001));
	assert(is("2.25 3.5 4", "%.2Lf %Lg %.0f", 2.25L, 3.5L, 4.0));
	assert(is("a bc def   gh|  ij", "%c %s %-5.3s %s|%4s", 'a', "bc", "defxx", "gh", "ij"));
	assert(is("   42 3.14", "%*d %.*f", 5, 42, 2, 3.14159));
	assert(is("inf -inf nan", "%f %f %f", 1e308 * 10, -1e308 * 10, __builtin_nan("")));
	assert(is("1 2 3 4 5 6 7 8 9 10.5 11", "%d %d %d %d %d %d %d %d %d %.1f %d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10.5, 11));
	assert(snprintf(buffer, 4, "%s", "abcdef") == 6 && !strcmp(buffer, "abc"));
	assert(snprintf(NULL, 0, "%d", 12345) == 5);
	int written = -1;
	assert(sprintf(buffer, "%s-%d", "x", 1) == 3 && !strcmp(buffer, "x-1"));
	assert(sprintf(buffer, "abc%n", &written) == 3 && written == 3);
	return 0;
}
