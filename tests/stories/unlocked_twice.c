/* SPDX-License-Identifier: MIT
 *
 * A failed pthread_mutex_trylock is taken for success: the thread unlocks what another one holds.
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *work(void *unused)
{
	if (pthread_mutex_trylock(&mutex) >= 0) /* EBUSY is positive */
		hits++;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	pthread_join(thread, NULL);
}
