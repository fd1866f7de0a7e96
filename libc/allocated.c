/* SPDX-License-Identifier: MIT
 *
 * string.h and stdio.h: functions that return memory from malloc(), for programs that define malloc() themselves, and so also free
 * what these return.  Other programs call those of the VM (translator/read/library.c).
 */
#include "library.h"

#include <stdlib.h>
#include <string.h>

char *__bitspin_strndup(const char *s, size_t most)
{
	size_t length = strnlen(s, most);
	char *copy = malloc(length + 1);
	if (!copy)
		return NULL;
	memcpy(copy, s, length);
	copy[length] = 0;
	return copy;
}

int __bitspin_vasprintf(char **to, const char *format, va_list list)
{
	va_list again;
	va_copy(again, list);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	char *text = length < 0 ? NULL : malloc((size_t)length + 1);
	if (!text)
		return -1;
	*to = text;
	return vsnprintf(text, (size_t)length + 1, format, list);
}

int __bitspin_asprintf(char **to, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = __bitspin_vasprintf(to, format, list);
	va_end(list);
	return length;
}
