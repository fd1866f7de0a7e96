/* SPDX-License-Identifier: MIT
 *
 * Endless waits in loops: all threads that are left are blocked or go round until somebody writes what they read, and nobody will.
 * A loop that reads nothing that others write is no wait, and one that changes what others can read is none.
 *
 * RUN: check -DFLAG
 * EXPECT: violated deadlock
 * RUN: check -DFLAG -DSET
 * EXPECT: verified
 * RUN: check -DFLAG -DYIELDS
 * EXPECT: violated deadlock
 * RUN: check -DFLAG -DSLEEPS
 * EXPECT: violated deadlock
 * RUN: check -DFLAG -DPLAIN --races ignore
 * EXPECT: violated deadlock
 * RUN: check -DFLAG -DLEAVES
 * EXPECT: verified
 * RUN: check -DTEST_AND_SET
 * EXPECT: violated deadlock
 * RUN: check -DTEST_AND_SET -DSET
 * EXPECT: verified
 * RUN: check -DEXCHANGE
 * EXPECT: violated deadlock
 * RUN: check -DCOMPARE
 * EXPECT: violated deadlock
 * RUN: check -DCOMPARE -DSET
 * EXPECT: verified
 * RUN: check -DTRY
 * EXPECT: violated deadlock
 * RUN: check -DPOLL
 * EXPECT: violated deadlock
 * RUN: check -DPOLL -DSET
 * EXPECT: verified
 * RUN: check -DTIMED
 * EXPECT: violated deadlock
 * RUN: check -DTIMED -DSET
 * EXPECT: verified
 * RUN: check -DTWO
 * EXPECT: violated deadlock
 * RUN: check -DBLOCKED
 * EXPECT: violated deadlock
 * RUN: check -DCOUNTS
 * EXPECT: verified
 * RUN: check -DUNREAD
 * EXPECT: violated deadlock
 * RUN: check -DDAEMON
 * EXPECT: verified
 * RUN: check --waits ignore -DFLAG
 * EXPECT: verified
 * RUN: check --no-deadlock -DFLAG
 * EXPECT: verified
 * RUN: check -DFLAG --property termination
 * EXPECT: violated ltl
 * RUN: check -DFLAG -DSET --ltl '<> {flag}'
 * EXPECT: verified
 * ALSO: --reduction none
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#ifdef PLAIN
static volatile int flag;
#else
atomic_int flag;
#endif
static atomic_flag taken = ATOMIC_FLAG_INIT;
static atomic_int owner, other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *unused)
{
#if defined FLAG && defined YIELDS
	while (!flag) /* ERROR */
		sched_yield();
#elif defined FLAG && defined SLEEPS
	while (!flag) { /* ERROR */
		struct timespec time = { .tv_nsec = 1000 };
		nanosleep(&time, NULL);
		usleep(1);
	}
#elif defined FLAG || defined TWO
	while (!flag) /* ERROR */
		;
	other = 1;
#elif defined TEST_AND_SET
	while (atomic_flag_test_and_set(&taken)) /* ERROR */
		;
#elif defined EXCHANGE
	while (atomic_exchange(&owner, 1)) /* ERROR */
		;
#elif defined COMPARE
	for (int free = 0; !atomic_compare_exchange_strong(&owner, &free, 2); free = 0) /* ERROR */
		;
#elif defined TRY
	while (pthread_mutex_trylock(&mutex)) /* ERROR */
		;
#elif defined POLL
	for (int seen = 0; !seen;) {
		pthread_mutex_lock(&mutex); /* ERROR */
		seen = ready;
		pthread_mutex_unlock(&mutex);
	}
#elif defined TIMED
	struct timespec time = { .tv_sec = 1 };
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_timedwait(&condition, &mutex, &time); /* ERROR */
	pthread_mutex_unlock(&mutex);
#elif defined BLOCKED
	pthread_mutex_lock(&mutex);
#elif defined COUNTS
	while (!flag)
		other = !other;
#elif defined UNREAD
	for (unsigned char n = 0; !flag;) /* ERROR */
		n++;
#elif defined DAEMON
	for (;;)
		sleep(1);
#endif
	return unused;
}

static void set(void)
{
	flag = 1;
	atomic_flag_clear(&taken);
	owner = 0;
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_mutex_unlock(&mutex);
}

int main(void)
{
	pthread_t thread;
	atomic_flag_test_and_set(&taken);
	owner = 1;
#if defined TRY || defined BLOCKED
	pthread_mutex_lock(&mutex);
#endif
	pthread_create(&thread, NULL, work, NULL);
#ifdef SET
	set();
#else
	(void)set;
#endif
#ifdef TWO
	while (!other) /* ERROR */
		;
	flag = 1;
#elif defined BLOCKED
	while (!flag) /* ERROR */
		;
#endif
#ifndef LEAVES
	pthread_join(thread, NULL);
#endif
	return 0;
}
