/* SPDX-License-Identifier: MIT
 *
 * printf of a string without an end.
 *
 * RUN: check
 * EXPECT: violated out-of-bounds
 */
#include <stdio.h>

char text[3] = {'a', 'b', 'c'};

int main(void)
{
	printf("%d %s\n", 1, text); /* ERROR */
	return 0;
}
