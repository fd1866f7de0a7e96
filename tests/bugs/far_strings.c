/* SPDX-License-Identifier: MIT
 *
 * From -O1 on, clang turns a table of strings into one of distances of 32 bits.  The distance of two objects can be larger: names
 * that were far from the table in the image came out as other objects.
 *
 * RUN: check -O1
 * EXPECT: verified
 * RUN: check -O2
 * EXPECT: verified
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "debug", "info", "error" };

__attribute__((noinline)) static const char *name_of(unsigned level)
{
	return names[level];
}

#define VARIABLE(n) __attribute__((noinline)) static int count_##n(int more) { static int n = 0; return n += more; }
VARIABLE(a) VARIABLE(b) VARIABLE(c) VARIABLE(d) VARIABLE(e) VARIABLE(f) VARIABLE(g) VARIABLE(h) VARIABLE(i) VARIABLE(j)

int main(int argc, char **argv)
{
	const unsigned one = (unsigned)argc;
	const char *late[] = { "of", "many", "strings", "that", "lie", "between", "the", "first", "ones", "and", argv[0] };
	int length = 0;
	for (unsigned i = 0; i < one * 10; i++)
		length += (int)strlen(late[i]);
	assert(length == 42);
	const int sum = count_a(1) + count_b(1) + count_c(1) + count_d(1) + count_e(1) + count_f(1) + count_g(1) + count_h(1) +
		count_i(1) + count_j(1);
	assert(sum == 10);
	assert(strcmp(name_of(one), "info") == 0);
	assert(strcmp(name_of(one + 1), "error") == 0);
	assert(strcmp(name_of(one - 1), "debug") == 0);
	return EXIT_SUCCESS;
}
