/* SPDX-License-Identifier: MIT
 *
 * A reusable barrier in two phases: THREADS threads (main is one of them) meet STEPS times.
 *
 * Everybody counts up, and the last one opens the second phase by a broadcast; there everybody counts down, and the
 * last one opens the first phase again.
 *
 *     bitspin check -DTHREADS=4 -DSTEPS=1 examples/barrier.c
 *
 * RUN: check -DTHREADS=4 -DSTEPS=1
 * EXPECT: verified
 * RUN: check -DTHREADS=3 -DSTEPS=1
 * EXPECT: verified
 * RUN: check -DTHREADS=3 -DSTEPS=2
 * EXPECT: verified
 * RUN: check -DTHREADS=2 -DSTEPS=5
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef STEPS
#define STEPS 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count, phase;

static void barrier(void)
{
	pthread_mutex_lock(&mutex);
	count++;
	if (count == THREADS) {
		phase = 1;
		pthread_cond_broadcast(&changed);
	} else {
		while (phase == 0)
			pthread_cond_wait(&changed, &mutex);
	}
	pthread_mutex_unlock(&mutex);

	pthread_mutex_lock(&mutex);
	count--;
	if (count == 0) {
		phase = 0;
		pthread_cond_broadcast(&changed);
	} else {
		while (phase == 1)
			pthread_cond_wait(&changed, &mutex);
	}
	pthread_mutex_unlock(&mutex);
}

static void *work(void *unused)
{
	(void)unused;
	for (int i = 0; i < STEPS; i++)
		barrier();
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 1; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	work(NULL);
	for (int i = 1; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert(count == 0 && phase == 0);
	return 0;
}
