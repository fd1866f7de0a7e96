/* SPDX-License-Identifier: MIT
 *
 * A ticket lock whose tickets are drawn in two steps.
 *
 * EXPECT: violated assertion
 */
#include "padding.h"

#include <assert.h>
#include <sched.h>

static atomic_int next_ticket, serving, inside;

static void *customer(void *unused)
{
	int mine = atomic_load(&next_ticket);
	atomic_store(&next_ticket, mine + 1);
	while (atomic_load(&serving) < mine)
		sched_yield();
	assert(atomic_fetch_add(&inside, 1) == 0); /* ERROR: another has the same ticket */
	atomic_fetch_sub(&inside, 1);
	atomic_fetch_add(&serving, 1);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], 0, customer, 0);
	pad();
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
