/* SPDX-License-Identifier: MIT
 *
 * stdio.h on strings and standard streams: printf and scanf families, and their error returns.  Standard input is
 * tests/libc/input.  Compared with the same program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void variadic(const char *format, ...)
{
	char text[40], *new;
	va_list list, again;
	va_start(list, format);
	va_copy(again, list);
	printf("%d ", vsprintf(text, format, list));
	va_end(list);
	printf("%s ", text);
	printf("%d ", vsnprintf(text, 4, format, again));
	va_end(again);
	printf("%s\n", text);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	va_start(list, format);
	vfprintf(stdout, format, list);
	va_end(list);
	va_start(list, format);
	printf("%d ", vasprintf(&new, format, list));
	va_end(list);
	puts(new);
	free(new);
}

static int scan(const char *text, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = vsscanf(text, format, list);
	va_end(list);
	return n;
}

static void printing(void)
{
	char text[40], *new;
	printf("%d|%5d|%-5d|%05d|%+d|% d|%x|%#x|%o|%c|%s|%.2s|%*d|%%\n", 1, 2, 3, 4, 5, 6, 255, 255, 8, 'c', "str", "cut", 4, 7);
	printf("%ld %lld %hd %hhd %zu %jd %td %lu\n", -1L, 2LL, (short)70000, (char)300, (size_t)3, (intmax_t)4, (ptrdiff_t)5, 6ul);
	printf("%f %.3f %e %g %a %Lf %10.2f|%-10.1f|\n", 1.5, 2.0 / 3, 12345.678, 1e-5, 0.5, 1.25L, 3.14159, 2.0);
	printf("%d %s", sprintf(text, "%s-%d", "x", 1), text);
	printf(" %d %s\n", snprintf(text, 5, "truncated"), text);
	printf("%d", asprintf(&new, "%d+%d", 1, 2));
	printf(" %s\n", new);
	free(new);
	variadic("<%s %d %.1f>", "v", 9, 2.5);
	printf("%d %d %d\n", puts("puts") > 0, fputs("fputs\n", stdout) > 0, putchar('p'));
	printf("%d %d\n", putc('\n', stdout), fputc('f', stdout));
	printf("%zu\n", fwrite("fwrite\n", 1, 7, stdout));
	fputs_unlocked("unlocked\n", stdout);
	fwrite_unlocked("u\n", 1, 2, stdout);
	putchar_unlocked('1');
	putc_unlocked('2', stdout);
	fputc_unlocked('\n', stdout);
	fprintf(stdout, "%s\n", "fprintf");
	fflush_unlocked(stdout);
	flockfile(stdout);
	printf("%d\n", ftrylockfile(stdout));
	funlockfile(stdout);
	funlockfile(stdout);
	errno = 0;
	printf("%d", fprintf(stdin, "no") < 0);
	printf(" %d", errno);
	printf(" %d %d\n", fputs("no", stdin), fileno(stdout));
}

static void scanning(void)
{
	int a = -1, b = -1, n = -1;
	long l;
	short h;
	unsigned char byte;
	unsigned u;
	float f;
	double d;
	long double e;
	char word[20], set[20], two[3] = "", *end = NULL;
	printf("%d %d %d\n", sscanf("12 -7", "%d%d", &a, &b), a, b);
	printf("%d %d\n", sscanf("x", "%d", &a), a);
	printf("%d %d %d\n", sscanf("", "%d", &a), sscanf("   ", "%d", &a), sscanf("5", "%d %d", &a, &b));
	printf("%d", sscanf("0x1f 077 0b1 ff", "%i %i %i", &a, &b, &n));
	printf(" %d %d %d\n", a, b, n);
	printf("%d", sscanf("123456789012 300 -1 ff", "%ld %hd %u %hhx", &l, &h, &u, &byte));
	printf(" %ld %d %u %d\n", l, h, u, byte);
	printf("%d", sscanf("1.5 -2e3 .25x", "%f%lf%Lf%n", &f, &d, &e, &n));
	printf(" %g %g %Lg %d\n", f, d, e, n);
	printf("%d", sscanf("hello,world] 123", "%[^,],%[a-z]%2c%*d%n", word, set, two, &n));
	printf(" %s %s %s %d\n", word, set, two, n);
	printf("%d", sscanf("key = value", " %9s = %3s", word, set));
	printf(" %s %s\n", word, set);
	printf("%d", sscanf("12345", "%2d%2d%n", &a, &b, &n));
	printf(" %d %d %d\n", a, b, n);
	printf("%d", sscanf("50%", "%d%%%n", &a, &n));
	printf(" %d %d\n", a, n);
	printf("%d %d\n", scan("7 8", "%d %d", &a, &b), a + b);
	printf("%d", sscanf("+", "%d", &a));
	printf(" %d", sscanf("nan -inf", "%lf %f", &d, &f));
	printf(" %d %d\n", d != d, f < 0);
	printf("%d %d\n", sscanf("0x", "%x", &u), sscanf("- 5", "%d", &a));
	(void)end;
}

static int read_words(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = vscanf(format, list);
	va_end(list);
	return n;
}

static int read_stream(FILE *file, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = vfscanf(file, format, list);
	va_end(list);
	return n;
}

static void input(void)
{
	char line[40], word[20];
	int n = 0;
	double d = 0;
	printf("%c", getchar());
	printf(" %d", ungetc('F', stdin));
	printf(" %s", fgets(line, sizeof line, stdin));
	printf("%d", scanf("%d", &n));
	printf(" %d", read_words("%19s", word));
	printf(" %d", read_stream(stdin, "%lf", &d));
	printf(" %d %s %g", n, word, d);
	printf(" %d", fscanf(stdin, " %3s", word));
	printf(" %s %c", word, getc(stdin));
	printf(" %d %d %d\n", fgetc(stdin), getchar_unlocked(), feof(stdin) != 0);
	printf("%d %d", fgets(line, sizeof line, stdin) == NULL, scanf("%d", &n));
	printf(" %d %d\n", getc_unlocked(stdin), ferror(stdin));
	clearerr(stdin);
	printf("%d\n", feof(stdin) != 0);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	printing();
	scanning();
	input();
	dprintf(1, "dprintf %d\n", 1);
	printf("%zd", write(1, "write\n", 6));
	errno = 0;
	printf(" %zd", write(70, "x", 1));
	printf(" %d %d %d\n", errno, feof_unlocked(stdin), ferror_unlocked(stdin));
	return fflush(NULL);
}
