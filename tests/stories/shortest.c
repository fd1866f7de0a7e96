/* SPDX-License-Identifier: MIT
 *
 * The shortest schedules to violations, derived by hand (tests/shorten.sh compares): preemptions and switches.
 *
 * CASE 1: 1 4  An update is lost if the other thread runs between a load and a store: main, one, the other, the one, main.
 * CASE 2: 0 2  No preemption at all: main waits, and the thread runs whole.
 * CASE 3: 3 4  Main has to be left before each of its looks, and the thread between its writes.
 * CASE 4: 1 1  Two locks in two orders: main has one, the thread gets the other and waits; that main waits is known by then.
 * CASE 5: 1 3  A circle of three.  The first is left when it has its lock; the others block by themselves, in the right order.
 * CASE 6: 0 3  A condition is signalled before anybody waits: the threads run whole, and main waits for the one that hangs.
 * CASE 7: 0 2  A choice, and a thread that runs whole.
 * CASE 8: 0 4  As 1, but each thread yields between its load and its store: to leave it there is no preemption.
 * CASE 9: 1 4  As 1, with threads that have nothing to do with it and need not run.
 * CASE 10: 2 3  The thread has to look at the pointer before main takes it, and to use it after main has freed it.
 * CASE 11: 0 0  One thread.
 * CASE 12: 3 6  The threads take turns five times; the last time, the other one has looked in vain and has ended.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "bitspin.h"

static atomic_int x, noise[2];
static pthread_mutex_t m[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int *_Atomic shared;

static pthread_t start(void *(*work)(void *), void *argument)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, argument);
	return thread;
}

static void *add(void *unused)
{
	(void)unused;
	int v = atomic_load(&x);
#if CASE == 8
	sched_yield();
#endif
	atomic_store(&x, v + 1);
	return NULL;
}

static void *chatter(void *at)
{
	for (int i = 0; i < 4; i++)
		atomic_store((atomic_int *)at, i);
	return NULL;
}

static void *set(void *unused)
{
	(void)unused;
	atomic_store(&x, 1);
	return NULL;
}

static void *count(void *unused)
{
	(void)unused;
	atomic_store(&x, 1);
	atomic_store(&x, 2);
	return NULL;
}

static void *locks(void *number)
{
	long i = (long)number, next = CASE == 4 ? 0 : (i + 1) % 3;
	pthread_mutex_lock(&m[i]);
	pthread_mutex_lock(&m[next]);
	pthread_mutex_unlock(&m[next]);
	pthread_mutex_unlock(&m[i]);
	return NULL;
}

static void *waiter(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m[0]);
	pthread_cond_wait(&changed, &m[0]);
	pthread_mutex_unlock(&m[0]);
	return NULL;
}

static void *signaller(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&m[0]);
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&m[0]);
	return NULL;
}

static void *user(void *unused)
{
	(void)unused;
	int *p = atomic_load(&shared);
	if (p)
		atomic_store(&x, *p);
	return NULL;
}

/* Each counts on from what the other has done. */
static void *turns(void *first)
{
	for (int v = (int)(long)first; v < 6; v += 2)
		if (atomic_load(&x) != v || !atomic_compare_exchange_strong(&x, &v, v + 1))
			return NULL;
	return NULL;
}

int main(void)
{
#if CASE == 1 || CASE == 8 || CASE == 9
#if CASE == 9
	start(chatter, &noise[0]);
	start(chatter, &noise[1]);
#endif
	pthread_t a = start(add, NULL), b = start(add, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(atomic_load(&x) == 2);
#elif CASE == 2
	pthread_t a = start(set, NULL);
	pthread_join(a, NULL);
	assert(atomic_load(&x) == 0);
#elif CASE == 3
	start(count, NULL);
	int v = atomic_load(&x);
	int w = atomic_load(&x);
	assert(v != 1 || w != 2);
#elif CASE == 4
	start(locks, (void *)1L);
	pthread_mutex_lock(&m[0]);
	pthread_mutex_lock(&m[1]);
#elif CASE == 5
	pthread_t a = start(locks, (void *)0L);
	start(locks, (void *)1L);
	start(locks, (void *)2L);
	pthread_join(a, NULL);
#elif CASE == 6
	pthread_t a = start(signaller, NULL), b = start(waiter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#elif CASE == 7
	int n = bitspin_choose(0, 3);
	pthread_t a = start(set, NULL);
	pthread_join(a, NULL);
	assert(atomic_load(&x) + n != 3);
#elif CASE == 10
	shared = malloc(sizeof *shared);
	*shared = 5;
	start(user, NULL);
	int *p = atomic_exchange(&shared, NULL);
	free(p);
	pthread_exit(NULL);
#elif CASE == 11
	atomic_store(&x, 1);
	assert(atomic_load(&x) == 0);
#elif CASE == 12
	pthread_t a = start(turns, (void *)0L), b = start(turns, (void *)1L);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(atomic_load(&x) != 5);
#endif
	return 0;
}
