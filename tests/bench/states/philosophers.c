/* SPDX-License-Identifier: MIT
 *
 * N philosophers, who take the fork with the smaller number first.
 */
#include <pthread.h>
#ifndef N
#define N 5
#endif
static pthread_mutex_t forks[N];
static void *dine(void *place)
{
	int i = (int)(long)place, k = (i + 1) % N, first = i < k ? i : k, second = i < k ? k : i;
	pthread_mutex_lock(&forks[first]);
	pthread_mutex_lock(&forks[second]);
	pthread_mutex_unlock(&forks[second]);
	pthread_mutex_unlock(&forks[first]);
	return NULL;
}
int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&forks[i], NULL);
	for (long i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, dine, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
}
