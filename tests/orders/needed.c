/* SPDX-License-Identifier: MIT
 *
 * Store buffering with seq_cst: each of the four orders is needed.
 *
 * RUN:
 * EXPECT: none of 4 orders could be weaker
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int a, b;

static void *first(void *unused)
{
	atomic_store(&x, 1); /* ORDERS: no weaker: assertion */
	a = atomic_load(&y); /* ORDERS: no weaker: assertion */
	return unused;
}

static void *second(void *unused)
{
	atomic_store(&y, 1); /* ORDERS: no weaker: assertion */
	b = atomic_load(&x); /* ORDERS: no weaker: assertion */
	return unused;
}

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&other, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	assert(a == 1 || b == 1);
}
