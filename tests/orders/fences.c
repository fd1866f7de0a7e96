/* SPDX-License-Identifier: MIT
 *
 * A message passed by fences: seq_cst fences are more than it takes, and the acquire fence is needed.
 *
 * RUN:
 * EXPECT: 2 of 4 orders could be weaker, together, in this program
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;
static int data;

static void *producer(void *unused)
{
	data = 42;
	atomic_thread_fence(memory_order_seq_cst);              /* ORDERS: release */
	atomic_store_explicit(&ready, 1, memory_order_relaxed); /* ORDERS: the weakest */
	return unused;
}

static void *consumer(void *unused)
{
	while (!atomic_load_explicit(&ready, memory_order_relaxed)) /* ORDERS: the weakest */
		;
	atomic_thread_fence(memory_order_acq_rel); /* ORDERS: acquire */
	assert(data == 42);
	return unused;
}

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, NULL, producer, NULL);
	pthread_create(&other, NULL, consumer, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
}
