/* SPDX-License-Identifier: MIT
 *
 * Main creates threads before others go on, as creations commute with all that these do; but not where main has done something
 * else that is still to be compared.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DRACE
 * EXPECT: violated data-race
 * RUN: check -DRACE_READ
 * EXPECT: violated data-race
 * RUN: check -DORDERED
 * EXPECT: verified
 * RUN: check -DARGUMENT
 * EXPECT: violated data-race
 * RUN: check -DEARLY
 * EXPECT: violated assertion
 * RUN: check -DLATE
 * EXPECT: violated assertion
 * RUN: check -DDETACHED
 * EXPECT: violated assertion
 * RUN: check -DAGAIN
 * EXPECT: violated assertion
 * RUN: check -DPOINTER
 * EXPECT: violated data-race
 * RUN: check --faults create:* -DFAULTS
 * EXPECT: violated assertion
 * RUN: check -DSTOPS
 * EXPECT: violated deadlock
 * RUN: check -DATOMIC
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int plain;
static int arguments[3];
static int *shared;
static atomic_int count, seen;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
#if defined RACE || defined POINTER
	if (argument)
		plain++; /* main has written it, or does */
#elif defined RACE_READ
	if (argument)
		plain = 1;
#elif defined ORDERED
	int read = plain; /* main wrote it before it created any */
	(void)read;
#elif defined ARGUMENT
	if (argument)
		arguments[1]++; /* not its own */
#elif defined EARLY
	assert(count == 0); /* another has been created since */ /* ERROR */
	count = 1;
#elif defined LATE || defined DETACHED || defined AGAIN || defined ATOMIC
	seen = count + 1;
#elif defined STOPS
	pthread_mutex_t *one = argument ? &first : &second, *other = argument ? &second : &first;
	pthread_mutex_lock(one);
	pthread_mutex_lock(other); /* ERROR */
	pthread_mutex_unlock(other);
	pthread_mutex_unlock(one);
#endif
	count++;
	return argument;
}

static void *looks(void *argument)
{
	assert(count < 2); /* the others may both have ended before this one is created */ /* ERROR */
	return argument;
}

static void *(*function_of(int i))(void *)
{
#if defined LATE || defined DETACHED
	return i == 2 ? looks : work;
#else
	(void)i;
	(void)looks;
	return work;
#endif
}

int main(void)
{
	pthread_t threads[3];
	int created = 0;
#ifdef ORDERED
	plain = 1;
#endif
	for (int i = 0; i < 3; i++) {
#ifdef ARGUMENT
		arguments[i] = i; /* ERROR */
#endif
#ifdef ATOMIC
		assert(seen == 0); /* one is created, and moves before main looks */ /* ERROR */
#endif
		pthread_attr_t *attributes = NULL;
#ifdef DETACHED
		pthread_attr_t detached;
		pthread_attr_init(&detached);
		pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
		attributes = i < 2 ? &detached : NULL;
#endif
		int failed = pthread_create(&threads[created], attributes, function_of(i), i == 0 ? (void *)arguments : NULL);
		created += failed == 0;
#if defined RACE
		if (i == 0)
			plain = 2; /* ERROR */
#elif defined RACE_READ
		if (i == 0 && *(volatile int *)&plain == 7) /* ERROR */
			return 1;
#elif defined POINTER
		if (i == 0)
			shared = &plain;
		*shared = i; /* ERROR */
#endif
	}
#ifdef FAULTS
	assert(created == 3); /* ERROR */
#endif
#ifdef DETACHED
	pthread_join(threads[2], NULL);
#else
	for (int i = 0; i < created; i++)
		pthread_join(threads[i], NULL);
#endif
#ifdef AGAIN
	pthread_create(&threads[0], NULL, work, NULL);
	pthread_create(&threads[1], NULL, work, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	assert(seen != 5); /* the last one saw all others */ /* ERROR */
#endif
}
