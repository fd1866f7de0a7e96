/* SPDX-License-Identifier: MIT
 *
 * A flag written under the lock but read outside of it.
 *
 * RUN: check -O0
 * EXPECT: violated data-race
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stop;

static void *worker(void *unused)
{
	while (!stop) /* ERROR */
		;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, worker, NULL);
	pthread_mutex_lock(&mutex);
	stop = 1; /* ERROR */
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
