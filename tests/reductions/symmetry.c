/* SPDX-License-Identifier: MIT
 *
 * Threads that look symmetric: what tells them apart must not be lost.  WORK is what each of N threads does; main does
 * BETWEEN, then JOINS, then AFTER.  The verdicts were derived by hand.
 *
 * Nothing tells the threads apart:
 *
 * RUN: check -DN=4 -DWORK='LOCK(n++)' -DAFTER='assert(n == 4)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='int k; LOCK(k = n); LOCK(n = k + 1)' -DAFTER='assert(n == 3)'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK='int k; LOCK(k = n); LOCK(n = k + 1)' -DAFTER='assert(n != 2)'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK='n++'
 * EXPECT: violated data-race
 * RUN: check -DN=3 -DWORK=CROSSED
 * EXPECT: violated deadlock
 * RUN: check -DN=3 -DWORK=WAITS_FOR_TWO -DAFTER='assert(go == 3)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK=FIRST_SERVED -DBETWEEN='FEED(3)' -DAFTER='assert(first != 2)'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK=TAKES_TOKEN -DBETWEEN='FEED(2)'
 * EXPECT: violated deadlock
 * RUN: check -DN=3 -DWORK='if (pthread_barrier_wait(&barrier)) go++' -DAFTER='assert(go == 1)'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='sem_wait(&sem); role(); assert(me == 0); sem_post(&sem)'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK='if (bitspin_choose(0, 1)) go++' -DAFTER='assert(go != 2)'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK=BOXES
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK=FREES
 * EXPECT: verified
 * RUN: check --leaks -DN=2 -DWORK=LEAKS
 * EXPECT: violated memory-leak
 * RUN: check -DN=2 -DWORK='own = go++; sched_yield(); assert(own < 2)'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='role(); if (me == 2) pthread_exit(0); go++' -DAFTER='assert(go == 2)'
 * EXPECT: verified
 *
 * Roles that threads take from main, or that handles give them:
 *
 * RUN: check -DN=3 -DARGUMENT='(void *)(long)i' -DWORK=COUNTS -DAFTER='assert(slots[0] == 1 && slots[2] == 1)'
 * EXPECT: verified
 * RUN: check --races ignore -DN=2 -DWORK='if (pthread_equal(pthread_self(), id[1])) go = 1' -DAFTER='assert(!go)'
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DSTART=HOLD -DBETWEEN=LET_GO -DWORK=SECOND_STARTED -DAFTER='assert(slots[0])'
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DWORK='role(); if (me) pthread_exit(&go)' -DJOINS='JOIN_RESULT(0)' -DAFTER='assert(!result)'
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DWORK=FIRST_WAITS -DJOINS='JOIN(1); JOIN(0)' -DAFTER='assert(go)'
 * EXPECT: verified
 *
 * Joins that are not all in a row:
 *
 * RUN: check -DN=2 -DWORK='role(); if (me) TWICE(sem_wait(&sem)); slots[me] = 1' -DJOINS='JOIN(0); sem_post(&sem); JOIN(1)'
 * EXPECT: violated deadlock
 * RUN: check -DN=2 -DWORK='role(); if (me) assert(!go); else sched_yield()' -DJOINS='JOIN(0); go = 1; JOIN(1)'
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DSTART='go = 0' -DWORK=WRONG_ROLE -DFIRST_STARTED='go = 1' -DJOINS='JOIN(0); go2 = 1; JOIN(1)'
 * EXPECT: violated deadlock
 * RUN: check -DN=2 -DWORK='(void)0' -DJOINS='JOIN(0); JOIN(0)'
 * EXPECT: violated thread-misuse
 * RUN: check -DN=2 -DWORK='role(); if (me) sem_wait(&sem)' -DJOINS='JOIN(0); JOIN(0)'
 * EXPECT: violated thread-misuse
 * RUN: check -DN=3 -DWORK='go++' -DJOINS='JOIN(0); JOIN(2)' -DAFTER='assert(go == 3)'
 * EXPECT: violated assertion
 * RUN: check -DN=3 -DWORK='go++' -DJOINS='JOIN(2); JOIN(0); JOIN(1)' -DAFTER='assert(go == 3)'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='role(); if (me) LOCK(n++)' -DJOINS='HOLD; JOIN(0); JOIN(1); LET_GO'
 * EXPECT: violated deadlock
 * RUN: check -DN=2 -DWORK='LOCK(n++)' -DJOINS='JOIN(0); int k = n; JOIN(1); assert(k == 2 || n == 2)'
 * EXPECT: violated data-race
 * RUN: check -DN=2 -DWORK='LOCK(n++)' -DBETWEEN='int k = *(volatile int *)&n; (void)k'
 * EXPECT: violated data-race
 * RUN: check -DN=2 -DWORK='go++' -DAFTER='START_ALL; JOIN_ALL; assert(go == 4)'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='go++' -DJOINS='pthread_exit(0)'
 * EXPECT: verified
 *
 * Addresses, and locks that are looked into:
 *
 * RUN: check -DN=2 -DWORK=LENDS
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DWORK=NUMBERS -DAFTER='assert(slots[0] < slots[1])'
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DWORK='role(); int one = me; fill(&one); where[me] = (uintptr_t)&one' -DAFTER='assert(where[0] < where[1])'
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DWORK=OWNERS -DAFTER='assert(slots[0] < slots[1])'
 * EXPECT: violated assertion
 * RUN: check -DN=2 -DWORK=COPIES
 * EXPECT: violated mutex-misuse
 * RUN: check -DN=2 -DWORK='role(); if (me) pthread_mutex_unlock(&a); else pthread_mutex_lock(&a)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DN=3 -DWORK='LOCK(n++)' --invariant 'n <= 3'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='LOCK(n++)' --invariant 'n < 3'
 * EXPECT: violated invariant
 * RUN: check -DN=3 -DWORK='LOCK(n++)' -DAFTER='n = 7' --invariant 'n != 7 || roles == 0'
 * EXPECT: verified
 * RUN: check -DN=3 -DWORK='LOCK(n++); roles++' --invariant 'roles <= n'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='roles++; LOCK(n++)' --invariant 'roles - n < 2'
 * EXPECT: violated invariant
 * RUN: check -DN=3 -DWORK='roles++' --invariant 'id[0] != id[1] || !id[0]'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='roles++' --invariant 'id[0] <= id[1] || !id[1]'
 * EXPECT: verified
 * RUN: check -DN=2 -DWORK='int k = go++; int l = go2; assert(k != 0 || l != 1)' -DBETWEEN='go++; go2 = 1'
 * EXPECT: violated assertion
 */
#define _GNU_SOURCE
#include "bitspin.h"
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef ARGUMENT
#define ARGUMENT NULL
#endif
#ifndef START
#define START (void)0
#endif
#ifndef FIRST_STARTED
#define FIRST_STARTED (void)0
#endif
#ifndef BETWEEN
#define BETWEEN (void)0
#endif
#ifndef JOINS
#define JOINS JOIN_ALL
#endif
#ifndef AFTER
#define AFTER (void)0
#endif

#define LOCK(statement)   (pthread_mutex_lock(&a), statement, pthread_mutex_unlock(&a))
#define JOIN(i)           pthread_join(id[i], NULL)
#define JOIN_RESULT(i)    void *result; pthread_join(id[i], &result); JOIN(1 - i)
#define JOIN_ALL          for (int i = 0; i < N; i++) JOIN(i)
#define START_ALL \
	for (int i = 0; i < N; i++) { \
		pthread_create(&id[i], NULL, work, ARGUMENT); \
		if (i == 0) \
			FIRST_STARTED; \
	}
#define FEED(count) \
	for (int i = 0; i < count; i++) { \
		pthread_mutex_lock(&a); \
		tokens++; \
		pthread_cond_signal(&c); \
		pthread_mutex_unlock(&a); \
	}
#define CROSSED \
	role(); if (me == 1) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); } else { pthread_mutex_lock(&a); \
	pthread_mutex_lock(&b); } pthread_mutex_unlock(&a); pthread_mutex_unlock(&b)
#define TAKES_TOKEN pthread_mutex_lock(&a); while (!tokens) pthread_cond_wait(&c, &a); tokens--; pthread_mutex_unlock(&a)
#define FIRST_SERVED \
	role(); pthread_mutex_lock(&a); while (!tokens) pthread_cond_wait(&c, &a); tokens--; \
	if (first < 0) first = me; pthread_mutex_unlock(&a)
#define WAITS_FOR_TWO role(); while (me == 0 && go < 2) ; go++
#define SECOND_STARTED pthread_mutex_lock(&a); pthread_mutex_unlock(&a); role(); if (pthread_self() == id[1]) slots[me] = 1
#define WRONG_ROLE int k = go; if (k == 0) { while (!go2) sched_yield(); assert(0); }
#define LENDS \
	int one = go++; fill(&one); int *p = given; if (p) assert(one <= 1 || p == &one); given = &one; sched_yield(); \
	given = 0
#define NUMBERS int one = 0; fill(&one); role(); slots[me] = (int)((uintptr_t)&one >> 28)
#define OWNERS pthread_mutex_lock(&a); role2(); slots[me] = a.__data.__owner; pthread_mutex_unlock(&a)
#define COPIES pthread_mutex_lock(&a); role2(); if (!me) copy = a; pthread_mutex_unlock(&a); if (me) pthread_mutex_unlock(&copy)
#define COUNTS slots[(long)argument]++
#define HOLD   pthread_mutex_lock(&a)
#define LET_GO pthread_mutex_unlock(&a)
#define BOXES int box[2] = { go++ }; fill(box); sched_yield(); assert(box[0] + box[1] == 3)
#define FREES int *p = malloc(sizeof *p); *p = go++; sched_yield(); assert(*p < 3); free(p)
#define LEAKS volatile int *p = malloc(sizeof *p); *p = go++; sched_yield(); if (*p) free((void *)p)
#define FIRST_WAITS role(); if (me == 0) while (!go) sched_yield(); else go = 1
#define role()  int me = roles++
#define TWICE(call) (call, call)
#define role2() int me = counted++

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, copy;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static pthread_t id[N];
static atomic_int roles, go, go2;
static int n, tokens, first = -1, counted, slots[4];
static uintptr_t where[2];
static _Atomic(int *) given;
static _Thread_local int own;

static void fill(int *p)
{
	p[0] += 1;
}

static void *work(void *argument)
{
	WORK; /* ERROR */
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, N);
	sem_init(&sem, 0, 1);
	START;
	START_ALL;
	BETWEEN;
	JOINS; /* ERROR */
	AFTER; /* ERROR */
	return 0;
}
