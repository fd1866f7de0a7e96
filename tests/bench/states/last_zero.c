/* SPDX-License-Identifier: MIT
 *
 * Last zero: one thread looks for the last zero of an array, while N others each set their element to its left neighbour's plus
 * one (Abdulla and others, POPL 2014).
 */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
static atomic_int array[N + 1];
static void *check(void *unused)
{
	int i = N;
	while (atomic_load(&array[i]) != 0)
		i--;
	return unused;
}
static void *set(void *place)
{
	int j = (int)(long)place;
	atomic_store(&array[j], atomic_load(&array[j - 1]) + 1);
	return NULL;
}
int main(void)
{
	pthread_t threads[N + 1];
	pthread_create(&threads[0], NULL, check, NULL);
	for (long j = 1; j <= N; j++)
		pthread_create(&threads[j], NULL, set, (void *)j);
	for (int j = 0; j <= N; j++)
		pthread_join(threads[j], NULL);
}
