/* SPDX-License-Identifier: MIT
 *
 * A barrier made by hand: who comes to the second round early finds the count of the first.
 *
 * EXPECT: violated assertion
 */
#include "padding.h"

#include <assert.h>
#include <sched.h>

enum { THREADS = 2 };
static atomic_int arrived, released, phase[THREADS];

static void barrier(void)
{
	if (atomic_fetch_add(&arrived, 1) + 1 == THREADS) {
		atomic_store(&released, 1);
		atomic_store(&arrived, 0);
	}
	while (!atomic_load(&released))
		sched_yield();
}

static void *work(void *argument)
{
	int own = (int)(long)argument;
	for (int i = 1; i <= 2; i++) {
		atomic_store(&phase[own], i);
		barrier();
		assert(atomic_load(&phase[1 - own]) >= i); /* ERROR: the other is still in the round before */
	}
	return 0;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], 0, work, (void *)i);
	pad();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
