/* SPDX-License-Identifier: MIT
 *
 * arpa/inet.h: addresses of the Internet as text.  What the standard leaves open is as in glibc.
 */
#include "library.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { V4 = 4, V6 = 16, GROUPS = 8 };

static int digit(char c, int base)
{
	int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
	return value < base ? value : -1;
}

/* Read four decimal numbers with points between them, and nothing else. */
static bool read_v4(const char *s, unsigned char to[V4])
{
	for (int i = 0; i < V4; i++) {
		int value = 0, digits = 0;
		for (; digit(*s, 10) >= 0; s++, digits++) {
			if (digits && value == 0)
				return false;
			value = 10 * value + digit(*s, 10);
			if (value > 255)
				return false;
		}
		if (!digits || *s != (i + 1 < V4 ? '.' : 0))
			return false;
		s += i + 1 < V4;
		to[i] = (unsigned char)value;
	}
	return true;
}

/* Read a group of at most four hexadecimal digits; return where it ends, NULL if there is none. */
static const char *read_group(const char *s, unsigned *value)
{
	int digits = 0;
	for (*value = 0; digit(*s, 16) >= 0; s++, digits++) {
		if (digits == 4)
			return NULL;
		*value = 16 * *value + (unsigned)digit(*s, 16);
	}
	return digits ? s : NULL;
}

/* The groups, with their colons; two colons stand for as many groups of zero as are missing, at least one. */
static bool read_v6(const char *s, unsigned char to[V6])
{
	int count = 0, gap = -1;
	unsigned char bytes[V6] = { 0 };
	if (*s == ':' && *++s != ':')
		return false;
	while (*s) {
		unsigned value;
		if (*s == ':') { /* the second one */
			if (gap >= 0)
				return false;
			gap = count;
			s++;
			continue;
		}
		const char *end = read_group(s, &value);
		if (end && *end == '.') {
			if (count > V6 - V4 || !read_v4(s, bytes + count))
				return false;
			count += V4;
			break;
		}
		if (!end || count == V6 || (*end && *end != ':') || (*end == ':' && !end[1]))
			return false;
		bytes[count++] = (unsigned char)(value >> 8);
		bytes[count++] = (unsigned char)value;
		s = end + (*end == ':');
	}
	if (gap < 0 ? count != V6 : count == V6)
		return false;
	if (gap >= 0) {
		memmove(bytes + V6 - (count - gap), bytes + gap, (size_t)(count - gap));
		memset(bytes + gap, 0, (size_t)(V6 - count));
	}
	memcpy(to, bytes, V6);
	return true;
}

int inet_pton(int family, const char *restrict text, void *restrict to)
{
	unsigned char bytes[V4];
	switch (family) {
	case AF_INET:
		if (!read_v4(text, bytes))
			return 0;
		memcpy(to, bytes, V4);
		return 1;
	case AF_INET6: return read_v6(text, to);
	default: errno = EAFNOSUPPORT; return -1;
	}
}

static void write_v4(const unsigned char *from, char *to)
{
	snprintf(to, INET_ADDRSTRLEN, "%u.%u.%u.%u", from[0], from[1], from[2], from[3]);
}

static unsigned group(const unsigned char *from, int i)
{
	return (unsigned)from[2 * i] << 8 | from[2 * i + 1];
}

static int zeros_from(const unsigned char *from, int i)
{
	int count = 0;
	while (i + count < GROUPS && group(from, i + count) == 0)
		count++;
	return count;
}

/* The longest run of two or more groups of zero, the first of them, becomes two colons. */
static void write_v6(const unsigned char *from, char *to)
{
	int gap = -1, length = 1;
	for (int i = 0; i < GROUPS; i++)
		if (zeros_from(from, i) > length) {
			gap = i;
			length = zeros_from(from, i);
		}
	bool mapped = gap == 0 && (length == 6 || (length == 5 && group(from, 5) == 0xffff));
	for (int i = 0; i < GROUPS;) {
		if (i == gap) {
			*to++ = ':';
			i += length;
			if (i == GROUPS)
				*to++ = ':';
			continue;
		}
		if (i)
			*to++ = ':';
		if (mapped && i == 6) {
			write_v4(from + V6 - V4, to);
			return;
		}
		to += sprintf(to, "%x", group(from, i++));
	}
	*to = 0;
}

const char *inet_ntop(int family, const void *restrict from, char *restrict to, socklen_t size)
{
	char text[INET6_ADDRSTRLEN];
	if (family != AF_INET && family != AF_INET6) {
		errno = EAFNOSUPPORT;
		return NULL;
	}
	if (family == AF_INET)
		write_v4(from, text);
	else
		write_v6(from, text);
	if (strlen(text) >= size) {
		errno = ENOSPC;
		return NULL;
	}
	return strcpy(to, text);
}

/* One to four numbers in decimal, octal or hexadecimal; the last one is what is left of the 32 bits. */
int inet_aton(const char *text, struct in_addr *to)
{
	uint32_t whole = 0;
	for (int i = 0; i < V4; i++) {
		char *end;
		if (digit(*text, 10) < 0)
			return 0;
		errno = 0;
		unsigned long value = strtoul(text, &end, 0);
		bool last = *end != '.';
		if (errno || value > (last ? UINT32_MAX >> 8 * i : 255))
			return 0;
		whole |= (uint32_t)value << (last ? 0 : 24 - 8 * i);
		if (last) {
			if (*end && !strchr(" \t\n\v\f\r", *end))
				return 0;
			if (to)
				to->s_addr = htonl(whole);
			return 1;
		}
		text = end + 1;
	}
	return 0;
}

in_addr_t inet_addr(const char *text)
{
	struct in_addr address;
	return inet_aton(text, &address) ? address.s_addr : INADDR_NONE;
}

char *inet_ntoa(struct in_addr address)
{
	static _Thread_local char text[INET_ADDRSTRLEN + 2];
	write_v4((const unsigned char *)&address, text);
	return text;
}
