/* SPDX-License-Identifier: MIT
 *
 * What _FORTIFY_SOURCE makes of calls of wchar.h, asprintf and dprintf.  Standard output is a wide stream.  Compared with the same
 * program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

wchar_t *__wmemcpy_chk(wchar_t *, const wchar_t *, size_t, size_t), *__wmemmove_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemset_chk(wchar_t *, wchar_t, size_t, size_t), *__wcscpy_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcsncpy_chk(wchar_t *, const wchar_t *, size_t, size_t), *__wcscat_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcsncat_chk(wchar_t *, const wchar_t *, size_t, size_t), *__fgetws_chk(wchar_t *, size_t, int, FILE *);
size_t __mbstowcs_chk(wchar_t *, const char *, size_t, size_t), __wcstombs_chk(char *, const wchar_t *, size_t, size_t);
int __vswprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, va_list), __vwprintf_chk(int, const wchar_t *, va_list);
int __vfwprintf_chk(FILE *, int, const wchar_t *, va_list), __swprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, ...);
int __fwprintf_chk(FILE *, int, const wchar_t *, ...), __wprintf_chk(int, const wchar_t *, ...);
int __vasprintf_chk(char **, int, const char *, va_list), __asprintf_chk(char **, int, const char *, ...);
int __vdprintf_chk(int, int, const char *, va_list), __dprintf_chk(int, int, const char *, ...);

static void lists(wchar_t *to, const wchar_t *format, ...)
{
	va_list a, b, c;
	va_start(a, format);
	va_copy(b, a);
	va_copy(c, a);
	__wprintf_chk(1, L"%d ", __vswprintf_chk(to, 20, 1, 40, format, a));
	__vwprintf_chk(1, format, b);
	__vfwprintf_chk(stdout, 1, format, c);
	__fwprintf_chk(stdout, 1, L"%ls", to);
	va_end(a);
}

static void narrow_lists(const char *format, ...)
{
	va_list a, b;
	char *new;
	va_start(a, format);
	va_copy(b, a);
	wprintf(L"%d ", __vasprintf_chk(&new, 1, format, a));
	wprintf(L"%s", new);
	free(new);
	wprintf(L"%d\n", __vdprintf_chk(1, 1, format, b));
	va_end(a);
}

int main(void)
{
	wchar_t w[40];
	char b[40], *new;
	setvbuf(stdout, NULL, _IONBF, 0);
	wprintf(L"%ls ", __wcscpy_chk(w, L"copy", 40));
	wprintf(L"%ls ", __wcscat_chk(w, L"more", 40));
	wprintf(L"%ls ", __wcsncat_chk(w, L"least", 2, 40));
	wprintf(L"%ls ", __wcsncpy_chk(w, L"12345", 3, 40));
	wprintf(L"%ls ", __wmemcpy_chk(w, L"ab", 2, 40));
	wprintf(L"%ls ", __wmemmove_chk(w + 1, w, 2, 39));
	wprintf(L"%ls\n", __wmemset_chk(w, L'm', 2, 40));
	wprintf(L"%zu ", __mbstowcs_chk(w, "bytes", 40, 40));
	wprintf(L"%ls %zu", w, __wcstombs_chk(b, L"wide", 40, 40));
	wprintf(L" %s %d\n", b, __swprintf_chk(w, 20, 1, 40, L"%2$d %1$d", 1, 2));
	lists(w, L"<%s %d>\n", "text", 5);
	wprintf(L"%d\n", __asprintf_chk(&new, 1, "%s", "new"));
	free(new);
	wprintf(L"%d\n", __dprintf_chk(1, 1, "%s|", "dprintf"));
	narrow_lists("%d %s\n", 7, "seven");
	wprintf(L"%ls", __fgetws_chk(w, 40, 20, stdin));
}
