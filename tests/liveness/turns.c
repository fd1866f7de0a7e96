/* SPDX-License-Identifier: MIT
 *
 * What fair claims could get wrong: turns of threads that are blocked for ever (main, in join), that have ended, or that are
 * created late; claims with accepting states in several components, in part of one, or in one that is entered in the last state.
 *
 * Two threads, of which each toggles a variable for ever: fair schedules let both.  Without fairness either may stop.
 *
 * RUN: check --ltl '[] <> {x} && [] <> {y} && [] <> {!x} && [] <> {!y}'
 * EXPECT: verified
 * RUN: check --ltl '[] <> {x} && [] <> {y} && [] <> {!x} && [] <> {!y}' --fairness strong
 * EXPECT: verified
 * RUN: check --ltl '[] <> {x} || [] <> {y}' --fairness none
 * EXPECT: verified
 * RUN: check --ltl '[] <> {!x}' --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '[] <> {x} -> [] <> {y}'
 * EXPECT: verified
 * RUN: check --ltl '[] <> {x} -> [] <> {y}' --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> [] {x} || <> [] {y}'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> [] {x} || <> [] {y}' --fairness strong
 * EXPECT: violated ltl
 * RUN: check --ltl '<> ({x} && <> [] {!y})'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] ({x} -> {x} U {y})'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] ({x} -> <> ({!x} && <> {y})) && [] <> ({x} U {y})' --ltl '<> done(3)' --ltl '[] (done(3) -> [] done(3))'
 * EXPECT: verified
 * RUN: check --ltl '<> done(3)' --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> [] (!done(3) || {x})' --fairness strong
 * EXPECT: violated ltl
 *
 * One sets what the other clears, each waiting for the other by looking again and again.  The claim's component is left and
 * entered again and again.
 *
 * RUN: check -DHANDSHAKE --ltl '[] ({x} -> <> {!x}) && [] ({!x} -> <> {x})' --ltl '[] <> ({x} && {!y})' --ltl '[] <> {y}'
 * EXPECT: verified
 * RUN: check -DHANDSHAKE --ltl '[] ({x} -> <> {!x})' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DHANDSHAKE --ltl '[] ({x} -> <> {!x})' --fairness strong
 * EXPECT: verified
 * RUN: check -DHANDSHAKE --ltl '<> [] {y}' --ltl '<> [] {x}'
 * EXPECT: violated ltl
 * RUN: check -DHANDSHAKE --ltl '[] ({x} -> <> ({!x} U {y})) -> <> [] {!x}' --fairness strong
 * EXPECT: violated ltl
 *
 * Two threads take a lock for ever.  One of them may take it always when the other is able to: that is weakly fair.
 *
 * RUN: check -DLOCKS --ltl '[] <> {x}'
 * EXPECT: violated ltl
 * RUN: check -DLOCKS --ltl '[] <> {x} || [] <> {y}'
 * EXPECT: verified
 * RUN: check -DLOCKS --ltl '[] <> {x} && [] <> {y}' --fairness strong
 * EXPECT: verified
 * RUN: check -DLOCKS --ltl '[] <> {x} || [] <> {y}' --fairness none
 * EXPECT: verified
 * RUN: check -DLOCKS --ltl '[] ({x} -> <> {y}) -> <> [] {!y}' --fairness strong
 * EXPECT: violated ltl
 *
 * After both have done a round or two, one stays blocked for ever, and only the other goes on.  In the first round nobody may be
 * given up.
 *
 * RUN: check -DBLOCKED --ltl '<> [] {!y}' --ltl '[] <> {x} && <> {y == 2}'
 * EXPECT: verified
 * RUN: check -DBLOCKED --ltl '<> [] {!y}' --ltl '[] <> {x} && <> {y == 2}' --fairness strong
 * EXPECT: verified
 * RUN: check -DBLOCKED --ltl '<> [] {x}'
 * EXPECT: violated ltl
 * RUN: check -DBLOCKED --ltl '<> [] {x}' --fairness strong
 * EXPECT: violated ltl
 * RUN: check -DBLOCKED --ltl '[] <> {y}' --fairness strong
 * EXPECT: violated ltl
 *
 * The program ends; or all its threads are blocked.  Its last state lasts for ever, and that is fair.
 *
 * RUN: check -DENDS --ltl '[] <> !terminated'
 * EXPECT: violated ltl
 * RUN: check -DENDS --ltl '[] <> !terminated' --fairness strong
 * EXPECT: violated ltl
 * RUN: check -DENDS --ltl '<> [] terminated' --ltl '<> [] {x == 1} && <> [] {y == 2}' --ltl '[] ({x} -> <> {y == 2})'
 * EXPECT: verified
 * RUN: check -DENDS --ltl '<> [] terminated' --ltl '<> [] {x == 1} && <> [] {y == 2}' --fairness strong
 * EXPECT: verified
 * RUN: check -DENDS --ltl '<> [] {y != 2} || [] <> {!x}' --fairness strong
 * EXPECT: violated ltl
 * RUN: check -DENDS -DSTUCK --no-deadlock --ltl '<> terminated'
 * EXPECT: violated ltl
 * RUN: check -DENDS -DSTUCK --no-deadlock --ltl '[] <> ({x != 1} || {y != 2})' --fairness strong
 * EXPECT: violated ltl
 * RUN: check -DENDS -DSTUCK --no-deadlock --ltl '<> [] {x == 1}' --ltl '[] ({y == 2} -> [] <> ({x} && !terminated))'
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, never_free = PTHREAD_MUTEX_INITIALIZER;

static void *brief(void *unused)
{
	return unused;
}

static void *first(void *unused)
{
	(void)lock;
#if defined HANDSHAKE
	for (;;) {
		x = 1;
		while (x)
			;
	}
#elif defined LOCKS
	for (;;) {
		pthread_mutex_lock(&lock);
		x = 1;
		x = 0;
		pthread_mutex_unlock(&lock);
	}
#elif defined ENDS
	x = 1;
#ifdef STUCK
	pthread_mutex_lock(&never_free);
#endif
#else
	for (;;)
		x = !x;
#endif
	return unused;
}

static void *second(void *unused)
{
	pthread_t third;
	(void)never_free;
	(void)third;
#if defined HANDSHAKE
	for (;;) {
		while (!x)
			;
		x = 0;
		y = 1;
		y = 0;
	}
#elif defined LOCKS
	for (;;) {
		pthread_mutex_lock(&lock);
		y = 1;
		y = 0;
		pthread_mutex_unlock(&lock);
	}
#elif defined BLOCKED
	y = 1;
	y = 2;
	y = 0;
	pthread_mutex_lock(&never_free);
#elif defined ENDS
	y = 2;
#else
	y = 1;
	pthread_create(&third, NULL, brief, NULL);
	for (;;)
		y = !y;
#endif
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	(void)brief;
#if defined BLOCKED || defined STUCK
	pthread_mutex_lock(&never_free);
#endif
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
