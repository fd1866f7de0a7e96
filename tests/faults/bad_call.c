/* SPDX-License-Identifier: MIT
 *
 * A call through a pointer that is no function.
 *
 * RUN: check -O0
 * EXPECT: violated out-of-bounds
 */
static int data = 5;

int main(void)
{
	int (*function)(void) = (int (*)(void))(void *)&data;
	return function(); /* ERROR */
}
