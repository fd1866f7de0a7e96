/* SPDX-License-Identifier: MIT
 *
 * A ring of one place: two producers see that there is room, and both fill it.
 *
 * EXPECT: violated out-of-bounds
 */
#include "padding.h"

enum { SIZE = 2 };
static atomic_int used;
static int ring[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *unused)
{
	if (atomic_load(&used) < SIZE) {
		int at = atomic_fetch_add(&used, 1);
		pthread_mutex_lock(&lock);
		ring[at] = 1; /* ERROR: there may be no room any more */
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], 0, producer, 0);
	pad();
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
