/* SPDX-License-Identifier: MIT
 *
 * N threads each add 1 to a counter, relaxed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;

static void *work(void *unused)
{
	atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	assert(counter == N);
}
