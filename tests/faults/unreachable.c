/* SPDX-License-Identifier: MIT
 *
 * __builtin_unreachable is reached.
 *
 * RUN: check -O0
 * EXPECT: violated unreachable
 */
static volatile int five = 5;

static int only_four(int n)
{
	if (n == 4)
		return 1;
	__builtin_unreachable(); /* ERROR */
}

int main(void)
{
	return only_four(five);
}
