/* SPDX-License-Identifier: MIT
 *
 * A barrier by hand, whose counter begins again before all that were in it have looked.
 */
#include <assert.h>
#include <pthread.h>
#define N 2
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived, phase[N];
static void barrier_wait(void)
{
	pthread_mutex_lock(&mutex);
	if (++arrived == N) {
		arrived = 0;
		pthread_cond_broadcast(&all_here);
	} else {
		while (arrived != 0)
			pthread_cond_wait(&all_here, &mutex);
	}
	pthread_mutex_unlock(&mutex);
}
static void *run(void *p)
{
	long me = (long)p;
	for (int i = 0; i < 3; i++) {
		phase[me]++;
		barrier_wait();
	}
	return p;
}
int main(void)
{
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	assert(phase[0] == phase[1]);
	return 0;
}
