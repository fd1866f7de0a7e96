/* SPDX-License-Identifier: MIT
 *
 * One past the end of a malloc'ed array.
 *
 * RUN: check
 * EXPECT: violated out-of-bounds
 * RUN: check -DREAD
 * EXPECT: violated out-of-bounds
 * RUN: check -DN=3
 * EXPECT: verified
 */
#include <stdlib.h>

#ifndef N
#define N 4
#endif

int sink;

int main(void)
{
	volatile int size = 3;
	int *v = malloc((size_t)size * sizeof *v);
	for (int i = 0; i < size; i++)
		v[i] = i;
	for (int i = 0; i < N; i++)
#ifdef READ
		sink += v[i]; /* ERROR */
#else
		((volatile int *)v)[i] = i; /* ERROR */
#endif
	sink += v[0];
	free(v);
	return 0;
}
