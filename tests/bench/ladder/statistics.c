/* SPDX-License-Identifier: MIT
 *
 * A flag that turns off the lock of a counter is read twice.
 *
 * EXPECT: violated data-race
 */
#include "padding.h"

static atomic_int threaded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *hit(void *unused)
{
	if (!atomic_load(&threaded)) {
		hits++; /* ERROR: the other thread has the lock, and this one has none */
		return unused;
	}
	pthread_mutex_lock(&lock);
	hits++; /* ERROR */
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *start(void *unused)
{
	pthread_mutex_lock(&lock);
	atomic_store(&threaded, 1);
	hits++; /* ERROR */
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, start, 0);
	pthread_create(&threads[1], 0, hit, 0);
	pad();
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	pad_end();
}
