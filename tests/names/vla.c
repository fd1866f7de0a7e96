/* SPDX-License-Identifier: MIT */
#include <alloca.h>
#include <assert.h>

void *volatile keep;

static void fill(int n)
{
	int vla[n], grid[n][2 * n];
	char *area = alloca(16);
	keep = vla;
	keep = grid;
	keep = area;
	vla[2] = 22;
	grid[1][3] = 13;
	area[5] = 'a';
	assert(!n); /* HERE */
}

int main(void)
{
	fill(3);
}
