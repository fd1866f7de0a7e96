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
