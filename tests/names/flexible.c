/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

struct ring {
	unsigned head, tail;
	int slot[];
};

struct ring *ring;

int main(void)
{
	ring = malloc(sizeof *ring + 4 * sizeof(int));
	ring->head = 1;
	ring->tail = 2;
	ring->slot[0] = 10;
	ring->slot[1] = 11;
	ring->slot[3] = 13;
	assert(!ring); /* HERE */
}
