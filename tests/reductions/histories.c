/* SPDX-License-Identifier: MIT
 *
 * Records of earlier accesses beside the states.  Three threads do ONE, TWO and THREE, or all do ALL; main joins them and does
 * MAIN.  The verdicts are derived by hand.
 *
 * ALSO: --reduction all,-histories
 *
 * Two orders of two stores lead to one state, and the release sequence of the first is there in one of them only, whichever the
 * search finds first:
 * RUN: check -DONE='PASS; INC(c)' -DTWO='HIDE; INC(c)' -DTHREE='UNTIL(c, 2); SEE(a); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DTWO='PASS; INC(c)' -DONE='HIDE; INC(c)' -DTHREE='UNTIL(c, 2); SEE(a); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; INC(c)' -DTWO='ADD(a, 0, relaxed); INC(c)' -DTHREE='UNTIL(c, 2); SEE(a); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='PASS; INC(c)' -DTWO='SET(a, 1, release); INC(c)' -DTHREE='UNTIL(c, 2); SEE(a); d = 2'
 * EXPECT: violated data-race
 *
 * Where steps are taken one by one, those that lead to known states are not taken at all, so records stay in the states:
 * RUN: check --reduction histories -DONE='PASS; INC(c)' -DTWO='HIDE; INC(c)' -DTHREE='UNTIL(c, 2); SEE(a); d = 2'
 * EXPECT: violated data-race
 * RUN: check --reduction histories -DTWO='PASS; INC(c)' -DONE='HIDE; INC(c)' -DTHREE='UNTIL(c, 2); SEE(a); d = 2'
 * EXPECT: violated data-race
 * RUN: check --reduction ends,histories -DTWO='PASS; INC(c)' -DONE='HIDE; INC(c)' -DTHREE='UNTIL(c, 2); SEE(a); d = 2'
 * EXPECT: violated data-race
 * RUN: check --reduction supersteps,histories -DTWO='PASS; INC(c)' -DONE='HIDE; INC(c)' -DTHREE='UNTIL(c, 2); SEE(a); d = 2'
 * EXPECT: violated data-race
 *
 * What the state that is known already passes on goes far, and round a loop:
 * RUN: check -DONE='PASS; INC(c)' -DTWO='HIDE; STAGE(relaxed)' -DTHREE='UNTIL(c, 2); SEE(a); LAST(relaxed)'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; INC(c)' -DTWO='UNTIL(c, 1); SEE(a); STAGE(release)' -DTHREE='LAST(acquire)'
 * EXPECT: verified
 * RUN: check -DONE='PASS; INC(c)' -DTWO='UNTIL(c, 1); SEE(a); STAGE(release)' -DTHREE='LAST(relaxed)'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; INC(c)' -DTWO='UNTIL(c, 1); (void)GET(a, relaxed); STAGE(release)' -DTHREE='LAST(acquire)'
 * EXPECT: violated data-race
 *
 * Waits that learn in rounds, with a fence before or behind; the number of rounds is bounded:
 * RUN: check -DONE=PASS -DTWO='' -DTHREE='TRY if (GET(a, acquire)) { d = 2; break; }'
 * EXPECT: verified
 * RUN: check -DONE=PASS -DTWO='' -DTHREE='TRY if (GET(a, relaxed)) { FENCE(acquire); d = 2; break; }'
 * EXPECT: verified
 * RUN: check -DONE=PASS -DTWO='' -DTHREE='TRY if (GET(a, relaxed)) { d = 2; break; }'
 * EXPECT: violated data-race
 * RUN: check -DONE=PASS -DTWO='' -DTHREE='TRY { FENCE(acquire); if (GET(a, relaxed)) { d = 2; break; } }'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; INC(c)' -DTWO='' -DTHREE='TRY { SEE(a); if (GET(c, relaxed)) { d = 2; break; } }'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; INC(c)' -DTWO='' -DTHREE='TRY { if (GET(c, relaxed)) { SEE(a); d = 2; break; } }'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; INC(c)' -DTWO='TRY { SEE(c); TELL; STOP }' -DTHREE='HIDE; AWAIT(b, acquire); d = 2'
 * EXPECT: violated data-race
 *
 * Threads that are alike:
 * RUN: check -DALL='LOCK(acquire); d++; SET(a, 0, release)' -DMAIN='assert(d == 3)'
 * EXPECT: verified
 * RUN: check -DALL='LOCK(acquire); d++; SET(a, 0, relaxed)'
 * EXPECT: violated data-race
 * RUN: check -DALL='LOCK(relaxed); d++; SET(a, 0, release)'
 * EXPECT: violated data-race
 * RUN: check -DALL='LOCK(relaxed); FENCE(acquire); d++; FENCE(release); SET(a, 0, relaxed)' -DMAIN='assert(d == 3)'
 * EXPECT: verified
 * RUN: check -DALL='if (!SWAP(a, 1, acquire)) { d++; SET(a, 0, release); }'
 * EXPECT: verified
 * RUN: check -DALL='TAKE; e[i] = 1; if (ADD(a, 1, acq_rel) == 2) { SUM; }' -DMAIN='assert(e[0] == 3)'
 * EXPECT: verified
 * RUN: check -DALL='TAKE; e[i] = 1; if (ADD(a, 1, release) == 2) { SUM; }'
 * EXPECT: violated data-race
 * RUN: check -DALL='TAKE; e[i] = 1; if (ADD(a, 1, acquire) == 2) { SUM; }'
 * EXPECT: violated data-race
 * RUN: check -DALL='TAKE; e[i] = 1; if (ADD(a, 1, release) == 2) { FENCE(acquire); SUM; }' -DMAIN='assert(e[0] == 3)'
 * EXPECT: verified
 * RUN: check -DALL='TAKE; TURN d++; SET(a, i + 1, release)' -DMAIN='assert(d == 3)'
 * EXPECT: verified
 * RUN: check -DALL='TAKE; TURN d++; if (i == 1) SET(a, i + 1, relaxed); else SET(a, i + 1, release)'
 * EXPECT: violated data-race
 * RUN: check -DALL='TAKE; TURN d++; if (i == 2) SET(a, i + 1, relaxed); else SET(a, i + 1, release)'
 * EXPECT: verified
 * RUN: check -DALL='TAKE; if (i < 2) { d += i; ADD(a, 1, release); } else { while (GET(a, acquire) < 2) {} d++; }'
 * EXPECT: violated data-race
 * RUN: check -DALL='TAKE; if (i == 2) { while (GET(a, acquire) < 2) {} d++; } else { e[i] = d; ADD(a, 1, release); }'
 * EXPECT: verified
 *
 * What is on the heap, and a node that is passed on; threads whose addresses are in memory are no longer alike:
 * RUN: check -DALL='NEW; o = SWAP(p, n, acq_rel); if (o) { assert(*o == 1); free(o); }' -DMAIN='free(p)'
 * EXPECT: verified
 * RUN: check -DALL='NEW; o = SWAP(p, n, release); if (o) { assert(*o == 1); }'
 * EXPECT: violated data-race
 * RUN: check -DALL='NEW; o = SWAP(p, n, acquire); if (o) { assert(*o == 1); }'
 * EXPECT: violated data-race
 * RUN: check -DALL='NEW; o = SWAP(p, n, acq_rel); *n = 2; if (o) (void)*o'
 * EXPECT: violated data-race
 * RUN: check -DALL='NEW; o = SWAP(p, n, acq_rel); if (o) { *o = 2; n = SWAP(p, NULL, acquire); if (n) (void)*n; }'
 * EXPECT: verified
 * RUN: check -DALL='NEW; SET(p, n, release); n = SWAP(p, NULL, acquire); if (n) { *n = 2; free(n); }'
 * EXPECT: verified
 * RUN: check -DALL='NEW; SET(p, n, release); n = SWAP(p, NULL, relaxed); if (n) { *n = 2; free(n); }'
 * EXPECT: violated data-race
 *
 * A step that ends in another violation, or in none, races all the same; and main is told by what it has joined:
 * RUN: check -DONE='d = 1; SET(a, 1, relaxed)' -DTWO='if (GET(a, relaxed)) { d = 2; exit(0); }' -DTHREE=''
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; SET(a, 1, relaxed)' -DTWO='' -DTHREE='' -DMAIN='d = 2'
 * EXPECT: verified
 * RUN: check -DALL='ADD(a, 1, relaxed); e[ADD(c, 1, relaxed)] = 1' -DMAIN='assert(e[0] + e[1] + e[2] == 3)'
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef MAIN
#define MAIN
#endif
#ifdef ALL
#define ALIKE
#define ONE
#define TWO
#define THREE
#else
#define ALL
#endif
#define GET(x, order)     atomic_load_explicit(&x, memory_order_##order)
#define SET(x, v, order)  atomic_store_explicit(&x, v, memory_order_##order)
#define ADD(x, v, order)  atomic_fetch_add_explicit(&x, v, memory_order_##order)
#define SWAP(x, v, order) atomic_exchange_explicit(&x, v, memory_order_##order)
#define SEE(x)            (void)GET(x, acquire)
#define INC(x)            ADD(x, 1, relaxed)
#define UNTIL(x, v) \
	while (GET(x, relaxed) < v) { \
	}
#define PASS \
	d = 1; \
	SET(a, 1, release)
#define TELL SET(b, 1, release)
#define STOP \
	if (GET(a, relaxed)) \
		break;
#define HIDE SET(a, 1, relaxed)
#define AWAIT(x, order) \
	while (!GET(x, order)) { \
	}
#define TRY  for (int i = 0; i < 50; i++)
#define TAKE int i = ADD(c, 1, relaxed)
#define TURN \
	while (GET(a, acquire) != i) { \
	}
#define NEW \
	int *n = malloc(4), *o = n; \
	*n = 1
#define LOCK(order) \
	while (SWAP(a, 1, order)) { \
	}
#define STAGE(order) \
	INC(c); \
	UNTIL(c, 3); \
	SET(b, 1, order)
#define LAST(order) \
	UNTIL(c, 2); \
	INC(c); \
	AWAIT(b, order); \
	d = 2
#define SUM          e[0] += e[1] + e[2]
#define FENCE(order) atomic_thread_fence(memory_order_##order)

static atomic_int a, b, c;
static int *_Atomic p;
int d, e[4]; /* not static: an optimizer would leave out what is only written */

static inline void *one(void *unused)
{
	ONE; /* ERROR */
	return unused;
}

static inline void *two(void *unused)
{
	TWO; /* ERROR */
	return unused;
}

static inline void *three(void *unused)
{
	THREE; /* ERROR */
	return unused;
}

static inline void *all(void *unused)
{
	ALL; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t ids[3];
	void *(*const works[])(void *) = { one, two, three };
	(void)works, (void)all, (void)b, (void)p;
#ifdef ALIKE
	for (int i = 0; i < 3; i++)
		pthread_create(&ids[i], NULL, all, NULL);
#else
	for (int i = 0; i < 3; i++)
		pthread_create(&ids[i], NULL, works[i], NULL);
#endif
	for (int i = 0; i < 3; i++)
		pthread_join(ids[i], NULL);
	MAIN; /* ERROR */
}
