/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

struct buffer {
	int used;
	char *bytes;
	double *scale;
};

struct {
	struct buffer *in, *out[2];
} pipes;

int main(void)
{
	pipes.in = calloc(1, sizeof *pipes.in);
	pipes.in->used = 1;
	pipes.in->bytes = malloc(5);
	pipes.in->bytes[4] = 'e';
	pipes.out[1] = calloc(2, sizeof **pipes.out);
	pipes.out[1]->scale = malloc(sizeof(double));
	*pipes.out[1]->scale = 0.5;
	pipes.out[1][1].used = 3;
	assert(!pipes.in); /* HERE */
}
