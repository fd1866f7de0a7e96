/* SPDX-License-Identifier: MIT
 *
 * A barrier orders what comes before it with what comes after, and tells one thread of a round that it is the one.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DTOO_MANY
 * EXPECT: violated deadlock
 * RUN: check -DEARLY
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 2, ROUNDS = 2 };

static pthread_barrier_t barrier;
static int cells[N + 1];
static atomic_int serial;

static void *work(void *argument)
{
	int me = (int)(long)argument;
	for (int round = 0; round < ROUNDS; round++) {
		cells[me]++;
#ifdef EARLY
		assert(cells[(me + 1) % (N + 1)] == round + 1); /* ERROR */
#endif
		if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) /* ERROR */
			serial++;
		assert(cells[(me + 1) % (N + 1)] == round + 1); /* ERROR */
		pthread_barrier_wait(&barrier); /* ERROR */
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	pthread_barrier_init(&barrier, NULL, N + 1);
#ifdef TOO_MANY
	pthread_barrier_destroy(&barrier);
	pthread_barrier_init(&barrier, NULL, N + 2);
#endif
	for (long i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 1));
	work(NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL); /* ERROR */
	assert(serial == ROUNDS);
	pthread_barrier_destroy(&barrier);
	return 0;
}
