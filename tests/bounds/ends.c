/* SPDX-License-Identifier: MIT
 *
 * Ends of threads and bounds.  The watcher has to see x == 2, after first has set it to 1, main to 2, and before main sets it
 * to 3.  With a yield before main's turn, the switch to first is free.  Then either first ends: the switch back to main is
 * free, and the one from main to the watcher is a preemption, because main could join.  Or first is preempted before its end,
 * which leaves main blocked in its join, so that the switch to the watcher is free.  One preemption either way, and none is
 * too few: first ends, main's yield and turn, and main goes on to 3.  Without the yield, main is preempted before its turn as
 * well: two preemptions, away from main, and from main or first.
 * DETACHED: nobody joins, so that main is never blocked; it sleeps, which costs nothing, where it joined.
 *
 * RUN: check -DYIELD --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check -DYIELD --preemptions 1
 * EXPECT: violated assertion
 * RUN: check --preemptions 1
 * EXPECT: inconclusive: no violation with up to 1 preemption
 * RUN: check --preemptions 2
 * EXPECT: violated assertion
 * RUN: check -DYIELD -DDETACHED --preemptions 0
 * EXPECT: violated assertion
 * ALSO: --reduction none
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;

static void *begin(void *unused)
{
	int expected = 0;
	atomic_compare_exchange_strong(&x, &expected, 1);
	return unused;
}

static void *watch(void *unused)
{
	assert(atomic_load(&x) != 2); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t first, watcher;
	pthread_create(&first, NULL, begin, NULL);
	pthread_create(&watcher, NULL, watch, NULL);
#ifdef YIELD
	sched_yield();
#endif
	int expected = 1;
	if (!atomic_compare_exchange_strong(&x, &expected, 2))
		return 0;
#ifdef DETACHED
	pthread_detach(first);
	usleep(1);
#else
	pthread_join(first, NULL);
#endif
	atomic_store(&x, 3);
	pthread_join(watcher, NULL);
	return 0;
}
