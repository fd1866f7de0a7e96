/* SPDX-License-Identifier: MIT
 *
 * wchar.h: strings of wide characters, and between them and bytes.  The locale is C, where a byte above 127 is no character.
 */
#include "ducts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>

/* ---- strings --------------------------------------------------------------------------------------------------------- */

size_t wcslen(const wchar_t *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}

size_t wcsnlen(const wchar_t *s, size_t most)
{
	size_t n = 0;
	while (n < most && s[n])
		n++;
	return n;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n)
{
	return memcpy(to, from, n * sizeof *to);
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n)
{
	return wmemcpy(to, from, n) + n;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
	return memmove(to, from, n * sizeof *to);
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = c;
	return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	if (memcmp(a, b, n * sizeof *a) == 0) /* all of both is compared, wherever they differ */
		return 0;
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] == c)
			return (wchar_t *)s + i;
	return NULL;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from)
{
	size_t n = wcslen(from);
	return wmemcpy(to, from, n + 1) + n;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from)
{
	return wmemcpy(to, from, wcslen(from) + 1);
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n)
{
	size_t length = wcsnlen(from, n);
	wmemcpy(to, from, length);
	wmemset(to + length, 0, n - length);
	return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
	wcscpy(to + wcslen(to), from);
	return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t n)
{
	size_t length = wcsnlen(from, n);
	wchar_t *end = to + wcslen(to);
	wmemcpy(end, from, length);
	end[length] = 0;
	return to;
}

wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t n)
{
	return wcsncpy(to, from, n) + wcsnlen(from, n);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i] || !a[i])
			return a[i] == b[i] ? 0 : a[i] < b[i] ? -1 : 1;
	return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b)
{
	return wcsncmp(a, b, (size_t)-1);
}

int wcscoll(const wchar_t *a, const wchar_t *b)
{
	return wcscmp(a, b);
}

size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t size)
{
	size_t length = wcslen(from);
	if (size)
		wcsncpy(to, from, size);
	return length;
}

int wcswidth(const wchar_t *s, size_t n)
{
	int sum = 0;
	for (size_t i = 0; i < n && s[i]; i++) {
		int width = wcwidth(s[i]);
		if (width < 0)
			return -1;
		sum += width;
	}
	return sum;
}

static wchar_t lower(wchar_t c)
{
	return c >= L'A' && c <= L'Z' ? c + (L'a' - L'A') : c;
}

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (lower(a[i]) != lower(b[i]) || !a[i])
			return lower(a[i]) - lower(b[i]);
	return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b)
{
	return wcsncasecmp(a, b, (size_t)-1);
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
	return wmemchr(s, c, wcslen(s) + 1);
}

wchar_t *wcschrnul(const wchar_t *s, wchar_t c)
{
	while (*s && *s != c)
		s++;
	return (wchar_t *)s;
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
	for (size_t n = wcslen(s) + 1; n-- > 0;)
		if (s[n] == c)
			return (wchar_t *)s + n;
	return NULL;
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part)
{
	size_t length = wcslen(part);
	for (;; s++)
		if (wcsncmp(s, part, length) == 0)
			return (wchar_t *)s;
		else if (!*s)
			return NULL;
}

size_t wcsspn(const wchar_t *s, const wchar_t *set)
{
	size_t n = 0;
	while (s[n] && wcschr(set, s[n]))
		n++;
	return n;
}

size_t wcscspn(const wchar_t *s, const wchar_t *set)
{
	size_t n = 0;
	while (s[n] && !wcschr(set, s[n]))
		n++;
	return n;
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set)
{
	s += wcscspn(s, set);
	return *s ? (wchar_t *)s : NULL;
}

wchar_t *wcstok(wchar_t *s, const wchar_t *set, wchar_t **rest)
{
	s = s ? s : *rest;
	if (!s)
		return NULL;
	s += wcsspn(s, set);
	wchar_t *end = s + wcscspn(s, set);
	*rest = *end ? end + 1 : end;
	if (end == s) {
		*rest = NULL;
		return NULL;
	}
	*end = 0;
	return s;
}

wchar_t *wcsdup(const wchar_t *s)
{
	size_t size = (wcslen(s) + 1) * sizeof *s;
	wchar_t *copy = malloc(size);
	return copy ? memcpy(copy, s, size) : NULL;
}

/* ---- numbers: those that are not ASCII are none ------------------------------------------------------------------------ */

/* What a narrow function would read; the caller frees it. */
static char *narrow(const wchar_t *s)
{
	size_t n = wcslen(s);
	char *text = malloc(n + 1);
	for (size_t i = 0; text && i <= n; i++)
		text[i] = s[i] >= 0 && s[i] < 128 ? (char)s[i] : '?';
	return text;
}

#define NUMBER(type, name, convert)                           \
	{                                                     \
		char *text = narrow(s), *at = text;           \
		type value = text ? convert : 0;              \
		if (end)                                      \
			*end = (wchar_t *)s + (at - text);    \
		free(text);                                   \
		return value;                                 \
	}

long wcstol(const wchar_t *s, wchar_t **end, int base) NUMBER(long, wcstol, strtol(text, &at, base))
long long wcstoll(const wchar_t *s, wchar_t **end, int base) NUMBER(long long, wcstoll, strtoll(text, &at, base))
unsigned long wcstoul(const wchar_t *s, wchar_t **end, int base) NUMBER(unsigned long, wcstoul, strtoul(text, &at, base))
typedef unsigned long long ull;
ull wcstoull(const wchar_t *s, wchar_t **end, int base) NUMBER(ull, wcstoull, strtoull(text, &at, base))
double wcstod(const wchar_t *s, wchar_t **end) NUMBER(double, wcstod, strtod(text, &at))
float wcstof(const wchar_t *s, wchar_t **end) NUMBER(float, wcstof, strtof(text, &at))
typedef long double extended;
extended wcstold(const wchar_t *s, wchar_t **end) NUMBER(extended, wcstold, strtold(text, &at))
intmax_t wcstoimax(const wchar_t *s, wchar_t **end, int base) NUMBER(intmax_t, wcstoimax, strtoimax(text, &at, base))
uintmax_t wcstoumax(const wchar_t *s, wchar_t **end, int base) NUMBER(uintmax_t, wcstoumax, strtoumax(text, &at, base))

/* ---- bytes ----------------------------------------------------------------------------------------------------------- */

wint_t btowc(int c)
{
	return c >= 0 && c < 128 ? (wint_t)c : WEOF;
}

int wctob(wint_t c)
{
	return c < 128 ? (int)c : EOF;
}

int mbsinit(const mbstate_t *state)
{
	(void)state;
	return 1;
}

static size_t bad(void)
{
	errno = EILSEQ;
	return (size_t)-1;
}

/* Without a state of the caller's these use one of their own, and race; although nothing has to be kept in the C locale. */
static void use_state(const mbstate_t *state)
{
	static volatile char own;
	if (!state)
		own = 0;
}

size_t mbrtowc(wchar_t *to, const char *s, size_t n, mbstate_t *state)
{
	use_state(state);
	if (!s)
		return 0;
	if (n == 0)
		return (size_t)-2;
	if ((unsigned char)*s >= 128)
		return bad();
	if (to)
		*to = *s;
	return *s != '\0';
}

size_t mbrlen(const char *s, size_t n, mbstate_t *state)
{
	return mbrtowc(NULL, s, n, state);
}

int mbtowc(wchar_t *to, const char *s, size_t n)
{
	return s && n == 0 ? -1 : (int)mbrtowc(to, s, n, NULL);
}

int mblen(const char *s, size_t n)
{
	return mbtowc(NULL, s, n);
}

size_t wcrtomb(char *to, wchar_t c, mbstate_t *state)
{
	use_state(state);
	if (!to)
		return 1;
	if (c < 0 || c >= 128)
		return bad();
	*to = (char)c;
	return 1;
}

int wctomb(char *to, wchar_t c)
{
	int length = (int)wcrtomb(to, c, NULL);
	return to ? length : 0;
}

size_t mbsnrtowcs(wchar_t *to, const char **from, size_t most, size_t n, mbstate_t *state)
{
	const char *s = *from;
	size_t i = 0;
	for (; (!to || i < n) && i < most; i++) {
		wchar_t c;
		if (mbrtowc(&c, s + i, 1, state) == (size_t)-1) {
			if (to)
				*from = s + i;
			return (size_t)-1;
		}
		if (to)
			to[i] = c;
		if (!c) {
			if (to)
				*from = NULL;
			return i;
		}
	}
	if (to)
		*from = s + i;
	return i;
}

size_t mbsrtowcs(wchar_t *to, const char **from, size_t n, mbstate_t *state)
{
	return mbsnrtowcs(to, from, (size_t)-1, n, state);
}

size_t mbstowcs(wchar_t *to, const char *from, size_t n)
{
	return mbsrtowcs(to, &from, n, &(mbstate_t){ 0 }); /* a state for this call, as in glibc */
}

size_t wcsnrtombs(char *to, const wchar_t **from, size_t most, size_t n, mbstate_t *state)
{
	const wchar_t *s = *from;
	size_t i = 0;
	for (; (!to || i < n) && i < most; i++) {
		char c;
		if (wcrtomb(&c, s[i], state) == (size_t)-1) {
			if (to)
				*from = s + i;
			return (size_t)-1;
		}
		if (to)
			to[i] = c;
		if (!c) {
			if (to)
				*from = NULL;
			return i;
		}
	}
	if (to)
		*from = s + i;
	return i;
}

size_t wcsrtombs(char *to, const wchar_t **from, size_t n, mbstate_t *state)
{
	return wcsnrtombs(to, from, (size_t)-1, n, state);
}

size_t wcstombs(char *to, const wchar_t *from, size_t n)
{
	return wcsrtombs(to, &from, n, &(mbstate_t){ 0 });
}

/* UTF-32 is what wide characters are. */
size_t mbrtoc32(char32_t *to, const char *s, size_t n, mbstate_t *state)
{
	return mbrtowc((wchar_t *)to, s, n, state);
}

size_t c32rtomb(char *to, char32_t c, mbstate_t *state)
{
	return wcrtomb(to, (wchar_t)c, state);
}

size_t wcsftime(wchar_t *to, size_t size, const wchar_t *format, const struct tm *tm)
{
	size_t length = wcslen(format);
	char text[size + 1], bytes[length + 1];
	for (size_t i = 0; i <= length; i++) {
		if (format[i] < 0 || format[i] > 127)
			__bitspin_refuse("wcsftime with a format of other characters than ASCII is not modelled");
		bytes[i] = (char)format[i];
	}
	length = strftime(text, size, bytes, tm);
	for (size_t i = 0; length && i <= length; i++)
		to[i] = text[i];
	return length;
}
