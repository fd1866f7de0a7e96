/* SPDX-License-Identifier: MIT
 *
 * N philosophers who eat ROUNDS times each; each takes the fork with the smaller number first.
 */
#include <pthread.h>
#ifndef ROUNDS
#define ROUNDS 1
#endif
static pthread_mutex_t forks[N];
static void *dine(void *place)
{
	int i = (int)(long)place, k = (i + 1) % N, first = i < k ? i : k, second = i < k ? k : i;
	for (int round = 0; round < ROUNDS; round++) {
		pthread_mutex_lock(&forks[first]);
		pthread_mutex_lock(&forks[second]);
		pthread_mutex_unlock(&forks[second]);
		pthread_mutex_unlock(&forks[first]);
	}
	return NULL;
}
#include "threads.h"
int main(void)
{
	return run(dine);
}
