/* SPDX-License-Identifier: MIT
 *
 * More outcomes than a step can choose among: the choice is narrowed first, and other threads may go on in between.
 *
 * FEWER: the second thread drains its own buffer then, so that there is less to demand.
 * MORE: when the first thread drains its buffer, main's store to cells[9] is in memory already, and its next store is not.  So the
 * first thread has demanded it, and nothing of the second one's, which has looked at `done` since and has stored its cells last.
 * Main does not store before both others have come to where they drain, with ten outcomes each.
 *
 * RUN: check --memory tso:16 -DFEWER
 * EXPECT: verified
 * RUN: check --memory tso:16 --reduction none -DFEWER
 * EXPECT: verified
 * RUN: check --memory tso:16 -DMORE
 * EXPECT: violated assertion
 * RUN: check --memory tso:16 --reduction none -DMORE
 * EXPECT: violated assertion
 * RUN: check --memory tso:16 -DMORE -DEXCHANGE
 * EXPECT: violated assertion
 * RUN: check --memory tso:16 --reduction none -DMORE -DEXCHANGE
 * EXPECT: violated assertion
 * RUN: check --memory tso:16 -DMORE -DLATER=1
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LATER
#define LATER 0
#endif

enum { CELLS = 10 };

static atomic_int cells[CELLS], flags[2], other, done;
static int missed, late;

static void put(atomic_int *place, int value)
{
	atomic_store_explicit(place, value, memory_order_relaxed);
}

static int get(atomic_int *place)
{
	return atomic_load_explicit(place, memory_order_relaxed);
}

static void drain(void)
{
#ifdef EXCHANGE /* of a place that nobody else accesses */
	static atomic_int own;
	atomic_exchange_explicit(&own, 1, memory_order_relaxed);
#else
	atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void *first(void *unused)
{
#ifdef MORE
	put(&flags[0], 1);
#endif
	for (int i = 0; i < CELLS; i++)
		put(&cells[i], 1);
	drain();
	missed = get(&other) == 0;
	put(&done, 1);
	return unused;
}

static void *second(void *unused)
{
#ifdef MORE
	put(&flags[1], 1);
#endif
	for (int i = 0; i < CELLS - 1; i++)
		put(&cells[i], 2);
#ifdef MORE
	late = get(&done);
#endif
	atomic_thread_fence(memory_order_seq_cst);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
#ifdef MORE
	int seen = get(&flags[0]) && get(&flags[1]);
	if (seen) {
		if (LATER)
			put(&other, 1);
		put(&cells[CELLS - 1], 2);
		if (!LATER)
			put(&other, 1);
	}
#endif
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
#ifdef MORE
	assert(!(seen && missed && late && get(&cells[CELLS - 1]) == 1 && get(&cells[0]) == 2)); /* ERROR */
#else
	assert(get(&cells[CELLS - 1]) == 1);
#endif
}
