/* SPDX-License-Identifier: MIT
 *
 * N threads read an atomic variable that one writes.
 */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 5
#endif
static atomic_int x;
static int seen[N];
static void *read_it(void *place)
{
	*(int *)place = atomic_load(&x);
	return NULL;
}
static void *write_it(void *unused)
{
	atomic_store(&x, 1);
	return unused;
}
int main(void)
{
	pthread_t threads[N + 1];
	pthread_create(&threads[N], NULL, write_it, NULL);
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, read_it, &seen[i]);
	for (int i = 0; i <= N; i++)
		pthread_join(threads[i], NULL);
}
