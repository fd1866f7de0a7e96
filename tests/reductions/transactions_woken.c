/* SPDX-License-Identifier: MIT
 *
 * A thread that waits with a deadline is woken, by WAKE, between two critical sections of the thread that wakes it: it may get the
 * lock there, though it could have gone on all the time, by the time-out.
 *
 * ALSO: --reduction supersteps,transactions
 *
 * RUN: check -DWAKE='pthread_cond_signal(&c)'
 * EXPECT: violated assertion
 * RUN: check -DWAKE='pthread_cond_broadcast(&c)'
 * EXPECT: violated assertion
 * RUN: check -DWAKE=
 * EXPECT: verified
 * RUN: check -DWAKE='pthread_cond_signal(&c)' -DLATE
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static const struct timespec soon = { 1, 0 };
static int half;

static void *waiter(void *unused)
{
	pthread_mutex_lock(&m);
	int late = pthread_cond_timedwait(&c, &m, &soon);
	assert(late || !half); /* ERROR */
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, waiter, NULL);
	pthread_mutex_lock(&m);
	half = 1;
#ifndef LATE
	WAKE;
#endif
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	half = 0;
#ifdef LATE
	WAKE;
#endif
	pthread_mutex_unlock(&m);
	pthread_join(thread, NULL);
}
