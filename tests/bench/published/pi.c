/* SPDX-License-Identifier: MIT
 *
 * A sum in parallel, as in the benchmark `pi` of Schemmel, Büning, Rodríguez, Laprell and Wehrle (CAV 2020): each of N
 * threads adds its part under one mutex, so there are N! traces.
 */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 5
#endif
#include "../pairs/threads.h"
enum { STEPS = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double pi;

static void *add(void *argument)
{
	double sum = 0;
	for (int i = NUMBER(argument); i < STEPS; i += N) {
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
	run(add);
	assert(pi > 3.14 && pi < 3.15);
	return 0;
}
