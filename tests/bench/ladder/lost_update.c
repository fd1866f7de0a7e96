/* SPDX-License-Identifier: MIT
 *
 * A worker that is first in the pool adds to the sum of the pool what it read before it had the lock.
 *
 * EXPECT: violated assertion
 */
#include "padding.h"

#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int jobs;
static int first = 1;

static void *worker(void *unused)
{
	int seen = atomic_load(&jobs);
	pthread_mutex_lock(&lock);
	if (first)
		atomic_store(&jobs, seen + 1);
	else
		atomic_fetch_add(&jobs, 1);
	first = 0;
	assert(atomic_load(&jobs) > 0);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *auditor(void *unused)
{
	int before = atomic_load(&jobs), after = atomic_load(&jobs);
	assert(after >= before); /* ERROR: an update was lost */
	return unused;
}

static void *late(void *unused)
{
	atomic_fetch_add(&jobs, 1);
	atomic_fetch_add(&jobs, 1);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], 0, worker, 0);
	pthread_create(&threads[1], 0, late, 0);
	pthread_create(&threads[2], 0, auditor, 0);
	pad();
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
