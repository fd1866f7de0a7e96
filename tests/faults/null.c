/* SPDX-License-Identifier: MIT
 *
 * NULL: read, write, a member, an element, a call, a string function.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DCASE=5
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DCASE=6
 * EXPECT: violated null-dereference
 * RUN: check -O0 -DCASE=7
 * EXPECT: violated null-dereference
 */
#include <stddef.h>
#include <string.h>

struct s { int a, b; };

static struct s *nothing;
static int (*function)(int);
static char *string;

int main(void)
{
	switch (CASE) {
	case 1:
		return nothing->a; /* ERROR */
	case 2:
		nothing->a = 1; /* ERROR */
		break;
	case 3:
		return nothing->b; /* ERROR */
	case 4:
		nothing[100].b = 1; /* ERROR */
		break;
	case 5:
		return function(1); /* ERROR */
	case 6:
		return (int)strlen(string); /* ERROR */
	case 7:
		memcpy(string, "abc", 3); /* ERROR */
		break;
	}
	return 0;
}
