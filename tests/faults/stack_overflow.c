/* SPDX-License-Identifier: MIT
 *
 * Endless recursion.
 *
 * RUN: check -O0
 * EXPECT: violated stack-overflow
 */
static int endless(volatile int n) /* ERROR */
{
	return endless(n + 1) + 1; /* ERROR */
}

int main(void)
{
	return endless(0);
}
