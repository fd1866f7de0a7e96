/* SPDX-License-Identifier: MIT
 *
 * Dining philosophers whose forks are taken by compare-exchange in a loop, with the numbers of philosophers and meals of llmc's
 * philo.  What they do is ours: the last one takes its forks in the other order.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif
#include "../pairs/threads.h"
#ifndef MEALS
#define MEALS 4
#endif

static atomic_int forks[N];

static void take(int fork)
{
	int free;
	do
		free = 0;
	while (!atomic_compare_exchange_strong(&forks[fork], &free, 1));
}

static void *dine(void *argument)
{
	int me = NUMBER(argument), next = (me + 1) % N;
	int first = me < next ? me : next, second = me < next ? next : me;
	for (int i = 0; i < MEALS; i++) {
		take(first);
		take(second);
		atomic_store(&forks[second], 0);
		atomic_store(&forks[first], 0);
	}
	return NULL;
}

int main(void)
{
	return run(dine);
}
