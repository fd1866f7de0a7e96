/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <stdbool.h>
#include "cache.c"
static cache_t *cache;
static _Thread_local void *mine;
void start(void)
{
	cache = cache_create("c", 32, 0);
	cache_set_limit(cache, 1);
}
bool take(void) /* one buffer, at most */
{
	mine = cache_alloc(cache);
	return mine;
}
void give(void)
{
	if (mine)
		cache_free(cache, mine);
	mine = NULL;
}
