/* SPDX-License-Identifier: MIT
 *
 * Loads of what only their own thread writes, and loads of what looks as if that were so: one thread does ONE, another one TWO.
 * Main does FIRST before it creates them, MIDDLE when both are there, and LAST when they have ended.  The verdicts are derived by
 * hand.
 *
 * One writer, which reads its own; the other thread reads:
 * RUN: check -DONE='a = a + 1; a = a + 1; assert(a == 2)' -DTWO='int r = a; assert(r <= 2)' -DLAST='assert(a == 2)'
 * EXPECT: verified
 * RUN: check -DONE='a = a + 1; a = a + 1' -DTWO='int r = a; assert(r != 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='b = a + 1; a = b + a + 1; b = a + 1' -DTWO='int r = b, u = a; assert(r != 1 || u != 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='int r = a; b = 1; if (r) x = 1; a = 1; if (a) x = 2' -DTWO='int r = x, u = a; assert(r != 2 || u)'
 * EXPECT: verified
 * RUN: check -DONE='a = 1; b = a; a = 0; b = a' -DTWO='int r = b, u = a, v = b; assert(!(r == 1 && u == 0 && v == 1))'
 * EXPECT: violated assertion
 * RUN: check -DONE='a = a + b' -DTWO='b = b + a' -DFIRST='a = b = 1' -DLAST='assert(a + b == 5)'
 * EXPECT: violated assertion
 * RUN: check -DONE='a = a + b' -DTWO='b = b + a' -DFIRST='a = b = 1' -DLAST='assert(a + b == 4 || a + b == 5)'
 * EXPECT: verified
 * RUN: check -DONE='a = a + b' -DTWO='b = b + a' -DFIRST='a = b = 1' -DLAST='assert(a != 3)'
 * EXPECT: violated assertion
 * RUN: check -DONE='a = a + b' -DTWO='b = b + a' -DFIRST='a = b = 1' -DLAST='assert(b != 3)'
 * EXPECT: violated assertion
 * RUN: check -DONE='a = a + b' -DTWO='b = b + a' -DFIRST='a = b = 1' -DLAST='assert(a != 2 || b != 2)'
 * EXPECT: violated assertion
 *
 * Written before there is a second thread, or after:
 * RUN: check -DFIRST='a = 5; b = 6' -DONE='assert(a == 5)' -DTWO='assert(a == 5 && b == 6)'
 * EXPECT: verified
 * RUN: check -DFIRST='set(&a, 5)' -DONE='assert(a == 5)'
 * EXPECT: verified
 * RUN: check -DFIRST='set(&a, 5)' -DONE='assert(a == 5)' -DTWO='set(&a, 5)'
 * EXPECT: verified
 * RUN: check -DFIRST='set(&a, 5)' -DONE='assert(a == 5)' -DTWO='set(&a, 6)'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='a = 5' -DONE='int r = a; assert(r == a)' -DMIDDLE='a = 6'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='a = 5' -DONE='int r = a; assert(r == 5 || r == 6)' -DMIDDLE='set(&a, 6)'
 * EXPECT: verified
 * RUN: check -DFIRST='for (int i = 0; i < 2; i++) { set(&a, i); begin(&other, another); }' -DTHREE='int r = a; assert(r == a)'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='for (int i = 0; i < 2; i++) { set(&a, 1); begin(&other, another); }' -DTHREE='int r = a; assert(r == a)'
 * EXPECT: verified
 * RUN: check -DFIRST='begin(&other, another); a = 1' -DTHREE='int r = a; assert(r == a)'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='if (x) begin(&other, another); a = 1' -DTHREE='int r = a; assert(r == a)'
 * EXPECT: verified
 * RUN: check -DFIRST='create = pthread_create; create(HANDLE(other), 0, another, 0); a = 1' -DTHREE='int r = a; assert(r == a)'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='once(); a = 1' -DONCE='begin(&other, another)' -DTHREE='int r = a; assert(r == a)'
 * EXPECT: violated assertion
 * RUN: check -DLAST='a = 1; assert(a == 1)' -DONE='int r = a; assert(r == 0)'
 * EXPECT: verified
 *
 * Several threads run the same code:
 * RUN: check -DONE='a = a + 1' -DFIRST='begin(&other, one)' -DLAST='assert(a == 2)' -DJOINS
 * EXPECT: violated assertion
 * RUN: check -DONE='add()' -DTWO='add()' -DLAST='assert(a == 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='add()' -DTWO='add()' -DLAST='assert(a == 1 || a == 2)'
 * EXPECT: verified
 * RUN: check -DONE='add()' -DMIDDLE='add()' -DLAST='assert(a == 2)'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='a = a + 1' -DFIRST='for (int i = 0; i < 2; i++) begin(&others[i], another)' -DTWO='int r = a; assert(r != 2)'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='SEES' -DFIRST='for (int i = 0; i < 2; i++) CREATE(others[i], another)'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='SEES' -DFIRST='for (int i = 0; i < 2; i++) once()' -DONCE='CREATE(others[0], another)'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='SEES' -DONE='once()' -DTWO='once()' -DONCE='CREATE(others[0], another)'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='SEES' -DONE='once()' -DFIRST='begin(&other, one)' -DONCE='CREATE(others[0], another)'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='SEES' -DONE='CREATE(others[x], another)' -DFIRST='begin(&other, one)'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='SEES' -DFIRST='CREATE(others[0], another)'
 * EXPECT: verified
 * RUN: check -DTHREE='add()' -DONE='begin(&other, another)' -DTWO='begin(&others[0], another)' -DLAST='assert(a >= 0)'
 * EXPECT: verified
 * RUN: check -DTHREE='add()' -DONE='begin(&other, another); int r = a; assert(r == a)'
 * EXPECT: violated assertion
 * RUN: check -DONE='call = add; call()' -DTWO='add()' -DLAST='assert(a == 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='pthread_once(&control, add); int r = a; assert(r == 1)' -DTWO='pthread_once(&control, add)'
 * EXPECT: verified
 * RUN: check -DONE='int r = a; assert(r == a)' -DTWO='pthread_once(&control, add)'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='pthread_key_create(&key, count)' -DONE='pthread_setspecific(key, &x)' -DTWO='int r = x; assert(r == x)'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='atexit(add)' -DONE='int r = a; assert(r == a)' -DEXITS
 * EXPECT: violated assertion
 *
 * Other ways to write, or to write elsewhere:
 * RUN: check -DFIRST='p = &a' -DONE='a = 1; int r = a; assert(r == 1)' -DTWO='*p = 2'
 * EXPECT: violated assertion
 * RUN: check -DFIRST='p = &b' -DONE='a = 1; int r = a; assert(r == 1)' -DTWO='*p = 2'
 * EXPECT: verified
 * RUN: check -DONE='int r = a; assert(r == a)' -DTWO='p = &b; if (x == 0) p = &a; *p = 2'
 * EXPECT: violated assertion
 * RUN: check -DONE='pair[0] = 1; int r = pair[0]; assert(r == 1)' -DTWO='pair[x] = 2'
 * EXPECT: violated assertion
 * RUN: check -DONE='pair[0] = 1; int r = pair[0]; assert(r == 1)' -DTWO='pair[1] = 2' -DLAST='assert(pair[1] == 2)'
 * EXPECT: verified
 * RUN: check --races ignore -DONE='w.half[0] = 1; short r = w.half[0]; assert(r == 1)' -DTWO='w.all = 0x20002'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DONE='w.half[1] = 1; short r = w.half[1]; assert(r == 1)' -DTWO='w.all = 0x20002'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DONE='w.half[0] = 1; short r = w.half[0]; assert(r == 1)' -DTWO='w.half[1] = 2'
 * EXPECT: verified
 * RUN: check --races ignore -DONE='plain = 1; int r = plain; assert(r == 1)' -DTWO='memset((void *)&plain, 0, sizeof plain)'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DONE='plain = 1; int r = plain; assert(r == 1)' -DTWO='memcpy((void *)&plain, "two", 4)'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DONE='plain = 1; int r = plain; assert(r == 1)' -DTWO='sscanf("7", "%d", (int *)&plain)'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DONE='plain = 1; int r = plain; assert(r == 1)' -DTWO='printf("seven%n", (int *)&plain)'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DONE='plain = 1; int r = plain; assert(r == 1)' -DTWO='sem_getvalue(&s, (int *)&plain)'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DONE='void *r = got; assert(r == got)' -DMIDDLE='JOIN(second, got)' -DTWO='return &x' -DEXITS
 * EXPECT: violated assertion
 * RUN: check --races ignore -DONE='pthread_t r = other; assert(r == other)' -DTWO='begin(&other, another)'
 * EXPECT: violated assertion
 * RUN: check -DONE='int r = a; assert(r == a)' -DTWO='EXCHANGE(1, 2)' -DMIDDLE='if (x) a = 1'
 * EXPECT: verified
 * RUN: check -DONE='int r = a; assert(r == a)' -DTWO='EXCHANGE(0, 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='int r = a; assert(r == a)' -DTWO='atomic_fetch_or(&a, 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='if (x == 1) longjmp(jump, 1); int r = a; assert(r == a)' -DFIRST='if (setjmp(jump)) a = 1'
 * EXPECT: verified
 * RUN: check -DFIRST='if (setjmp(jump)) { a = 1; return 0; }' -DMIDDLE='longjmp(jump, 1)' -DONE='int r = a; assert(r == a)'
 * EXPECT: violated assertion
 *
 * The end of a life is a write:
 * RUN: check -DFIRST='p = malloc(4); *p = 0' -DONE='*p = 1; sem_post(&s); int r = *p; assert(r == 1)' -DTWO='sem_wait(&s); free(p)'
 * EXPECT: violated use-after-free
 * RUN: check -DFIRST='p = malloc(4); *p = 0' -DONE='*p = 1; int r = *p; sem_post(&s); assert(r == 1)' -DTWO='sem_wait(&s); free(p)'
 * EXPECT: verified
 * RUN: check --races ignore -DMIDDLE='lend()' -DONE='GET; *q = 1; int r = *q; assert(r == 1)' -DTWO=
 * EXPECT: violated use-after-free
 *
 * RUN: check --races ignore -DMIDDLE='lend()' -DLENT='sem_wait(&t)' -DONE='GET; *q = 1; sem_post(&t); int r = *q; assert(r)'
 * EXPECT: violated use-after-free
 * RUN: check -DMIDDLE='lend()' -DLENT='sem_wait(&t)' -DONE='GET; *q = 1; int r = *q; sem_post(&t); assert(r)'
 * EXPECT: verified
 * RUN: check -DONE='GET; sem_post(&t); int r = *q; assert(!r)' -DTWO='p = &local; sem_post(&s); sem_wait(&t)'
 * EXPECT: violated use-after-free
 * RUN: check -DONE='GET; int r = *q; sem_post(&t); assert(!r)' -DTWO='p = &local; sem_post(&s); sem_wait(&t)'
 * EXPECT: verified
 *
 * It waits for what nobody writes:
 * RUN: check -DONE='while (a == 0) ;'
 * EXPECT: violated deadlock
 * RUN: check -DONE='while (a == 0) ;' -DTWO='b = a'
 * EXPECT: violated deadlock
 * RUN: check -DONE='while (a == 0) if (x) a = 1;' -DTWO='x = 1'
 * EXPECT: verified
 * RUN: check -DFIRST='a = 1' -DONE='while (a == 0) ;'
 * EXPECT: verified
 * RUN: check -DONE='a = 1; while (a < 3) a = a + 1;' -DTWO='while (a < 3) ;' -DLAST='assert(a == 3)'
 * EXPECT: verified
 * RUN: check -DONE='sem_wait(&s); int r = a; sem_wait(&s); assert(r)' -DTWO='sem_post(&s)'
 * EXPECT: violated deadlock
 *
 * Races, and what is known of the past:
 * RUN: check -DONE='plain = 1; STORE(a, 1, release); plain = LOAD(a, relaxed)' -DTWO='if (LOAD(a, acquire)) assert(plain)'
 * EXPECT: violated data-race
 * RUN: check -DONE='plain = 1; STORE(a, 1, release); assert(LOAD(a, relaxed))' -DTWO='if (LOAD(a, acquire)) assert(plain)'
 * EXPECT: verified
 * RUN: check -DONE='plain = 1; STORE(a, 1, relaxed); assert(LOAD(a, acquire))' -DTWO='if (LOAD(a, acquire)) assert(plain)'
 * EXPECT: violated data-race
 * RUN: check -DONE='a = a + 1' -DTWO='int r = *(volatile int *)&a; assert(r <= 1)'
 * EXPECT: violated data-race
 * RUN: check -DONE='*(volatile int *)&a = 1; assert(a == 1)' -DTWO='int r = a; assert(r <= 1)'
 * EXPECT: violated data-race
 *
 * Others look on; bounds; other models of memory:
 * RUN: check -DONE='a = 1; a = a + 1' --invariant '{a != 2}'
 * EXPECT: violated invariant
 * RUN: check -DONE='a = 1; a = a + 1' -DTWO='b = a' --ltl '[] {a <= 2 && b <= a}'
 * EXPECT: verified
 * RUN: check -DONE='a = 1; a = a + 1' -DTWO='b = a' --ltl '[] {a != 2 || b != 1}'
 * EXPECT: violated ltl
 * RUN: check -DONE='a = a + 1; a = a + 1' -DTWO='int r = a; assert(r != 1)' --preemptions 1
 * EXPECT: violated assertion
 * RUN: check -DONE='a = a + b' -DTWO='b = b + a' -DFIRST='a = b = 1' -DLAST='assert(a != 2 || b != 2)' --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check --memory tso -DONE='a = 1; assert(a == 1); x = b' -DTWO='b = 1; assert(b == 1); y = a' -DLAST='assert(x || y)'
 * EXPECT: verified
 * RUN: check --memory c11 -DONE='WEAKLY(a, b, x)' -DTWO='WEAKLY(b, a, y)' -DLAST='assert(x || y)'
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../thread.h"

#ifndef ONE
#define ONE
#endif
#ifndef TWO
#define TWO
#endif
#ifndef THREE
#define THREE
#endif
#ifndef FIRST
#define FIRST
#endif
#ifndef MIDDLE
#define MIDDLE
#endif
#ifndef LAST
#define LAST
#endif
#ifndef LENT
#define LENT
#endif
#ifndef ONCE
#define ONCE
#endif
/* by two threads: one is the first to count itself, and finds later what the other one has written */
#define SEES           int k = x++, r = a; a = 1; assert(k || !r)
#define JOIN(thread, result)        pthread_join(thread, (void **)&result)
#define WEAKLY(mine, other, result) STORE(mine, 1, relaxed); assert(LOAD(mine, relaxed)); result = LOAD(other, relaxed)
#define HANDLE(thread)              (pthread_t *)&thread
#define CREATE(thread, function)    pthread_create(HANDLE(thread), NULL, function, NULL)
#define EXCHANGE(from, to)          atomic_compare_exchange_strong(&a, &(int){ from }, to)
#define GET                         sem_wait(&s); atomic_int *q = p
#define LOAD(from, order)         atomic_load_explicit(&from, memory_order_##order)
#define STORE(to, value, order) atomic_store_explicit(&to, value, memory_order_##order)

static atomic_int a, b, x, y, pair[2];
static atomic_int *_Atomic p;
static volatile int plain;
static volatile union {
	int all;
	short half[2];
} w;
static sem_t s, t;
static _Thread_local atomic_int local;
static jmp_buf jump;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static void *volatile got;
static volatile pthread_t other;
static pthread_t first, second, others[2];
static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static void (*call)(void);

static void *one(void *), *another(void *);

static void set(atomic_int *at, int value)
{
	*at = value;
}

static void add(void)
{
	a = a + 1;
}

static void count(void *at)
{
	++*(atomic_int *)at;
}

static void begin(volatile pthread_t *thread, void *(*function)(void *))
{
	pthread_create((pthread_t *)thread, NULL, function, NULL);
}

static void once(void)
{
	ONCE;
}

__attribute__((noinline)) static void lend(void)
{
	atomic_int lent; /* main writes nothing there */
	p = &lent;
	sem_post(&s);
	LENT;
}

THREAD(one, ONE) /* ERROR */
THREAD(two, TWO) /* ERROR */
THREAD(another, THREE) /* ERROR */

int main(void)
{
	sem_init(&s, 0, 0);
	sem_init(&t, 0, 0);
	FIRST;
	pthread_create(&first, NULL, one, NULL);
	pthread_create(&second, NULL, two, NULL);
	MIDDLE; /* ERROR */
#ifdef EXITS
	return 0;
#endif
	pthread_join(first, NULL);
	pthread_join(second, NULL);
#ifdef JOINS
	pthread_join(other, NULL);
#endif
	LAST; /* ERROR */
	return 0;
}
