/* SPDX-License-Identifier: MIT
 *
 * Lost wake-up: the waiter tests the flag and goes to sleep under one lock, but the flag is set without it.  When
 * the signal comes between test and sleep, nobody hears it.  With -DRIGHT the flag changes under the lock.
 *
 *     bitspin check examples/lost_wakeup.c
 *
 * RUN: check
 * EXPECT: violated deadlock
 * RUN: check -DRIGHT
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_bool ready;

static void *waiter(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_wait(&changed, &mutex); /* ERROR */
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, waiter, NULL);
#ifdef RIGHT
	pthread_mutex_lock(&mutex);
#endif
	ready = true;
	pthread_cond_signal(&changed);
#ifdef RIGHT
	pthread_mutex_unlock(&mutex);
#endif
	pthread_join(thread, NULL);
	return 0;
}
