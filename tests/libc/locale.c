/* SPDX-License-Identifier: MIT
 *
 * The locale, classes of wide characters, names of files, signals and errors, fnmatch, strptime, and what else of string.h and
 * wchar.h GNU adds.  Compared with the same program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <langinfo.h>
#include <libgen.h>
#undef basename
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

static const char *shown(const char *text)
{
	return text ? text : "(none)";
}

static void locales(void)
{
	static const char *const names[] = { NULL, "", "C", "POSIX", "de_DE.UTF-8", "nope", "C;C" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (int category = -1; category < 14; category += 3)
			printf("%s ", shown(setlocale(category, names[i])));
	const struct lconv *l = localeconv();
	printf("\n[%s][%s][%s]", l->decimal_point, l->thousands_sep, l->grouping);
	printf("[%s][%s][%s]", l->int_curr_symbol, l->currency_symbol, l->mon_grouping);
	printf("%d %d %d %d", l->frac_digits, l->int_frac_digits, l->p_cs_precedes, l->int_n_sign_posn);
	printf(" %d %zu\n", l->n_sign_posn == CHAR_MAX, (size_t)MB_CUR_MAX);
	for (nl_item item = ABDAY_1; item <= ABMON_12; item++)
		printf("%s ", nl_langinfo(item));
	printf("%s %s [%s] %s %s %s", nl_langinfo(CODESET), nl_langinfo(RADIXCHAR), nl_langinfo(THOUSEP), nl_langinfo(D_T_FMT),
	       nl_langinfo(D_FMT), nl_langinfo(T_FMT));
	printf(" %s %s %s %s %s %s\n", nl_langinfo(T_FMT_AMPM), nl_langinfo(AM_STR), nl_langinfo(PM_STR), nl_langinfo(YESEXPR),
	       nl_langinfo(NOEXPR), nl_langinfo(CRNCYSTR));
}

static void classes(void)
{
	static const char *const names[] = { "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
		"space",
					     "upper", "xdigit", "nope", "" };
	static const wint_t characters[] = { 0, 9, ' ', '0', 'A', 'g', 'z', '_', 127, 128, 233, 0x100, WEOF };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		wctype_t class = wctype(names[i]);
		printf("%d:", class != 0);
		for (size_t k = 0; class && k < sizeof characters / sizeof *characters; k++)
			printf("%d", iswctype(characters[k], class) != 0);
	}
	printf("\n%d %d", (int)towctrans(L'a', wctrans("toupper")), (int)towctrans(L'Z', wctrans("tolower")));
	printf(" %d %d\n", (int)towctrans(L'1', wctrans("toupper")), wctrans("nope") == NULL);
	for (wchar_t c = 0; c < 300; c += 37)
		printf("%d ", wcwidth(c));
	printf("%d %d %d\n", wcswidth(L"abc", 2), wcswidth(L"ab", 9), wcswidth(L"a\x100", 2));
}

static void paths(void)
{
	static const char *const names[] = { "/usr/lib", "/usr/", "usr", "/", "", "//", "///", ".", "..", "a//b//", "/a", "//a",
		"//a/", "///a",
					     "a/b/c", "./x", "x/" };
	char text[20];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		printf("[%s", basename(names[i]));
		printf(" %s", dirname(strcpy(text, names[i])));
		printf(" %s", __xpg_basename(strcpy(text, names[i])));
		printf(" %s]", text);
	}
	printf(" %s %s\n", dirname(NULL), __xpg_basename(NULL));
	static const char *const patterns[] = { "*.c", "a?c", "[a-c]*", "[!a]b", "a*/b", "\\*", ".*", "*" },
				 *const strings[] = { "x.c", "abc", "bb", "a/b", "*", ".x", "ABC" };
	static const int flags[] = { 0, FNM_PATHNAME, FNM_PERIOD, FNM_CASEFOLD, FNM_NOESCAPE, FNM_LEADING_DIR };
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		for (size_t k = 0; k < sizeof strings / sizeof *strings; k++)
			for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
				printf("%d", fnmatch(patterns[i], strings[k], flags[f]) == FNM_NOMATCH);
	puts("");
}

static void numbers(void)
{
	for (int i = -1; i < 67; i++)
		printf("%s,%s ", strsignal(i), shown(sigabbrev_np(i)));
	printf("%s\n", shown(sigdescr_np(SIGSEGV)));
	for (int i = -1; i < 140; i += 9)
		printf("%s,%s ", shown(strerrorname_np(i)), shown(strerrordesc_np(i)));
	printf("%d %d\n", SIGRTMIN, SIGRTMAX);
	psignal(SIGINT, "psignal");
	puts("");
}

static void show_time(const char *text, const char *format)
{
	struct tm tm;
	memset(&tm, 0, sizeof tm);
	const char *end = strptime(text, format, &tm);
	printf("%s: %s %d-%d-%d %d:%d:%d %d %d %d\n", format, shown(end), tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour,
		tm.tm_min, tm.tm_sec,
	       tm.tm_wday, tm.tm_yday, tm.tm_isdst);
}

static void times(void)
{
	struct tm tm;
	show_time("2024-02-29 12:34:56 rest", "%Y-%m-%d %H:%M:%S");
	show_time("Sun, 06 Nov 1994 08:49:37 GMT", "%a, %d %b %Y %T GMT");
	show_time("11:05 pm", "%I:%M %p");
	show_time("3/4/99", "%D");
	show_time("2001-300", "%Y-%j");
	show_time("Tue Jan  2 03:04:05 2018", "%c");
	show_time("+0200 x", "%z");
	show_time("86400", "%s");
	show_time("12:61", "%H:%M");
	show_time("  x", "%n%%");
	show_time("March 7", "%B %e");
	printf("%d", *strptime("2020-05-06!", "%Y-%m-%d", &tm)); /* only what is given is set, and what follows of it */
	printf(" %d %d %d %d %d\n", tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_wday, tm.tm_yday);
	printf("%d", *strptime("10:11?", "%H:%M", &tm));
	printf(" %d %d %d\n", tm.tm_hour, tm.tm_min, tm.tm_year);
}

static void strings(void)
{
	char text[] = "secret";
	wchar_t wide[20], *end;
	printf("%d", (int)((char *)rawmemchr(text, 'r') - text));
	explicit_bzero(text + 1, 3);
	printf(" %s %s", text, text + 4);
	printf(" %d", (int)(wcpncpy(wide, L"abc", 10) - wide));
	printf(" %d %d", wide[9], (int)(wcpncpy(wide, L"abc", 2) - wide));
	printf(" %d %d", (int)(wcschrnul(L"abc", L'c') - L"abc") >= 0, *wcschrnul(L"abc", L'x'));
	printf(" %zu %ls", wcsxfrm(wide, L"xfrm", 20), wide);
	printf(" %Lg %jd %ju", wcstold(L"1.5x", &end), wcstoimax(L"-12", NULL, 10), wcstoumax(L"0x1f", &end, 0));
	const char *from = "text";
	const wchar_t *wide_from = L"wide";
	mbstate_t state = { 0 };
	printf(" %zu", mbsnrtowcs(wide, &from, 2, 20, &state));
	printf(" %s", from);
	printf(" %zu", mbsnrtowcs(NULL, &from, 20, 0, &state));
	printf(" %zu %d", mbsnrtowcs(wide, &from, 20, 20, &state), from == NULL);
	printf(" %zu", wcsnrtombs(text, &wide_from, 3, 7, &state));
	printf(" %ls", wide_from);
	printf(" %zu %d\n", wcsnrtombs(text, &wide_from, 9, 7, &state), wide_from == NULL);
}

static void others(void)
{
	char pairs[7] = "abcdef", swapped[7] = "", c;
	wchar_t wide[30];
	char32_t c32 = 0;
	mbstate_t state = { 0 };
	struct tm tm = { .tm_year = 120, .tm_mon = 1, .tm_mday = 3 };
	locale_t locale = newlocale(LC_ALL_MASK, "C", NULL), copy = duplocale(locale);
	printf("%d %d", newlocale(LC_ALL_MASK, "nope", NULL) == NULL, uselocale(NULL) == LC_GLOBAL_LOCALE);
	printf(" %d %d", uselocale(locale) == LC_GLOBAL_LOCALE, uselocale(LC_GLOBAL_LOCALE) == locale);
	freelocale(copy);
	freelocale(locale);
	swab(pairs, swapped, 5);
	bcopy(pairs, pairs + 1, 4);
	printf(" %s %s", swapped, pairs);
	printf(" %zu %zu", mbrtoc32(&c32, "xy", 2, &state), c32rtomb(&c, U'q', &state));
	printf(" %c %c", (char)c32, c);
	printf(" %zu", wcsftime(wide, 30, L"%Y-%m-%d", &tm));
	printf(" %ls %zu", wide, wcsftime(wide, 3, L"%Y", &tm));
	printf(" %lld %llu %ld\n", (long long)strtoq("-5", NULL, 0), (unsigned long long)strtouq("0x10", NULL, 0),
		(long)timelocal(&tm));
	FILE *file = tmpfile();
	printf("%d", putw(0x01020304, file));
	fputs("\nline\n", file);
	rewind(file);
	printf(" %x", getw(file));
	printf(" %d", *fgets_unlocked(pairs, 7, file));
	printf(" %s", fgets_unlocked(pairs, 7, file));
	clearerr_unlocked(file);
	printf("%d\n", fileno_unlocked(stdout));
	fclose(file);
}

int main(void)
{
	others();
	locales();
	classes();
	paths();
	numbers();
	times();
	strings();
}
