/* SPDX-License-Identifier: MIT
 *
 * N threads each read a variable, relaxed, and then store a number of their own, release.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *work(void *number)
{
	(void)atomic_load_explicit(&x, memory_order_relaxed);
	atomic_store_explicit(&x, (int)(size_t)number, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (size_t i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
}
