/* SPDX-License-Identifier: MIT
 *
 * Uninitialized values may be copied and computed with, as long as nothing depends on them: padding, bit-fields,
 * parts of structures and unions, buffers with a head, variables that only some paths set, results that nobody wants.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct padded { char tag; long number; short tail; };
struct bits { unsigned a : 3, b : 5, c : 11; int d : 13; };
struct tagged { int value; short tag; };
union number { int whole; double real; unsigned char bytes[8]; };

static struct padded padded(char tag, long number)
{
	struct padded result;
	result.tag = tag;
	result.number = number;
	return result; /* the tail is not set */
}

static long sum(struct padded value, ...)
{
	va_list list;
	va_start(list, value);
	struct padded second = va_arg(list, struct padded);
	char tag = (char)va_arg(list, int);
	va_end(list);
	return value.number + second.number + tag;
}

static void structures(void)
{
	struct padded a = padded('a', 1), b, many[3], *heap = malloc(2 * sizeof *heap);
	b = a;
	many[2] = b;
	heap[1] = many[2];
	heap = realloc(heap, 4 * sizeof *heap);
	memcpy(&b, &heap[1], sizeof b);
	memmove(many, many + 1, 2 * sizeof *many);
	assert(b.tag == 'a' && many[1].number == 1 && sum(a, heap[1], 'c') == 2 + 'c');
	free(heap);
}

static void bit_fields(void)
{
	struct bits bits, copy;
	bits.b = 21;
	bits.d = -5;
	copy = bits;
	copy.c = 1000;
	copy.b++;
	assert(copy.b == 22 && copy.d == -5 && copy.c == 1000);
	union number number;
	number.bytes[3] = 0x12;
	number.bytes[2] = 0x34;
	assert((number.whole >> 16 & 0xffff) == 0x1234);
}

static int decided_by(int known, int unset)
{
	if (known && unset)
		return 1;
	return 0;
}

static void masked(void)
{
	int nothing;
	unsigned part;
	unsigned char *bytes = malloc(4), word[4];
	bytes[1] = 7;
	memcpy(word, bytes, sizeof word);
	memcpy(&part, word, sizeof part);
	assert((part & 0xff00) == 0x700);
	assert((part << 16) >> 24 == 7 && (part | 0xffff00ff) == 0xffff07ff);
	assert(((part ^ 0x100) & 0x100) == 0 && (uint8_t)(part >> 8) == 7);
	assert(decided_by(0, nothing) == 0);
	assert((unsigned)nothing * 8 % 8 == 0 && (nothing & 0) == 0 && (unsigned)nothing >= 0);
	free(bytes);
}

static int set_later(int n)
{
	int last, found = 0;
	for (int i = 0; i < n; i++)
		if (i % 3 == 1) {
			last = i;
			found = 1;
		}
	return found ? last : -1;
}

static void *no_result(void *unused)
{
	void *result;
	if (unused)
		result = unused;
	return result; /* nobody looks */
}

static void buffers(void)
{
	char text[64], *end = text, copy[64];
	end += sprintf(end, "%d", 12);
	strcpy(end, "abc");
	assert(strlen(text) == 5 && strcmp(text, "12abc") == 0 && memchr(text, 'b', 5) == text + 3);
	memcpy(copy, text, sizeof copy);
	assert(strchr(copy, 'c') == copy + 4);
	struct tm tm, parts;
	memset(&tm, 0, sizeof tm);
	parts.tm_year = 100, parts.tm_mon = 1, parts.tm_mday = 2, parts.tm_hour = parts.tm_min = parts.tm_sec = parts.tm_isdst = 0;
	assert(strftime(text, sizeof text, "%Y-%m-%d", &parts) == 10 && strcmp(text, "2000-02-02") == 0);
	assert(timegm(&parts) == 949449600 && parts.tm_wday == 3);
}

static void exchanged(void)
{
	static _Atomic struct tagged top;
	struct tagged old = atomic_load(&top), new;
	new.value = 7;
	new.tag = (short)(old.tag + 1);
	assert(old.value == 0 && new.tag == 1);
	atomic_store(&top, new);
	struct tagged found = atomic_load(&top);
	assert(found.tag == 1 && found.value == 7);
}

int main(void)
{
	structures();
	bit_fields();
	masked();
	assert(set_later(5) == 4 && set_later(1) == -1);
	buffers();
	exchanged();
	pthread_t thread;
	pthread_create(&thread, NULL, no_result, NULL);
	pthread_join(thread, NULL);
	return 0;
}
