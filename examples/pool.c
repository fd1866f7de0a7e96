/* SPDX-License-Identifier: MIT
 *
 * Thread pool: WORKERS threads wait on one mutex and one condition variable for jobs; main queues one job, then
 * stops the pool by a flag and a broadcast.  The job is done exactly once, and everybody comes home.
 *
 *     bitspin check -DWORKERS=4 examples/pool.c
 *
 * RUN: check -DWORKERS=1
 * EXPECT: verified
 * RUN: check -DWORKERS=2
 * EXPECT: verified
 * RUN: check -DWORKERS=3
 * EXPECT: verified
 * RUN: check -DWORKERS=4 --search dfs -O1
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef WORKERS
#define WORKERS 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queued, done;
static bool stopping;

static void *worker(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (queued == 0 && !stopping)
			pthread_cond_wait(&changed, &mutex);
		if (queued == 0)
			break;
		queued--;
		pthread_mutex_unlock(&mutex);
		/* here the job would run */
		pthread_mutex_lock(&mutex);
		done++;
	}
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS];
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, worker, NULL);

	pthread_mutex_lock(&mutex);
	queued++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);

	pthread_mutex_lock(&mutex);
	stopping = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);

	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	assert(queued == 0 && done == 1);
	return 0;
}
