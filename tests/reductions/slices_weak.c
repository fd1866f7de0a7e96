/* SPDX-License-Identifier: MIT
 *
 * Slicing where happens-before is less than the order of things: what is left out is values, not who synchronizes with whom.  Two
 * threads do ONE and TWO, and main does MAIN when both have ended.  The verdicts are derived by hand.
 *
 * ALSO: --reduction all,-slicing
 * ALSO: --reduction none
 * ALSO: --search bfs
 *
 * A flag that decides, over data on which nothing depends:
 * RUN: check -DONE='d = 1; SET(a, 1, release)' -DTWO='AWAIT(a, acquire); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; SET(a, 1, relaxed)' -DTWO='AWAIT(a, acquire); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; SET(a, 1, release)' -DTWO='AWAIT(a, relaxed); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; SET(a, 1, release)' -DTWO='AWAIT(a, relaxed); FENCE(acquire); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; FENCE(release); SET(a, 1, relaxed)' -DTWO='AWAIT(a, acquire); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; SET(a, 1, release); SET(a, 2, relaxed)' -DTWO='while (GET(a, acquire) != 2) {} d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; SET(a, 1, release); ADD(a, 1, relaxed)' -DTWO='while (GET(a, acquire) != 2) {} d = 2'
 * EXPECT: verified
 *
 * Values on which nothing depends are passed on all the same, b says so:
 * RUN: check -DONE='d = 1; SET(a, 1, release); TELL' -DTWO='AWAIT(b, relaxed); SEE; d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; SET(a, 1, relaxed); TELL' -DTWO='AWAIT(b, relaxed); SEE; d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; SET(a, 1, release); TELL' -DTWO='AWAIT(b, relaxed); (void)GET(a, relaxed); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; ADD(a, 1, release); TELL' -DTWO='AWAIT(b, relaxed); ADD(a, 1, acquire); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; ADD(a, 1, release); TELL' -DTWO='AWAIT(b, relaxed); ADD(a, 1, release); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; SET(a, 1, release); TELL' -DTWO='SEE; if (GET(b, relaxed)) d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; ADD(a, 1, release); TELL' -DTWO='ADD(a, 1, acquire); if (GET(b, relaxed)) d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; SET(a, 1, release); TELL' -DTWO='SET(a, 2, relaxed); AWAIT(b, relaxed); SEE; d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; SET(a, 1, release); p = 3; SET(b, 1, release)' -DTWO='AWAIT(b, acquire); p = 4; d = 2'
 * EXPECT: verified
 *
 * An exchange that fails passes on nothing, whoever asks whether it did:
 * RUN: check -DONE='d = 1; CAS(0, 1); TELL' -DTWO='AWAIT(b, relaxed); SEE; d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; CAS(7, 1); TELL' -DTWO='AWAIT(b, relaxed); SEE; d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='SET(a, 7, relaxed); d = 1; CAS(7, 1); TELL' -DTWO='AWAIT(b, relaxed); SEE; d = 2'
 * EXPECT: verified
 *
 * Counters that are printed, or not:
 * RUN: check -DONE='INC; INC' -DTWO='INC; ADD(b, GET(a, relaxed), relaxed)' -DMAIN='printf("%d\n", a)'
 * EXPECT: verified
 * RUN: check -DONE='ADD(a, 1, relaxed); d++' -DTWO='ADD(a, 1, relaxed); d++' -DMAIN='printf("%d\n", a)'
 * EXPECT: violated data-race
 * RUN: check -DONE='ADD(a, 1, relaxed)' -DTWO='ADD(a, 1, relaxed)' -DMAIN='assert(a == 2)'
 * EXPECT: verified
 * RUN: check -DONE='ADD(a, 1, relaxed)' -DTWO='SET(a, 1, relaxed)' -DMAIN='assert(a == 2)'
 * EXPECT: violated assertion
 *
 * Locks that are tried:
 * RUN: check -DONE='L(m); d++; X(m)' -DTWO='if (!T(m)) { d++; X(m); }'
 * EXPECT: verified
 * RUN: check -DONE='L(m); d++; X(m)' -DTWO='if (T(m)) d++; else X(m)'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; L(m)' -DTWO='while (!T(m)) X(m); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='L(m); d++; X(m); r = 1' -DTWO='int t = T(m); if (!t) { d++; X(m); } s = t' -DMAIN='printf("%d %d\n", d, s)'
 * EXPECT: verified
 * RUN: check -DONE='L(m); d++; X(m)' -DTWO='s = T(m); if (!s) X(m)' -DMAIN='assert(!s)'
 * EXPECT: violated assertion
 *
 * With formulas:
 * RUN: check -DONE='INC; SET(b, 1, release)' -DTWO='INC; AWAIT(b, acquire)' --ltl '<> terminated' --fairness weak
 * EXPECT: verified
 * RUN: check -DONE='ADD(a, 1, relaxed)' -DTWO='ADD(a, 1, relaxed)' --ltl '[] {a < 2}'
 * EXPECT: violated ltl
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef MAIN
#define MAIN
#endif
#define GET(x, order)    atomic_load_explicit(&x, memory_order_##order)
#define SET(x, v, order) atomic_store_explicit(&x, v, memory_order_##order)
#define ADD(x, v, order) atomic_fetch_add_explicit(&x, v, memory_order_##order)
#define AWAIT(x, order)  while (!GET(x, order)) {}
#define INC              ADD(a, 1, relaxed)
#define SEE              (void)GET(a, acquire)
#define TELL             SET(b, 1, relaxed)
#define FENCE(order)     atomic_thread_fence(memory_order_##order)
#define CAS(from, to)    exchange(from, to)
#define L(m)             pthread_mutex_lock(&m)
#define T(m)             pthread_mutex_trylock(&m)
#define X(m)             pthread_mutex_unlock(&m)

static atomic_int a, b;
int d, p, r, s; /* not static: an optimizer would leave out what is only written */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static inline void exchange(int from, int to)
{
	atomic_compare_exchange_strong_explicit(&a, &from, to, memory_order_release, memory_order_relaxed);
}

static void *one(void *unused)
{
	ONE; /* ERROR */
	return unused;
}

static void *two(void *unused)
{
	TWO; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, two, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	MAIN; /* ERROR */
	return 0;
}
