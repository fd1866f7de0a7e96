/* SPDX-License-Identifier: MIT
 *
 * Too many schedules to look at all of them.  Two updates of `done` are lost; one preemption is enough for that, but the search
 * finds schedules with many.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 6, ROUNDS = 30 };

static atomic_int cells[THREADS], done;

static void *work(void *number)
{
	long i = (long)number;
	for (int k = 0; k < ROUNDS; k++) {
		cells[(i + 1) % THREADS] = cells[i] + k;
		int seen = done;
		if (k == ROUNDS - 3)
			done = seen + 1;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert(done == THREADS);
	return 0;
}
