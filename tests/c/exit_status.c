/* SPDX-License-Identifier: MIT
 *
 * exit from a nested call ends the program; what follows is not run.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdlib.h>

static void leave(int depth)
{
	if (depth == 0)
		exit(EXIT_SUCCESS);
	leave(depth - 1);
}

int main(void)
{
	leave(3);
	assert(0);
	return 1;
}
