/* SPDX-License-Identifier: MIT
 *
 * string.h and strings.h.  Compared with the same program run natively, see tests/libc.sh.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char buffer[64];

static void show(const char *what, const void *bytes, size_t size)
{
	printf("%s:", what);
	for (size_t i = 0; i < size; i++)
		printf(" %02x", ((const unsigned char *)bytes)[i]);
	putchar('\n');
}

static long at(const char *base, const void *found)
{
	return found ? (const char *)found - base : -1;
}

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

static void comparison(void)
{
	static const char *const words[] = { "", "a", "A", "ab", "abc", "abd", "\xff", "item9", "item10" };
	for (int i = 0; i < 9; i++)
		for (int k = 0; k < 9; k++) {
			const char *a = words[i], *b = words[k];
			int (*volatile cmp)(const char *, const char *) = strcmp;
			printf("%d%d %d %d %d %d %d %d %d\n", i, k, sign(cmp(a, b)), sign(strncmp(a, b, 2)), sign(strcasecmp(a, b)),
			       sign(strncasecmp(a, b, 1)), sign(strcoll(a, b)), sign(strverscmp(a, b)), sign(strncmp(a, b, 0)));
		}
	int (*volatile memory)(const void *, const void *, size_t) = memcmp;
	int (*volatile bytes)(const void *, const void *, size_t) = bcmp;
	printf("%d %d %d %d\n", sign(memory("ab\0c", "ab\0d", 4)), memory("x", "y", 0), !!bytes("ab", "ac", 2), bytes("a", "a", 1));
}

static void searching(void)
{
	const char *s = "a haystack with a needle and a Needle";
	size_t (*volatile length)(const char *) = strlen;
	printf("%zu %zu %zu\n", length(s), strnlen(s, 5), strnlen("ab", 5));
	printf("%ld %ld %ld %ld %ld\n", at(s, strchr(s, 'n')), at(s, strrchr(s, 'n')), at(s, strchr(s, '#')), at(s, index(s, 'w')),
	       at(s, rindex(s, 'a')));
	printf("%ld %ld %ld %ld\n", at(s, strchrnul(s, '#')), at(s, strstr(s, "needle")), at(s, strcasestr(s, "NEEDLE")),
	       at(s, strpbrk(s, "xyz")));
	printf("%zu %zu %ld %ld %ld\n", strspn(s, "ah "), strcspn(s, "w"), at(s, memchr(s, 'w', 40 - 4)), at(s, memrchr(s, 'a', 20)),
	       at(s, memmem(s, 37, "and", 3)));
}

static void copying(void)
{
	memset(buffer, 'x', sizeof buffer);
	printf("%ld\n", at(buffer, strcpy(buffer, "copied")));
	printf("%ld\n", at(buffer, stpcpy(buffer + 10, "end")));
	printf("%ld\n", at(buffer, strncpy(buffer + 20, "padded", 10)));
	printf("%ld\n", at(buffer, stpncpy(buffer + 32, "abc", 6)));
	show("copied", buffer, sizeof buffer);
	strcat(buffer, "+more");
	strncat(buffer, "0123456789", 3);
	puts(buffer);
	void *(*volatile copy)(void *, const void *, size_t) = memcpy, *(*volatile move)(void *, const void *, size_t) = memmove;
	void *(*volatile end)(void *, const void *, size_t) = mempcpy, *(*volatile set)(void *, int, size_t) = memset;
	void (*volatile zero)(void *, size_t) = bzero;
	set(buffer, 0x1ff, 8);
	copy(buffer + 8, "12345678", 8);
	move(buffer + 9, buffer + 8, 6);
	printf("%ld\n", at(buffer, end(buffer + 16, "zz", 2)));
	zero(buffer + 2, 3);
	show("moved", buffer, 24);
	printf("%ld %ld\n", at(buffer, memccpy(buffer, "stop here", 'p', 9)), at(buffer, memccpy(buffer, "none", 'q', 4)));
	printf("%zu\n", strxfrm(buffer, "transformed", sizeof buffer));
	puts(buffer);
	char *a = strdup("duplicate"), *b = strndup("duplicate", 3);
	printf("%s %s\n", a, b);
	free(a);
	free(b);
}

static void tokens(void)
{
	char text[] = ";;one;two,;three;", again[] = "a=b=c", split[] = "x,,y";
	for (char *token = strtok(text, ";,"); token; token = strtok(NULL, ";,"))
		printf("<%s>", token);
	char *rest, *at_split = split, *part;
	for (char *token = strtok_r(again, "=", &rest); token; token = strtok_r(NULL, "=", &rest))
		printf("[%s]", token);
	while ((part = strsep(&at_split, ",")))
		printf("(%s)", part);
	putchar('\n');
}

static void errors(void)
{
	char text[20];
	for (int i = -1; i < 140; i++)
		printf("%d %s\n", i, strerror(i));
	printf("%s\n", strerror_r(ENOENT, text, sizeof text));
	int __xpg_strerror_r(int, char *, size_t);
	printf("%d", __xpg_strerror_r(ENOENT, text, 5));
	printf(" %d", __xpg_strerror_r(9999, text, sizeof text));
	printf(" %d\n", __xpg_strerror_r(0, text, sizeof text));
	errno = EACCES;
	printf("%m\n");
	perror("test");
}

int main(void)
{
	comparison();
	searching();
	copying();
	tokens();
	errors();
	return 0;
}
