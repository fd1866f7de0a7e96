/* SPDX-License-Identifier: MIT
 *
 * A pool of threads is shut down: what may go wrong with the flag, the signal, the jobs that are left and the queue's memory.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DBUG_SIGNAL
 * EXPECT: violated deadlock
 * RUN: check -DBUG_FLAG_UNLOCKED
 * EXPECT: violated data-race
 * RUN: check -DBUG_FLAG_ATOMIC
 * EXPECT: violated deadlock
 * RUN: check -DBUG_JOBS_LEFT
 * EXPECT: violated assertion
 * RUN: check -DBUG_FREE_EARLY
 * EXPECT: violated use-after-free
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { WORKERS = 2, JOBS = 2 };

struct pool {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int jobs;
#ifdef BUG_FLAG_ATOMIC
	atomic_bool stopping;
#else
	bool stopping;
#endif
};

static atomic_int done;

static void *work(void *argument)
{
	struct pool *pool = argument;
	pthread_mutex_lock(&pool->mutex);
	for (;;) {
		while (!pool->jobs && !pool->stopping) /* ERROR */
			pthread_cond_wait(&pool->changed, &pool->mutex); /* ERROR */
#ifdef BUG_JOBS_LEFT
		if (pool->stopping)
			break;
#else
		if (!pool->jobs)
			break;
#endif
		pool->jobs--;
		pthread_mutex_unlock(&pool->mutex);
		done++;
		pthread_mutex_lock(&pool->mutex);
	}
	pthread_mutex_unlock(&pool->mutex);
	return NULL;
}

static void stop(struct pool *pool)
{
#if defined BUG_FLAG_UNLOCKED || defined BUG_FLAG_ATOMIC
	pool->stopping = true;
	pthread_cond_broadcast(&pool->changed);
#else
	pthread_mutex_lock(&pool->mutex);
	pool->stopping = true;
#ifdef BUG_SIGNAL
	pthread_cond_signal(&pool->changed);
#else
	pthread_cond_broadcast(&pool->changed);
#endif
	pthread_mutex_unlock(&pool->mutex);
#endif
}

int main(void)
{
	pthread_t threads[WORKERS];
	struct pool *pool = calloc(1, sizeof *pool);
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->changed, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, work, pool);
	for (int i = 0; i < JOBS; i++) {
		pthread_mutex_lock(&pool->mutex);
		pool->jobs++;
		pthread_cond_signal(&pool->changed);
		pthread_mutex_unlock(&pool->mutex);
	}
	stop(pool);
#ifdef BUG_FREE_EARLY
	free(pool);
#endif
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL); /* ERROR */
	assert(done == JOBS); /* ERROR */
#ifndef BUG_FREE_EARLY
	pthread_cond_destroy(&pool->changed);
	pthread_mutex_destroy(&pool->mutex);
	free(pool);
#endif
	return 0;
}
