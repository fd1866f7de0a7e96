/* SPDX-License-Identifier: MIT
 *
 * N threads add to a counter of their own under one lock, SECTIONS times each, as in figure 8 of Kusano and Wang (ASE 2014).
 */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 5
#endif
#ifndef SECTIONS
#define SECTIONS 4
#endif
#include "../pairs/threads.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count[N];
static void *work(void *number)
{
	for (int i = 0; i < SECTIONS; i++) {
		pthread_mutex_lock(&lock);
		count[(long)number]++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}
int main(void)
{
	run(work);
	for (int i = 0; i < N; i++)
		assert(count[i] == SECTIONS);
}
