/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void *__memcpy_chk(void *, const void *, size_t, size_t), *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t), *__memset_chk(void *, int, size_t, size_t);
void __explicit_bzero_chk(void *, size_t, size_t), __chk_fail(void);
char *__strcpy_chk(char *, const char *, size_t), *__stpcpy_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t), *__strcat_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
int __vprintf_chk(int, const char *, va_list), __vfprintf_chk(FILE *, int, const char *, va_list);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list), __vsprintf_chk(char *, int, size_t, const char *, va_list);
int __printf_chk(int, const char *, ...), __fprintf_chk(FILE *, int, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...), __sprintf_chk(char *, int, size_t, const char *, ...);
ssize_t __read_chk(int, void *, size_t, size_t);
char *__fgets_chk(char *, size_t, int, FILE *);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
long __fdelt_chk(long);

static void variable(char *to, const char *format, ...)
{
	va_list a, b, c, d;
	va_start(a, format);
	va_copy(b, a);
	va_copy(c, a);
	va_copy(d, a);
	__vprintf_chk(1, format, a);
	__vfprintf_chk(stdout, 1, format, b);
	printf("%d\n", __vsnprintf_chk(to, 5, 1, 40, format, c));
	puts(to);
	printf("%d\n", __vsprintf_chk(to, 1, 40, format, d));
	puts(to);
	va_end(a);
}

int main(int argc, char **argv)
{
	char b[40] = "";
	struct pollfd p = { 1, POLLOUT, 0 };
	(void)argv;
	if (argc > 5)
		__chk_fail();
	__memcpy_chk(b, "abcdef", 7, 40);
	puts(b);
	*(char *)__mempcpy_chk(b, "xy", 2, 40) = '!';
	__memmove_chk(b + 1, b, 3, 39);
	puts(b);
	__memset_chk(b, 'z', 2, 40);
	puts(b);
	puts(__strcpy_chk(b, "copy", 40));
	strcpy(__stpcpy_chk(b, "first", 40), "second");
	puts(b);
	puts(__strncpy_chk(b, "12345678", 3, 40));
	puts(__strcat_chk(b, "more", 40));
	puts(__strncat_chk(b, "least", 2, 40));
	__explicit_bzero_chk(b, 4, 40);
	printf("%d %s\n", b[0], b + 4);
	variable(b, "%d and %s\n", 12345, "text");
	__printf_chk(1, "%d %s\n", 7, "seven");
	__fprintf_chk(stdout, 1, "%d %s\n", 8, "eight");
	printf("%d\n", __snprintf_chk(b, 4, 1, 40, "%d", 123456));
	puts(b);
	printf("%d\n", __sprintf_chk(b, 1, 40, "%x", 255));
	puts(b);
	printf("%d\n", __poll_chk(&p, 1, 0, sizeof p));
	printf("%ld\n", __fdelt_chk(130));
	memset(b, 0, sizeof b);
	printf("%d ", (int)__read_chk(0, b, 3, 40));
	puts(b);
	FILE *file = fdopen(0, "r");
	puts(__fgets_chk(b, 40, 20, file));
	printf("%d\n", (int)__fread_chk(b, 40, 1, 2, file));
	return 0;
}
