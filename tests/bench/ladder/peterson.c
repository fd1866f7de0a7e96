/* SPDX-License-Identifier: MIT
 *
 * Peterson's algorithm with its first two lines the other way round.
 *
 * EXPECT: violated assertion
 */
#include "padding.h"

#include <assert.h>
#include <sched.h>

static atomic_int wants[2], turn, inside;

static void *work(void *argument)
{
	int own = (int)(long)argument;
	atomic_store(&turn, 1 - own);
	atomic_store(&wants[own], 1);
	while (atomic_load(&wants[1 - own]) && atomic_load(&turn) == 1 - own)
		sched_yield();
	assert(atomic_fetch_add(&inside, 1) == 0); /* ERROR: both are in */
	atomic_fetch_sub(&inside, 1);
	atomic_store(&wants[own], 0);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, work, (void *)i);
	pad();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
