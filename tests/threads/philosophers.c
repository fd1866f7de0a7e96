/* SPDX-License-Identifier: MIT
 *
 * Dining philosophers: a deadlock, unless the last one is left-handed.
 *
 * RUN: check -DN=3
 * EXPECT: violated deadlock
 * RUN: check -DN=3 -DLEFT
 * EXPECT: verified
 * RUN: check -DN=4
 * EXPECT: violated deadlock
 * ALSO: --races ignore
 */
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t forks[N];

static void *philosopher(void *argument)
{
	int i = (int)(intptr_t)argument, first = i, second = (i + 1) % N;
#ifdef LEFT
	if (second == 0)
		second = first, first = 0;
#endif
	pthread_mutex_lock(&forks[first]);
	pthread_mutex_lock(&forks[second]); /* ERROR */
	pthread_mutex_unlock(&forks[second]);
	pthread_mutex_unlock(&forks[first]);
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 1; i < N; i++)
		pthread_create(&threads[i], NULL, philosopher, (void *)(intptr_t)i);
	philosopher((void *)0);
	for (int i = 1; i < N; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
