/* SPDX-License-Identifier: MIT
 *
 * pthread_cond_broadcast wakes all that wait, in any order.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DSIGNAL
 * EXPECT: violated deadlock
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int started, woken;

static void *waiter(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!started)
		pthread_cond_wait(&go, &mutex);
	woken++;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, waiter, NULL);
	pthread_mutex_lock(&mutex);
	started = 1;
#ifdef SIGNAL
	pthread_cond_signal(&go);
#else
	pthread_cond_broadcast(&go);
#endif
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL); /* ERROR */
	assert(woken == 3);
	return 0;
}
