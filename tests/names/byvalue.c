/* SPDX-License-Identifier: MIT */
#include <assert.h>

struct two {
	int a, b;
};

struct big {
	long a, b, c;
	int last;
};

void *volatile keep;

static void take(struct two two, struct big big, char c, float f)
{
	keep = &two;
	keep = &big;
	keep = &c;
	keep = &f;
	two.b = 5;
	big.c = 6;
	big.last = 7;
	c = 'z';
	f = 0.1f;
	assert(!two.b); /* HERE */
}

int main(void)
{
	take((struct two){ 1, 2 }, (struct big){ 3, 4, 5, 6 }, 'a', 1);
}
