/* SPDX-License-Identifier: MIT
 *
 * Synchronisation that is called through a pointer is what it is by name: a yield is no preemption, an initialisation whose
 * thread is cancelled in it is undone and done by another, a label is arrived at, and a wait can be cancelled.
 *
 * RUN: check -DYIELD --preemptions 0
 * EXPECT: violated assertion
 * RUN: check -DNO_YIELD --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check -DONCE
 * EXPECT: verified
 * RUN: check -DONCE -DTWICE
 * EXPECT: violated assertion
 * RUN: check -DWAIT
 * EXPECT: verified
 * RUN: check -DWAIT -DNOT_CANCELLED
 * EXPECT: violated deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

#if defined(YIELD) || defined(NO_YIELD)
static int (*volatile give_way)(void) = sched_yield;

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	done = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
#ifdef YIELD
	give_way();
#endif
	pthread_mutex_lock(&lock);
	assert(!done); /* ERROR */
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	return 0;
}
#endif

#ifdef ONCE
static int (*volatile once)(pthread_once_t *, void (*)(void)) = pthread_once;
static pthread_once_t control = PTHREAD_ONCE_INIT;

static void initialise(void)
{
	done++;
	if (done == 1)
		pthread_testcancel();
}

static void *work(void *unused)
{
	once(&control, initialise);
	return unused;
}

int main(void)
{
	pthread_t thread;
	void *result;
	pthread_create(&thread, NULL, work, NULL);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	once(&control, initialise);
	assert(done == (result == PTHREAD_CANCELED ? 2 : 1));
#ifdef TWICE
	assert(done == 1); /* ERROR */
#endif
	return 0;
}
#endif

#ifdef WAIT
static int (*volatile wait_for)(pthread_cond_t *, pthread_mutex_t *) = pthread_cond_wait;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void release(void *unused)
{
	(void)unused;
	pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(release, NULL);
	while (!done)
		wait_for(&condition, &lock); /* ERROR */
	pthread_cleanup_pop(1);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
#ifndef NOT_CANCELLED
	pthread_cancel(thread);
#endif
	pthread_join(thread, NULL); /* ERROR */
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return 0;
}
#endif
