/* SPDX-License-Identifier: MIT */
#include <assert.h>

void *volatile keep[3];
int x = 1;

static void inner(int *p)
{
	int x = 3;
	keep[2] = &x;
	x = 4;
	*p = 5;
	assert(!x); /* HERE */
}

static void outer(void)
{
	int x = 2;
	keep[1] = &x;
	x++;
	inner(&x);
}

int main(void)
{
	x = 9;
	outer();
}
