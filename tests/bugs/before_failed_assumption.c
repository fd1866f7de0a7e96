/* SPDX-License-Identifier: MIT
 *
 * What a thread did before an assumption failed was lost if it was done in the same step: others did not race with it, and
 * did not read what it wrote.
 *
 * RUN: check -DRACE
 * EXPECT: violated data-race
 * RUN: check -DRACE -DREAD
 * EXPECT: violated data-race
 * RUN: check -DRACE -DSECTION
 * EXPECT: violated data-race
 * RUN: check -DRACE -DAFTER_SECTION
 * EXPECT: violated data-race
 * RUN: check -DRACE -DBOTH_SECTIONS
 * EXPECT: verified
 * RUN: check -DRACE -DORDERED
 * EXPECT: verified
 * RUN: check -DRACE --search bfs --reduction none
 * EXPECT: violated data-race
 * RUN: check -DRACE -DCHOSEN
 * EXPECT: violated data-race
 * RUN: check -DSEEN -DVALUE=1
 * EXPECT: violated assertion
 * RUN: check -DSEEN -DVALUE=2
 * EXPECT: verified
 * RUN: check -DSEEN -DVALUE=1 -DSECTION
 * EXPECT: verified
 * RUN: check -DSEEN -DVALUE=1 -DABORTS --profile svcomp
 * EXPECT: violated assertion
 * RUN: check -DSEEN -DVALUE=1 -DFREES
 * EXPECT: violated use-after-free
 * RUN: check -DCHILD
 * EXPECT: violated assertion
 * RUN: check -DHOLDS
 * EXPECT: verified
 * RUN: check -DALONE --invariant 'x != 1'
 * EXPECT: violated invariant
 * RUN: check -DALONE --ltl '[] {x != 1}'
 * EXPECT: violated ltl
 * RUN: check -DALONE --ltl '<> {x == 3}'
 * EXPECT: verified
 * RUN: check -DSEEN -DVALUE=2 --ltl '<> {x == 5}'
 * EXPECT: verified
 */
#include "bitspin.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef ABORTS
#define FAIL() abort()
#else
#define FAIL() bitspin_assume(0)
#endif

#ifndef VALUE
#define VALUE 0
#endif

int plain;
atomic_int x;
_Atomic(int *) cell;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *race(void *first)
{
#ifdef ORDERED
	pthread_mutex_lock(&mutex);
#endif
#ifdef CHOSEN
	int c = bitspin_choose(0, 3);
#else
	int c = 0;
#endif
#if defined(BOTH_SECTIONS)
	bitspin_atomic_begin();
#elif defined(SECTION) || defined(AFTER_SECTION)
	if (first)
		bitspin_atomic_begin();
#endif
#ifdef READ
	if (first)
		c = plain;
	else
#endif
		plain = first ? 1 : 2; /* ERROR */
#if defined(AFTER_SECTION)
	if (first) {
		bitspin_atomic_end();
		plain++;
	}
#endif
	bitspin_assume(c > 2);
	return NULL;
}

static void *seen(void *unused)
{
#ifdef SECTION
	bitspin_atomic_begin();
#endif
#ifdef FREES
	free(cell);
#endif
	x = 1;
	FAIL();
	x = 2;
	return unused;
}

static void *child(void *unused)
{
	FAIL();
	return unused;
}

static void *holds(void *unused)
{
	pthread_mutex_lock(&mutex);
	FAIL();
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
#if defined(RACE)
	pthread_create(&thread, NULL, race, &thread);
	race(NULL);
#elif defined(SEEN)
	cell = malloc(sizeof *cell);
	*cell = 0;
	pthread_create(&thread, NULL, seen, NULL);
	*cell = 1; /* in time, or too late */ /* ERROR */
	assert(x != VALUE); /* ERROR */
	pthread_join(thread, NULL);
#elif defined(CHILD)
	pthread_create(&thread, NULL, child, NULL);
	assert(0); /* ERROR */
#elif defined(HOLDS)
	/* Whoever waits for the lock of a thread that is cut is cut with it. */
	pthread_create(&thread, NULL, holds, NULL);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
#else
	x = 1; /* ERROR */
	bitspin_assume(0);
	x = 2;
#endif
	return 0;
}
