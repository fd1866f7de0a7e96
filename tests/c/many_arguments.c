/* SPDX-License-Identifier: MIT
 *
 * Many arguments of mixed kinds, in registers and on the stack; small integers are extended.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdbool.h>

struct s { short a; char b; };

__attribute__((noinline)) static long all(char a, double b, short c, float d, struct s e, bool f, long g, unsigned char h,
	int *i, long double j, unsigned k, double l, signed char m, struct s n, unsigned short o)
{
	*i += 1;
	return a + (long)b * 10 + c + (long)d + e.a + e.b + f + g + h + (long)j + k + (long)l + m + n.b + o;
}

static signed char narrow(int x) { return (signed char)x; }
static bool truth(int x) { return x; }

int main(void)
{
	int i = 0;
	struct s s = {-2, 3};
	long sum = all(-1, 2.5, -3, 4.5f, s, 7, 8, 250, &i, 9.5L, 4000000000u, 1.5, -10, s, 65535);
	assert(sum == -1 + 20 - 3 + 4 - 2 + 3 + 1 + 8 + 250 + 9 + 4000000000 + 1 - 10 + 3 + 65535 && i == 1);
	assert(narrow(200) == -56 && truth(256) == 1 && truth(256) + truth(0) == 1);
	return 0;
}
