/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

struct cell {
	int v;
};

struct cell **grid, ***deep;

int main(void)
{
	grid = malloc(3 * sizeof *grid);
	for (int i = 0; i < 3; i++) {
		grid[i] = malloc(sizeof **grid);
		grid[i]->v = i + 10;
	}
	deep = &grid;
	(*deep)[1]->v = 50;
	grid[2] = grid[0];
	assert(!deep); /* HERE */
}
