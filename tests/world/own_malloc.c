/* SPDX-License-Identifier: MIT
 *
 * A program that defines malloc(): what the C library allocates for it is from there, and what mmap() maps is not.
 *
 * RUN: check
 * EXPECT: verified
 *
 * RUN: check -O2
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static char *heap;
static size_t used;
static int live;

void *malloc(size_t size)
{
	if (!heap)
		heap = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *block = heap + used;
	used += (size + 15) / 16 * 16;
	live++;
	return block;
}

void *calloc(size_t count, size_t size)
{
	return memset(malloc(count * size), 0, count * size);
}

void free(void *block)
{
	assert((char *)block >= heap && (char *)block < heap + used);
	live--;
}

int main(void)
{
	char *text, *one = strdup("one"), *two = strndup("two and more", 3);
	assert(asprintf(&text, "%s %s %d", one, two, 3) == 9 && strcmp(text, "one two 3") == 0);
	free(one);
	free(two);
	free(text);
	assert(live == 0);
	assert(munmap(heap, 1 << 16) == 0);
	return 0;
}
