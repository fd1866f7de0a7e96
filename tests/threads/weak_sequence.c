/* SPDX-License-Identifier: MIT
 *
 * Read-modify-writes, compare-exchanges and release sequences, as since C++20 and in C23: a read-modify-write continues the
 * sequence, of whatever order it is; any other store ends it, also one of the same thread.
 *
 * RUN: check -DEXCHANGE_PUBLISHES=release
 * EXPECT: verified
 * RUN: check -DEXCHANGE_PUBLISHES=acquire
 * EXPECT: violated data-race
 * RUN: check -DEXCHANGE_PUBLISHES=relaxed
 * EXPECT: violated data-race
 * RUN: check -DADD_OBSERVES=acquire
 * EXPECT: verified
 * RUN: check -DADD_OBSERVES=release
 * EXPECT: violated data-race
 * RUN: check -DADD_OBSERVES=relaxed
 * EXPECT: violated data-race
 * RUN: check -DCONTINUED
 * EXPECT: verified
 * RUN: check -DCONTINUED -DBY_STORE
 * EXPECT: violated data-race
 * RUN: check -DSAME_THREAD
 * EXPECT: violated data-race
 * RUN: check -DFAILURE=acquire
 * EXPECT: verified
 * RUN: check -DFAILURE=relaxed
 * EXPECT: violated data-race
 * RUN: check -DSUCCESS=acquire
 * EXPECT: verified
 * RUN: check -DSUCCESS=release
 * EXPECT: violated data-race
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define JOIN(a, b) a##b
#define ORDER(x) JOIN(memory_order_, x)

static int data;
static atomic_int flag;

static void *write_data(void *unused)
{
	(void)unused;
	data = 1;
#ifdef EXCHANGE_PUBLISHES
	atomic_exchange_explicit(&flag, 1, ORDER(EXCHANGE_PUBLISHES));
#else
	atomic_store_explicit(&flag, 1, memory_order_release);
#endif
#ifdef SAME_THREAD
	atomic_store_explicit(&flag, 2, memory_order_relaxed);
#endif
	return NULL;
}

#ifdef CONTINUED
static void *continue_it(void *unused)
{
	(void)unused;
#ifdef BY_STORE
	if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
		atomic_store_explicit(&flag, 2, memory_order_relaxed);
#else
	atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
#endif
	return NULL;
}
#endif

static int observed(void)
{
#ifdef ADD_OBSERVES
	return atomic_fetch_add_explicit(&flag, 1, ORDER(ADD_OBSERVES)) == 1;
#elif defined FAILURE
	int expected = 0;
	return !atomic_compare_exchange_strong_explicit(&flag, &expected, 7, memory_order_relaxed, ORDER(FAILURE));
#elif defined SUCCESS
	int expected = 1;
	return atomic_compare_exchange_strong_explicit(&flag, &expected, 7, ORDER(SUCCESS), memory_order_relaxed);
#elif defined CONTINUED || defined SAME_THREAD
	return atomic_load_explicit(&flag, memory_order_acquire) == 2;
#else
	return atomic_load_explicit(&flag, memory_order_acquire);
#endif
}

int main(void)
{
	pthread_t writer;
	pthread_create(&writer, NULL, write_data, NULL);
#ifdef CONTINUED
	pthread_t other;
	pthread_create(&other, NULL, continue_it, NULL);
#endif
	if (observed() && data != 1) /* ERROR */
		abort();
	return 0;
}
