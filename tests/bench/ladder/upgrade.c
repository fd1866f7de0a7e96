/* SPDX-License-Identifier: MIT
 *
 * Two readers want to become writers, and let go of the lock on the way.
 *
 * EXPECT: violated assertion
 */
#include "padding.h"

#include <assert.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int entries;

static void *insert_once(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	int there = atomic_load(&entries);
	pthread_rwlock_unlock(&lock);
	if (!there) {
		pthread_rwlock_wrlock(&lock);
		assert(atomic_fetch_add(&entries, 1) == 0); /* ERROR: the other may have inserted it */
		pthread_rwlock_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, insert_once, 0);
	pad();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
