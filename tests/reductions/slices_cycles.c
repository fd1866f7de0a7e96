/* SPDX-License-Identifier: MIT
 *
 * Slicing: runs that never end and differ in nothing but a counter are cycles.  Without slicing the search has to go around the
 * counter first.
 *
 * RUN: check --reduction all,slicing -O0 -DWHAT=1
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DWHAT=1 --ltl '<> terminated'
 * EXPECT: violated ltl
 * RUN: check --reduction all,slicing -O0 -DWHAT=1 --ltl '<> terminated' --fairness weak
 * EXPECT: violated ltl
 * RUN: check --reduction all,slicing -O0 -DWHAT=2
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DWHAT=2 --ltl '<> terminated'
 * EXPECT: violated ltl
 * RUN: check --reduction all,slicing -O0 -DWHAT=2 --ltl '<> terminated' --fairness weak
 * EXPECT: violated ltl
 * RUN: check --reduction all,slicing -O0 -DWHAT=3
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DWHAT=3 --ltl '<> terminated'
 * EXPECT: violated ltl
 * RUN: check --reduction all,slicing -O0 -DWHAT=3 --ltl '<> terminated' --fairness weak
 * EXPECT: violated ltl
 * RUN: check --reduction all,slicing -O0 -DWHAT=2 -DSTOPS
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DWHAT=2 -DSTOPS --ltl '<> terminated' --fairness weak
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DWHAT=2 -DSTOPS --ltl '<> terminated' --fairness none
 * EXPECT: violated ltl
 * RUN: check --reduction all,slicing -O0 -DWHAT=3 -DSTOPS
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DWHAT=3 -DSTOPS --ltl '<> terminated' --fairness weak
 * EXPECT: verified
 * RUN: check --reduction all,slicing -O0 -DWHAT=3 -DSTOPS --ltl '<> terminated' --fairness none
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <stdatomic.h>

static unsigned char hits;
static _Atomic unsigned char counter;
static atomic_int stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
#if WHAT == 1
	while (1)
		hits++;
#elif WHAT == 2
	while (!atomic_load(&stop))
		atomic_fetch_add(&counter, 1);
#elif WHAT == 3
	while (!atomic_load(&stop)) {
		pthread_mutex_lock(&m);
		hits++;
		pthread_mutex_unlock(&m);
	}
#endif
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
#ifdef STOPS
	atomic_store(&stop, 1);
#endif
	(void)&hits, (void)&counter, (void)&m;
	pthread_join(thread, NULL);
	return 0;
}
