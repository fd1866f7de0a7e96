/* SPDX-License-Identifier: MIT
 *
 * A second free; of an alias; in two threads under one schedule.
 *
 * RUN: check -O0
 * EXPECT: violated double-free
 * RUN: check -O0 -DALIAS
 * EXPECT: violated double-free
 * RUN: check -O0 -DTHREAD
 * EXPECT: violated double-free
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int freed;
static void *shared;

static void *release(void *unused)
{
	if (!freed) {
		freed = 1;
		free(shared); /* ERROR */
	}
	return unused;
}

int main(void)
{
	shared = malloc(4);
#ifdef THREAD
	pthread_t thread;
	pthread_create(&thread, NULL, release, NULL);
	release(NULL);
	pthread_join(thread, NULL);
#elif defined ALIAS
	void *alias = shared;
	free(shared);
	shared = malloc(4);
	free(alias); /* ERROR */
#else
	free(shared);
	free(shared); /* ERROR */
#endif
	return 0;
}
