/* SPDX-License-Identifier: MIT
 *
 * Accesses on which nothing depends order nothing, but may race, and come too late: two threads do ONE and TWO, and main does MAIN
 * when both have ended.  The verdicts are derived by hand.
 *
 * ALSO: --reduction all,-slicing
 *
 * Atomic ones:
 * RUN: check -DONE='(void)atomic_load(&a)' -DTWO='atomic_store(&a, 1)'
 * EXPECT: verified
 * RUN: check -DONE='*(volatile int *)&a = 1' -DTWO='(void)atomic_load(&a)'
 * EXPECT: violated data-race
 * RUN: check -DONE='*(volatile int *)&a = 1' -DTWO='atomic_fetch_add(&a, 1)'
 * EXPECT: violated data-race
 * RUN: check -DONE='s = *(volatile int *)&a' -DTWO='atomic_store(&a, 1)'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; atomic_store(&a, 1)' -DTWO='(void)atomic_load(&a); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; atomic_store(&a, 1)' -DTWO='while (!atomic_load(&a)) {} d = 2'
 * EXPECT: verified
 * RUN: check -DONE='free(h)' -DTWO='(void)atomic_load(&h->x)'
 * EXPECT: violated use-after-free
 * RUN: check -DONE='atomic_fetch_add(&h->x, 1)' -DTWO='free(h)'
 * EXPECT: violated use-after-free
 * RUN: check -DONE='int r = atomic_exchange(&a, 1); assert(r != 2)' -DTWO='atomic_store(&a, 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='atomic_store(&a, 1); atomic_store(&b, 1)' -DTWO='int r = b, t = a; assert(!r || t)'
 * EXPECT: verified
 * RUN: check -DONE='atomic_store(&a, 1); atomic_store(&b, 1)' -DTWO='int r = b, t = a; assert(r || !t)'
 * EXPECT: violated assertion
 * RUN: check -DONE='CAS(1)' -DTWO='CAS(2)' -DMAIN='assert(a == 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='int e = 0; s = atomic_compare_exchange_strong(&a, &e, 1)' -DTWO='(void)atomic_load(&a)' -DMAIN='assert(a == 1)'
 * EXPECT: verified
 * RUN: check -DONE='atomic_store(&w.low, 1)' -DTWO='(void)atomic_load(&w.all)' -DMAIN='assert(w.all == 1)'
 * EXPECT: verified
 * RUN: check -DONE='atomic_store(&w.low, 1)' -DTWO='atomic_store(&w.all, 0)' -DMAIN='assert(w.all == 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='atomic_fetch_add(&a, 1)' -DTWO='atomic_fetch_add(&a, 1)' -DMAIN='printf("%d\n", a)'
 * EXPECT: verified
 * RUN: check -DONE='atomic_fetch_add(&a, 1)' -DTWO='atomic_fetch_add(&a, 1)' -DMAIN='if (printf("%d\n", a * 5) == 3) abort()'
 * EXPECT: violated abort
 * RUN: check -DONE='d = 1; atomic_store_explicit(&a, 1, memory_order_relaxed)' -DTWO='while (!atomic_load(&a)) {} d = 2'
 * EXPECT: violated data-race
 *
 * Those that properties look at:
 * RUN: check -DONE='atomic_store(&a, 2); atomic_store(&a, 0)' -DTWO='(void)atomic_load(&a)' --invariant '{a != 2}'
 * EXPECT: violated invariant
 * RUN: check -DONE='atomic_store(&a, 2); atomic_store(&a, 0)' -DTWO='(void)atomic_load(&a)' --ltl '[] {a != 2}'
 * EXPECT: violated ltl
 * RUN: check -DONE='atomic_store(&a, 1)' -DTWO='while (1) (void)atomic_load(&a)' --ltl '<> {a == 1}' --fairness weak
 * EXPECT: verified
 * RUN: check -DONE='atomic_store(&a, 1)' -DTWO='while (1) (void)atomic_load(&a)' --ltl '<> {a == 1}' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DONE='atomic_store(&a, 1)' -DTWO='while (1) (void)atomic_load(&a)' --ltl '<> terminated' --fairness weak
 * EXPECT: violated ltl
 *
 * Plain ones, in sections:
 * RUN: check -DONE='L(m); s++; X(m)' -DTWO='L(m); s++; X(m)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); s++; X(m)' -DTWO='s++'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); s++; X(m)' -DTWO='L(n); s++; X(n)'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); s++; X(m); s++' -DTWO='L(m); s++; X(m)'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); L(n); X(m); s++; X(n)' -DTWO='L(m); s++; X(m)'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); s = d; X(m)' -DTWO='L(m); d = 1; X(m)' -DMAIN='assert(d == 1)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); s = d; X(m)' -DTWO='L(m); X(m); d = 1'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); s++; X(m)' -DTWO='if (pthread_mutex_trylock(&m)) abort(); X(m)'
 * EXPECT: violated abort
 * RUN: check -DONE='L(m); s++; pthread_exit(NULL)' -DTWO='L(m); s++; X(m)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='L(m); s++; L(n); s++; X(n); X(m)' -DTWO='L(n); L(m); s++; X(m); X(n)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='pthread_t t; L(m); s++; create(&t); X(m); pthread_join(t, NULL)' -DTWO='L(m); s++; X(m)'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); printf("%d\n", ++s); X(m)' -DTWO='L(m); printf("%d\n", ++s); X(m)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); printf("%d\n", ++s); X(m)' -DTWO='printf("%d\n", ++s)'
 * EXPECT: violated data-race
 * RUN: check -O0 -DONE='L(m); h->y = s; X(m)' -DTWO='L(m); printf("%d\n", h->y); X(m)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DONE='L(m); h->y = 1; X(m)' -DTWO='L(m); s = h->y; X(m)' -DMAIN='printf("%d\n", s)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DONE='L(m); s = h->y; X(m)' -DTWO='L(m); h->y = 1; X(m)' -DMAIN='printf("%d\n", s)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DONE='atomic_store(&h->z, 1)' -DTWO='s = atomic_load(&h->z)' -DMAIN='printf("%d\n", s)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DONE='s = atomic_load(&h->z)' -DTWO='atomic_store(&h->z, 1)' -DMAIN='printf("%d\n", s)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DONE='int r = atomic_load(&a); printf("%d\n", r)' -DTWO='atomic_store(&a, h->y)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DONE='atomic_store(&a, h->y)' -DTWO='int r = atomic_load(&a); printf("%d\n", r)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DONE='int r = atomic_load(&a); printf("%d\n", r)' -DTWO='atomic_fetch_add(&a, h->y)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DONE='int r = atomic_load(&a); printf("%d\n", r)' -DTWO='CAS(h->y)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DONE='atomic_store(&a, h->y)' -DTWO='atomic_store(&a, 1)' -DMAIN='printf("%d\n", a)'
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 -DONE='atomic_store(&a, 1)' -DTWO='atomic_exchange(&a, h->y)' -DMAIN='printf("%d\n", a)'
 * EXPECT: violated uninitialized-read
 * RUN: check -DONE='L(m); free(h); h = NULL; X(m)' -DTWO='L(m); s = h ? h->y : 0; X(m)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); free(h); X(m)' -DTWO='L(m); s = h->y; X(m)'
 * EXPECT: violated use-after-free
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define L(mutex) pthread_mutex_lock(&mutex)
#define X(mutex) pthread_mutex_unlock(&mutex)
#define CAS(value) \
	int e = 0; \
	atomic_compare_exchange_strong(&a, &e, value)

#ifndef MAIN
#define MAIN
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static atomic_int a, b;
static volatile int d, s;
static union {
	atomic_int all;
	_Atomic short low;
} w;
static struct {
	atomic_int x;
	volatile int y;
	atomic_int z;
} * h;

static void *adds(void *argument)
{
	s++;
	return argument;
}

static void create(pthread_t *thread)
{
	pthread_create(thread, NULL, adds, NULL);
}

static void *one(void *argument)
{
	ONE; /* ERROR */
	return argument;
}

static void *two(void *argument)
{
	TWO; /* ERROR */
	return argument;
}

int main(void)
{
	pthread_t first, second;
	h = malloc(sizeof *h);
	atomic_init(&h->x, 0);
	pthread_create(&first, NULL, one, NULL);
	pthread_create(&second, NULL, two, NULL);
	pthread_join(first, NULL);
	pthread_join(second, NULL); /* ERROR */
	MAIN; /* ERROR */
	(void)create, (void)n, (void)b, (void)d, (void)s;
	return 0;
}
