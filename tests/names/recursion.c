/* SPDX-License-Identifier: MIT */
#include <assert.h>

void *volatile keep[4];

static void down(int n, int *up)
{
	int level = n;
	keep[n] = &level;
	level += 10;
	if (up)
		*up = 70 + n;
	if (n > 0)
		down(n - 1, &level);
	else
		assert(!up); /* HERE */
}

int main(void)
{
	down(2, 0);
}
