/* SPDX-License-Identifier: MIT
 *
 * Read, write and string function on freed memory; a pointer from before realloc.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated use-after-free
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *p = malloc(8);
	strcpy(p, "abc");
	char *alias = p;
	switch (CASE) {
	case 1:
		free(p);
		return alias[0]; /* ERROR */
	case 2:
		free(p);
		alias[0] = 1; /* ERROR */
		break;
	case 3:
		free(p);
		return (int)strlen(alias); /* ERROR */
	case 4:
		p = realloc(p, 100);
		alias[1] = 1; /* ERROR */
		free(p);
		break;
	}
	return 0;
}
