/* SPDX-License-Identifier: MIT
 *
 * Leaving a thread that waits, but may time out, is no preemption.  The worker has to run between main's write and main's read:
 * with a wait there, that is free; without one it is a preemption; and where main could get the semaphore, it does not wait, so
 * it is one as well.
 *
 * RUN: check -DWAIT --preemptions 0
 * EXPECT: violated assertion
 * RUN: check --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check --preemptions 1
 * EXPECT: violated assertion
 * RUN: check -DWAIT -DFREE --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check -DWAIT -DFREE --preemptions 1
 * EXPECT: violated assertion
 * ALSO: --reduction none
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int written, answered;
static sem_t semaphore;

static void *answer(void *unused)
{
	if (atomic_load(&written))
		atomic_store(&answered, 1);
	return unused;
}

int main(void)
{
	pthread_t worker;
#ifdef FREE
	sem_init(&semaphore, 0, 1);
#else
	sem_init(&semaphore, 0, 0);
#endif
	pthread_create(&worker, NULL, answer, NULL);
	atomic_store(&written, 1);
#ifdef WAIT
	struct timespec deadline = { .tv_sec = 1 };
	sem_timedwait(&semaphore, &deadline);
#endif
	assert(!atomic_load(&answered)); /* ERROR */
	pthread_join(worker, NULL);
	return 0;
}
