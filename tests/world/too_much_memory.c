/* SPDX-License-Identifier: MIT
 *
 * A request for more memory than an address space holds fails, as on any machine.  One for more than the checker has room for would
 * succeed on many: the path is cut there, and the verdict is open.
 *
 * RUN: check -O0
 * EXPECT: verified
 * RUN: check -O0 -DLARGE
 * EXPECT: inconclusive: a thread asks for more memory than there are addresses
 * RUN: check -O0 -DLARGE -DLESS
 * EXPECT: verified
 */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef LESS
#define LARGE_BITS 30
#else
#define LARGE_BITS 43
#endif

int main(void)
{
	volatile size_t huge = (size_t)1 << 50, large = (size_t)1 << LARGE_BITS, most = SIZE_MAX, half = (size_t)1 << 33;
	errno = 0;
	assert(!malloc(huge) && errno == ENOMEM);
	assert(!malloc(most) && !malloc(most / 2));
	assert(!calloc(huge, 1) && !calloc(half, half) && !calloc(most, most));
	assert(!aligned_alloc(64, huge));
	void *p = NULL;
	assert(posix_memalign(&p, 64, huge) == ENOMEM && !p);
	char *small = malloc(10);
	if (!small)
		return 0;
	strcpy(small, "kept");
	assert(!realloc(small, huge) && !reallocarray(small, half, half));
	assert(strcmp(small, "kept") == 0);
	free(small);
#ifdef LARGE
	free(malloc(large));
#endif
	(void)large;
	return 0;
}
