/* SPDX-License-Identifier: MIT
 *
 * Compound literals, designated initialisers, flexible array members, nested and partly initialised aggregates.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; const char *name; };
struct packet { unsigned length; unsigned char data[]; };

static struct line lines[] = {
	[2] = {.to = {.y = 5}, .name = "two"},
	[0] = {{1, 2}, {3, 4}, "zero"},
};
static int sparse[10] = {[3] = 3, 4, [8] = 8};
static struct point *shared = &(struct point){7, 8};
static struct packet fixed = {3, {1, 2, 3}};
static char text[] = "abc", padded[8] = "abc";
static int matrix[2][3] = {{1}, {2, 3}};

static int sum(const struct point *p)
{
	return p->x + p->y;
}

int main(void)
{
	assert(sizeof lines / sizeof *lines == 3 && lines[1].name == NULL && lines[2].to.y == 5 && lines[2].from.x == 0);
	assert(!strcmp(lines[0].name, "zero") && sparse[4] == 4 && sparse[8] == 8 && sparse[9] == 0);
	assert(sum(shared) == 15 && sum(&(struct point){.y = 3}) == 3);
	assert(fixed.length == 3 && fixed.data[2] == 3);
	assert(sizeof text == 4 && padded[7] == 0 && matrix[1][1] == 3 && matrix[0][2] == 0);
	struct packet *p = malloc(sizeof *p + 10);
	p->length = 10;
	for (unsigned i = 0; i < p->length; i++)
		p->data[i] = (unsigned char)(i * i);
	assert(p->data[9] == 81);
	free(p);
	int *array = (int[]){1, 2, 3};
	array[1] += 10;
	assert(array[1] == 12);
	struct line copy = lines[2], *q = &copy;
	*q = (struct line){.name = q->name, .from = *shared};
	assert(copy.from.y == 8 && copy.to.y == 0 && copy.name == lines[2].name);
	return 0;
}
