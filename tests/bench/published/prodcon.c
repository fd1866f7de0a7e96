/* SPDX-License-Identifier: MIT
 *
 * N producers and N consumers share a buffer of two places, under a mutex and two condition variables.
 */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 4
#endif
enum { PLACES = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[PLACES], first, filled, sum;

static void *produce(void *number)
{
	pthread_mutex_lock(&mutex);
	while (filled == PLACES)
		pthread_cond_wait(&not_full, &mutex);
	buffer[(first + filled++) % PLACES] = (int)(long)number;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *consume(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	while (filled == 0)
		pthread_cond_wait(&not_empty, &mutex);
	sum += buffer[first];
	first = (first + 1) % PLACES;
	filled--;
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t threads[2 * N];
	for (long i = 0; i < N; i++) {
		pthread_create(&threads[i], NULL, produce, (void *)i);
		pthread_create(&threads[N + i], NULL, consume, NULL);
	}
	for (int i = 0; i < 2 * N; i++)
		pthread_join(threads[i], NULL);
	assert(filled == 0 && sum == N * (N - 1) / 2);
	return 0;
}
