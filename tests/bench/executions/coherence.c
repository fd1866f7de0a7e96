/* SPDX-License-Identifier: MIT
 *
 * Two threads store to `x`, look at `y` or `z`, and then at `x` again; N - 1 others store to `y` and `z`.  All is release and
 * acquire.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;

static int look(atomic_int *at)
{
	return atomic_load_explicit(at, memory_order_acquire);
}

static void *first(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_release);
	look(&y);
	look(&x);
	return unused;
}

static void *second(void *unused)
{
	atomic_store_explicit(&x, 2, memory_order_release);
	look(&z);
	look(&x);
	return unused;
}

static void *other(void *number)
{
	atomic_store_explicit(&y, (int)(size_t)number, memory_order_release);
	atomic_store_explicit(&z, (int)(size_t)number, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t threads[N + 1];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	for (size_t i = 0; i + 1 < N; i++)
		pthread_create(&threads[2 + i], NULL, other, (void *)i);
}
