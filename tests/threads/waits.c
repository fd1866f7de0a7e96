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
 * RUN: check -DCALLS
 * EXPECT: violated deadlock
 * RUN: check -DDAEMON
 * EXPECT: verified
 * RUN: check -DDAEMON -DINTERVAL
 * EXPECT: verified
 * RUN: check -DFLAG -DSERVER
 * EXPECT: verified
 * RUN: check -DFLAG -DHANDLES
 * EXPECT: verified
 * RUN: check -DCLOCK
 * EXPECT: verified for one clock
 * RUN: check -DDEADLINE
 * EXPECT: violated deadlock
 * RUN: check -DBACK
 * EXPECT: verified
 * RUN: check -DINSIDE
 * EXPECT: violated deadlock
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
#include <signal.h>
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
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready, interval = 5;

static int take_flag(void)
{
	return atomic_exchange(&owner, 1); /* ERROR */
}

static void handle(int signal)
{
	flag = signal;
}

/* Locks two mutexes, and goes back to lock them again where the second is not free. */
static void lock_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	for (;;) {
		pthread_mutex_lock(first);
		if (!pthread_mutex_trylock(second))
			break;
		pthread_mutex_unlock(first);
	}
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void timed(void)
{
	struct timespec time = { .tv_sec = 1 };
	pthread_mutex_lock(&mutex);
	while (!ready) { /* ERROR */
#ifdef DEADLINE
		clock_gettime(CLOCK_REALTIME, &time);
		time.tv_sec += interval;
#endif
		pthread_cond_timedwait(&condition, &mutex, &time); /* ERROR */
	}
	pthread_mutex_unlock(&mutex);
}

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
		pthread_mutex_lock(&mutex);
		seen = ready; /* ERROR */
		pthread_mutex_unlock(&mutex);
	}
#elif defined TIMED || defined DEADLINE
	timed();
#elif defined BLOCKED
	pthread_mutex_lock(&mutex);
#elif defined COUNTS
	while (!flag)
		other = !other;
#elif defined UNREAD
	for (unsigned char n = 0; !flag;) /* ERROR */
		n++;
#elif defined UNBOUNDED
	for (unsigned n = 0; !flag;) /* ERROR */
		n++;
#elif defined CALLS
	while (take_flag())
		sched_yield();
#elif defined DAEMON && defined INTERVAL
	for (;;)
		usleep(interval);
#elif defined DAEMON
	for (;;)
		sleep(1);
#elif defined CLOCK
	for (time_t end = time(NULL) + 5; !flag && time(NULL) < end;)
		usleep(1);
#elif defined BACK
	lock_both(&mutex, &second);
#elif defined INSIDE
	pthread_mutex_lock(&mutex);
	ready++;
	pthread_mutex_unlock(&mutex);
	flag = 1;
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
#ifdef HANDLES
	signal(SIGTERM, handle);
#endif
#if defined TRY || defined BLOCKED
	pthread_mutex_lock(&mutex);
#endif
	pthread_create(&thread, NULL, work, NULL);
#ifdef SET
	set();
#else
	(void)set, (void)handle, (void)take_flag, (void)lock_both, (void)timed;
#endif
#ifdef TWO
	while (!other) /* ERROR */
		;
	flag = 1;
#elif defined BLOCKED
	while (!flag) /* ERROR */
		;
#endif
#ifdef BACK
	lock_both(&second, &mutex);
#elif defined INSIDE
	pthread_mutex_lock(&mutex);
	ready++;
	while (!flag) /* ERROR */
		;
	pthread_mutex_unlock(&mutex);
#elif defined SERVER
	for (;;)
		sleep(1);
#endif
#ifndef LEAVES
	pthread_join(thread, NULL);
#endif
	return 0;
}
