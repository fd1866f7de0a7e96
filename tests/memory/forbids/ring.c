/* SPDX-License-Identifier: MIT
 *
 * A ring buffer, all relaxed; one atomic access on a line.  tests/forbids.py strengthens orders as stories say.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { SIZE = 2, ITEMS = 3 };
static atomic_int slots[SIZE];
static atomic_uint head, tail;
static int wrong;

static void *first(void *unused)
{
	unsigned taken;
	for (unsigned i = 0; i < ITEMS; i++) {
		do
			taken = atomic_load_explicit(&head, memory_order_relaxed);
		while (i - taken == SIZE);
		atomic_store_explicit(&slots[i % SIZE], (int)i + 1, memory_order_relaxed);
		atomic_store_explicit(&tail, i + 1, memory_order_relaxed);
	}
	return unused;
}

static void *second(void *unused)
{
	unsigned put;
	for (unsigned i = 0; i < ITEMS; i++) {
		do
			put = atomic_load_explicit(&tail, memory_order_relaxed);
		while (put == i);
		int value = atomic_load_explicit(&slots[i % SIZE], memory_order_relaxed);
		wrong |= value != (int)i + 1;
		atomic_store_explicit(&head, i + 1, memory_order_relaxed);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	assert(!wrong);
}
