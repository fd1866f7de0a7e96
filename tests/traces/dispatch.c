/* SPDX-License-Identifier: MIT
 *
 * The shape of dispatch of the same paper as mpat.c: for each of R requests, a thread writes the numbers of S services one after
 * the other into a cell; main reads the cell, and calls that service.
 */
#include <pthread.h>
#ifndef S
#define S 5
#endif
#ifndef R
#define R 2
#endif
static pthread_mutex_t cell = PTHREAD_MUTEX_INITIALIZER, services[S];
static int chosen;
static void *serve(void *lock)
{
	pthread_mutex_lock(lock);
	pthread_mutex_unlock(lock);
	return NULL;
}
static void *request(void *unused)
{
	for (int i = 0; i < S; i++) {
		pthread_mutex_lock(&cell);
		chosen = i;
		pthread_mutex_unlock(&cell);
	}
	return unused;
}
int main(void)
{
	pthread_t threads[S], one;
	for (int i = 0; i < S; i++)
		pthread_mutex_init(&services[i], NULL);
	for (int i = 0; i < S; i++)
		pthread_create(&threads[i], NULL, serve, &services[i]);
	for (int i = 0; i < R; i++) {
		pthread_create(&one, NULL, request, NULL);
		pthread_mutex_lock(&cell);
		int service = chosen;
		pthread_mutex_unlock(&cell);
		serve(&services[service]);
		pthread_join(one, NULL);
	}
	for (int i = 0; i < S; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
