/* SPDX-License-Identifier: MIT
 *
 * Formulas where few threads need to be offered in most states, but not in all.
 *
 * A thread that goes round for ever must not be all that is offered: the other would never be seen.  It shows itself in each
 * round, or never.
 *
 * RUN: check -DROUND --ltl '[] !({x == 1} && {y == 1})' --fairness weak
 * EXPECT: violated ltl
 * RUN: check -DROUND --ltl '[] !({x == 1} && {y == 1})' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DROUND --ltl '<> ({x == 1} && {y == 1})' --ltl '[] <> {y == 1}' --fairness weak
 * EXPECT: verified
 * RUN: check -DROUND --ltl '<> {x == 1}' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DROUND --ltl '<> {x == 1} || [] <> {y == 1}' --fairness none
 * EXPECT: verified
 * RUN: check -DROUND --ltl '{x == 0} U ({x == 0} && {y == 1})' --fairness strong
 * EXPECT: violated ltl
 * RUN: check -DROUND -DHIDDEN --ltl '[] !{x == 1}' --fairness strong
 * EXPECT: violated ltl
 * RUN: check -DROUND -DHIDDEN --ltl '<> {x == 1}' --fairness none
 * EXPECT: violated ltl
 *
 * RUN: check -DROUND -DHIDDEN -DSECOND_FIRST --ltl '<> {x == 1}' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DROUND -DHIDDEN -DSECOND_FIRST --ltl '<> {x == 1}' --ltl '[] ({x == 1} -> [] {x == 1})' --fairness weak
 * EXPECT: verified
 *
 * Steps that touch nothing in common, and show: a formula tells their order.
 *
 * RUN: check -DORDER --ltl '{x == 0} U {y == 1}' --fairness weak
 * EXPECT: violated ltl
 * RUN: check -DORDER --ltl '{y == 0} U {x == 1}' --fairness weak
 * EXPECT: violated ltl
 * RUN: check -DORDER --ltl '{y == 0} U {x == 1} || {x == 0} U {y == 1}' --ltl '<> terminated' --fairness none
 * EXPECT: verified
 * RUN: check -DORDER --ltl '[] !(done(1) && !done(2))' --fairness strong
 * EXPECT: violated ltl
 * RUN: check -DORDER --ltl '[] !(done(2) && !done(1))' --fairness strong
 * EXPECT: violated ltl
 * RUN: check -DORDER --ltl '[] (done(1) -> {x == 1})' --ltl '<> (done(1) && {y == 1})' --fairness none
 * EXPECT: verified
 *
 * What is read decides what shows: p points to x or to y.
 *
 * RUN: check -DPOINTER --ltl '[] !{*p == 1}' --fairness weak
 * EXPECT: violated ltl
 * RUN: check -DPOINTER --ltl '[] !{*p == 2}' --fairness weak
 * EXPECT: violated ltl
 * RUN: check -DPOINTER --ltl '<> {*p == 2}' --fairness none
 * EXPECT: verified
 *
 * A thread waits for a lock that two others have in turn.  It may starve under weak fairness, as it has to wait again and again,
 * but not if it is let in whenever it could.
 *
 * RUN: check -DWAITS --ltl '<> {x == 1}' --fairness weak
 * EXPECT: violated ltl
 * RUN: check -DWAITS --ltl '<> {x == 1}' --fairness strong
 * EXPECT: verified
 * RUN: check -DWAITS --ltl '<> {x == 1}' --fairness none
 * EXPECT: violated ltl
 *
 * A wait with a deadline that has used up its time-outs.
 *
 * RUN: check -DTIMED --faults timeout:1 --ltl '<> {x == 1}' --fairness weak
 * EXPECT: verified
 * RUN: check -DTIMED --faults timeout:1 --ltl '[] !{x == 2}' --fairness weak
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;
static atomic_int *_Atomic p = &x;

#ifdef ROUND
static void *first(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&own);
#ifndef HIDDEN
		y = !y;
#endif
		pthread_mutex_unlock(&own);
	}
	return argument;
}

static void *second(void *argument)
{
	x = 1;
	return argument;
}
#elif defined ORDER
static void *first(void *argument)
{
	pthread_mutex_lock(&own);
	x = 1;
	pthread_mutex_unlock(&own);
	return argument;
}

static void *second(void *argument)
{
	y = 1;
	return argument;
}
#elif defined POINTER
static void *first(void *argument)
{
	x = 1;
	y = 2;
	return argument;
}

static void *second(void *argument)
{
	p = &y;
	return argument;
}
#elif defined WAITS
static void *first(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	return argument;
}

static void *second(void *argument)
{
	pthread_mutex_lock(&own);
	pthread_mutex_unlock(&own);
	pthread_mutex_lock(&m);
	x = 1;
	pthread_mutex_unlock(&m);
	return argument;
}
#elif defined TIMED
static void *first(void *argument)
{
	pthread_mutex_lock(&m);
	y = 1;
	pthread_mutex_unlock(&m);
	return argument;
}

static void *second(void *argument)
{
	struct timespec soon = { 0 };
	while (pthread_mutex_timedlock(&m, &soon))
		x = 2;
	x = 1;
	pthread_mutex_unlock(&m);
	return argument;
}
#endif

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
#ifdef SECOND_FIRST
	pthread_join(b, NULL);
#endif
	pthread_join(a, NULL);
#ifndef SECOND_FIRST
	pthread_join(b, NULL);
#endif
	(void)m, (void)own, (void)p, (void)y;
	return 0;
}
