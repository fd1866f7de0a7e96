/* SPDX-License-Identifier: MIT
 *
 * Formats of printf: all combinations of flags, widths, precisions, lengths and letters with some values, numbered arguments,
 * wide text, and errors.  Compared with the same program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static const char *const flags[] = { "", "-", "0", "+", " ", "#", "'", "I", "-0", "+0", "#0", " #", "-+#" };
static const char *const sizes[] = { "", "1", "6", "12", ".", ".0", ".1", ".4", "7.3", "3.7" };
static char format[40];

static const char *spell(size_t flag, size_t size, const char *letters)
{
	snprintf(format, sizeof format, "<%%%s%s%s>", flags[flag], sizes[size], letters);
	return format;
}

#define EACH for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)

static void integers(void)
{
	static const char *const ints[] = { "d", "i", "u", "o", "x", "X", "hhd", "hhu", "hd", "hx", "c" },
				 *const longs[] = { "ld", "lu", "lx", "lld", "llo", "Lu", "qX", "jd", "ju", "zd", "zu", "td", "Zx" };
	static const int values[] = { 0, 1, -1, 75, INT_MAX, INT_MIN };
	static const long more[] = { 0, -1, 1L << 40, LONG_MIN };
	EACH for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) {
		for (size_t v = (k + f + s) % 3; v < sizeof values / sizeof *values; v += 3)
			printf(spell(f, s, ints[k]), values[v]);
		puts(format);
	}
	EACH for (size_t k = (f + s) % 2; k < sizeof longs / sizeof *longs; k += 2) {
		printf(spell(f, s, longs[k]), more[(k + f + s) % 4]);
		puts(format);
	}
}

static void reals(void)
{
	static const char *const letters[] = { "f", "F", "e", "E", "g", "G", "a", "A" };
	static const double values[] = { 0.0, -1.5, 1234567.891, 1e-7, 1e300 * 1e300, 0.5 };
	EACH for (size_t k = 0; k < sizeof letters / sizeof *letters; k++) {
		char of_long[4] = { 'L', *letters[k] };
		printf(spell(f, s, letters[k]), values[(k + f + s) % 6]);
		printf(spell(f, s, of_long), (long double)values[(k + 2 * f + s) % 6]);
		puts(format);
	}
	printf("%f %F %g %E\n", -(1e300 * 1e300), -__builtin_nan(""), __builtin_nan(""), 1e300 * 1e300);
	printf("%llf %qg %lf %hf\n", 1.5L, 2.5L, 3.5, 4.5);
}

static void strings(void)
{
	EACH {
		printf(spell(f, s, "s"), "string");
		printf(spell(f, s, "s"), (char *)NULL);
		printf(spell(f, s, "hs"), "h");
		printf(spell(f, s, "ls"), L"wide text");
		printf(spell(f, s, "S"), (wchar_t *)NULL);
		printf(spell(f, s, "lc"), (wint_t)'w');
		printf(spell(f, s, "C"), (wint_t)'C');
		printf(spell(f, s, "p"), (void *)0x1234);
		printf(spell(f, s, "p"), NULL);
		errno = ENOENT;
		printf(spell(f, s, "m"));
		errno = 300;
		printf(spell(f, s, "m"));
		errno = 0;
		printf(spell(f, s, "%"));
		puts(format);
	}
}

static void stars(void)
{
	static const int sizes[] = { 0, 1, 5, -5 };
	for (int w = 0; w < 4; w++)
		for (int p = 0; p < 4; p++) {
			printf("<%*.*d|%-*.*x|%0*.*o>", sizes[w], sizes[p], 42, sizes[w], sizes[p], 42, sizes[w], sizes[p], 42);
			printf("<%*.*s|%*.*ls|%*.*f>", sizes[w], sizes[p], "text", sizes[w], sizes[p], L"wide", sizes[w], sizes[p], 0.75);
			printf("<%*c|%*p|%.*Le>\n", sizes[w], 'c', sizes[w], (void *)1, sizes[p], 2.5L);
		}
	printf("%.*s|%.*ls|%.2147483647s\n", INT_MAX, "all", INT_MAX, L"all", "all");
}

static void numbered(void)
{
	printf("%2$s-%1$d|%1$d %1$5d %1$x\n", 5, "x");
	printf("%3$*1$.*2$f|%3$-*1$.*2$e|%2$d\n", 9, 2, 3.14159);
	printf("%1$d %2$Lf %3$s %2$.1Lf %4$f\n", 1, 2.5L, "three", 4.5);
	printf("%4$c%3$c%2$c%1$c%5$ls%6$lc\n", 'd', 'c', 'b', 'a', L"wide", (wint_t)'w');
	printf("%2$hhd %1$lld %2$c %%%3$5.1f%%\n", 1LL << 33, 65, 2.25);
	printf("%3$d|%2$s\n", 1, "two", 3);
	printf("%2$d|\n", "skipped", 2);
	int a = -1, b = -1;
	printf("%2$d%1$n|%3$n\n", &a, 12345, &b);
	printf("%d %d\n", a, b);
}

static int list(char *to, size_t size, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = vsnprintf(to, size, format, list);
	va_end(list);
	return length;
}

static void show(int result, const char *text, size_t size)
{
	printf("%d %d:", result, errno);
	for (size_t i = 0; i < size; i++)
		printf(text[i] >= ' ' && text[i] < 127 ? "%c" : "\\%hhx", text[i]);
	puts("");
	errno = 0;
}

static void bounds(void)
{
	static const char open[3] = { 'a', 'b', 'c' };
	static const wchar_t wide_open[3] = { L'a', L'b', L'c' };
	signed char hh = 0;
	short h = 0;
	long l = 0;
	long long ll = 0;
	size_t z = 0;
	char text[16], *new = NULL;
	printf("%.3s|%.2s|%.*s|%.3ls|%5.2ls|%.*ls\n", open, open, 3, open, wide_open, wide_open, 3, wide_open);
	printf("a%hhnbc%hn de%lnf%lln%zn\n", &hh, &h, &l, &ll, &z);
	printf("%d %d %ld %lld %zu\n", hh, h, l, ll, z);
	for (size_t size = 0; size < 8; size++) {
		memset(text, 'Z', sizeof text);
		show(snprintf(text, size, "%s%lc%d", "ab", (wint_t)'c', 42), text, 10);
		memset(text, 'Z', sizeof text);
		show(list(text, size, "%2$d%1$s", "ab", 42), text, 10);
	}
	memset(text, 'Z', sizeof text);
	show(snprintf(text, 10, "ab%lc|", (wint_t)200), text, 10);
	show(snprintf(text, 10, "xy%ls|", L"a\x100"), text, 10);
	show(snprintf(text, 10, "%.1ls|", L"a\x100"), text, 10);
	show(sprintf(text, "%lc|", (wint_t)0), text, 10);
	show(snprintf(text, 10, "%c|", 0), text, 10);
	show(snprintf(text, 10, "a%2147483648d", 1), text, 10);
	show(snprintf(text, 10, "%5000000000s", ""), text, 10);
	show(sprintf(text, "%s", "\xe9\xff"), text, 4);
	printf("%d\n", asprintf(&new, "%2$ls %1$m %%", 1, L"new"));
	puts(new);
	free(new);
	new = NULL;
	printf("%d", asprintf(&new, "%lc", (wint_t)1000));
	printf(" %d %d\n", errno == EILSEQ, new == NULL);
	printf("%d\n", printf("before%lcafter", (wint_t)1000));
	errno = ENOENT;
	printf("%#m %m %10.3m|%-12.30m|\n");
}

static int wide_list(wchar_t *to, size_t size, const wchar_t *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = vswprintf(to, size, format, list);
	va_end(list);
	return length;
}

static void show_wide(int result, const wchar_t *text, size_t size)
{
	printf("%d %d:", result, errno);
	for (size_t i = 0; i < size; i++)
		printf(text[i] >= L' ' && text[i] < 127 ? "%lc" : "\\%x", text[i]);
	puts("");
	errno = 0;
}

static void wide(void)
{
	static const wchar_t *const letters[] = { L"d", L"s", L"ls", L"c", L"lc", L"f", L"X", L"p" };
	wchar_t text[80], spec[20];
	int n = 0;
	for (int k = 0; k < 8; k++)
		for (int size = -8; size < 9; size += 4) {
			wmemset(text, L'Z', 40);
			swprintf(spec, 20, L"<%%%d.3%ls>\x3b1", size, letters[k]);
			int length = k == 1 ? swprintf(text, 40, spec, "bytes") : k == 2 ? swprintf(text, 40, spec, L"w\x100xyz") :
				     k == 5 ? swprintf(text, 40, spec, 2.75) : k == 7 ? swprintf(text, 40, spec, (void *)15) :
					      swprintf(text, 40, spec, 'A' + k);
			show_wide(length, text, 14);
		}
	for (size_t size = 0; size < 9; size++) {
		wmemset(text, L'Z', 40);
		show_wide(wide_list(text, size, L"%2$ls%1$d", 42, L"\x100z%"), text, 10);
	}
	show_wide(swprintf(text, 40, L"12%s", "\xe9"), text, 4);
	show_wide(swprintf(text, 40, L"%s|%ls|%n", (char *)NULL, (wchar_t *)NULL, &n), text, 16);
	show_wide(swprintf(text, 40, L"%C%S%%%m", L'\x100', L"s"), text, 12);
	printf("%d\n", n);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	integers();
	reals();
	strings();
	stars();
	numbered();
	bounds();
	wide();
}
