/* SPDX-License-Identifier: MIT
 *
 * A thread may run through its critical section at once, while those that want the lock wait (--reduction transactions).  Here
 * that would hide something, but for the conditions; or it hides nothing.
 *
 * RUN: check -DOPPOSITE
 * EXPECT: violated deadlock
 * RUN: check -DTRYLOCK
 * EXPECT: violated assertion
 * RUN: check -DTIMEDLOCK
 * EXPECT: violated assertion
 * RUN: check -DTHIRD
 * EXPECT: violated assertion
 * RUN: check -DTWO_SECTIONS
 * EXPECT: violated assertion
 * RUN: check -DNESTED
 * EXPECT: violated assertion
 * RUN: check -DATOMIC_SECTION
 * EXPECT: violated assertion
 * RUN: check -DATOMIC_LOOP
 * EXPECT: violated assertion
 * RUN: check -DSEMAPHORE
 * EXPECT: verified
 * RUN: check -DSEMAPHORE -DPOSTS
 * EXPECT: violated assertion
 * RUN: check -DREADERS
 * EXPECT: verified
 * RUN: check -DREADERS -DREADER_WRITES
 * EXPECT: violated assertion
 * RUN: check -DRACE
 * EXPECT: verified
 * RUN: check -DRACE -DTHIRD_WRITES
 * EXPECT: violated data-race
 * RUN: check -DRACE_AFTER
 * EXPECT: violated data-race
 * RUN: check -DWAITS_INSIDE
 * EXPECT: violated deadlock
 * RUN: check -DJOINS_INSIDE
 * EXPECT: violated deadlock
 * RUN: check -DEXITS_INSIDE
 * EXPECT: violated assertion
 * RUN: check -DFAILS_INSIDE
 * EXPECT: violated assertion
 * RUN: check -DSPIN
 * EXPECT: verified
 * RUN: check -DCANCELLED
 * EXPECT: violated assertion
 * RUN: check -DINVARIANT --invariant '{x == y}'
 * EXPECT: violated invariant
 * RUN: check -DINVARIANT --invariant '{x == y} || held(a)'
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include "bitspin.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t s, unused;
static atomic_int x, y;
static volatile int plain;
static pthread_t ids[3];

#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)

static void on_cancel(void *argument)
{
	(void)argument;
	assert(x == 0); /* ERROR */
}

static void *first(void *argument)
{
#ifdef OPPOSITE
	LOCK(a); LOCK(b); UNLOCK(b); UNLOCK(a); /* ERROR */
#elif defined TRYLOCK || defined TIMEDLOCK || defined THIRD || defined FAILS_INSIDE
	LOCK(a); x = 1; x = 0; UNLOCK(a);
#elif defined TWO_SECTIONS
	LOCK(a); x = 1; UNLOCK(a); LOCK(a); x = 0; UNLOCK(a);
#elif defined NESTED
	LOCK(a); x = 1; LOCK(b); y = 1; UNLOCK(b); x = 0; UNLOCK(a);
#elif defined ATOMIC_SECTION
	bitspin_atomic_begin();
	int seen = y;
	sem_wait(&s);
	bitspin_atomic_end();
	x = 1;
	assert(seen || !y); /* ERROR */
#elif defined ATOMIC_LOOP
	bitspin_atomic_begin();
	x = 1;
	for (int i = 0; i < 6000; i++) /* too many rounds for one step: it rests in the section, and nobody else can go on */
		(void)*(volatile int *)&i;
	bitspin_atomic_end();
	y = 1;
#elif defined SEMAPHORE || defined CANCELLED
	sem_wait(&s); x = 1; x = 0; sem_post(&s);
#elif defined READERS
	pthread_rwlock_rdlock(&l);
	int seen = x;
	assert(seen == x); /* ERROR */
	pthread_rwlock_unlock(&l);
#elif defined RACE
	LOCK(a); plain = 1; UNLOCK(a); /* ERROR */
#elif defined RACE_AFTER
	LOCK(a); UNLOCK(a); plain = 1; /* ERROR */
#elif defined WAITS_INSIDE
	LOCK(a); LOCK(b);
	while (!x)
		pthread_cond_wait(&c, &b); /* ERROR */
	UNLOCK(b); UNLOCK(a);
#elif defined JOINS_INSIDE
	LOCK(a); pthread_join(ids[1], NULL); UNLOCK(a); /* ERROR */
#elif defined EXITS_INSIDE
	LOCK(a); exit(0);
#elif defined SPIN
	pthread_spin_lock(&spin); x = 1; x = 0; pthread_spin_unlock(&spin);
#elif defined INVARIANT
	LOCK(a); x = 1; y = 1; UNLOCK(a); /* ERROR */
#endif
	return argument;
}

static void *second(void *argument)
{
#ifdef OPPOSITE
	LOCK(b); LOCK(a); UNLOCK(a); UNLOCK(b); /* ERROR */
#elif defined TRYLOCK
	int busy = pthread_mutex_trylock(&a);
	assert(!busy); /* ERROR */
	UNLOCK(a);
#elif defined TIMEDLOCK
	int late = pthread_mutex_timedlock(&a, &(struct timespec){ 0 });
	assert(!late); /* ERROR */
	UNLOCK(a);
#elif defined THIRD
	LOCK(a); UNLOCK(a);
#elif defined TWO_SECTIONS
	LOCK(a);
	assert(x == 0); /* ERROR */
	UNLOCK(a);
#elif defined NESTED
	LOCK(b);
	assert(!(x && y)); /* ERROR */
	UNLOCK(b);
#elif defined ATOMIC_SECTION
	y = 1;
#elif defined ATOMIC_LOOP
	int before = x;
	assert(before == 0 || y == 1); /* ERROR */
#elif defined SEMAPHORE
	sem_wait(&s);
	assert(x == 0); /* ERROR */
	sem_post(&s);
#elif defined READERS
	pthread_rwlock_wrlock(&l); x = 1; pthread_rwlock_unlock(&l);
#elif defined RACE || defined RACE_AFTER
	LOCK(a); plain = 2; UNLOCK(a); /* ERROR */
#elif defined WAITS_INSIDE
	LOCK(a); LOCK(b); x = 1; pthread_cond_signal(&c); UNLOCK(b); UNLOCK(a); /* ERROR */
#elif defined JOINS_INSIDE
	LOCK(a); UNLOCK(a); /* ERROR */
#elif defined EXITS_INSIDE
	LOCK(a);
	assert(0); /* ERROR */
#elif defined FAILS_INSIDE
	LOCK(a);
	assert(y == 0); /* ERROR */
	UNLOCK(a);
#elif defined SPIN
	pthread_spin_lock(&spin);
	assert(x == 0);
	pthread_spin_unlock(&spin);
#elif defined CANCELLED
	pthread_cleanup_push(on_cancel, NULL);
	sem_wait(&s);
	pthread_cleanup_pop(0);
	sem_post(&s);
#elif defined INVARIANT
	LOCK(a); x = 0; y = 0; UNLOCK(a); /* ERROR */
#endif
	return argument;
}

static void *third(void *argument)
{
#ifdef THIRD
	assert(x == 0); /* ERROR */
#elif defined POSTS
	sem_post(&s);
#elif defined READER_WRITES
	pthread_rwlock_rdlock(&l); x = 2; pthread_rwlock_unlock(&l);
#elif defined THIRD_WRITES
	plain = 3; /* ERROR */
#elif defined FAILS_INSIDE
	y = 1; y = 0;
#elif defined CANCELLED
	pthread_cancel(ids[1]);
#endif
	return argument;
}

int main(void)
{
	(void)on_cancel;
	sem_init(&s, 0, 1);
	sem_init(&unused, 0, 0);
	pthread_spin_init(&spin, 0);
	pthread_create(&ids[1], NULL, second, NULL);
	pthread_create(&ids[0], NULL, first, NULL);
	pthread_create(&ids[2], NULL, third, NULL);
#ifdef JOINS_INSIDE
	pthread_join(ids[0], NULL);
	pthread_join(ids[2], NULL);
#else
	for (int i = 3; i-- > 0;)
		pthread_join(ids[i], NULL); /* ERROR */
#endif
	return 0;
}
