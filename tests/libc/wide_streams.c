/* SPDX-License-Identifier: MIT
 *
 * Streams of wide characters, and streams that have an orientation.  Standard input is tests/libc/input.  Compared with the same
 * program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static int print(const wchar_t *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = vwprintf(format, list);
	va_end(list);
	va_start(list, format);
	length += vfwprintf(stdout, format, list);
	va_end(list);
	return length;
}

static int scan(const wchar_t *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = vwscanf(format, list);
	va_end(list);
	return n;
}

static int scan_stream(const wchar_t *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = vfwscanf(stdin, format, list);
	va_end(list);
	return n;
}

static void writing(void)
{
	wprintf(L"%d %d\n", fwide(stdout, 0) > 0, fwide(stdout, -1) > 0);
	wprintf(L"%2$ls %1$d %3$s %4$C\n", 5, L"wide", "narrow", L'c');
	wprintf(L"%d %d %d %d\n", printf("no"), puts("no"), fputs("no", stdout), (int)fwrite("x", 1, 1, stdout));
	wprintf(L"%lc %lc %lc\n", putwchar(L'a'), fputwc(L'b', stdout), putwc(L'c', stdout));
	wprintf(L"%lc %lc %lc\n", putwchar_unlocked(L'a'), fputwc_unlocked(L'b', stdout), putwc_unlocked(L'c', stdout));
	wprintf(L"%d %d\n", fputws(L"line\n", stdout) >= 0, fputws_unlocked(L"unlocked\n", stdout) >= 0);
	wprintf(L"%d\n", print(L"<%ls %.1f>", L"v", 2.5));
	wprintf(L"%d\n", fwprintf(stdout, L"%s|%-5d|\n", "fwprintf", 7));
	wprintf(L"%d %d %d\n", fwide(stderr, 0), fwide(stderr, -1) < 0, fputws(L"no", stderr));
}

static void reading(void)
{
	wchar_t line[20], word[20];
	char narrow[20];
	int n = 0;
	double d = 0;
	FILE *file = fopen("text.txt", "r");
	wprintf(L"%d %lc", fwide(stdin, 0), getwchar());
	wprintf(L" %lc", ungetwc(L'Q', stdin));
	wprintf(L" %lc %lc", getwc(stdin), ungetwc(L'F', stdin));
	wprintf(L" %d", fgetws(line, 20, stdin) == line);
	wprintf(L" [%ls]", line);
	wprintf(L" %d", scan(L"%d", &n));
	wprintf(L" %d %d", scan_stream(L"%1ls", word), n);
	wprintf(L" %d %ls", wscanf(L"%3ls", word), word);
	wprintf(L" %lc %lc\n", getwchar_unlocked(), getwc_unlocked(stdin));
	wprintf(L"%d", fwscanf(stdin, L"%lf", &d));
	wprintf(L" %g %d %d", d, scanf("%d", &n), fwscanf(stdin, L"%19s", narrow));
	while (fgetwc(stdin) != WEOF)
		;
	wprintf(L" %d %d %d", feof(stdin) != 0, ferror(stdin), fgetws_unlocked(line, 20, stdin) == NULL);
	wprintf(L" %lc %lc\n", fgetwc(file), fgetwc_unlocked(file));
	ungetwc(L'\x100', file);
	wprintf(L"%x %d\n", fgetwc(file), fwide(file, 0) > 0);
	fclose(file);
	file = fopen("text.txt", "r");
	wprintf(L"%lc %d %d\n", fgetc(file), fgetwc(file) == WEOF, fwide(file, 1) < 0);
	fclose(file);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	fwide(stdout, 1);
	writing();
	reading();
}
