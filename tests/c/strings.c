/* SPDX-License-Identifier: MIT
 *
 * string.h: lengths, comparison, copying, searching, on stack, heap and constant data.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *volatile hello = "hello";

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

int main(void)
{
	char buffer[32];
	assert(strlen(hello) == 5 && strnlen(hello, 3) == 3);
	assert(strcpy(buffer, hello) == buffer && !strcmp(buffer, "hello"));
	assert(!strcmp(strcat(buffer, ", world"), "hello, world") && strlen(buffer) == 12);
	strncat(buffer, "!!!", 1);
	assert(buffer[12] == '!' && buffer[13] == 0);
	memset(buffer, 'x', sizeof buffer);
	strncpy(buffer, hello, 8);
	assert(buffer[5] == 0 && buffer[7] == 0 && buffer[8] == 'x');
	assert(sign(strcmp("abc", "abd")) == -1 && sign(strcmp("b", "abc")) == 1 && strncmp("abX", "abY", 2) == 0);
	assert(sign(strcmp("\xff", "a")) == 1 && sign(memcmp("a\0b", "a\0c", 3)) == -1);
	const char *h = hello;
	assert(strchr(h, 'l') == h + 2 && strrchr(h, 'l') == h + 3 && !strchr(h, 'z') && strchr(h, 0) == h + 5);
	assert(strstr(h, "lo") == h + 3 && !strstr(h, "lol") && memchr(h, 'o', 5) == h + 4 && !memchr(h, 'o', 4));
	assert(strspn("aabbc", "ab") == 4 && strcspn("hello", "lo") == 2 && strpbrk(h, "ol") == h + 2);
	char *copy = strdup(h);
	assert(copy != h && !strcmp(copy, h));
	copy[0] = 'j';
	assert(!strcmp(copy, "jello") && h[0] == 'h');
	free(copy);
	assert(toupper('a') == 'A' && tolower('Q') == 'q' && isdigit('7'));
	assert(!isdigit('x') && isspace('\t') && isalpha('Z'));
	assert(abs(-4) == 4 && labs(-5L) == 5);
	return 0;
}
