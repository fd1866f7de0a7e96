/* SPDX-License-Identifier: MIT
 *
 * The violation is the very step that a smaller bound refuses: the watcher's first look while the flag is up; the attempt that
 * closes a circle of locks; a step after which nobody can go on; the end of the program.
 *
 * RUN: check -DFLAG --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check -DFLAG --preemptions 1
 * EXPECT: violated assertion
 * RUN: check -DCIRCLE --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check -DCIRCLE --preemptions 1
 * EXPECT: violated deadlock
 * RUN: check -DSTUCK --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check -DSTUCK --preemptions 1
 * EXPECT: violated deadlock
 * RUN: check -DEXIT --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check -DEXIT --preemptions 1
 * EXPECT: violated assertion
 * RUN: check -DRACE -O0 --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check -DRACE -O0 --preemptions 1
 * EXPECT: violated data-race
 * RUN: check -DFLAG --preemptions 0 --races ignore --no-deadlock
 * EXPECT: inconclusive: no violation without preemptions
 * ALSO: --reduction none
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int plain;

__attribute__((unused)) static void look(void)
{
	assert(!atomic_load(&flag)); /* ERROR */
}

static void *work(void *unused)
{
#ifdef FLAG
	assert(!atomic_load(&flag)); /* ERROR */
#elif defined CIRCLE
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); /* ERROR */
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
#elif defined STUCK
	if (atomic_load(&flag)) {
		pthread_mutex_lock(&a);
		pthread_cond_wait(&condition, &a); /* nobody will signal */
	}
#elif defined EXIT
	exit(0);
#else
	if (atomic_load_explicit(&flag, memory_order_relaxed))
		plain = 2; /* ERROR */
#endif
	return unused;
}

int main(void)
{
	pthread_t worker;
	pthread_create(&worker, NULL, work, NULL);
#ifdef CIRCLE
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
#else
#ifdef EXIT
	atexit(look);
#endif
	plain = 1;
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 0, memory_order_relaxed);
#endif
	pthread_join(worker, NULL); /* ERROR */
	return 0;
}
