/* SPDX-License-Identifier: MIT
 *
 * What creating, joining, locking and waiting let threads know of relaxed stores.
 *
 * RUN: check --memory c11 -DCREATE
 * EXPECT: verified
 * RUN: check --memory c11 -DCREATE -DNOT=1
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCREATE -DNOT=2
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCREATED_AFTER
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DJOINED_TWICE
 * EXPECT: verified
 * RUN: check --memory c11 -DDETACHED
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DDETACHED -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DMUTEX
 * EXPECT: verified
 * RUN: check --memory c11 -DMUTEX -DTWO
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCOUNT
 * EXPECT: verified
 * RUN: check --memory c11 -DCOUNT -DOUTSIDE
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCONDITION
 * EXPECT: verified
 * RUN: check --memory c11 -DBARRIER
 * EXPECT: verified
 * RUN: check --memory c11 -DSEMAPHORE
 * EXPECT: verified
 * RUN: check --memory c11 -DSEMAPHORE -DAGAIN
 * EXPECT: verified
 * RUN: check --memory c11 -DLOCAL
 * EXPECT: verified
 * RUN: check --memory c11 -DRAISE
 * EXPECT: verified
 * RUN: check --memory c11 -DLEAVES
 * EXPECT: verified
 * RUN: check --memory c11 -DLEAVES -DTIMED
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DLEAVES -DCANCELLED
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DLEAVES -DINTERRUPTED
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DTRIES
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSIGNAL_FENCE
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMEETING
 * EXPECT: verified
 * RUN: check --memory c11 -DMEETING -DADDED=relaxed
 * EXPECT: violated data-race
 */
#define _GNU_SOURCE
#include "orders.h"
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#ifndef ST
#define ST relaxed
#endif
#ifndef LD
#define LD relaxed
#endif
#ifndef ADDED
#define ADDED acquire
#endif
#ifndef NOT
#define NOT 0
#endif

static atomic_int x, y;
static int a, b;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other_lock = PTHREAD_MUTEX_INITIALIZER;

#ifdef CREATE
static void *first(void *unused)
{
	assert(LOAD(x, relaxed) != NOT); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	STORE(x, 1, relaxed);
	pthread_create(&thread, NULL, first, NULL);
	STORE(x, 2, relaxed);
	pthread_join(thread, NULL);
}
#elif defined CREATED_AFTER
/* Another thread's store may be unknown to one that is created later. */
static void *first(void *unused)
{
	STORE(x, 1, relaxed);
	STORE(y, 1, relaxed);
	return unused;
}

static void *second(void *unused)
{
	assert(LOAD(x, relaxed) == 1); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, NULL, first, NULL);
	while (!LOAD(y, relaxed)) {
	}
	pthread_create(&other, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
}
#elif defined JOINED_TWICE
static pthread_t inner;

static void *first(void *unused)
{
	STORE(x, 1, relaxed);
	STORE(x, 2, relaxed);
	return unused;
}

static void *second(void *unused)
{
	a = LOAD(x, relaxed);
	return unused;
}

static void *third(void *unused)
{
	pthread_create(&inner, NULL, second, NULL);
	pthread_join(inner, NULL);
	assert(LOAD(x, relaxed) >= a);
	return unused;
}

int main(void)
{
	RUN(first, third);
	assert(LOAD(x, relaxed) == 2);
}
#elif defined DETACHED
static void *first(void *unused)
{
	STORE(x, 1, relaxed);
	STORE(y, 1, ST);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, first, NULL);
	pthread_detach(thread);
	if (LOAD(y, LD))
		assert(LOAD(x, relaxed) == 1); /* ERROR */
}
#elif defined MUTEX
/* Store buffering with a critical section between. */
static void *first(void *unused)
{
	STORE(x, 1, relaxed);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	a = LOAD(y, relaxed);
	return unused;
}

static void *second(void *unused)
{
#ifdef TWO
	pthread_mutex_t *mine = &other_lock;
#else
	pthread_mutex_t *mine = &lock;
#endif
	STORE(y, 1, relaxed);
	pthread_mutex_lock(mine);
	pthread_mutex_unlock(mine);
	b = LOAD(x, relaxed);
	return unused;
}

int main(void)
{
	RUN(first, second);
	assert(a || b); /* ERROR */
}
#elif defined COUNT
static void *first(void *unused)
{
	pthread_mutex_lock(&lock);
	STORE(x, ++a, relaxed);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	int seen = a;
#ifdef OUTSIDE
	pthread_mutex_unlock(&lock);
	assert(LOAD(x, relaxed) == seen); /* ERROR */
#else
	assert(LOAD(x, relaxed) == seen);
	pthread_mutex_unlock(&lock);
#endif
	return unused;
}

int main(void)
{
	RUN(first, first, second);
}
#elif defined CONDITION
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *first(void *unused)
{
	STORE(x, 1, relaxed);
	pthread_mutex_lock(&lock);
	STORE(y, 1, relaxed);
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!LOAD(y, relaxed))
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	assert(LOAD(x, relaxed) == 1);
	return unused;
}

int main(void)
{
	RUN(first, second);
}
#elif defined BARRIER
static pthread_barrier_t barrier;

static void *first(void *unused)
{
	STORE(x, 1, relaxed);
	pthread_barrier_wait(&barrier);
	assert(LOAD(y, relaxed) == 1);
	return unused;
}

static void *second(void *unused)
{
	STORE(y, 1, relaxed);
	pthread_barrier_wait(&barrier);
	assert(LOAD(x, relaxed) == 1);
	return unused;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	RUN(first, second);
}
#elif defined LEAVES
/* Who waits for the end of a thread knows of what it did, but not who leaves the wait before. */
static pthread_t thread;

static void *first(void *unused)
{
	STORE(x, 1, relaxed);
	STORE(y, 1, relaxed);
	return unused;
}

static void look(void *unused)
{
	(void)unused;
	int later = LOAD(y, relaxed), earlier = LOAD(x, relaxed);
	assert(later <= earlier); /* ERROR */
}

static void handler(int number)
{
	(void)number;
	look(NULL);
}

static void *second(void *unused)
{
#ifdef TIMED
	if (pthread_timedjoin_np(thread, NULL, &(struct timespec){ 0 }) != 0)
		look(NULL);
#elif defined CANCELLED
	pthread_cleanup_push(look, NULL);
	pthread_join(thread, NULL);
	pthread_cleanup_pop(0);
#else
	pthread_join(thread, NULL);
	look(NULL);
#endif
	return unused;
}

int main(void)
{
	pthread_t other;
	signal(SIGUSR1, handler);
	pthread_create(&thread, NULL, first, NULL);
	pthread_create(&other, NULL, second, NULL);
#ifdef CANCELLED
	pthread_cancel(other);
#elif defined INTERRUPTED
	pthread_kill(other, SIGUSR1);
#endif
	pthread_join(other, NULL);
}
#elif defined TRIES
/* That a lock is taken tells nothing of what its owner did. */
static void *first(void *unused)
{
	STORE(x, 1, relaxed);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	if (pthread_mutex_trylock(&lock) != 0)
		assert(LOAD(x, relaxed) == 1); /* ERROR */
	else
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	RUN(first, second);
}
#elif defined SIGNAL_FENCE
static void *first(void *unused)
{
	STORE(x, 1, relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	a = LOAD(y, relaxed);
	return unused;
}

static void *second(void *unused)
{
	STORE(y, 1, relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	b = LOAD(x, relaxed);
	return unused;
}

int main(void)
{
	RUN(first, second);
	assert(a || b); /* ERROR */
}
#elif defined MEETING
/* The additions to x are in the order in which the flag says they are made, though it is relaxed: else each would come before the
 * other.  So the second one acquires from the first. */
static void *first(void *unused)
{
	a = 1; /* ERROR */
	ADD(x, 1, release);
	STORE(y, 1, relaxed);
	return unused;
}

static void *second(void *unused)
{
	if (LOAD(y, relaxed)) {
		ADD(x, 1, ADDED);
		assert(a == 1); /* ERROR */
	}
	return unused;
}

int main(void)
{
	RUN(first, second);
}
#elif defined SEMAPHORE
static sem_t full;

static void *first(void *unused)
{
	STORE(x, 1, relaxed);
	STORE(x, 2, relaxed);
	sem_post(&full);
	return unused;
}

static void *second(void *unused)
{
#ifdef AGAIN
	while (sem_trywait(&full) != 0) {
	}
#else
	sem_wait(&full);
#endif
	assert(LOAD(x, relaxed) == 2);
	return unused;
}

int main(void)
{
	sem_init(&full, 0, 0);
	RUN(first, second);
}
#elif defined LOCAL
static _Thread_local atomic_int own;

static void *first(void *unused)
{
	STORE(own, 1, relaxed);
	ADD(x, LOAD(own, relaxed), relaxed);
	STORE(own, 2, relaxed);
	ADD(x, LOAD(own, relaxed), relaxed);
	return unused;
}

int main(void)
{
	RUN(first, first);
	assert(LOAD(x, relaxed) == 6 && LOAD(own, relaxed) == 0);
}
#elif defined RAISE
static void handler(int number)
{
	if (LOAD(x, relaxed) == 1)
		STORE(y, number, relaxed);
}

static void *first(void *unused)
{
	STORE(x, 2, relaxed);
	STORE(x, 1, relaxed);
	raise(SIGUSR1);
	assert(LOAD(y, relaxed) == SIGUSR1);
	return unused;
}

static void *second(void *unused)
{
	a = LOAD(x, relaxed);
	return unused;
}

int main(void)
{
	signal(SIGUSR1, handler);
	RUN(first, second);
}
#endif
