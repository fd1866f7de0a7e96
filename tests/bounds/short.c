/* SPDX-License-Identifier: MIT
 *
 * Two threads with one step each: main's first, without a preemption; or the worker's, which preempts main.  Then the worker ends.
 * Where its end is a step of its own, main's step may come before it, which is a second preemption (tests/cli.sh).
 *
 * RUN: check --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check --preemptions 2
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

atomic_int a, b;

static void *work(void *unused)
{
	atomic_store(&b, 1);
	return unused;
}

int main(void)
{
	pthread_t worker;
	pthread_create(&worker, NULL, work, NULL);
	atomic_store(&a, 1);
	pthread_join(worker, NULL);
	return 0;
}
