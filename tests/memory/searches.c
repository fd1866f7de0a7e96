/* SPDX-License-Identifier: MIT
 *
 * A counterexample with an older value, and a program without one, by each kind of search; and what a compare-exchange may do that
 * fails for no reason.
 *
 * RUN: check --memory c11 --search bfs
 * EXPECT: violated assertion
 * RUN: check --memory c11 --search random
 * EXPECT: violated assertion
 * RUN: check --memory c11 --search bitstate
 * EXPECT: violated assertion
 * RUN: check --memory c11 --cores 2
 * EXPECT: violated assertion
 * RUN: check --memory c11 --reduction none
 * EXPECT: violated assertion
 * RUN: check --memory c11 --preemptions 2
 * EXPECT: violated assertion
 * RUN: check --memory c11 --all
 * EXPECT: violated assertion
 * RUN: check --memory c11 -O2
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DST=release -DLD=acquire --search bfs
 * EXPECT: verified
 * RUN: check --memory c11 -DST=release -DLD=acquire --cores 2
 * EXPECT: verified
 * RUN: check --memory c11 -DST=release -DLD=acquire --reduction none
 * EXPECT: verified
 * RUN: check --memory c11 -DST=release -DLD=acquire -O2
 * EXPECT: verified
 * RUN: check --memory c11 -DST=release -DLD=acquire --search random
 * EXPECT: inconclusive: no violation
 * RUN: check --memory c11 -DST=release -DLD=acquire --search bitstate
 * EXPECT: inconclusive: no violation
 * RUN: check --memory c11 -DFAILS
 * EXPECT: verified
 * RUN: check --memory c11 -DFAILS --faults weak-cas:1
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DFAILS -DAGAIN --faults weak-cas:1
 * EXPECT: verified
 * RUN: check --memory c11:2 -DFOREVER
 * EXPECT: inconclusive: no violation if threads read one of the 2 newest values of a location
 */
#include "orders.h"
#include <stdbool.h>

#ifndef ST
#define ST relaxed
#endif
#ifndef LD
#define LD relaxed
#endif

static atomic_int x, y;

#ifdef FAILS
static void *first(void *unused)
{
	int old = 0;
	bool done = atomic_compare_exchange_weak_explicit(&x, &old, 1, memory_order_relaxed, memory_order_relaxed);
#ifdef AGAIN
	while (!done && old == 0)
		done = atomic_compare_exchange_weak_explicit(&x, &old, 1, memory_order_relaxed, memory_order_relaxed);
#endif
	assert(done || old == 2); /* ERROR */
	return unused;
}

static void *second(void *unused)
{
	STORE(x, 2, relaxed);
	return unused;
}
#elif defined FOREVER
/* The number of old values has no bound. */
static void *first(void *unused)
{
	for (int i = 1;; i = 3 - i) {
		STORE(x, i, relaxed);
		STORE(y, i, relaxed);
	}
	return unused;
}

static void *second(void *unused)
{
	int b = LOAD(y, relaxed), a = LOAD(x, relaxed);
	assert(a >= 0 && a <= 2 && b >= 0 && b <= 2);
	return unused;
}
#else
static void *first(void *unused)
{
	for (int i = 1; i <= 2; i++) {
		STORE(x, i, relaxed);
		STORE(y, i, ST);
	}
	return unused;
}

static void *second(void *unused)
{
	int b = LOAD(y, LD), a = LOAD(x, relaxed);
	assert(a >= b); /* ERROR */
	return unused;
}
#endif

int main(void)
{
#ifdef FOREVER
	pthread_t writer, reader;
	pthread_create(&writer, NULL, first, NULL);
	pthread_create(&reader, NULL, second, NULL);
	pthread_join(reader, NULL);
#else
	RUN(first, second);
#endif
}
