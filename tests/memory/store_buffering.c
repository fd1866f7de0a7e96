/* SPDX-License-Identifier: MIT
 *
 * Store buffering: each thread writes one variable and then reads the other.  That both read the old value takes stores that are
 * not visible at once; it is forbidden by seq_cst accesses, and by seq_cst fences in both threads, not in one.
 *
 * RUN: check --memory c11 -DORDER=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11:2 -DORDER=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11:1 -DORDER=relaxed
 * EXPECT: inconclusive: no violation under sequential consistency, and weaker orders let threads read older values
 * RUN: check --memory sc -DORDER=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DORDER=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DORDER=relaxed -DFIRST -DSECOND
 * EXPECT: verified
 * RUN: check --memory c11 -DORDER=relaxed -DFIRST
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define JOINED(a, b) a##b
#define ORDER_OF(o)  JOINED(memory_order_, o)

static atomic_int x, y;
static int a, b;

static void *first(void *unused)
{
	atomic_store_explicit(&x, 1, ORDER_OF(ORDER));
#ifdef FIRST
	atomic_thread_fence(memory_order_seq_cst);
#endif
	a = atomic_load_explicit(&y, ORDER_OF(ORDER));
	return unused;
}

static void *second(void *unused)
{
	atomic_store_explicit(&y, 1, ORDER_OF(ORDER));
#ifdef SECOND
	atomic_thread_fence(memory_order_seq_cst);
#endif
	b = atomic_load_explicit(&x, ORDER_OF(ORDER));
	return unused;
}

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&other, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	assert(a == 1 || b == 1); /* ERROR */
}
