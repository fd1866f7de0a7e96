/* SPDX-License-Identifier: MIT
 *
 * Main's run goes past the creation of threads (rule C in superstep.c), though not where anybody could find out by a handle, or by
 * the slot that a thread gets, that another was not there yet.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DBETWEEN
 * EXPECT: violated assertion
 * RUN: check -DJOINS
 * EXPECT: violated thread-misuse
 * RUN: check -DSIGNALS
 * EXPECT: violated assertion
 * RUN: check -DSLOTS
 * EXPECT: violated assertion
 * RUN: check -DHOLDER
 * EXPECT: violated assertion
 * RUN: check -DPASSED_ON
 * EXPECT: violated data-race
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int seen;
static pthread_mutex_t lock;

static void *first(void *argument)
{
#if defined JOINS
	pthread_join((pthread_t)3, NULL); /* the handle of the second, if it is there */ /* ERROR */
#elif defined SIGNALS
	assert(pthread_kill((pthread_t)3, 0) == 0); /* likewise */ /* ERROR */
#elif defined HOLDER
	pthread_mutex_lock(&lock);
#elif defined PASSED_ON
	return (void *)*(pthread_t *)argument;
#endif
	seen = 1;
	return argument;
}

static void *second(void *argument)
{
#if defined HOLDER
	pthread_mutex_lock(&lock); /* after this, the slot of the first is free */
	pthread_mutex_consistent(&lock);
	pthread_mutex_unlock(&lock);
#endif
#if defined BETWEEN
	assert(seen == 0); /* ERROR */
#endif
	return argument;
}

static void *third(void *argument)
{
	return argument;
}

#if defined HOLDER
/* Who has ended still holds the lock, which names it by its slot. */
static void run(void)
{
	pthread_t one, two, three;
	pthread_mutexattr_t robust;
	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&lock, &robust);
	pthread_create(&one, NULL, first, NULL);
	pthread_join(one, NULL);
	pthread_create(&two, NULL, second, NULL);
	pthread_create(&three, NULL, third, NULL);
	assert(!pthread_equal(one, three)); /* ERROR */
	pthread_join(two, NULL);
	pthread_join(three, NULL);
}
#elif defined SLOTS
/* The slot of the first is free when it has ended. */
static void run(void)
{
	pthread_t one, two;
	pthread_attr_t detached;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	pthread_create(&one, &detached, first, NULL);
	pthread_create(&two, NULL, third, NULL);
	assert(!pthread_equal(one, two)); /* ERROR */
	pthread_join(two, NULL);
}
#else
static void run(void)
{
	pthread_t threads[2];
	void *passed = NULL;
#if defined PASSED_ON
	passed = &threads[1];
#endif
	pthread_create(&threads[0], NULL, first, passed);
	pthread_create(&threads[1], NULL, second, passed); /* ERROR */
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	(void)third;
}
#endif

int main(void)
{
	run();
	return 0;
}
