/* SPDX-License-Identifier: MIT
 *
 * Dining philosophers whose forks are taken by compare-exchange in a loop, with the parameters of llmc's philo (van der Berg, CAV
 * 2021): THREADS philosophers eat MEALS times each; the last one takes its forks in the other order.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef MEALS
#define MEALS 4
#endif

static atomic_int forks[THREADS];

static void take(int fork)
{
	int free;
	do
		free = 0;
	while (!atomic_compare_exchange_strong(&forks[fork], &free, 1));
}

static void *dine(void *argument)
{
	int me = (int)(intptr_t)argument, next = (me + 1) % THREADS;
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
	pthread_t threads[THREADS];
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, dine, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
