/* SPDX-License-Identifier: MIT
 *
 * memcpy, memmove with overlap either way, memset, memcmp, struct assignment, aggregate copies.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t five = 5;

struct block { int v[16]; };

int main(void)
{
	char text[] = "0123456789";
	memmove(text + 2, text, five);
	assert(!strcmp(text, "0101234789"));
	strcpy(text, "0123456789");
	memmove(text, text + 2, five);
	assert(!strcmp(text, "2345656789"));
	memcpy(text, text + 5, five);
	assert(!strcmp(text, "5678956789"));
	memmove(text, text, five);
	memset(text + 1, '-', five);
	assert(!strcmp(text, "5-----6789"));
	struct block a = {{1, 2, 3}}, b;
	memcpy(&b, &a, sizeof b);
	assert(!memcmp(&a, &b, sizeof a) && b.v[2] == 3 && b.v[15] == 0);
	b.v[15] = 1;
	assert(memcmp(&a, &b, sizeof a) < 0);
	a = b;
	assert(a.v[15] == 1);
	int *pointers[3] = {&a.v[0], &a.v[1], NULL}, *copies[3];
	memcpy(copies, pointers, sizeof copies);
	assert(*copies[1] == 2 && copies[2] == NULL);
	int *heap = calloc(five, sizeof *heap);
	for (size_t i = 0; i < five; i++) {
		assert(heap[i] == 0);
		heap[i] = (int)i;
	}
	heap = realloc(heap, 100 * sizeof *heap);
	assert(heap[4] == 4);
	heap[99] = 1;
	heap = realloc(heap, 2 * sizeof *heap);
	assert(heap[1] == 1);
	free(heap);
	free(NULL);
	void *aligned = aligned_alloc(64, 128);
	assert((size_t)aligned % 64 == 0);
	free(aligned);
	return 0;
}
