/* SPDX-License-Identifier: MIT
 *
 * Workers count words.  Each counts in a drawer of its own, which has a lock, and then adds what it has to the total, which has
 * another one.
 */
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif

static struct drawer {
	pthread_mutex_t mutex;
	int words;
} drawers[WORKERS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *work(void *argument)
{
	struct drawer *drawer = argument;
	pthread_mutex_lock(&drawer->mutex);
	drawer->words += 10;
	pthread_mutex_unlock(&drawer->mutex);

	pthread_mutex_lock(&mutex);
	total += drawer->words;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[WORKERS];
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, work, &drawers[i]);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	assert(total == 10 * WORKERS);
	return 0;
}
