/* SPDX-License-Identifier: MIT
 *
 * A thread whose critical section does nothing that others depend on may be the only one that is looked at: to lock the mutex
 * and unlock it again leaves it as it was (--reduction sections).  Here that would hide something, but for the conditions; or it
 * hides nothing.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DORDER
 * EXPECT: violated assertion
 * RUN: check -DTRYLOCK
 * EXPECT: violated assertion
 * RUN: check -DTIMEDLOCK
 * EXPECT: violated assertion
 * RUN: check -DENDS_HOLDING
 * EXPECT: violated deadlock
 * RUN: check -DENDS_HOLDING_ROBUST
 * EXPECT: violated assertion
 * RUN: check -DWAITS_INSIDE
 * EXPECT: violated deadlock
 * RUN: check -DJOINS_INSIDE
 * EXPECT: violated deadlock
 * RUN: check -DSLEEPS_INSIDE
 * EXPECT: violated deadlock
 * RUN: check -DLOST_SIGNAL
 * EXPECT: violated deadlock
 * RUN: check -DOPPOSITE
 * EXPECT: violated deadlock
 * RUN: check -DCIRCLE_OF_THREE
 * EXPECT: violated deadlock
 * RUN: check -DTHROUGH_RWLOCK
 * EXPECT: violated deadlock
 * RUN: check -DTHROUGH_HELD
 * EXPECT: violated deadlock
 * RUN: check -DDESTROYS --races ignore
 * EXPECT: violated mutex-misuse
 * RUN: check -DLETS_GO_INSIDE
 * EXPECT: violated assertion
 * RUN: check -DLETS_GO_INSIDE -DTHIRD
 * EXPECT: violated assertion
 * RUN: check -DENDS_INSIDE
 * EXPECT: violated assertion
 * RUN: check -DERRORCHECK
 * EXPECT: verified
 * RUN: check -DCANCELLED_INSIDE
 * EXPECT: violated deadlock
 * RUN: check -DEXITS_INSIDE
 * EXPECT: violated assertion
 * RUN: check -DLOOKS_AT_OWNER --races ignore
 * EXPECT: violated assertion
 * RUN: check -DRACE_BEFORE
 * EXPECT: violated data-race
 * RUN: check -DRACE_AFTER
 * EXPECT: violated data-race
 * RUN: check -DHELD
 * EXPECT: violated assertion
 * RUN: check -DPUBLISHES
 * EXPECT: verified
 * RUN: check -DINVARIANT --invariant '!held(a) || {x != 1}'
 * EXPECT: violated invariant
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "bitspin.h"

static pthread_mutex_t a, b, m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;
static atomic_int x, y;
static volatile int plain, own[3];
static pthread_t ids[3];

#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)

static void *first(void *argument)
{
#ifdef ORDER
	LOCK(a); plain = 1; UNLOCK(a);
#elif defined HELD
	LOCK(a); y = 1; UNLOCK(a); x = 1;
#elif defined OPPOSITE || defined CIRCLE_OF_THREE
	LOCK(a); LOCK(b); UNLOCK(b); UNLOCK(a); /* ERROR */
#elif defined ENDS_HOLDING_ROBUST
	int error = LOCK(a);
	assert(error == 0); /* ERROR */
	pthread_mutex_consistent(&a); UNLOCK(a);
#elif defined WAITS_INSIDE
	LOCK(a); UNLOCK(a); sem_post(&s);
#elif defined SLEEPS_INSIDE
	LOCK(a); UNLOCK(a); LOCK(b); x = 1; pthread_cond_signal(&c); UNLOCK(b);
#elif defined LOST_SIGNAL
	LOCK(a); pthread_cond_wait(&c, &a); UNLOCK(a); /* ERROR */
#elif defined THROUGH_RWLOCK
	pthread_rwlock_wrlock(&l); LOCK(a); UNLOCK(a); pthread_rwlock_unlock(&l); /* ERROR */
#elif defined THROUGH_HELD
	LOCK(m); x = 1; LOCK(a); UNLOCK(a); UNLOCK(m); /* ERROR */
#elif defined LETS_GO_INSIDE
	LOCK(a); sem_post(&s); x = 1; UNLOCK(a);
#elif defined ENDS_INSIDE
	LOCK(a); x = 1; x = 0; UNLOCK(a);
#elif defined ERRORCHECK
	LOCK(a);
	int error = LOCK(a);
	assert(error); /* ERROR */
	UNLOCK(a);
#elif defined EXITS_INSIDE
	LOCK(a); UNLOCK(a);
	assert(0); /* ERROR */
#elif defined RACE_BEFORE
	plain = 1; LOCK(a); UNLOCK(a); /* ERROR */
#elif defined RACE_AFTER
	LOCK(a); UNLOCK(a); plain = 1; /* ERROR */
#elif defined PUBLISHES
	plain = 1; LOCK(a); own[0] = 1; UNLOCK(a);
#elif defined INVARIANT
	x = 1; x = 2; LOCK(a); UNLOCK(a); /* ERROR */
#else
	LOCK(a); own[1] = 1; UNLOCK(a); /* ERROR */
#endif
	return argument;
}

static void *second(void *argument)
{
#ifdef ORDER
	LOCK(a);
	int seen = plain;
	UNLOCK(a);
	assert(!seen); /* ERROR */
#elif defined HELD
	int early = y;
	LOCK(a);
	int seen = x;
	UNLOCK(a);
	assert(!early || seen); /* ERROR */
#elif defined TRYLOCK
	int busy = pthread_mutex_trylock(&a);
	assert(!busy); /* ERROR */
	UNLOCK(a);
#elif defined TIMEDLOCK
	int late = pthread_mutex_timedlock(&a, &(struct timespec){ 0 });
	assert(!late); /* ERROR */
	UNLOCK(a);
#elif defined ENDS_HOLDING || defined ENDS_HOLDING_ROBUST
	LOCK(a);
#elif defined WAITS_INSIDE
	LOCK(a); sem_wait(&s); UNLOCK(a); /* ERROR */
#elif defined JOINS_INSIDE
	LOCK(a); pthread_join(ids[0], NULL); UNLOCK(a); /* ERROR */
#elif defined SLEEPS_INSIDE
	LOCK(a); LOCK(b);
	while (!x)
		pthread_cond_wait(&c, &b); /* ERROR */
	UNLOCK(b); UNLOCK(a);
#elif defined LOST_SIGNAL
	LOCK(a); pthread_cond_signal(&c); UNLOCK(a);
#elif defined OPPOSITE
	LOCK(b); LOCK(a); UNLOCK(a); UNLOCK(b); /* ERROR */
#elif defined CIRCLE_OF_THREE
	LOCK(b); LOCK(m); UNLOCK(m); UNLOCK(b); /* ERROR */
#elif defined THROUGH_RWLOCK
	LOCK(a); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); UNLOCK(a); /* ERROR */
#elif defined THROUGH_HELD
	LOCK(a); LOCK(m); UNLOCK(m); UNLOCK(a); /* ERROR */
#elif defined DESTROYS
	pthread_mutex_destroy(&a); /* ERROR */
#elif defined LETS_GO_INSIDE
	sem_wait(&s);
	assert(x == 1); /* ERROR */
#elif defined ENDS_INSIDE
	assert(x == 0); /* ERROR */
#elif defined CANCELLED_INSIDE
	LOCK(a); pthread_testcancel(); UNLOCK(a);
#elif defined EXITS_INSIDE
	LOCK(a); exit(0);
#elif defined LOOKS_AT_OWNER
	pthread_mutex_t copy;
	memcpy(&copy, &a, sizeof copy);
	assert(memcmp(&copy, &b, sizeof copy - 16) == 0); /* ERROR */
#elif defined RACE_BEFORE
	LOCK(a); UNLOCK(a); plain = 1; /* ERROR */
#elif defined RACE_AFTER
	plain = 1; LOCK(a); UNLOCK(a); /* ERROR */
#elif defined PUBLISHES
	LOCK(a);
	int published = own[0];
	UNLOCK(a);
	if (published)
		plain = 2;
#elif defined INVARIANT
	LOCK(a); UNLOCK(a); /* ERROR */
#else
	LOCK(a); own[2] = 1; UNLOCK(a);
#endif
	return argument;
}

static void *third(void *argument)
{
#ifdef CIRCLE_OF_THREE
	LOCK(m); LOCK(a); UNLOCK(a); UNLOCK(m); /* ERROR */
#elif defined CANCELLED_INSIDE
	pthread_cancel(ids[1]);
#else
	LOCK(a); own[0] += 0; UNLOCK(a); /* ERROR */
#endif
	return argument;
}

int main(void)
{
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
#ifdef ERRORCHECK
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
#elif defined ENDS_HOLDING_ROBUST
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
#endif
	pthread_mutex_init(&a, &kind);
	pthread_mutex_init(&b, &kind);
	pthread_mutex_init(&m, NULL);
	sem_init(&s, 0, 0);
#ifdef THIRD /* is there already when the first one moves, for which main waits */
	pthread_create(&ids[2], NULL, third, NULL);
	pthread_create(&ids[1], NULL, second, NULL);
	pthread_create(&ids[0], NULL, first, NULL);
#else
	pthread_create(&ids[0], NULL, first, NULL);
	pthread_create(&ids[1], NULL, second, NULL);
#endif
#if defined CIRCLE_OF_THREE || defined CANCELLED_INSIDE
	pthread_create(&ids[2], NULL, third, NULL);
	pthread_join(ids[2], NULL); /* ERROR */
#else
	(void)third;
#endif
#ifndef JOINS_INSIDE
	pthread_join(ids[0], NULL); /* ERROR */
#endif
	pthread_join(ids[1], NULL); /* ERROR */
}
