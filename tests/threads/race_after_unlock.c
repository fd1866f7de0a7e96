/* SPDX-License-Identifier: MIT
 *
 * A race that only shows when one thread is past its critical section.
 *
 * RUN: check
 * EXPECT: violated data-race
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared, closed;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	int mine = !closed;
	closed = 1;
	pthread_mutex_unlock(&mutex);
	if (mine)
		shared = 1; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&mutex);
	int seen = closed;
	pthread_mutex_unlock(&mutex);
	if (seen)
		shared = 2; /* ERROR */
	pthread_join(thread, NULL);
	return 0;
}
