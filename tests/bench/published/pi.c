/* SPDX-License-Identifier: MIT
 *
 * A sum in parallel, as in the benchmark `pi` of Schemmel, Büning, Rodríguez, Laprell and Wehrle (CAV 2020): each of THREADS
 * threads adds its part under one mutex, so there are THREADS! traces.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 5
#endif
enum { STEPS = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double pi;

static void *add(void *argument)
{
	double sum = 0;
	for (int i = (int)(intptr_t)argument; i < STEPS; i += THREADS) {
		double x = (i + 0.5) / STEPS;
		sum += 4 / (1 + x * x);
	}
	pthread_mutex_lock(&lock);
	pi += sum / STEPS;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, add, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert(pi > 3.14 && pi < 3.15);
	return 0;
}
