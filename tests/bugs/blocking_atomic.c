/* SPDX-License-Identifier: MIT
 *
 * A thread that must wait inside an atomic section lets the others in; what lets it go on gives it the section back at once.
 * Where several such threads can go on, any may be the first.  Steps that give a section back counted as independent of
 * others, and only one of several threads was tried.
 *
 * RUN: check -DBACK_AT_ONCE
 * EXPECT: verified
 * RUN: check -DBACK_AT_ONCE -DMUTEX
 * EXPECT: verified
 * RUN: check -DBACK_AT_ONCE -DREADS
 * EXPECT: verified
 * RUN: check -DBACK_AT_ONCE -DSPIN
 * EXPECT: verified
 * RUN: check -DBACK_AT_ONCE -DCONDITION
 * EXPECT: verified
 * RUN: check -DBACK_AT_ONCE -DFUNCTION --profile svcomp
 * EXPECT: verified
 * RUN: check -DBACK_AT_ONCE -DCANCEL
 * EXPECT: verified
 * RUN: check -DEITHER=12
 * EXPECT: violated assertion
 * RUN: check -DEITHER=21
 * EXPECT: violated assertion
 * RUN: check -DEITHER=12 --preemptions 0
 * EXPECT: violated assertion
 * RUN: check -DEITHER=21 --preemptions 0
 * EXPECT: violated assertion
 * RUN: check -DEITHER=0 -DBOTH_FIRST
 * EXPECT: verified
 * RUN: check -DEITHER=12 -DBARRIER
 * EXPECT: violated assertion
 * RUN: check -DEITHER=21 -DBARRIER
 * EXPECT: violated assertion
 * RUN: check -DEITHER=0 -DBARRIER -DBOTH_FIRST
 * EXPECT: verified
 * RUN: check -DEITHER=12 -DCONDITION
 * EXPECT: violated assertion
 * RUN: check -DEITHER=21 -DCONDITION
 * EXPECT: violated assertion
 * RUN: check -DEITHER=0 -DCONDITION -DBOTH_FIRST
 * EXPECT: verified
 * RUN: check -DUNDISTURBED=choice
 * EXPECT: verified
 * RUN: check -DUNDISTURBED=loop
 * EXPECT: verified
 * RUN: check -DUNDISTURBED=label --ltl '[] {x >= 0}'
 * EXPECT: verified
 * RUN: check -DUNDISTURBED=blocks
 * EXPECT: violated assertion
 * RUN: check -DTIMED -DNOT=0
 * EXPECT: verified
 * RUN: check -DTIMED -DNOT=1
 * EXPECT: violated assertion
 * RUN: check -DTIMED -DNOT=2
 * EXPECT: violated assertion
 * RUN: check -DTWO_POSTS -DNEVER='r1==0||r2==0||(r1==2&&r2==1)'
 * EXPECT: verified
 * RUN: check -DTWO_POSTS -DNEVER='r1==2'
 * EXPECT: violated assertion
 * RUN: check -DTWO_POSTS -DNEVER='r2==1'
 * EXPECT: violated assertion
 * RUN: check -DPLAIN=1
 * EXPECT: verified
 * RUN: check -DPLAIN=0
 * EXPECT: violated data-race
 */
#include "bitspin.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t semaphore, second;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static atomic_int ready, x;
static int go;
int plain;

static void choice(void) { bitspin_choose(0, 1); }
static void loop(void) { for (int i = 0; i < 20000; i++) { } }
static void label(void) { bitspin_label("here"); }
static void blocks(void) { sem_wait(&second); }

/* Waits for what main has or gives. */
static void wait_for_main(void)
{
#if defined(MUTEX)
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
#elif defined(READS)
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
#elif defined(SPIN)
	pthread_spin_lock(&spin);
	pthread_spin_unlock(&spin);
#elif defined(CONDITION)
	pthread_mutex_lock(&mutex);
	while (!go)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
#elif defined(BARRIER)
	pthread_barrier_wait(&barrier);
#else
	sem_wait(&semaphore);
#endif
}

static void take(void)
{
#if defined(MUTEX)
	pthread_mutex_lock(&mutex);
#elif defined(READS)
	pthread_rwlock_wrlock(&rwlock);
#elif defined(SPIN)
	pthread_spin_lock(&spin);
#endif
}

static void give(pthread_t thread)
{
	(void)thread;
#if defined(MUTEX)
	pthread_mutex_unlock(&mutex);
#elif defined(READS)
	pthread_rwlock_unlock(&rwlock);
#elif defined(SPIN)
	pthread_spin_unlock(&spin);
#elif defined(CONDITION)
	pthread_mutex_lock(&mutex);
	go = 1;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
#elif defined(BARRIER)
	pthread_barrier_wait(&barrier);
#elif defined(CANCEL)
	pthread_cancel(thread);
#else
	sem_post(&semaphore);
#endif
}

static void wait_until_ready(int n)
{
	while (ready < n)
		sched_yield();
}

static void note(void *unused)
{
	(void)unused;
	x = 1;
}

static void __VERIFIER_atomic_wait(void)
{
	ready++;
	wait_for_main();
	x = 1;
}

static void *waiter(void *unused)
{
#ifdef FUNCTION
	__VERIFIER_atomic_wait();
#else
	bitspin_atomic_begin();
	pthread_cleanup_push(note, NULL);
	ready++;
	wait_for_main();
	pthread_cleanup_pop(1);
	bitspin_atomic_end();
#endif
	return unused;
}

static void back_at_once(void)
{
	pthread_t thread;
	take();
	pthread_create(&thread, NULL, waiter, NULL);
	wait_until_ready(1);
	give(thread);
	int seen = x;
	assert(seen == 1); /* ERROR */
	pthread_join(thread, NULL);
}

#ifndef EITHER
#define EITHER 0
#endif

static void *digit(void *number)
{
	bitspin_atomic_begin();
	ready++;
	wait_for_main();
	x = x * 10 + (number ? 2 : 1);
	bitspin_atomic_end();
	return NULL;
}

static void either(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, digit, NULL);
	pthread_create(&b, NULL, digit, &b);
	wait_until_ready(2);
	give(a);
#if !defined(BARRIER) && !defined(CONDITION)
	give(b);
#endif
#ifdef BOTH_FIRST
	assert(x == 12 || x == 21); /* ERROR */
#endif
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(x != EITHER); /* ERROR */
}

#ifndef UNDISTURBED
#define UNDISTURBED choice
#endif

static void *writes(void *argument)
{
	int mine = argument ? 2 : 1;
	bitspin_atomic_begin();
	ready++;
	pthread_barrier_wait(&barrier);
	x = mine;
	UNDISTURBED();
	assert(x == mine); /* ERROR */
	bitspin_atomic_end();
	return NULL;
}

static void undisturbed(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, writes, NULL);
	pthread_create(&b, NULL, writes, &b);
	wait_until_ready(2);
	pthread_barrier_wait(&barrier);
	sem_post(&second);
	sem_post(&second);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

static void *timed_waiter(void *unused)
{
	struct timespec late = { 1, 0 };
	bitspin_atomic_begin();
	ready = 1;
	x = sem_timedwait(&semaphore, &late) == 0 ? 1 : 2;
	bitspin_atomic_end();
	return unused;
}

#ifndef NOT
#define NOT 0
#endif

static void timed(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, timed_waiter, NULL);
	wait_until_ready(1);
	sem_post(&semaphore);
	int seen = x;
	assert(seen != NOT); /* ERROR */
	pthread_join(thread, NULL);
}

#ifndef NEVER
#define NEVER 0
#endif

static int r1, r2;

static void *wait_one(void *unused)
{
	bitspin_atomic_begin();
	ready++;
	sem_wait(&semaphore);
	x = 1;
	bitspin_atomic_end();
	return unused;
}

static void *wait_two(void *unused)
{
	bitspin_atomic_begin();
	ready++;
	sem_wait(&second);
	x = 2;
	bitspin_atomic_end();
	return unused;
}

static void *post_two(void *unused)
{
	wait_until_ready(2);
	sem_post(&second);
	r2 = x;
	return unused;
}

static void two_posts(void)
{
	pthread_t a, b, c;
	pthread_create(&a, NULL, wait_one, NULL);
	pthread_create(&b, NULL, wait_two, NULL);
	pthread_create(&c, NULL, post_two, NULL);
	wait_until_ready(2);
	sem_post(&semaphore);
	r1 = x;
	pthread_join(c, NULL);
	assert(!(NEVER)); /* ERROR */
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

/* What sections do is ordered, in whatever pieces; what is done outside of one is not. */
static void *plain_writer(void *unused)
{
	bitspin_atomic_begin();
	plain = 1; /* ERROR */
	ready = 1;
	sem_wait(&semaphore);
	plain = 2; /* ERROR */
	bitspin_atomic_end();
	return unused;
}

static void plain_accesses(int inside)
{
	pthread_t thread;
	pthread_create(&thread, NULL, plain_writer, NULL);
	if (inside)
		bitspin_atomic_begin();
	plain = 3; /* ERROR */
	if (inside)
		bitspin_atomic_end();
	sem_post(&semaphore);
	pthread_join(thread, NULL);
	assert(plain != 0);
}

int main(void)
{
	sem_init(&semaphore, 0, 0);
	sem_init(&second, 0, 0);
	pthread_barrier_init(&barrier, NULL, 3);
	pthread_spin_init(&spin, 0);
#if defined(BACK_AT_ONCE)
	back_at_once();
#elif defined(BOTH_FIRST) || EITHER
	either();
#elif defined(TIMED)
	timed();
#elif defined(TWO_POSTS)
	two_posts();
#elif defined(PLAIN)
	plain_accesses(PLAIN);
#else
	undisturbed();
#endif
	return 0;
}
