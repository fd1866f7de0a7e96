/* SPDX-License-Identifier: MIT
 *
 * Peterson's algorithm, all relaxed; one atomic access on a line.  tests/forbids.py strengthens orders as stories say.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag[2], inside;
atomic_int turn;

static void *work(int me)
{
	int other = 1 - me, waits = 1;
	atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
	atomic_store_explicit(&turn, other, memory_order_relaxed);
	while (waits) {
		waits = atomic_load_explicit(&flag[other], memory_order_relaxed);
		if (waits)
			waits = atomic_load_explicit(&turn, memory_order_relaxed) == other;
	}
	int before = atomic_load_explicit(&inside, memory_order_relaxed);
	atomic_store_explicit(&inside, before + 1, memory_order_relaxed);
	atomic_store_explicit(&flag[me], 0, memory_order_relaxed);
	return NULL;
}

static void *first(void *unused)
{
	(void)unused;
	return work(0);
}

static void *second(void *unused)
{
	(void)unused;
	return work(1);
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	assert(inside == 2);
}
