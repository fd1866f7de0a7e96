/* SPDX-License-Identifier: MIT
 *
 * Mazurkiewicz traces of N threads that one broadcast wakes.  The threads go to sleep one after the other, so they only differ in
 * who takes the mutex first when they are awake: N! traces.  With LOOP the shape is that of five-wakeups, a test of POR-SE (of
 * "Symbolic Partial-Order Execution for Testing Multi-Threaded Programs", CAV 2020): main broadcasts again and again until all are
 * awake, so there are infinitely many.  The one path that is published is that of one schedule.
 */
#include <pthread.h>
#include <semaphore.h>
#ifndef N
#define N 3
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t awake = PTHREAD_COND_INITIALIZER;
static sem_t asleep;
static int woken;
static void *sleeper(void *unused)
{
	pthread_mutex_lock(&mutex);
	sem_post(&asleep);
	pthread_cond_wait(&awake, &mutex);
	woken++;
	pthread_mutex_unlock(&mutex);
	return unused;
}
int main(void)
{
	pthread_t threads[N];
	sem_init(&asleep, 0, 0);
	for (int i = 0; i < N; i++) {
		pthread_create(&threads[i], NULL, sleeper, NULL);
		sem_wait(&asleep);
	}
	int most;
	do {
		pthread_mutex_lock(&mutex);
		most = woken;
		pthread_cond_broadcast(&awake);
		pthread_mutex_unlock(&mutex);
#ifdef LOOP
	} while (most < N);
#else
	} while (most < 0);
#endif
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
