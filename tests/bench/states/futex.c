/* SPDX-License-Identifier: MIT
 *
 * A mutex on a futex that tries SPINS times before it sleeps (the third one of Drepper, "Futexes are tricky", 2011).
 */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef THREADS
#ifndef THREADS
#define THREADS 3
#endif
#endif
#ifndef SPINS
#define SPINS 128
#endif

static atomic_int word; /* 0: free, 1: locked, 2: locked, and somebody may sleep */
static int counter;

static int swap(int expected, int new)
{
	atomic_compare_exchange_strong(&word, &expected, new);
	return expected;
}

static void lock(void)
{
	for (int i = 0; i < SPINS; i++)
		if (swap(0, 1) == 0)
			return;
	int seen = swap(0, 1);
	if (seen == 0)
		return;
	if (seen != 2)
		seen = atomic_exchange(&word, 2);
	while (seen != 0) {
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
		seen = atomic_exchange(&word, 2);
	}
}

static void unlock(void)
{
	if (atomic_fetch_sub(&word, 1) != 1) {
		atomic_store(&word, 0);
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

static void *work(void *unused)
{
	for (int i = 0; i < 2; i++) {
		lock();
		counter++;
		unlock();
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert(counter == 2 * THREADS);
}
