/* SPDX-License-Identifier: MIT
 *
 * Data handed over by an atomic flag, release and acquire: no race, the data is there.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *producer(void *unused)
{
	data = 42;
	atomic_store_explicit(&ready, 1, memory_order_release);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, producer, NULL);
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	assert(data == 42);
	pthread_join(thread, NULL);
	return 0;
}
