/* SPDX-License-Identifier: MIT
 *
 * A compare-exchange that fails, and whose result nobody needs, is not useless: after the other thread's store it would not fail.
 *
 * RUN: check
 * EXPECT: violated assertion
 * RUN: check --reduction none
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *store(void *unused)
{
	atomic_store(&a, 1);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, store, 0);
	pthread_mutex_lock(&lock);
	int expected = 1;
	atomic_compare_exchange_strong(&a, &expected, 0);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, 0);
	assert(a == 1);
}
