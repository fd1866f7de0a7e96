/* SPDX-License-Identifier: MIT
 *
 * The assertion fails only if main and the worker take turns, each twice preempted: four preemptions and no fewer.
 *
 * RUN: check --preemptions 3
 * EXPECT: inconclusive: no violation with up to 3 preemptions
 * RUN: check --preemptions 4
 * EXPECT: violated assertion
 * RUN: check --preemptions iterate:3
 * EXPECT: inconclusive: no violation with up to 3 preemptions
 * RUN: check --preemptions iterate
 * EXPECT: violated assertion
 * RUN: check --preemptions iterate -DRIGHT
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, seen;

static void *worker(void *argument)
{
	atomic_store(&a, 1);
	if (atomic_load(&seen) == 1)
		atomic_store(&a, 2);
	atomic_store(&a, 3);
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, worker, NULL);
	if (atomic_load(&a) == 1) {
		atomic_store(&seen, 1);
#ifndef RIGHT
		assert(atomic_load(&a) != 2); /* ERROR */
#endif
	}
	pthread_join(thread, NULL);
	return 0;
}
