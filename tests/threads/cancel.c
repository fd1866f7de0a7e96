/* SPDX-License-Identifier: MIT
 *
 * Cancellation of a thread that waits: it may come too late or in time; the handler gives back the mutex, without it the
 * mutex is lost.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DFORGET
 * EXPECT: violated deadlock
 * RUN: check -DALWAYS
 * EXPECT: violated assertion
 * RUN: check -DNEVER
 * EXPECT: violated assertion
 * RUN: check -DDISABLED
 * EXPECT: violated deadlock
 */
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
#ifdef DISABLED
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
	pthread_mutex_lock(&mutex);
#ifndef FORGET
	pthread_cleanup_push(clean, NULL);
#endif
	while (!ready)
		pthread_cond_wait(&changed, &mutex); /* ERROR */
#ifndef FORGET
	pthread_cleanup_pop(1);
#else
	pthread_mutex_unlock(&mutex);
#endif
	return unused;
}

#ifndef DISABLED
static void *signaller(void *unused)
{
	pthread_mutex_lock(&mutex); /* ERROR */
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	return unused;
}
#endif

int main(void)
{
	pthread_t threads[2];
	void *result;
	pthread_create(&threads[0], NULL, waiter, NULL);
#ifndef DISABLED
	pthread_create(&threads[1], NULL, signaller, NULL);
#endif
	pthread_cancel(threads[0]);
	pthread_join(threads[0], &result); /* ERROR */
	assert(result == NULL || result == PTHREAD_CANCELED);
#ifdef ALWAYS
	assert(result == PTHREAD_CANCELED); /* ERROR */
#endif
#ifdef NEVER
	assert(result == NULL); /* ERROR */
#endif
#ifndef DISABLED
	pthread_join(threads[1], NULL); /* ERROR */
#endif
	pthread_mutex_lock(&mutex); /* ERROR */
	assert(cleaned <= 1);
	pthread_mutex_unlock(&mutex);
	return 0;
}
