/* SPDX-License-Identifier: MIT
 *
 * Waits on condition variables that end although nobody has signalled: an `if` where there must be a `while`.  They are no
 * remedy for a lost signal, and as rare as asked for.
 *
 * RUN: check -DIF
 * EXPECT: verified
 * RUN: check -DIF --faults spurious-wakeup:1
 * EXPECT: violated assertion
 * RUN: check -DIF --faults spurious-wakeup:*
 * EXPECT: violated assertion
 * RUN: check -DIF --faults malloc:1
 * EXPECT: verified
 * RUN: check --faults spurious-wakeup:1
 * EXPECT: verified
 * RUN: check --faults spurious-wakeup:*
 * EXPECT: verified
 * RUN: check -DLOST --faults spurious-wakeup:2
 * EXPECT: violated deadlock
 * RUN: check -DLOST --faults spurious-wakeup:*
 * EXPECT: violated deadlock
 * RUN: check -DCOUNT=2 --faults spurious-wakeup:1
 * EXPECT: verified
 * RUN: check -DCOUNT=2 --faults spurious-wakeup:2
 * EXPECT: violated assertion
 * RUN: check -DTIMED -DCOUNT=1
 * EXPECT: verified
 * RUN: check -DTIMED -DCOUNT=1 --faults spurious-wakeup:1
 * EXPECT: violated assertion
 * RUN: check --faults spurious-wakeup:1 --races ignore
 * EXPECT: verified
 * RUN: check -DIF --faults spurious-wakeup:1 --preemptions 1
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#ifndef COUNT
#define COUNT 0 /* not counted, so that there are finitely many states */
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static int sleep_once(void)
{
#ifdef TIMED
	struct timespec soon = { .tv_sec = 1 };
	return pthread_cond_timedwait(&changed, &m, &soon);
#else
	return pthread_cond_wait(&changed, &m); /* ERROR */
#endif
}

static void *wait_for_it(void *unused)
{
	int unasked = 0;
	pthread_mutex_lock(&m);
#ifdef IF
	if (!ready)
		sleep_once();
	assert(ready); /* ERROR */
#else
	while (!ready) { /* ERROR */
		int status = sleep_once();
		unasked += COUNT && status == 0 && !ready;
		if (status == ETIMEDOUT)
			break;
		assert(COUNT == 0 || unasked < COUNT); /* ERROR */
	}
#endif
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t waiter;
	pthread_create(&waiter, NULL, wait_for_it, NULL);
	pthread_mutex_lock(&m);
#ifndef LOST
	ready = true;
	pthread_cond_signal(&changed);
#endif
	pthread_mutex_unlock(&m);
	pthread_join(waiter, NULL);
	return 0;
}
