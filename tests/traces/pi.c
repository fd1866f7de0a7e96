/* SPDX-License-Identifier: MIT
 *
 * The shape of pi of the same paper as mpat.c: N threads take a lock once.  N! traces.
 */
#include <pthread.h>
#ifndef N
#define N 5
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return unused;
}
int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
