/* SPDX-License-Identifier: MIT
 *
 * A thread has the slot of one that somebody else has joined.  It knows what its creator knows, and not what the thread before it
 * did.
 *
 * ALSO: --reduction all,-histories
 *
 * RUN: check -DTELL=memory_order_relaxed -DASK=memory_order_relaxed
 * EXPECT: violated data-race
 * RUN: check -DTELL=memory_order_release -DASK=memory_order_relaxed
 * EXPECT: violated data-race
 * RUN: check -DTELL=memory_order_release -DASK=memory_order_acquire
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int created, joined;

static void *first(void *unused)
{
	data = 1; /* ERROR */
	return unused;
}

static void *second(void *unused)
{
	data = 2; /* ERROR */
	return unused;
}

static pthread_t thread;

static void *parent(void *unused)
{
	pthread_t other;
	pthread_create(&thread, NULL, first, NULL);
	atomic_store_explicit(&created, 1, memory_order_release);
	if (atomic_load_explicit(&joined, ASK)) {
		pthread_create(&other, NULL, second, NULL);
		pthread_join(other, NULL);
	}
	return unused;
}

int main(void)
{
	pthread_t one;
	pthread_create(&one, NULL, parent, NULL);
	if (atomic_load_explicit(&created, memory_order_acquire)) {
		pthread_join(thread, NULL);
		atomic_store_explicit(&joined, 1, TELL);
	}
	pthread_join(one, NULL);
}
