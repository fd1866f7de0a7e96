/* SPDX-License-Identifier: MIT
 *
 * Formulas, and leaks, where the end of a thread or a critical section could be skipped, but must not be.
 *
 * RUN: check -DENDS --ltl '[] !({x == 1} && !done(1))'
 * EXPECT: violated ltl
 * RUN: check -DENDS --ltl '[] (done(1) -> {x == 1})'
 * EXPECT: verified
 * RUN: check -DENDS --ltl '<> done(1)'
 * EXPECT: verified
 * RUN: check -DENDS --ltl '<> done(1)' --fairness none
 * EXPECT: verified
 * RUN: check -DENDS -DSPINS --ltl '<> done(1)' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DENDS -DSPINS --ltl '<> done(1)' --fairness weak
 * EXPECT: verified
 * RUN: check -DENDS -DSPINS --ltl '<> {x == 1}' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DENDS -DSPINS --ltl '<> {x == 1}' --fairness weak
 * EXPECT: verified
 * RUN: check -DSTARVES --ltl '<> {x == 1}' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DSTARVES --ltl '<> {x == 1}' --fairness weak
 * EXPECT: violated ltl
 * RUN: check -DSTARVES --ltl '<> {x == 1}' --fairness strong
 * EXPECT: verified
 * RUN: check -DLEAKS --leaks
 * EXPECT: violated memory-leak
 * RUN: check -DINSIDE --ltl '[] !{x == 1}'
 * EXPECT: violated ltl
 * RUN: check -DINSIDE --ltl '<> {x == 1}'
 * EXPECT: verified
 * RUN: check -DINSIDE --ltl '<> {x == 1}' --fairness none
 * EXPECT: verified
 * RUN: check -DADDS --ltl '[] !{x == 1}'
 * EXPECT: violated ltl
 * RUN: check -DADDS --ltl '<> {x == 2}'
 * EXPECT: verified
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *thread(void *argument)
{
#ifdef STARVES
	pthread_mutex_lock(&m);
	x = 1;
	pthread_mutex_unlock(&m);
#elif defined INSIDE
	pthread_mutex_lock(&m);
	x = 1;
	x = 0;
	pthread_mutex_unlock(&m);
#elif defined ADDS
	x++;
#elif defined LEAKS
	void *volatile lost = malloc(1); /* ERROR */
	return lost ? NULL : argument;
#else
	x = 1;
#endif
	return argument;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, NULL, thread, NULL);
#ifdef SPINS
	for (;;)
		sched_yield();
#elif defined STARVES
	for (;;) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
#elif defined ADDS
	x++;
#elif defined LEAKS
	pthread_exit(NULL);
#elif defined INSIDE
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
#endif
	pthread_join(id, NULL);
	return 0;
}
