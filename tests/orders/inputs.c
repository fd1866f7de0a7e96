/* SPDX-License-Identifier: MIT
 *
 * The order of a store matters for few values of an input only, which a few values tried do not meet: all count.
 *
 * RUN: --max-time 20
 * EXPECT: 1 of 5 orders could be weaker, together, in this program
 */
#include <assert.h>
#include <bitspin.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;
static unsigned input;

static void *write(void *unused)
{
	atomic_store_explicit(&data, 42, memory_order_relaxed); /* ORDERS: the weakest */
	if (input % 7 == 3 && input > 1000)
		atomic_store_explicit(&flag, 1, memory_order_release); /* ORDERS: no weaker: assertion */
	else
		atomic_store_explicit(&flag, 1, memory_order_seq_cst); /* ORDERS: release */
	return unused;
}

static void *read(void *unused)
{
	if (atomic_load_explicit(&flag, memory_order_acquire))               /* ORDERS: no weaker: assertion */
		assert(atomic_load_explicit(&data, memory_order_relaxed) == 42); /* ORDERS: the weakest */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	input = bitspin_any_unsigned();
	pthread_create(&threads[0], NULL, write, NULL);
	pthread_create(&threads[1], NULL, read, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
