/* SPDX-License-Identifier: MIT
 *
 * string.h and stdlib.h: functions that read strings, for strings of which the characters are inputs (--arg N=any and the like).
 * They compare a character at a time, as a program would, where the host's functions ask for each character's number.  What the
 * standard leaves open is as in glibc.  Other programs call the host's functions of these names (translator/read/library.c).
 */
#include "library.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t __bitspin_strlen(const char *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}

size_t __bitspin_strnlen(const char *s, size_t most)
{
	size_t n = 0;
	while (n < most && s[n])
		n++;
	return n;
}

int __bitspin_strncmp(const char *a, const char *b, size_t most)
{
	size_t n = 0;
	while (n < most && a[n] == b[n] && a[n])
		n++;
	return n < most ? (unsigned char)a[n] - (unsigned char)b[n] : 0;
}

int __bitspin_strcmp(const char *a, const char *b)
{
	return __bitspin_strncmp(a, b, SIZE_MAX);
}

int __bitspin_memcmp(const void *a, const void *b, size_t size)
{
	const unsigned char *x = a, *y = b;
	size_t n = 0;
	while (n < size && x[n] == y[n])
		n++;
	return n < size ? x[n] - y[n] : 0;
}

void *__bitspin_memchr(const void *bytes, int byte, size_t size)
{
	const unsigned char *b = bytes;
	for (size_t n = 0; n < size; n++)
		if (b[n] == (unsigned char)byte)
			return (void *)(b + n);
	return NULL;
}

char *__bitspin_strchr(const char *s, int c)
{
	for (; *s != (char)c; s++)
		if (!*s)
			return NULL;
	return (char *)s;
}

char *__bitspin_strrchr(const char *s, int c)
{
	const char *last = NULL;
	for (;; s++) {
		if (*s == (char)c)
			last = s;
		if (!*s)
			return (char *)last;
	}
}

char *__bitspin_strcpy(char *to, const char *from)
{
	return memcpy(to, from, __bitspin_strlen(from) + 1);
}

char *__bitspin_strcat(char *to, const char *from)
{
	memcpy(to + __bitspin_strlen(to), from, __bitspin_strlen(from) + 1);
	return to;
}

char *__bitspin_strncpy(char *to, const char *from, size_t size)
{
	size_t n = __bitspin_strnlen(from, size);
	memcpy(to, from, n);
	memset(to + n, 0, size - n);
	return to;
}

char *__bitspin_strdup(const char *s)
{
	size_t size = __bitspin_strlen(s) + 1;
	char *copy = malloc(size);
	return copy ? memcpy(copy, s, size) : NULL;
}

int __bitspin_tolower(int c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int __bitspin_strncasecmp(const char *a, const char *b, size_t most)
{
	size_t n = 0;
	while (n < most && (a[n] == b[n] || __bitspin_tolower(a[n]) == __bitspin_tolower(b[n])) && a[n])
		n++;
	return n < most ? __bitspin_tolower((unsigned char)a[n]) - __bitspin_tolower((unsigned char)b[n]) : 0;
}

int __bitspin_strcasecmp(const char *a, const char *b)
{
	return __bitspin_strncasecmp(a, b, SIZE_MAX);
}

void *__bitspin_memmem(const void *bytes, size_t size, const void *word, size_t length)
{
	const char *at = bytes;
	for (; size >= length; at++, size--)
		if (__bitspin_memcmp(at, word, length) == 0)
			return (void *)at;
	return NULL;
}

char *__bitspin_strstr(const char *s, const char *word)
{
	return __bitspin_memmem(s, __bitspin_strlen(s), word, __bitspin_strlen(word));
}

/* Is the character in the set?  No branch asks which one it is: so the set of an input is cut in two only. */
static bool is_in(char c, const char *set)
{
	unsigned in = 0;
	for (; *set; set++)
		in |= c == *set;
	return in;
}

size_t __bitspin_strspn(const char *s, const char *set)
{
	size_t n = 0;
	while (s[n] && is_in(s[n], set))
		n++;
	return n;
}

size_t __bitspin_strcspn(const char *s, const char *set)
{
	size_t n = 0;
	while (s[n] && !is_in(s[n], set))
		n++;
	return n;
}

char *__bitspin_strpbrk(const char *s, const char *set)
{
	s += __bitspin_strcspn(s, set);
	return *s ? (char *)s : NULL;
}

/* Return the value of a digit, or at least `base`. */
static int digit_of(char c, int base)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (base <= 10)
		return base;
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

/* Read a number as strtoul() does, of at most `most`, or `most` + 1 if it has a minus.  SHORT digits are never too many, so
 * nothing is asked of them. */
static unsigned long number(const char *s, char **end, int base, unsigned long most, bool is_signed)
{
	const char *at = s, *last = s;
	enum { SHORT = 12 }; /* 36 to the power of it is less than LONG_MAX */
	bool minus = false, over = false;
	int digits = 0;
	unsigned long value = 0;
	if (base < 0 || base == 1 || base > 36) {
		errno = EINVAL;
		return 0;
	}
	while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
		at++;
	if (*at == '-' || *at == '+')
		minus = *at++ == '-';
	if ((base == 0 || base == 16) && *at == '0' && (at[1] == 'x' || at[1] == 'X') && digit_of(at[2], 16) < 16) {
		at += 2;
		base = 16;
	}
	if (base == 0)
		base = *at == '0' ? 8 : 10;
	for (int digit; (digit = digit_of(*at, base)) < base; last = ++at) {
		unsigned long next;
		if (++digits <= SHORT) {
			value = value * (unsigned long)base + (unsigned long)digit;
			continue;
		}
		over = over || __builtin_mul_overflow(value, (unsigned long)base, &next) ||
			__builtin_add_overflow(next, (unsigned long)digit, &next);
		value = over ? 0 : next;
	}
	if (end)
		*end = (char *)last;
	if (over || (digits > SHORT && value > most + (minus && is_signed))) {
		errno = ERANGE;
		return most + (minus && is_signed);
	}
	return minus ? -value : value;
}

long __bitspin_strtol(const char *s, char **end, int base)
{
	return (long)number(s, end, base, LONG_MAX, true);
}

unsigned long __bitspin_strtoul(const char *s, char **end, int base)
{
	return number(s, end, base, ULONG_MAX, false);
}

long __bitspin_atol(const char *s)
{
	return __bitspin_strtol(s, NULL, 10);
}

int __bitspin_atoi(const char *s)
{
	return (int)__bitspin_strtol(s, NULL, 10);
}

int __bitspin_toupper(int c)
{
	return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}
