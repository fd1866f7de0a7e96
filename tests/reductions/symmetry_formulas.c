/* SPDX-License-Identifier: MIT
 *
 * Formulas about threads that are symmetric, under each fairness: WORK is what each of N threads does; main does BETWEEN, then
 * JOINS, then AFTER.  The verdicts were derived by hand.
 *
 * All threads take part, or one may do all of it:
 *
 * RUN: check --ltl '<> {n == N}' -DWORK='n++' --fairness none
 * EXPECT: verified
 * RUN: check --ltl '[] ({n == 1} -> <> {n == N})' -DWORK='n++'
 * EXPECT: verified
 * RUN: check --ltl '<> {n == N}' -DWORK='for (;;) { ONCE(n++); sched_yield(); }' --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {n == N}' -DWORK='for (;;) { ONCE(n++); sched_yield(); }'
 * EXPECT: verified
 * RUN: check --ltl '<> {n == N}' -DWORK='for (;;) { ONCE(n++); sched_yield(); }' --fairness strong
 * EXPECT: verified
 * RUN: check --ltl '<> {n == 1}' -DWORK='for (;;) { ONCE(n++); sched_yield(); }' --fairness none
 * EXPECT: verified
 * RUN: check --ltl '<> {n == 2}' -DWORK='for (;;) { ONCE(n++); sched_yield(); }' --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {n == 2}' -DWORK='for (;;) { ONCE(n++); sched_yield(); }'
 * EXPECT: verified
 *
 * A thread that finds the mutex taken each time starves unless the scheduler is strongly fair:
 *
 * RUN: check --ltl '<> {n == N}' -DWORK='for (;;) LOCK(ONCE(n++))'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {n == 2}' -DWORK='for (;;) LOCK(ONCE(n++))'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {n == 1}' -DWORK='for (;;) LOCK(ONCE(n++))' --fairness none
 * EXPECT: verified
 * RUN: check --ltl '<> {n == N}' -DWORK='for (;;) LOCK(ONCE(n++))' --fairness strong
 * EXPECT: verified
 * RUN: check --ltl '<> {a == 1}' -DWORK='role(); if (me) for (;;) LOCK(sched_yield()); LOCK(a = 1)'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {a == 1}' -DWORK='role(); if (me) for (;;) LOCK(sched_yield()); LOCK(a = 1)' --fairness strong
 * EXPECT: verified
 *
 * A thread starves, or is stuck, in the middle between two places to which another comes again and again:
 *
 * RUN: check --ltl '<> ({n == N} || {a == 7})' -DN=2 -DWORK=COUNTS_AMID
 * EXPECT: verified
 * RUN: check --ltl '<> ({n == N} || {a == 7})' -DWORK=COUNTS_AMID
 * EXPECT: verified
 * RUN: check --ltl '<> ({n == N} || {a == 7})' -DWORK=COUNTS_AMID --fairness strong
 * EXPECT: verified
 * RUN: check --ltl '<> ({n == N} || {a == 7})' -DWORK=COUNTS_AMID --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> ({b == 1} || {a == 7})' -DSTART='sem_post(&sem)' -DWORK=WAITS_AMID --fairness strong
 * EXPECT: violated ltl
 * RUN: check --ltl '<> ({b == 1} || {a == 7})' -DSTART='sem_post(&sem)' -DWORK=WAITS_AMID
 * EXPECT: violated ltl
 *
 * Truth that comes and goes, whoever makes it:
 *
 * RUN: check --ltl '[] <> {a == 1}' -DWORK='for (;;) { a = 1; a = 0; }' --fairness none
 * EXPECT: verified
 * RUN: check --ltl '<> [] {a == 0}' -DWORK='for (;;) { a = 1; a = 0; }' --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> [] {a == 0}' -DWORK='for (;;) { a = 1; a = 0; }' --fairness strong
 * EXPECT: violated ltl
 * RUN: check --ltl '[] <> {a == 1}' -DWORK='for (;;) TOKEN(a ^= 1)' -DSTART='sem_post(&sem)' --fairness none
 * EXPECT: verified
 * RUN: check --ltl '[] <> {n == N}' -DWORK=ROUNDS --fairness none
 * EXPECT: verified
 * RUN: check --ltl '<> [] {n < 2}' -DWORK=ROUNDS
 * EXPECT: violated ltl
 *
 * A turn that goes from role to role: each thread has to come up again and again, and which has which role is open:
 *
 * RUN: check --ltl '[] <> {turn == 2}' -DWORK=TURNS --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '[] <> {turn == 2}' -DWORK=TURNS
 * EXPECT: verified
 * RUN: check --ltl '[] <> {turn == 2}' -DWORK=TURNS --fairness strong
 * EXPECT: verified
 * RUN: check --ltl '<> [] {turn == 1}' -DWORK=TURNS
 * EXPECT: violated ltl
 *
 * Some end, some go on, some are stuck for ever:
 *
 * RUN: check --ltl '<> {n == 2}' -DWORK='role(); if (me == 2) for (;;) sched_yield(); n++'
 * EXPECT: verified
 * RUN: check --ltl '<> {n == 2}' -DWORK='role(); if (me == 2) for (;;) sched_yield(); n++' --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {b == 1}' -DWORK='role(); if (me == 0) TOKEN(b = 1); for (;;) { a = 1; a = 0; }' --fairness strong
 * EXPECT: violated ltl
 * RUN: check --ltl '[] <> {a == 1}' -DWORK='role(); if (me == 0) TOKEN(b = 1); for (;;) { a = 1; a = 0; }' --fairness strong
 * EXPECT: verified
 * RUN: check --ltl '<> {n == N}' -DWORK='while (!a) sched_yield(); n++' -DBETWEEN='a = 1'
 * EXPECT: verified
 * RUN: check --ltl '<> {n == N}' -DWORK='while (!a) sched_yield(); n++' -DBETWEEN='a = 1' --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> terminated' -DWORK='LOCK(while (!a) COND_WAIT)' -DBETWEEN='LOCK(a = 1; COND_BROADCAST)'
 * EXPECT: verified
 * RUN: check --ltl '<> terminated' -DWORK='role(); if (!me) for (;;) sched_yield()'
 * EXPECT: violated ltl
 *
 * What is true stays so when threads are joined:
 *
 * RUN: check --ltl '[] ({n >= 1} -> [] {n >= 1})' -DWORK='n++'
 * EXPECT: verified
 * RUN: check --ltl '[] ({n == 1} -> ({n == 1} W {n == 2}))' -DWORK='role(); if (me == 2) for (;;) { a = 1; a = 0; } n++'
 * EXPECT: verified
 * RUN: check --ltl '[] ({n >= 2} -> [] in(part))' -DWORK='role(); if (me == 2) for (;;) part(); n++'
 * EXPECT: violated ltl
 *
 * Joins: what comes after one of them tells which thread has ended:
 *
 * RUN: check --ltl '<> {a == 1}' -DWORK='n++' -DAFTER='a = 1' --fairness none
 * EXPECT: verified
 * RUN: check --ltl '<> in(last)' -DN=2 -DWORK='role(); if (!me) for (;;) sched_yield()' -DJOINS='first(); last()'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> in(last, 0)' -DN=2 -DWORK='role(); if (!me) for (;;) sched_yield()' -DJOINS='first(); last()'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> in(last)' -DN=2 -DWORK='role(); if (!me) sched_yield()' -DJOINS='first(); last()'
 * EXPECT: verified
 * RUN: check --ltl '<> at(half, 0)' -DN=2 -DWORK='role(); if (!me) for (;;) sched_yield()' -DJOINS='JOIN(0); HALF; JOIN(1)'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {a == 1}' -DN=2 -DWORK='role(); if (!me) for (;;) sched_yield()' -DJOINS='JOIN(1); a = 1; JOIN(0)'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> [] in(first)' -DN=2 -DWORK='role(); if (!me) for (;;) sched_yield()' -DJOINS='first(); last()'
 * EXPECT: violated ltl
 *
 * Places, of any thread and of a certain one:
 *
 * RUN: check --ltl '[] <> in(part)' -DWORK='for (;;) part()' --fairness none
 * EXPECT: verified
 * RUN: check --ltl '[] !in(part)' -DWORK='role(); if (me == 2) part()'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] !in(part, 2)' -DWORK='role(); if (me == 0) part()'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] (in(part, 1) -> (in(part, 1) W [] !in(part, 1)))' -DWORK='part(); sched_yield(); n++'
 * EXPECT: verified
 * RUN: check --ltl '[] (done(1) -> [] done(1))' -DWORK='n++; sched_yield(); n++' -DAFTER='part()'
 * EXPECT: verified
 * RUN: check --ltl '[] !in(part, 0)' -DWORK='part()'
 * EXPECT: verified
 * RUN: check --ltl '[] !(done(2) && !done(1))' -DWORK='n++'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] (at(half) -> <> {n == N})' -DWORK='bitspin_label("half"); n++'
 * EXPECT: verified
 * RUN: check --invariant '!in(part) || {n > 0}' -DWORK='n++; part()'
 * EXPECT: verified
 * RUN: check --invariant '!in(part) || {n > 0}' -DWORK='part(); n++'
 * EXPECT: violated invariant
 * RUN: check --invariant '!in(part) || {n < N}' -DWORK='n++; part()'
 * EXPECT: violated invariant
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include "bitspin.h"

#ifndef N
#define N 3
#endif
#ifndef START
#define START
#endif
#ifndef BETWEEN
#define BETWEEN
#endif
#ifndef JOINS
#define JOINS \
	for (int i = 0; i < N; i++) \
	JOIN(i)
#endif
#ifndef AFTER
#define AFTER
#endif
#define JOIN(i)   pthread_join(id[i], 0)
#define LOCK(...) (pthread_mutex_lock(&mutex), ({ __VA_ARGS__; }), pthread_mutex_unlock(&mutex))
#define ONCE(...) \
	({ \
		if (!begun) { \
			begun = 1; \
			__VA_ARGS__; \
		} \
	})
#define role() (me = roles++)
#define TURNS \
	role(); \
	for (;;) { \
		if (turn == me) \
			turn = (me + 1) % N; \
		else \
			sched_yield(); \
	}
#define TOKEN(...)     (sem_wait(&sem), ({ __VA_ARGS__; }), sem_post(&sem))
#define HALF           bitspin_label("half")
#define COND_WAIT      pthread_cond_wait(&cond, &mutex)
#define COND_BROADCAST pthread_cond_broadcast(&cond)
#define COUNTS_AMID \
	for (;;) { \
		a = 1; \
		a = 2; \
		a = 3; \
		ONCE(n++); \
		a = 4; \
		a = 5; \
		a = 6; \
	}
#define ROUNDS \
	for (;;) { \
		pthread_barrier_wait(&bar); \
		n++; \
		pthread_barrier_wait(&bar); \
		n = 0; \
	}
#define WAITS_AMID \
	role(); \
	for (;;) { \
		a = 1; \
		if (!me) { \
			LOCK(COND_WAIT); \
			b = 1; \
		} \
		TOKEN(a = 2); \
	}

static atomic_int a, b, n, turn, roles;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t bar;
static sem_t sem;
static pthread_t id[N];

static void part(void)
{
	sched_yield();
}

static void first(void)
{
	JOIN(0);
}

static void last(void)
{
	JOIN(1);
}

static void *work(void *unused)
{
	int me = 0, begun = 0;
	WORK; /* ERROR */
	(void)me, (void)begun, (void)a, (void)b, (void)part;
	return unused;
}

int main(void)
{
	pthread_barrier_init(&bar, 0, N);
	sem_init(&sem, 0, 0);
	START;
	for (int i = 0; i < N; i++)
		pthread_create(&id[i], 0, work, 0);
	BETWEEN;
	JOINS;
	AFTER;
	(void)first, (void)last, (void)cond, (void)turn;
}
