/* SPDX-License-Identifier: MIT
 *
 * The shape of mpat, of Nguyen, Rodriguez, Sousa, Coti and Petrucci, "Quasi-optimal partial order reduction", CAV 2018: N pairs of
 * threads, each with a lock of its own; one of each pair takes a lock that all share first.  N! * 2^N traces.
 */
#include <pthread.h>
#ifndef N
#define N 4
#endif
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER, own[N];
static void *plain(void *argument)
{
	pthread_mutex_lock(argument);
	pthread_mutex_unlock(argument);
	return NULL;
}
static void *nested(void *argument)
{
	pthread_mutex_lock(&shared);
	plain(argument);
	pthread_mutex_unlock(&shared);
	return NULL;
}
int main(void)
{
	pthread_t threads[2 * N];
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&own[i], NULL);
	for (int i = 0; i < N; i++) {
		pthread_create(&threads[2 * i], NULL, plain, &own[i]);
		pthread_create(&threads[2 * i + 1], NULL, nested, &own[i]);
	}
	for (int i = 0; i < 2 * N; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
