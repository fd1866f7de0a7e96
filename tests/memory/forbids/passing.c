/* SPDX-License-Identifier: MIT
 *
 * Message passing, all relaxed; one atomic access on a line.  tests/forbids.py strengthens orders as stories say.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int data, ready;
static int seen;

static void *first(void *unused)
{
	atomic_store_explicit(&data, 1, memory_order_relaxed);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return unused;
}

static void *second(void *unused)
{
	int is_ready = atomic_load_explicit(&ready, memory_order_relaxed);
	int value = atomic_load_explicit(&data, memory_order_relaxed);
	seen = !is_ready || value == 1;
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	assert(seen);
}
