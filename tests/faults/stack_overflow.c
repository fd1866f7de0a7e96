/* SPDX-License-Identifier: MIT
 *
 * Endless recursion.  With a few bytes in memory in each frame, numbers of objects run out before 8 MB are full: unknown.
 *
 * RUN: check -O0
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DIN_MEMORY=volatile
 * EXPECT: inconclusive
 */
#ifndef IN_MEMORY
#define IN_MEMORY
#endif

static int endless(IN_MEMORY int n) /* ERROR */
{
	return endless(n + 1) + 1; /* ERROR */
}

int main(void)
{
	return endless(0);
}
