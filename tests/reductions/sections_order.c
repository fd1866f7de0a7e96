/* SPDX-License-Identifier: MIT
 *
 * What critical sections order, and what they do not: two threads do ONE and TWO with mutexes, and main does MAIN when both have
 * ended.  The verdicts are derived by hand.
 *
 * What is under the lock does not matter:
 * RUN: check -DONE='L(m); s++; X(m)' -DTWO='L(m); s = 2; X(m)'
 * EXPECT: verified
 *
 * Sections order what is around them, on some paths only:
 * RUN: check -DONE='L(m); X(m); d = 1; L(m); X(m)' -DTWO='L(m); X(m); d = 2; L(m); X(m)'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; L(m); X(m)' -DTWO='L(m); X(m); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); X(m); d = 1; L(m); X(m)' -DTWO='r = d'
 * EXPECT: violated data-race
 *
 * Another lock, or none:
 * RUN: check -DONE='L(m); s = 1; X(m)' -DTWO='L(n); s = 2; X(n)'
 * EXPECT: violated data-race
 * RUN: check -DONE='a = 1; L(m); s = 1; X(m); a = 2' -DTWO='b = 1; L(n); s = 2; X(n); b = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); s = 1; X(m)' -DTWO='s = 2'
 * EXPECT: violated data-race
 *
 * Somebody tries:
 * RUN: check -DONE='L(m); s = 1; X(m)' -DTWO='r = pthread_mutex_trylock(&m); assert(r == 0); X(m)'
 * EXPECT: violated assertion
 * RUN: check -DONE='L(m); s = 1; X(m)' -DTWO='if (pthread_mutex_trylock(&m) == 0) { s = 2; X(m); }'
 * EXPECT: verified
 * RUN: check -DONE='L(m); s = 1; X(m)' -DTWO='struct timespec t = { 0, 0 }; assert(pthread_mutex_timedlock(&m, &t) == 0); X(m)'
 * EXPECT: violated assertion
 *
 * Memory is freed under the lock, or before:
 * RUN: check -DONE='L(m); *h = 1; X(m)' -DTWO='L(m); free((void *)h); X(m)'
 * EXPECT: violated use-after-free
 * RUN: check -DONE='L(m); if (h) *h = 1; X(m)' -DTWO='L(m); free((void *)h); h = 0; X(m)'
 * EXPECT: verified
 * RUN: check -O0 -DONE='L(m); if (p) *p = 1; X(m)' -DTWO='{ int x = 0; L(m); p = &x; X(m); } L(m); p = 0; X(m)'
 * EXPECT: violated use-after-free
 *
 * An assertion behind a loop that waits:
 * RUN: check -DONE='do { L(m); r = s; X(m); } while (r == 0); assert(0)' -DTWO='L(m); s = 1; X(m)'
 * EXPECT: violated assertion
 * RUN: check -DONE='while (a == 0) {} assert(0)' -DTWO='L(m); s = 1; X(m); a = 1'
 * EXPECT: violated assertion
 * RUN: check -DONE='while (a == 0) { L(m); s = 1; X(m); } assert(b == 0)' -DTWO='L(m); s = 1; X(m); a = 1; b = 1'
 * EXPECT: violated assertion
 *
 * The program, or the path, ends behind a section:
 * RUN: check -DONE='L(m); d = 2; X(m); exit(0)' -DTWO='L(n); d = 1; X(n); exit(0)'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); d = 2; X(m); bitspin_assume(0)' -DTWO='L(n); d = 1; X(n); bitspin_assume(0)'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); r = d; X(m); bitspin_assume(0)' -DTWO='L(n); d = 1; X(n); bitspin_assume(0)'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); s = 2; exit(0)' -DTWO='L(m); s = 1; X(m)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); s = 2; bitspin_assume(0)' -DTWO='L(m); X(m); assert(a == 0)'
 * EXPECT: verified
 *
 * Sections inside one another:
 * RUN: check -DONE='L(m); L(n); X(n); X(m)' -DTWO='L(n); L(m); X(m); X(n)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='L(m); L(n); s++; X(n); X(m)' -DTWO='L(m); L(n); s++; X(n); X(m)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); L(n); X(m); s++; X(n)' -DTWO='L(n); s++; X(n)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); L(n); X(m); s++; X(n)' -DTWO='L(m); s++; X(m)'
 * EXPECT: violated data-race
 *
 * A message passed inside sections orders what is around them:
 * RUN: check -DONE='d = 1; L(m); s = 1; X(m)' -DTWO='L(m); r = s; X(m); if (r) d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; L(m); s = 1; X(m)' -DTWO='L(m); r = s; X(m); if (!r) d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='int *x = malloc(4); *x = 1; L(m); p = x; X(m)' -DTWO='L(m); q = p; X(m); if (q) assert(*q == 1)'
 * EXPECT: verified
 * RUN: check -DONE='int *x = malloc(4); L(m); p = x; X(m); *x = 1' -DTWO='L(m); q = p; X(m); if (q) *q = 2'
 * EXPECT: violated data-race
 *
 * What is read in one section is written in the next:
 * RUN: check -DONE='L(m); r = s; X(m); L(m); s = r+1; X(m)' -DTWO='L(m); r = s; X(m); L(m); s = r+1; X(m)' -DMAIN='assert(s == 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='L(m); r = s; s = r + 1; X(m)' -DTWO='L(m); r = s; s = r + 1; X(m)' -DMAIN='assert(s == 2)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); s = 1; X(m)' -DTWO='L(m); s = 2; X(m)' -DMAIN='assert(s == 2)'
 * EXPECT: violated assertion
 *
 * Other threads run in the midst of a section:
 * RUN: check -DONE='L(m); a = 1; b = 1; X(m)' -DTWO='r = a; assert(b >= r)'
 * EXPECT: violated assertion
 * RUN: check -DONE='L(m); a = 1; b = 1; X(m)' -DTWO='L(m); r = a; assert(b == r); X(m)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); sem_post(&sem); s = 1; X(m)' -DTWO='sem_wait(&sem); L(m); r = s; X(m); assert(r == 1)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); sem_post(&sem); X(m); L(m); s = 1; X(m)' -DTWO='sem_wait(&sem); L(m); r = s; X(m); assert(r == 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='L(m); sem_wait(&sem); X(m)' -DTWO='L(m); sem_post(&sem); X(m)'
 * EXPECT: violated deadlock
 *
 * The lock is used in a wrong way:
 * RUN: check -DONE='L(m); L(m)' -DTWO='a = 1'
 * EXPECT: violated deadlock
 * RUN: check -DONE='L(m); X(m); X(m)' -DTWO='a = 1'
 * EXPECT: violated mutex-misuse
 * RUN: check -DONE='L(m); a = 1' -DTWO='while (a == 0) {} X(m)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DONE='L(m)' -DTWO='L(m); X(m)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='L(m); pthread_exit(0)' -DTWO='L(m); X(m)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='L(m); X(m)' -DTWO='pthread_mutex_destroy(&m)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DONE='L(m); X(m)' -DTWO='pthread_mutex_init(&m, 0)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DONE='L(m); X(m)' -DTWO='a = 1' -DMAIN='pthread_mutex_destroy(&m); L(m)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DONE='L(both.m); s++; X(both.m)' -DTWO='for (r = 0; r < 40; r++) d += ((volatile char *)&both.m)[r]'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(both.m); both.data = 1; X(both.m)' -DTWO='r = both.data'
 * EXPECT: violated data-race
 *
 * Waiting:
 * RUN: check -DONE='L(m); while (!s) pthread_cond_wait(&c, &m); X(m); assert(0)' -DTWO='L(m); s = 1; pthread_cond_signal(&c); X(m)'
 * EXPECT: violated assertion
 * RUN: check -DONE='L(m); pthread_cond_wait(&c, &m); X(m)' -DTWO='L(m); pthread_cond_signal(&c); X(m)'
 * EXPECT: violated deadlock
 *
 * Other kinds:
 * RUN: check -DKIND=PTHREAD_MUTEX_RECURSIVE -DONE='L(k); L(k); s++; X(k); X(k)' -DTWO='L(k); s++; X(k)'
 * EXPECT: verified
 * RUN: check -DKIND=PTHREAD_MUTEX_ERRORCHECK -DONE='L(k); assert(pthread_mutex_lock(&k) != EDEADLK)' -DTWO='L(k); s++; X(k)'
 * EXPECT: violated assertion
 * RUN: check -DROBUST -DKIND=PTHREAD_MUTEX_NORMAL -DONE='L(k)' -DTWO='r = pthread_mutex_lock(&k); assert(r == 0); X(k)'
 * EXPECT: violated assertion
 * RUN: check -DONE='mtx_lock(&m); s++; mtx_unlock(&m)' -DTWO='mtx_lock(&m); s++; mtx_unlock(&m)'
 * EXPECT: verified
 * RUN: check -DONE='mtx_lock(&m); s++; mtx_unlock(&m)' -DTWO='r = mtx_trylock(&m); assert(r == thrd_success); mtx_unlock(&m)'
 * EXPECT: violated assertion
 *
 * Whether a value is set is seen, where it is printed:
 * RUN: check -DONE='L(m); *h = 1; X(m)' -DTWO='L(m); printf("%d\n", *h); X(m)'
 * EXPECT: violated uninitialized-read
 * RUN: check -DONE='L(m); printf("%d\n", s); X(m)' -DTWO='L(m); s = 5; X(m)'
 * EXPECT: verified
 *
 * Threads that are born in a step, and locks that main holds:
 * RUN: check -DMORE -DONE='L(m); d = 1; X(m)' -DTWO='r = 1'
 * EXPECT: violated data-race
 * RUN: check -DHELD -DONE='L(m); s = 1; X(m)' -DTWO='L(m); r = s; X(m); assert(r == 0 || a == 1)' -DMAIN='a = 1'
 * EXPECT: violated assertion
 *
 * A loop that does not rest, in a section and around one:
 * RUN: check -DONE='L(m); for (r = 0; r < 7000; r++) {} s = 1; X(m)' -DTWO='L(m); s = 2; X(m)'
 * EXPECT: verified
 * RUN: check -DONE='while (a == 0) { L(m); s = 1; X(m); }' -DTWO='L(n); X(n); for (r = 0; r < 7000; r++) {} a = 1; assert(r == 0)'
 * EXPECT: violated assertion
 * RUN: check -DONE='for (;;) { L(m); s = 1; X(m); }' -DTWO='L(m); s = 2; X(m); assert(a == 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='L(m); s = 1; X(m); a = 1' -DTWO='assert(a == 0)'
 * EXPECT: violated assertion
 *
 * What was written last does not hide what was written first:
 * RUN: check -DONE='L(m); *h = 1; *h = 2; X(m)' -DTWO='L(m); printf("%d\n", *h); X(m)'
 * EXPECT: violated uninitialized-read
 * RUN: check -DONE='L(m); *h = 1; X(m); L(m); s = *h; X(m)' -DTWO='L(m); *h = 2; s = *h; X(m)' -DMAIN='printf("%d\n", s)'
 * EXPECT: verified
 *
 * Formulas and invariants may ask for locks, and see what happens in sections:
 * RUN: check -DONE='L(m); s = 1; X(m)' -DTWO='L(m); s = 2; X(m)' --ltl '[] !locking(1)'
 * EXPECT: violated ltl
 * RUN: check -DONE='L(m); s = 1; X(m)' -DTWO='L(m); s = 2; X(m)' --ltl '[] !held(m)'
 * EXPECT: violated ltl
 * RUN: check -DONE='L(m); s = 1; s = 0; X(m)' -DTWO='L(m); s = 0; X(m)' --invariant 's == 0'
 * EXPECT: violated invariant
 * RUN: check -DONE='for (;;) { L(m); s = 1; X(m); }' -DTWO='L(m); X(m)' --ltl '<> done(2)'
 * EXPECT: violated ltl
 *
 * An atomic section:
 * RUN: check -DONE='L(m); s = 1; X(m)' -DTWO='BEGIN; L(m); r = s; X(m); a = 1; END; assert(r == 0)'
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <bitspin.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#define L(mutex) pthread_mutex_lock(&mutex)
#define X(mutex) pthread_mutex_unlock(&mutex)
#define BEGIN    bitspin_atomic_begin()
#define END      bitspin_atomic_end()
#ifndef MAIN
#define MAIN
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, k;
static struct both {
	int data;
	pthread_mutex_t m;
} both;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static volatile int s, d, *volatile h;
static int *volatile p;
static atomic_int a, b;

static void *one(void *argument)
{
	volatile int r = 0, *volatile q = 0;
	ONE; /* ERROR */
	(void)r;
	(void)q;
	return argument;
}

static void *two(void *argument)
{
	volatile int r = 0;
	int *volatile q = 0;
	TWO; /* ERROR */
	(void)r;
	(void)q;
	return argument;
}

#ifdef MORE
/* Creates a thread that locks and unlocks before it rests for the first time. */
static void *creator(void *argument)
{
	pthread_t id;
	pthread_create(&id, NULL, one, NULL);
	d = 2;
	L(m);
	X(m);
	pthread_join(id, NULL);
	return argument;
}
#endif

static void set_up(void)
{
	sem_init(&sem, 0, 0);
	h = malloc(sizeof *h);
#ifdef KIND
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, KIND);
#ifdef ROBUST
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
#endif
	pthread_mutex_init(&k, &kind);
	pthread_mutexattr_destroy(&kind);
#endif
}

int main(void)
{
	pthread_t first, second;
	set_up();
#ifdef HELD
	L(m);
#endif
#ifdef MORE
	pthread_create(&first, NULL, creator, NULL);
#else
	pthread_create(&first, NULL, one, NULL);
#endif
	pthread_create(&second, NULL, two, NULL);
#ifdef HELD
	X(m);
#endif
	pthread_join(first, NULL);
	pthread_join(second, NULL); /* ERROR */
	MAIN; /* ERROR */
	return 0;
}
