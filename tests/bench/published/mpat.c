/* SPDX-License-Identifier: MIT
 *
 * Pairs of threads, with the numbers of traces of the benchmark `mpat` of Schemmel, Büning, Rodríguez, Laprell and Wehrle (CAV
 * 2020): the two of a pair use a mutex of their own, and one of them another that all pairs share, so there are PAIRS! x 2^PAIRS
 * traces.  What they do is ours.
 */
#include <assert.h>
#include <pthread.h>

#ifndef PAIRS
#define PAIRS 4
#endif
#define N (2 * PAIRS)
#include "../pairs/threads.h"

static pthread_mutex_t own[PAIRS], shared = PTHREAD_MUTEX_INITIALIZER;
static int first[PAIRS], order[PAIRS], next;

static void *meet(void *argument)
{
	int number = NUMBER(argument), pair = number / 2;
	pthread_mutex_lock(&own[pair]);
	if (!first[pair])
		first[pair] = 1 + number % 2;
	pthread_mutex_unlock(&own[pair]);
	if (number % 2)
		return NULL;
	pthread_mutex_lock(&shared);
	order[next++] = pair;
	pthread_mutex_unlock(&shared);
	return NULL;
}

int main(void)
{
	int seen = 0;
	for (int i = 0; i < PAIRS; i++)
		pthread_mutex_init(&own[i], NULL);
	run(meet);
	for (int i = 0; i < PAIRS; i++) {
		assert(first[i]);
		seen |= 1 << order[i];
	}
	assert(seen == (1 << PAIRS) - 1);
	return 0;
}
