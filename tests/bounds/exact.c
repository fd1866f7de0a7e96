/* SPDX-License-Identifier: MIT
 *
 * x == K + 2 needs exactly K preemptions.  The threads count x up in turns: main from even values, the worker from odd ones, and a
 * thread that finds another value gives up.  So x == 2 needs main's first turn and then the worker's: main goes on, gives up, and
 * waits for the worker.  Each turn more is a switch away from a thread that is about to try again, except the last switch: there
 * the thread that is left gives up as well, and ends or waits.
 * BEFORE: there are many ways to the state in which that begins, most of them with preemptions; the one without counts.
 * YIELD, SLEEP: a thread that is about to yield or to sleep is not preempted, so no turn costs anything.
 *
 * RUN: check -DX=2 --preemptions 0
 * EXPECT: violated assertion
 * RUN: check -DX=3 --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check -DX=3 --preemptions 1
 * EXPECT: violated assertion
 * RUN: check -DX=4 --preemptions 1
 * EXPECT: inconclusive: no violation with up to 1 preemption
 * RUN: check -DX=4 --preemptions 2
 * EXPECT: violated assertion
 * RUN: check -DX=5 --preemptions iterate:2
 * EXPECT: inconclusive: no violation with up to 2 preemptions
 * RUN: check -DX=5 --preemptions iterate:3
 * EXPECT: violated assertion
 * RUN: check -DX=7 --preemptions iterate
 * EXPECT: verified
 * RUN: check -DX=4 -DBEFORE --preemptions 1
 * EXPECT: inconclusive: no violation with up to 1 preemption
 * RUN: check -DX=4 -DBEFORE --preemptions 2
 * EXPECT: violated assertion
 * RUN: check -DX=5 -DYIELD --preemptions 0
 * EXPECT: violated assertion
 * RUN: check -DX=5 -DSLEEP --preemptions 0
 * EXPECT: violated assertion
 * ALSO: --reduction none
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x, noise[2];

static void take_turns(int from)
{
#ifdef BEFORE
	for (int i = 1; i <= 3; i++)
		atomic_store(&noise[from], i);
#endif
	for (int turn = 0; turn < 3; turn++) {
		int expected = from + 2 * turn;
		if (!atomic_compare_exchange_strong(&x, &expected, expected + 1))
			return;
		assert(expected + 1 != X); /* ERROR */
#if defined YIELD
		sched_yield();
#elif defined SLEEP
		usleep(1);
#endif
	}
}

static void *work(void *unused)
{
	take_turns(1);
	return unused;
}

int main(void)
{
	pthread_t worker;
	pthread_create(&worker, NULL, work, NULL);
	take_turns(0);
	pthread_join(worker, NULL);
	return 0;
}
