/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

struct header {
	long size, used;
};

struct header *header;
long *payload;
char *text;

int main(void)
{
	header = malloc(sizeof *header + 48);
	header->size = 48;
	header->used = 8;
	payload = (long *)(header + 1);
	payload[2] = 33;
	text = (char *)(header + 1);
	text[1] = 't';
	assert(!header->size); /* HERE */
}
