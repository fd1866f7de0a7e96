/* SPDX-License-Identifier: MIT
 *
 * string.h and strings.h: what keeps a place between calls, or moves bytes in ways the VM's own rows do not.
 */
#include "library.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- strerror -------------------------------------------------------------------------------------------------------- */

char *strerror(int number)
{
	static _Thread_local char unknown[40];
	if (number >= 0 && (size_t)number < __bitspin_nerrors && __bitspin_errors[number])
		return (char *)__bitspin_errors[number];
	snprintf(unknown, sizeof unknown, "Unknown error %d", number);
	return unknown;
}

int __xpg_strerror_r(int number, char *to, size_t size)
{
	const char *text = strerror(number);
	int known = number >= 0 && (size_t)number < __bitspin_nerrors && __bitspin_errors[number];
	snprintf(to, size, "%s", text);
	return !known ? EINVAL : strlen(text) >= size ? ERANGE : 0;
}

/* GNU's strerror_r; <string.h> has the prototype under _GNU_SOURCE. */
char *strerror_r(int number, char *to, size_t size)
{
	if (number >= 0 && (size_t)number < __bitspin_nerrors && __bitspin_errors[number])
		return (char *)__bitspin_errors[number];
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
