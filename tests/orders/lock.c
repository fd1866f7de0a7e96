/* SPDX-License-Identifier: MIT
 *
 * A spin lock that is given back by a relaxed store: one order repairs it.  That the exchange is seq_cst is more than it needs,
 * but that is not asked for as long as the program is wrong.
 *
 * RUN:
 * EXPECT: this order repairs it
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int lock;
static int data;

static void *work(void *unused)
{
	while (atomic_exchange(&lock, 1))
		;
	data++;
	atomic_store_explicit(&lock, 0, memory_order_relaxed); /* ORDERS: release */
	return unused;
}

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, NULL, work, NULL);
	pthread_create(&other, NULL, work, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
}
