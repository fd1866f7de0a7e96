/* SPDX-License-Identifier: MIT
 *
 * A thread stores a block where another one has stored its own: the first is lost.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic cache;

static void *fill(void *unused)
{
	if (!cache)
		cache = calloc(1, 16);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, fill, NULL);
	fill(NULL);
	pthread_join(thread, NULL);
	free(cache);
	cache = NULL;
}
