/* SPDX-License-Identifier: MIT
 *
 * N producers and N consumers of one item each, and a buffer of two places.
 */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int count;
static void *produce(void *unused)
{
	pthread_mutex_lock(&lock);
	while (count == 2)
		pthread_cond_wait(&not_full, &lock);
	count++;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&lock);
	return unused;
}
static void *consume(void *unused)
{
	pthread_mutex_lock(&lock);
	while (count == 0)
		pthread_cond_wait(&not_empty, &lock);
	count--;
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&lock);
	return unused;
}
int main(void)
{
	pthread_t threads[2 * N];
	for (int i = 0; i < 2 * N; i++)
		pthread_create(&threads[i], NULL, i % 2 ? produce : consume, NULL);
	for (int i = 0; i < 2 * N; i++)
		pthread_join(threads[i], NULL);
	assert(count == 0);
}
