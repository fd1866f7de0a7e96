/* SPDX-License-Identifier: MIT
 *
 * AB-BA deadlock: two transfers between two accounts lock them in opposite order.  With -DRIGHT they agree on an
 * order.
 *
 *     bitspin check examples/deadlock.c
 *
 * RUN: check
 * EXPECT: violated deadlock
 * RUN: check --no-deadlock
 * EXPECT: verified
 * RUN: check -DRIGHT
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

struct account {
	pthread_mutex_t mutex;
	int balance;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 10}, b = {PTHREAD_MUTEX_INITIALIZER, 10};

static void transfer(struct account *from, struct account *to, int amount)
{
	struct account *first = from, *second = to;
#ifdef RIGHT
	if (from != &a)
		first = to, second = from;
#endif
	pthread_mutex_lock(&first->mutex);
	pthread_mutex_lock(&second->mutex); /* ERROR */
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&second->mutex);
	pthread_mutex_unlock(&first->mutex);
}

static void *work(void *unused)
{
	transfer(&b, &a, 3);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	transfer(&a, &b, 5);
	pthread_join(thread, NULL);
	assert(a.balance == 8 && b.balance == 12);
	return 0;
}
