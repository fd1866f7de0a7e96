/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

struct entry {
	short key, value;
};

struct old {
	long count;
	struct entry entries[0];
};

struct hack {
	int count;
	int data[1];
};

struct old *old;
struct hack *hack;

int main(void)
{
	old = malloc(sizeof *old + 3 * sizeof(struct entry));
	old->count = 3;
	old->entries[2].value = 7;
	old->entries[0].key = 8;
	hack = malloc(sizeof *hack + 3 * sizeof(int));
	hack->count = 4;
	hack->data[0] = 1;
	assert(!old->count); /* HERE */
}
