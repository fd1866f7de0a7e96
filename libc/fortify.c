/* SPDX-License-Identifier: MIT
 *
 * What _FORTIFY_SOURCE makes of calls: functions that are told how much room there is, and end the program if it is too little.
 */
#include "ducts.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static void check(size_t size, size_t room)
{
	if (size > room)
		__bitspin_killed("SIGABRT: more is written than there is room for (_FORTIFY_SOURCE)");
}

void __chk_fail(void)
{
	check(1, 0);
}

void *__memcpy_chk(void *to, const void *from, size_t size, size_t room)
{
	check(size, room);
	return memcpy(to, from, size);
}

void *__mempcpy_chk(void *to, const void *from, size_t size, size_t room)
{
	check(size, room);
	return mempcpy(to, from, size);
}

void *__memmove_chk(void *to, const void *from, size_t size, size_t room)
{
	check(size, room);
	return memmove(to, from, size);
}

void *__memset_chk(void *to, int byte, size_t size, size_t room)
{
	check(size, room);
	return memset(to, byte, size);
}

void __explicit_bzero_chk(void *to, size_t size, size_t room)
{
	check(size, room);
	memset(to, 0, size);
}

char *__strcpy_chk(char *to, const char *from, size_t room)
{
	check(strlen(from) + 1, room);
	return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t room)
{
	check(strlen(from) + 1, room);
	return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t size, size_t room)
{
	check(size, room);
	return strncpy(to, from, size);
}

char *__strcat_chk(char *to, const char *from, size_t room)
{
	check(strlen(to) + strlen(from) + 1, room);
	return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t size, size_t room)
{
	check(strlen(to) + strnlen(from, size) + 1, room);
	return strncat(to, from, size);
}

/* ---- printing -------------------------------------------------------------------------------------------------------- */

int __vprintf_chk(int flag, const char *format, va_list list)
{
	(void)flag;
	return vprintf(format, list);
}

int __vfprintf_chk(FILE *file, int flag, const char *format, va_list list)
{
	(void)flag;
	return vfprintf(file, format, list);
}

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list list)
{
	(void)flag;
	check(size, room);
	return vsnprintf(to, size, format, list);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list list)
{
	(void)flag;
	(void)room;
	return vsprintf(to, format, list);
}

int __printf_chk(int flag, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = __vprintf_chk(flag, format, list);
	va_end(list);
	return length;
}

int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = __vfprintf_chk(file, flag, format, list);
	va_end(list);
	return length;
}

int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = __vsnprintf_chk(to, size, flag, room, format, list);
	va_end(list);
	return length;
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = __vsprintf_chk(to, flag, room, format, list);
	va_end(list);
	return length;
}

int __vasprintf_chk(char **to, int flag, const char *format, va_list list)
{
	(void)flag;
	return vasprintf(to, format, list);
}

int __vdprintf_chk(int fd, int flag, const char *format, va_list list)
{
	(void)flag;
	return vdprintf(fd, format, list);
}

int __vswprintf_chk(wchar_t *to, size_t size, int flag, size_t room, const wchar_t *format, va_list list)
{
	(void)flag;
	check(size, room);
	return vswprintf(to, size, format, list);
}

int __vfwprintf_chk(FILE *file, int flag, const wchar_t *format, va_list list)
{
	(void)flag;
	return vfwprintf(file, format, list);
}

int __vwprintf_chk(int flag, const wchar_t *format, va_list list)
{
	return __vfwprintf_chk(stdout, flag, format, list);
}

#define VARIADIC(name, format, parameters, ...) \
	int name parameters \
	{ \
		va_list list; \
		va_start(list, format); \
		int length = __VA_ARGS__; \
		va_end(list); \
		return length; \
	}

VARIADIC(__asprintf_chk, format, (char **to, int flag, const char *format, ...), __vasprintf_chk(to, flag, format, list))
VARIADIC(__dprintf_chk, format, (int fd, int flag, const char *format, ...), __vdprintf_chk(fd, flag, format, list))
VARIADIC(__swprintf_chk, format, (wchar_t *to, size_t size, int flag, size_t room, const wchar_t *format, ...),
	 __vswprintf_chk(to, size, flag, room, format, list))
VARIADIC(__fwprintf_chk, format, (FILE *file, int flag, const wchar_t *format, ...), __vfwprintf_chk(file, flag, format, list))
VARIADIC(__wprintf_chk, format, (int flag, const wchar_t *format, ...), __vfwprintf_chk(stdout, flag, format, list))

/* ---- wide strings ---------------------------------------------------------------------------------------------------- */

wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	check(n, room);
	return wmemcpy(to, from, n);
}

wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	check(n, room);
	return wmemmove(to, from, n);
}

wchar_t *__wmemset_chk(wchar_t *to, wchar_t c, size_t n, size_t room)
{
	check(n, room);
	return wmemset(to, c, n);
}

wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	check(wcslen(from) + 1, room);
	return wcscpy(to, from);
}

wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	check(n, room);
	return wcsncpy(to, from, n);
}

wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	check(wcslen(to) + wcslen(from) + 1, room);
	return wcscat(to, from);
}

wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room)
{
	check(wcslen(to) + wcsnlen(from, n) + 1, room);
	return wcsncat(to, from, n);
}

size_t __mbstowcs_chk(wchar_t *to, const char *from, size_t n, size_t room)
{
	check(n, room);
	return mbstowcs(to, from, n);
}

size_t __wcstombs_chk(char *to, const wchar_t *from, size_t n, size_t room)
{
	check(n, room);
	return wcstombs(to, from, n);
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

ssize_t __read_chk(int fd, void *to, size_t size, size_t room)
{
	check(size, room);
	return read(fd, to, size);
}

char *__fgets_chk(char *to, size_t room, int size, FILE *file)
{
	check((size_t)size, room);
	return fgets(to, size, file);
}

wchar_t *__fgetws_chk(wchar_t *to, size_t room, int size, FILE *file)
{
	check((size_t)size, room);
	return fgetws(to, size, file);
}

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file)
{
	check(size * count, room);
	return fread(to, size, count, file);
}

int __poll_chk(struct pollfd *p, nfds_t count, int timeout, size_t room)
{
	check(count * sizeof *p, room);
	return poll(p, count, timeout);
}

long __fdelt_chk(long fd)
{
	check((size_t)fd, 1023);
	return fd / 64;
}
