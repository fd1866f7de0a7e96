/* SPDX-License-Identifier: MIT
 *
 * free of a pointer into a block, to the stack, to a global, to a string.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated invalid-free
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated invalid-free
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated invalid-free
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated invalid-free
 * RUN: check -O0 -DCASE=5
 * EXPECT: verified
 */
#include <stdlib.h>

static int global;

int main(void)
{
	int local = 0;
	char *p = malloc(8);
	switch (CASE) {
	case 1:
		free(p + 1); /* ERROR */
		break;
	case 2:
		free(&local); /* ERROR */
		break;
	case 3:
		free(&global); /* ERROR */
		break;
	case 4:
		free("text"); /* ERROR */
		break;
	case 5:
		free(p);
		free(NULL);
	}
	return 0;
}
