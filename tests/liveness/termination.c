/* SPDX-License-Identifier: MIT
 *
 * Termination: every thread ends.  A spinning thread ends if the other one is let run; a thread that waits for ever does not.
 *
 * RUN: check --property termination
 * EXPECT: verified
 * RUN: check --property termination --fairness strong
 * EXPECT: verified
 * RUN: check --property termination --fairness none
 * EXPECT: violated ltl
 * RUN: check --property termination -DNEVER
 * EXPECT: violated ltl
 * RUN: check --property termination -DCONDITION --no-deadlock
 * EXPECT: violated ltl
 * RUN: check --property termination -DDETACHED
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused)
{
#ifdef CONDITION
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
#else
	(void)mutex, (void)changed;
	while (!ready)
		;
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, waiter, NULL);
#ifdef DETACHED
	pthread_detach(thread);
	return 0;
#endif
#ifndef NEVER
	ready = 1;
	pthread_cond_signal(&changed);
#endif
	pthread_join(thread, NULL);
	return 0;
}
