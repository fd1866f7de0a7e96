/* SPDX-License-Identifier: MIT
 *
 * A loop that tries something a number of times waits for others, and its rounds that fail are one step (--reduction spins).  Here
 * that would hide something if a loop were taken for such a wait that is none; or it hides nothing.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DGIVES_UP
 * EXPECT: violated assertion
 * RUN: check -DSUCCEEDS
 * EXPECT: violated assertion
 * RUN: check -DSUCCEEDS_LATE
 * EXPECT: violated assertion
 * RUN: check -DWAITS_BEHIND
 * EXPECT: violated deadlock
 * RUN: check -DSTAYS
 * EXPECT: violated assertion
 * RUN: check -DSTAYS_IN_CALL
 * EXPECT: violated assertion
 * RUN: check -DSTAYS_THEN_LEAVES
 * EXPECT: violated assertion
 * RUN: check -DSTAYS_ONCE
 * EXPECT: violated assertion
 * RUN: check -DSTAYS_ONCE_BY_ITSELF
 * EXPECT: violated assertion
 * RUN: check -DCOUNTS_FAILURES
 * EXPECT: violated assertion
 * RUN: check -DCOUNTS_FAILURES_OF_ITS_OWN
 * EXPECT: violated assertion
 * RUN: check -DASKS_SAME_NUMBER
 * EXPECT: verified
 * RUN: check -DTWO_LOOKS
 * EXPECT: violated assertion
 * RUN: check -DADDS
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGES
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGES_NUMBER
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGES_AWAY
 * EXPECT: violated assertion
 * RUN: check -DTRYLOCK
 * EXPECT: violated assertion
 * RUN: check -DSEMAPHORE
 * EXPECT: violated assertion
 * RUN: check -DBACKOFF
 * EXPECT: violated assertion
 * RUN: check -DNESTED
 * EXPECT: violated assertion
 * RUN: check -DNESTED_STAYS
 * EXPECT: violated assertion
 * RUN: check -DBACKWARDS
 * EXPECT: violated assertion
 * RUN: check -DRACE_IN_ROUND
 * EXPECT: violated data-race
 * RUN: check -DRACE_IN_FIRST_ROUND
 * EXPECT: violated data-race
 * RUN: check -DRACE_BEHIND
 * EXPECT: violated data-race
 * RUN: check -DPUBLISHES
 * EXPECT: verified
 * RUN: check -DRELAXED
 * EXPECT: violated data-race
 * RUN: check -DCANCELLED
 * EXPECT: violated assertion
 * RUN: check -DCHOOSES
 * EXPECT: violated assertion
 * RUN: check -DINVARIANT --invariant '{seen + tries != 2}'
 * EXPECT: violated invariant
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "bitspin.h"

enum { ROUNDS = 3 };

static atomic_int lock, flag, tries, seen, debug;
static volatile int plain, result;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t tokens;

static bool try_lock(void)
{
	int zero = 0;
	return atomic_compare_exchange_strong(&lock, &zero, 1); /* ERROR */
}

static void unlock(void)
{
	atomic_store(&lock, 0);
}

#if defined GIVES_UP || defined SUCCEEDS
/* The lock is held for a while: both ends of the loop can be reached. */
static void one(void)
{
	bool got = false;
	for (int i = 0; i < ROUNDS && !got; i++)
		got = try_lock();
#ifdef GIVES_UP
	assert(got); /* ERROR */
#else
	assert(!got); /* ERROR */
#endif
}
static void other(void)
{
	try_lock();
	unlock();
}

#elif defined SUCCEEDS_LATE
/* Round 0 must fail, since the flag rises only when somebody has looked; the look is no part of the rounds. */
static void one(void)
{
	atomic_store(&seen, 1);
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_load(&flag) == 1)
			assert(0); /* ERROR */
}
static void other(void)
{
	if (atomic_load(&seen))
		atomic_store(&flag, 1);
}

#elif defined WAITS_BEHIND
/* After the last round the thread waits for what never comes. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (try_lock())
			return;
	sem_wait(&tokens);
}
static void other(void)
{
	while (!try_lock())
		;
	unlock();
}

#elif defined STAYS
/* Rounds that succeed stay in the loop: one that fails takes a number away from them. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (try_lock()) {
			atomic_fetch_add(&seen, 1);
			unlock();
		}
	assert(atomic_load(&seen) != 2); /* ERROR */
}
static void other(void)
{
	if (try_lock())
		unlock();
}

#elif defined STAYS_IN_CALL
/* The same, where the loop's own function shows nothing of it. */
static bool helps(void)
{
	if (try_lock()) {
		atomic_fetch_add(&seen, 1);
		unlock();
	}
	return atomic_load(&debug) == 7;
}
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (helps())
			break;
	assert(atomic_load(&seen) != 2); /* ERROR */
}
static void other(void)
{
	if (try_lock())
		unlock();
}

#elif defined STAYS_THEN_LEAVES
/* Only the second success leaves the loop. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_load(&flag) && atomic_fetch_add(&seen, 1) == 1)
			return;
	assert(atomic_load(&seen) != 1); /* ERROR */
}
static void other(void)
{
	atomic_store(&flag, 1);
}

#elif defined STAYS_ONCE
/* The same, in a call, and rounds that fail take one step. */
static bool second(void)
{
	return atomic_load(&flag) && atomic_fetch_add(&seen, 1) == 1;
}
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (second())
			return;
	assert(atomic_load(&seen) != 1); /* ERROR */
}
static void other(void)
{
	atomic_store(&flag, 1);
}

#elif defined STAYS_ONCE_BY_ITSELF
/* ... and nobody else sees what the first success changes. */
static _Thread_local int successes;
static bool second(void)
{
	return atomic_load(&flag) && successes++ == 1;
}
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (second())
			return;
	assert(successes != 1); /* ERROR */
}
static void other(void)
{
	atomic_store(&flag, 1);
}

#elif defined COUNTS_FAILURES
/* Whether failures are counted changes under way. */
static bool tried(void)
{
	if (atomic_load(&debug))
		atomic_fetch_add(&tries, 1);
	return try_lock();
}
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (tried())
			return;
	assert(atomic_load(&tries) != 1); /* ERROR */
}
static void other(void)
{
	try_lock();
	atomic_store(&debug, 1);
}

#elif defined COUNTS_FAILURES_OF_ITS_OWN
/* ... in a variable that nobody else sees. */
static _Thread_local int failures;
static bool tried(void)
{
	if (atomic_load(&debug))
		failures++;
	return try_lock();
}
static void one(void)
{
	failures = 0;
	for (int i = 0; i < ROUNDS; i++)
		if (tried())
			return;
	assert(failures != 1); /* ERROR */
}
static void other(void)
{
	try_lock();
	atomic_store(&debug, 1);
}

#elif defined ASKS_SAME_NUMBER
/* Whether all rounds have failed. */
static void one(void)
{
	int i;
	for (i = 0; i < ROUNDS; i++)
		if (try_lock())
			break;
	if (i == ROUNDS)
		while (!try_lock())
			;
	plain++;
	unlock();
}
static void other(void)
{
	one();
}

#elif defined TWO_LOOKS
/* A round takes two steps, and others can go between. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_load(&flag) == 1 && atomic_load(&flag) == 0)
			assert(0); /* ERROR */
}
static void other(void)
{
	atomic_store(&flag, 1);
	atomic_store(&flag, 0);
}

#elif defined ADDS
/* Each round changes a number that others see. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_fetch_add(&tries, 1) > 5)
			return;
}
static void other(void)
{
	assert(atomic_load(&tries) != 2); /* ERROR */
}

#elif defined EXCHANGES
/* A failed exchange writes what is there. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_exchange(&lock, 1) == 0) {
			plain++;
			unlock();
			return;
		}
	assert(0); /* ERROR */
}
static void other(void)
{
	if (atomic_exchange(&lock, 1) == 0) {
		plain++;
		unlock();
	}
}

#elif defined EXCHANGES_NUMBER
/* The exchange brings its own number, and what it finds is another's: who fails has changed something. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_exchange(&lock, 1) == 0)
			return;
	assert(atomic_load(&lock) != 2); /* ERROR */
}
static void other(void)
{
	atomic_exchange(&lock, 2);
	atomic_exchange(&lock, 2);
}

#elif defined EXCHANGES_AWAY
/* A round that fails takes the 2 away, and somebody waits for that. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_exchange(&lock, 1) == 0)
			assert(0); /* ERROR */
}
static void other(void)
{
	if (atomic_load(&lock) == 1)
		atomic_store(&lock, 0);
}

#elif defined TRYLOCK
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (pthread_mutex_trylock(&m) == 0) {
			plain++;
			pthread_mutex_unlock(&m);
			return;
		}
	assert(0); /* ERROR */
}
static void other(void)
{
	pthread_mutex_lock(&m);
	plain++;
	pthread_mutex_unlock(&m);
}

#elif defined SEMAPHORE
/* A failed sem_trywait sets errno. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (sem_trywait(&tokens) == 0)
			return;
	assert(0); /* ERROR */
}
static void other(void)
{
	sem_post(&tokens);
}

#elif defined BACKOFF
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (try_lock()) {
			unlock();
			return;
		}
		for (volatile int k = 0; k < 1 << i; k++)
			;
	}
	assert(0); /* ERROR */
}
static void other(void)
{
	one();
}

#elif defined NESTED
static void one(void)
{
	for (int k = 0; k < 2; k++) {
		for (int i = 0; i < ROUNDS; i++)
			if (try_lock()) {
				unlock();
				return;
			}
		sched_yield();
	}
	assert(0); /* ERROR */
}
static void other(void)
{
	one();
}

#elif defined NESTED_STAYS
/* To leave the inner loop is to stay in the outer one. */
static void one(void)
{
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < ROUNDS; i++)
			if (try_lock()) {
				unlock();
				atomic_fetch_add(&seen, 1);
				break;
			}
	assert(atomic_load(&seen) != 1); /* ERROR */
}
static void other(void)
{
	if (try_lock())
		unlock();
}

#elif defined BACKWARDS
static void one(void)
{
	unsigned char left = ROUNDS;
	do {
		if (try_lock()) {
			unlock();
			return;
		}
	} while (--left);
	assert(0); /* ERROR */
}
static void other(void)
{
	one();
}

#elif defined RACE_IN_ROUND
/* Only a round that fails reads it. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_load(&flag) || plain == 5) /* ERROR */
			return;
}
static void other(void)
{
	plain = 1;
	atomic_store(&flag, 1);
}

#elif defined RACE_IN_FIRST_ROUND
/* The second look at the flag is ordered with the write; the read after the first one is not. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		int now = atomic_load(&flag);
		if (now == 2)
			return;
		if (now == 0 && plain == 5)
			return;
	}
}
static void other(void)
{
	atomic_store(&flag, 1);
	plain = 1; /* ERROR */
	atomic_store(&flag, 2);
}

#elif defined RACE_BEHIND
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_load(&flag))
			break;
	result = plain; /* ERROR */
}
static void other(void)
{
	plain = 1;
	atomic_store(&flag, 1);
}

#elif defined PUBLISHES
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_load_explicit(&flag, memory_order_acquire)) {
			assert(plain == 1);
			return;
		}
}
static void other(void)
{
	plain = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
}

#elif defined RELAXED
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_load_explicit(&flag, memory_order_relaxed)) {
			result = plain; /* ERROR */
			return;
		}
}
static void other(void)
{
	plain = 1;
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
}

#elif defined CANCELLED
/* A round that fails may end the thread. */
static void told(void *unused)
{
	(void)unused;
	assert(0); /* ERROR */
}
static void one(void)
{
	pthread_cleanup_push(told, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		if (atomic_load(&flag))
			break;
		pthread_testcancel();
	}
	pthread_cleanup_pop(0);
}
static void other(void)
{
}

#elif defined CHOOSES
/* A round fails for a reason of its own. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (bitspin_choose(0, 1) && atomic_load(&flag))
			assert(0); /* ERROR */
}
static void other(void)
{
	atomic_store(&flag, 1);
}

#elif defined INVARIANT
/* One round sees the flag down, the next one sees it up and writes, and so on. */
static void one(void)
{
	for (int i = 0; i < ROUNDS; i++)
		if (atomic_load(&flag) && atomic_fetch_add(&tries, 1) == 2)
			return;
}
static void other(void)
{
	atomic_store(&flag, 1);
	atomic_store(&flag, 0);
	atomic_store(&seen, 1); /* ERROR */
}

#else
/* A lock that gives up, and then waits. */
static void one(void)
{
	for (int i = 0; i < 100; i++)
		if (try_lock())
			goto locked;
	while (!try_lock())
		sched_yield();
locked:
	plain++;
	unlock();
}
static void other(void)
{
	one();
	one();
}
#endif

static void *run(void *unused)
{
	one();
	return unused;
}

int main(void)
{
	pthread_t thread;
	sem_init(&tokens, 0, 0);
#if defined EXCHANGES_AWAY
	atomic_store(&lock, 2);
#endif
	pthread_create(&thread, NULL, run, NULL);
	other();
#ifdef CANCELLED
	pthread_cancel(thread);
#endif
	pthread_join(thread, NULL); /* ERROR */
	return result + plain > 100;
}
