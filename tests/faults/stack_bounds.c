/* SPDX-License-Identifier: MIT
 *
 * Past the end of a local array; before its begin; a wide store that only its last byte misses.
 *
 * RUN: check -O0
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DBEFORE
 * EXPECT: violated out-of-bounds
 * RUN: check -O0 -DPARTLY
 * EXPECT: violated out-of-bounds
 */
#include <string.h>

static volatile int four = 4;

int main(void)
{
	char v[4] = "abc";
	int index = four;
#ifdef BEFORE
	v[index - 5] = 1; /* ERROR */
#elif defined PARTLY
	*(int *)(v + index / 4) = 1; /* ERROR */
#else
	v[index] = 1; /* ERROR */
#endif
	return v[0];
}
