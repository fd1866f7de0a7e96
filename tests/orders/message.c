/* SPDX-License-Identifier: MIT
 *
 * A message is passed with seq_cst, where release and acquire are enough; counting needs no order at all.
 *
 * RUN:
 * EXPECT: 5 of 5 orders could be weaker, together, in this program
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready, hits;
static int data;

static void *producer(void *unused)
{
	data = 42;
	atomic_store(&ready, 1);    /* ORDERS: release */
	atomic_fetch_add(&hits, 1); /* ORDERS: relaxed */
	return unused;
}

static void *consumer(void *unused)
{
	while (!atomic_load(&ready)) /* ORDERS: acquire */
		;
	assert(data == 42);
	atomic_fetch_add(&hits, 1); /* ORDERS: relaxed */
	return unused;
}

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, NULL, producer, NULL);
	pthread_create(&other, NULL, consumer, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	assert(atomic_load(&hits) == 2); /* ORDERS: relaxed */
}
