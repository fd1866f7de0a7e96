/* SPDX-License-Identifier: MIT
 *
 * N threads add to an atomic counter.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 5
#endif
static atomic_int counter;
static void *add(void *unused)
{
	atomic_fetch_add(&counter, 1);
	return unused;
}
int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	assert(counter == N);
}
