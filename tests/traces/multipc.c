/* SPDX-License-Identifier: MIT
 *
 * The shape of multipc of the same paper as mpat.c: P producers take two numbers each under a lock, and give the last one to one of
 * W workers, of which each has a lock.
 */
#include <pthread.h>
#ifndef P
#define P 2
#endif
#ifndef W
#define W 5
#endif
static pthread_mutex_t of_producers = PTHREAD_MUTEX_INITIALIZER, of_worker[W];
static int last, waiting[W], numbers[P];
static void *work(void *lock)
{
	int me = (int)((pthread_mutex_t *)lock - of_worker);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&of_worker[me]);
		if (waiting[me])
			waiting[me]--;
		pthread_mutex_unlock(&of_worker[me]);
	}
	return NULL;
}
static void *produce(void *number)
{
	unsigned mine = 0;
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&of_producers);
		last = last * P + *(int *)number;
		mine = (unsigned)last;
		pthread_mutex_unlock(&of_producers);
	}
	pthread_mutex_lock(&of_worker[mine % W]);
	waiting[mine % W]++;
	pthread_mutex_unlock(&of_worker[mine % W]);
	return NULL;
}
int main(void)
{
	pthread_t workers[W], producers[P];
	for (int i = 0; i < W; i++)
		pthread_mutex_init(&of_worker[i], NULL);
	for (int i = 0; i < P; i++)
		numbers[i] = i;
	for (int i = 0; i < W; i++)
		pthread_create(&workers[i], NULL, work, &of_worker[i]);
	for (int i = 0; i < P; i++)
		pthread_create(&producers[i], NULL, produce, &numbers[i]);
	for (int i = 0; i < W; i++)
		pthread_join(workers[i], NULL);
	for (int i = 0; i < P; i++)
		pthread_join(producers[i], NULL);
	return 0;
}
