/* SPDX-License-Identifier: MIT
 *
 * Two accounts are locked in the other order only if an audit has begun when the transfer looks.
 *
 * EXPECT: violated deadlock
 */
#include "padding.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int auditing;

static void *transfer(void *unused)
{
#ifdef FIXED
	pthread_mutex_t *first = &a, *second = &b;
#else
	pthread_mutex_t *first = atomic_load(&auditing) == 1 ? &b : &a, *second = first == &a ? &b : &a;
#endif
	pthread_mutex_lock(first);
	pthread_mutex_lock(second); /* ERROR: the other thread may hold it */
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	return unused;
}

static void *audit(void *unused)
{
	atomic_store(&auditing, 1);
	pthread_mutex_lock(&a);
	atomic_store(&auditing, 2);
	pthread_mutex_lock(&b); /* ERROR */
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, audit, 0);
	pthread_create(&threads[1], 0, transfer, 0);
	pad();
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	pad_end();
}
