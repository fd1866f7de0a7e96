/* SPDX-License-Identifier: MIT
 *
 * pthread_cleanup_push_defer_np and pthread_cleanup_pop_restore_np: the handler runs if the thread is cancelled where it waits, and
 * at the end of the block if that asks for it.  Without them the mutex is lost.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DFORGET
 * EXPECT: violated deadlock
 * RUN: check -DALWAYS
 * EXPECT: violated assertion
 * RUN: check -DNEVER
 * EXPECT: violated assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, cleaned;

static void clean(void *unused)
{
	cleaned++;
	pthread_mutex_unlock(&mutex);
	(void)unused;
}

static void *waiter(void *unused)
{
	pthread_mutex_lock(&mutex);
#ifndef FORGET
	pthread_cleanup_push_defer_np(clean, NULL);
#endif
	while (!ready)
		pthread_cond_wait(&changed, &mutex);
#ifndef FORGET
	pthread_cleanup_pop_restore_np(1);
#else
	pthread_mutex_unlock(&mutex);
#endif
	return unused;
}

static void *signaller(void *unused)
{
	pthread_mutex_lock(&mutex); /* ERROR */
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	void *result;
	pthread_create(&threads[0], NULL, waiter, NULL);
	pthread_create(&threads[1], NULL, signaller, NULL);
	pthread_cancel(threads[0]);
	pthread_join(threads[0], &result);
	assert(result == NULL || result == PTHREAD_CANCELED);
#ifdef ALWAYS
	assert(result == PTHREAD_CANCELED); /* ERROR */
#endif
#ifdef NEVER
	assert(result == NULL); /* ERROR */
#endif
	pthread_join(threads[1], NULL); /* ERROR */
	pthread_mutex_lock(&mutex); /* ERROR */
	assert(cleaned <= 1);
	pthread_mutex_unlock(&mutex);
	return 0;
}
