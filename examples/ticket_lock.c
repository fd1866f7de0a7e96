/* SPDX-License-Identifier: MIT
 *
 * A ticket lock: who wants in draws a number and waits until it is called.  Nobody is overtaken, so whoever wants in gets in,
 * as long as every thread that can go on does go on some time (weak fairness, which is the default).  Formulas may speak of
 * functions: in(take, 1) says that thread 1 is in take().  Threads are numbered as they are created; 0 runs main.
 *
 * With -DWRONG a number is drawn in two steps, and two threads may draw the same.
 *
 *     bitspin check --ltl '[] (in(take, 1) -> <> in(critical, 1))' examples/ticket_lock.c
 *
 * RUN: check --ltl '[] (in(take, 1) -> <> in(critical, 1))'
 * EXPECT: verified
 * RUN: check --ltl '[] (in(take, 2) -> <> in(critical, 2))' --ltl '[] !(in(critical, 1) && in(critical, 2))' -DTHREADS=2
 * EXPECT: verified
 * RUN: check --ltl '[] (in(take, 1) -> <> in(critical, 1))' -DTHREADS=2 --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '[] !(in(critical, 1) && in(critical, 2))' -DTHREADS=2 -DWRONG
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_uint next, serving;

static void take(void)
{
#ifdef WRONG
	unsigned ticket = next;
	next = ticket + 1;
#else
	unsigned ticket = atomic_fetch_add(&next, 1);
#endif
	while (serving != ticket)
		;
}

static void critical(void)
{
	static atomic_int visits;
	visits++;
}

static void release(void)
{
	serving++;
}

static void *work(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		take();
		critical();
		release();
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
	return 0;
}
