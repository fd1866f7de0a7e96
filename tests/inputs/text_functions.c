/* SPDX-License-Identifier: MIT
 *
 * Functions of string.h and stdlib.h that look at inputs byte by byte (libc/text.c): what they return for texts that are known is
 * what glibc returns, and for texts of any bytes few states stand for all.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DWORD='strcasecmp(word,"Secret")'
 * EXPECT: violated assertion
 * RUN: check -DWORD='strncasecmp(word,"SECRET",4)'
 * EXPECT: violated assertion
 * RUN: check -DWORD='!strstr(word,"bug")'
 * EXPECT: violated assertion
 * RUN: check -DWORD='!memmem(word,7,"bug",3)'
 * EXPECT: violated assertion
 * RUN: check -DWORD='strspn(word,"0123456789")!=7'
 * EXPECT: violated assertion
 * RUN: check -DWORD='strcspn(word,":=")!=3'
 * EXPECT: violated assertion
 * RUN: check -DWORD='strpbrk(word,":=")!=word+3'
 * EXPECT: violated assertion
 * RUN: check -DWORD='(!strtok(word,",;")||strcmp(word,"ab"))'
 * EXPECT: violated assertion
 * RUN: check --inputs symbolic -DWORD='atoi(word)!=1234567'
 * EXPECT: violated assertion
 * RUN: check --inputs symbolic -DWORD='atoi(word)!=12345678'
 * EXPECT: verified
 * RUN: check -DWORD='!strstr(word,"bug")||strcspn(word,"gub")<7'
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <bitspin.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

static void words(void)
{
	static char a[] = "Hay needle hay", z[] = "";
	assert(sign(strcasecmp("abc", "ABD")) == -1 && strcasecmp("", "") == 0 && sign(strcasecmp("a", "")) == 1);
	assert(sign(strcasecmp("[", "a")) == -1 && sign(strcasecmp("[", "A")) == -1 && sign(strcasecmp("\xe9", "a")) == 1);
	assert(strncasecmp("abcX", "ABCy", 3) == 0 && sign(strncasecmp("abcX", "ABCy", 4)) == -1 && strncasecmp("a", "b", 0) == 0);
	assert(strstr(a, "needle") == a + 4 && !strstr(a, "needles") && strstr(a, "") == a && strstr(z, "") == z && !strstr(z, "a"));
	assert(strstr(a, "hay") == a + 11 && memmem(a, 13, "hay", 3) == NULL && memmem(a, 14, "hay", 3) == a + 11);
	assert(memmem(a, 3, "x", 0) == a && !memmem(a, 0, "x", 1));
	assert(strspn("aabc", "ba") == 3 && strspn("", "a") == 0 && strspn("a", "") == 0);
	assert(strcspn("aabc", "cb") == 2 && strcspn("abc", "") == 3 && strcspn("", "a") == 0);
	assert(strpbrk(a, "ye") == a + 2 && !strpbrk(a, "xz") && !strpbrk(a, ""));
}

/* Is this what strtol() makes of `text`, up to its byte `end`? */
static void reads(const char *text, int base, long value, int end, int error)
{
	char *rest;
	errno = 0;
	assert(strtol(text, &rest, base) == value && rest == text + end && errno == error);
}

static void numbers(void)
{
	reads("123456789012", 10, 123456789012, 12, 0);
	reads("1234567890123x", 10, 1234567890123, 13, 0);
	reads("-zzzzzzzzzzzz", 36, -4738381338321616895, 13, 0);
	reads("zzzzzzzzzzzzz", 36, LONG_MAX, 13, ERANGE);
	reads("9223372036854775807", 0, LONG_MAX, 19, 0);
	reads("9223372036854775808", 0, LONG_MAX, 19, ERANGE);
	reads("-9223372036854775808", 0, LONG_MIN, 20, 0);
	reads("-9223372036854775809", 0, LONG_MIN, 20, ERANGE);
	reads("00000000000000000017", 0, 15, 20, 0);
	reads(" \t+0x1fg", 0, 31, 7, 0);
	reads("0xg", 16, 0, 1, 0);
	reads("08", 0, 0, 1, 0);
	reads("12a", 10, 12, 2, 0);
	reads("129", 8, 10, 2, 0);
	reads("-", 10, 0, 0, 0);
	reads("a", 10, 0, 0, 0);
	assert(strtoul("18446744073709551615", NULL, 10) == ULONG_MAX && strtoul("-1", NULL, 10) == ULONG_MAX);
	assert(strtoul("9223372036854775808", NULL, 10) == 1ul << 63 && atoi("-17") == -17);
}

int main(void)
{
	static char word[8];
	words();
	numbers();
	for (int i = 0; i < 7; i++)
		word[i] = bitspin_any_char();
#ifdef WORD
	assert(WORD); /* ERROR */
#endif
	return 0;
}
