/* SPDX-License-Identifier: MIT
 *
 * A pool of N workers, which wait for TASKS tasks of main.  TIMED: no longer than a second, and then they look again.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>
#ifndef N
#define N 4
#endif
#ifndef TASKS
#define TASKS 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queued, done;
static bool stopping;

static void pause_until_changed(void)
{
#ifdef TIMED
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	pthread_cond_timedwait(&changed, &mutex, &until);
#else
	pthread_cond_wait(&changed, &mutex);
#endif
}

static void *work(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (queued == 0 && !stopping)
			pause_until_changed();
		if (queued == 0)
			break;
		queued--;
		pthread_mutex_unlock(&mutex);
		pthread_mutex_lock(&mutex);
		done++;
	}
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t workers[N];
	for (int i = 0; i < N; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	for (int i = 0; i < TASKS; i++) {
		pthread_mutex_lock(&mutex);
		queued++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&mutex);
	}
	pthread_mutex_lock(&mutex);
	stopping = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < N; i++)
		pthread_join(workers[i], NULL);
	assert(queued == 0 && done == TASKS);
	return 0;
}
