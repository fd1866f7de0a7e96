/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

struct a {
	int number;
};

struct b {
	char text[4];
};

struct a *a;
struct b *b;

int main(void)
{
	for (int i = 0; i < 3; i++) {
		a = malloc(sizeof *a);
		a->number = i;
		if (i < 2)
			free(a);
	}
	b = malloc(sizeof *b);
	b->text[2] = 'b';
	free(b);
	b = malloc(sizeof *b);
	b->text[3] = 'c';
	assert(!a->number || !b); /* HERE */
}
