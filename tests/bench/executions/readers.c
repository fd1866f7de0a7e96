/* SPDX-License-Identifier: MIT
 *
 * One thread stores to a variable that N threads read, relaxed; main looks at what they have read.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int seen[N];

static void *write_it(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return unused;
}

static void *read_it(void *place)
{
	*(int *)place = atomic_load_explicit(&x, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t threads[N + 1];
	pthread_create(&threads[N], NULL, write_it, NULL);
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, read_it, &seen[i]);
	for (int i = 0; i <= N; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < N; i++)
		assert(seen[i] == 0 || seen[i] == 1);
}
