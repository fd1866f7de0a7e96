/* SPDX-License-Identifier: MIT
 *
 * string.h, strings.h and libgen.h: what keeps a place between calls, or moves bytes in ways the VM's own rows do not.
 */
#include "library.h"

#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#undef basename

char *strtok_r(char *string, const char *delimiters, char **rest)
{
	char *start = string ? string : *rest;
	start += strspn(start, delimiters);
	char *end = start + strcspn(start, delimiters);
	*rest = end;
	if (end == start)
		return NULL;
	if (*end) {
		*end = '\0';
		*rest = end + 1;
	}
	return start;
}

/* One place for all threads: programs that share it race, as POSIX says. */
char *strtok(char *string, const char *delimiters)
{
	static char *rest;
	return strtok_r(string, delimiters, &rest);
}

char *strsep(char **string, const char *delimiters)
{
	char *start = *string;
	if (!start)
		return NULL;
	char *end = start + strcspn(start, delimiters);
	*string = *end ? end + 1 : NULL;
	*end = '\0';
	return start;
}

void *memccpy(void *to, const void *from, int stop, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((((unsigned char *)to)[i] = ((const unsigned char *)from)[i]) == (unsigned char)stop)
			return (char *)to + i + 1;
	return NULL;
}

size_t strxfrm(char *to, const char *from, size_t size)
{
	size_t length = strlen(from);
	if (size)
		strncpy(to, from, size);
	return length;
}

void *rawmemchr(const void *from, int byte)
{
	const unsigned char *p = from;
	while (*p != (unsigned char)byte)
		p++;
	return (void *)p;
}

void bcopy(const void *from, void *to, size_t size)
{
	memmove(to, from, size);
}

void swab(const void *from, void *to, ssize_t size)
{
	for (ssize_t i = 0; i + 1 < size; i += 2) {
		char first = ((const char *)from)[i];
		((char *)to)[i] = ((const char *)from)[i + 1];
		((char *)to)[i + 1] = first;
	}
}

/* ---- names of files -------------------------------------------------------------------------------------------------- */

char *bitspin_basename(const char *path) __asm__("basename");
char *bitspin_basename(const char *path)
{
	const char *slash = strrchr(path, '/');
	return (char *)(slash ? slash + 1 : path);
}

/* The length of a path without the slashes at its end, and without what is not one. */
static size_t without_slashes(const char *path, size_t length)
{
	while (length && path[length - 1] == '/')
		length--;
	return length;
}

static size_t without_name(const char *path, size_t length)
{
	while (length && path[length - 1] != '/')
		length--;
	return length;
}

char *__xpg_basename(char *path)
{
	if (!path || !*path)
		return (char *)".";
	size_t length = strlen(path), end = without_slashes(path, length);
	if (end == 0)
		return path + length - 1;
	if (end < length)
		path[end] = '\0';
	return path + without_name(path, end);
}

/* Two slashes at the start are kept, as in glibc. */
char *dirname(char *path)
{
	if (!path || !*path)
		return (char *)".";
	size_t length = strlen(path), end = without_slashes(path, length);
	size_t name = end ? without_name(path, end) : length, parent = without_slashes(path, name);
	if (name == 0)
		return (char *)".";
	path[parent ? parent : name == 2 ? 2 : 1] = '\0';
	return path;
}

/* ---- signals --------------------------------------------------------------------------------------------------------- */

const char *sigdescr_np(int number)
{
	return number >= 0 && (size_t)number < __bitspin_nsignals ? __bitspin_signals[number] : NULL;
}

const char *sigabbrev_np(int number)
{
	return number >= 0 && (size_t)number < __bitspin_nsignals ? __bitspin_signal_names[number] : NULL;
}

int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return 64; }

char *strsignal(int number)
{
	static _Thread_local char other[40];
	const char *text = sigdescr_np(number);
	if (text)
		return (char *)text;
	int real_time = number >= SIGRTMIN && number <= SIGRTMAX;
	snprintf(other, sizeof other, real_time ? "Real-time signal %d" : "Unknown signal %d", number - (real_time ? SIGRTMIN : 0));
	return other;
}

void psignal(int number, const char *what)
{
	fprintf(stderr, what && *what ? "%s: %s\n" : "%s%s\n", what ? what : "", strsignal(number));
}

/* ---- strerror -------------------------------------------------------------------------------------------------------- */

char *strerror(int number)
{
	static _Thread_local char unknown[40];
	if (strerrordesc_np(number))
		return (char *)strerrordesc_np(number);
	snprintf(unknown, sizeof unknown, "Unknown error %d", number);
	return unknown;
}

const char *strerrordesc_np(int number)
{
	return number >= 0 && (size_t)number < __bitspin_nerrors ? __bitspin_errors[number] : NULL;
}

const char *strerrorname_np(int number)
{
	return number >= 0 && (size_t)number < __bitspin_nerrors ? __bitspin_error_names[number] : NULL;
}

int __xpg_strerror_r(int number, char *to, size_t size)
{
	const char *text = strerror(number);
	snprintf(to, size, "%s", text);
	return !strerrordesc_np(number) ? EINVAL : strlen(text) >= size ? ERANGE : 0;
}

/* GNU's strerror_r; <string.h> has the prototype under _GNU_SOURCE. */
char *strerror_r(int number, char *to, size_t size)
{
	if (strerrordesc_np(number))
		return (char *)strerrordesc_np(number);
	snprintf(to, size, "Unknown error %d", number);
	return to;
}

void perror(const char *what)
{
	const char *text = strerror(errno);
	if (what && *what)
		fprintf(stderr, "%s: %s\n", what, text);
	else
		fprintf(stderr, "%s\n", text);
}
