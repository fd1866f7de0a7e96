/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

struct item {
	int id;
	struct item *next;
};

struct pool {
	int len;
	long *values;
	struct item first;
};

struct pool *pool;
struct item *items;

static void *xmalloc(size_t size)
{
	void *memory = malloc(size);
	if (!memory)
		abort();
	return memory;
}

static void *zalloc(size_t size)
{
	char *p = xmalloc(size);
	for (size_t i = 0; i < size; i++)
		p[i] = 0;
	return p;
}

int main(void)
{
	pool = xmalloc(sizeof *pool);
	pool->len = 3;
	pool->values = xmalloc(3 * sizeof *pool->values);
	pool->values[1] = 11;
	pool->first.id = 8;
	items = zalloc(2 * sizeof *items);
	items[1].id = 4;
	items[0].next = &items[1];
	assert(!pool->len); /* HERE */
}
