/* SPDX-License-Identifier: MIT
 *
 * A flag says that a value is there before the value is.
 *
 * EXPECT: violated assertion
 */
#include "padding.h"

#include <assert.h>

static atomic_int ready;
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *unused)
{
	atomic_store(&ready, 1);
	pthread_mutex_lock(&lock);
	value = 42;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *consumer(void *unused)
{
	if (atomic_load(&ready)) {
		pthread_mutex_lock(&lock);
		assert(value == 42); /* ERROR: it may still be 0 */
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, producer, 0);
	pthread_create(&threads[1], 0, consumer, 0);
	pad();
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	pad_end();
}
