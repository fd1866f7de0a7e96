/* SPDX-License-Identifier: MIT
 *
 * A program with a main of its own, whose threads say by bitspin.h where operations begin and end.  The consumer polls until it has
 * an item, so that it makes more or less operations.
 *
 * RUN: -DROUNDS=1
 * EXPECT: linearizable: 3 threads
 * RUN: -DROUNDS=2
 * EXPECT: linearizable: 3 threads
 * RUN: -DROUNDS=1 -DBROKEN=1
 * EXPECT: violated not-linearizable
 */
#include <bitspin.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static int put(void)
{
#if BROKEN == 1
	int n = count;
	count = n + 1;
	return n + 1;
#else
	return ++count;
#endif
}

static int take(void)
{
	int n = count;
	while (n && !atomic_compare_exchange_strong(&count, &n, n - 1))
		;
	return n;
}

static void *producer(void *unused)
{
	bitspin_operation_begin("put()");
	bitspin_operation_end(put());
	return unused;
}

static void *consumer(void *unused)
{
	for (int i = 0, taken = 0; i < ROUNDS && !taken; i++) {
		bitspin_operation_begin("take()");
		taken = take();
		bitspin_operation_end(taken);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, producer, NULL);
	pthread_create(&threads[1], NULL, producer, NULL);
	pthread_create(&threads[2], NULL, consumer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}
