/* SPDX-License-Identifier: MIT
 *
 * The reusable barrier, action for action as in Florian's thesis on SCALE (2010), appendix A.4: main is one of the THREADS threads
 * that meet STEPS times.
 */
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef STEPS
#define STEPS 1
#endif

static pthread_mutex_t mutex;
static pthread_cond_t changed;
static int count, phase;

static void arrive(void)
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
}

static void leave(void)
{
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
	for (int i = 0; i < STEPS; i++) {
		arrive();
		leave();
	}
	return unused;
}

int main(void)
{
	pthread_t others[THREADS];
	pthread_mutex_init(&mutex, 0);
	pthread_cond_init(&changed, 0);
	for (int i = 1; i < THREADS; i++)
		pthread_create(&others[i], 0, work, 0);
	work(0);
	for (int i = 1; i < THREADS; i++)
		pthread_join(others[i], 0);
	pthread_mutex_destroy(&mutex);
	pthread_cond_destroy(&changed);
	return 0;
}
