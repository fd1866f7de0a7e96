/* SPDX-License-Identifier: MIT
 *
 * What records go through beside the states: fences, release sequences, locks that are tried, memory that begins anew, sections,
 * ends.  Three threads do ONE, TWO and THREE; main joins them and does MAIN.  The verdicts are derived by hand.
 *
 * ALSO: --reduction all,-histories
 *
 * The release sequence of ONE goes on by read-modify-writes, and by nothing else; a compare-exchange that fails writes nothing:
 * RUN: check -DONE='PASS; INC(c)' -DTWO='AT(1); ADD(a, 1, relaxed); INC(c)' -DTHREE='AT(2); SEE(a); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='PASS; INC(c)' -DTWO='AT(1); SET(a, 2, relaxed); INC(c)' -DTHREE='AT(2); SEE(a); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; INC(c)' -DTWO='AT(1); CAS(a, 1, relaxed, relaxed); INC(c)' -DTHREE='AT(2); SEE(a); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='PASS; INC(c)' -DTWO='AT(1); CAS(a, 5, acq_rel, acquire); INC(c)' -DTHREE='AT(2); SEE(a); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='PASS; INC(c)' -DTWO='AT(1); CAS(a, 5, acq_rel, acquire); d = 3; INC(c)' -DTHREE='AT(2); SEE(a); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; INC(c)' -DTWO='AT(1); CAS(a, 5, acq_rel, relaxed); d = 3'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; INC(c)' -DTWO='AT(1); CAS(a, 5, relaxed, acquire); d = 3'
 * EXPECT: verified
 *
 * Fences, before and behind:
 * RUN: check -DONE='d = 1; FENCE(release); HIDE; INC(c)' -DTHREE='AT(1); SEE(a); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='FENCE(release); d = 1; HIDE; INC(c)' -DTHREE='AT(1); SEE(a); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; d = 3; INC(c)' -DTHREE='AT(1); SEE(a); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; FENCE(release); d = 3; HIDE; INC(c)' -DTHREE='AT(1); SEE(a); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; INC(c)' -DTHREE='AT(1); LOOK; FENCE(acquire); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='PASS; INC(c)' -DTHREE='AT(1); FENCE(acquire); LOOK; d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; FENCE(release); INC(c)' -DTHREE='AT(1); FENCE(acquire); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; FENCE(seq_cst); INC(c)' -DTHREE='AT(1); FENCE(seq_cst); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; FENCE(acquire); INC(c)' -DTHREE='AT(1); FENCE(release); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE=PASS -DTWO='AWAIT(a, relaxed); FENCE(acquire); FENCE(release); WHISPER' -DTHREE='AWAIT(b, acquire); d = 2'
 * EXPECT: verified
 * RUN: check -DONE=PASS -DTWO='AWAIT(a, relaxed); FENCE(release); FENCE(acquire); WHISPER' -DTHREE='AWAIT(b, acquire); d = 2'
 * EXPECT: violated data-race
 *
 * A look that comes too early leads to the same state as one that comes in time:
 * RUN: check -DONE='PASS; INC(c)' -DTHREE='LOOK; AT(1); FENCE(acquire); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; INC(c)' -DTHREE='SEE(a); AT(1); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; INC(c)' -DTHREE='SEE(a); AT(1); SEE(a); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='PASS; INC(c)' -DTHREE='int v = GET(a, relaxed); AT(1); FENCE(acquire); if (v) d = 2'
 * EXPECT: verified
 * RUN: check -DONE='PASS; INC(c)' -DTHREE='int v = GET(a, relaxed); AT(1); FENCE(acquire); if (!v) d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; SET(a, 1, release); INC(c)' -DTWO='SEE(a); TELL; INC(c)' -DTHREE='AT(2); SEE(b); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; SET(a, 1, release)' -DTWO='AWAIT(a, acquire); TELL; INC(c)' -DTHREE='AT(1); SEE(b); d = 2'
 * EXPECT: verified
 *
 * Accesses that are read or write, and bytes:
 * RUN: check -DONE='READ(d); INC(c)' -DTHREE='AT(1); READ(d)'
 * EXPECT: verified
 * RUN: check -DONE='READ(d); INC(c)' -DTHREE='AT(1); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='PASS; READ(d); INC(c)' -DTHREE='AT(1); SEE(a); READ(d)'
 * EXPECT: verified
 * RUN: check -DONE='PASS; READ(d); INC(c)' -DTHREE='AT(1); SEE(a); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='FILL(0, 2); INC(c)' -DTHREE='AT(1); e[2] = 2'
 * EXPECT: verified
 * RUN: check -DONE='FILL(0, 2); INC(c)' -DTHREE='AT(1); e[1] = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='FILL(0, 3); TELL; INC(c)' -DTWO='AT(1); SEE(b); FILL(1, 1); INC(c)' -DTHREE='AT(2); SEE(b); FILL(0, 1)'
 * EXPECT: verified
 * RUN: check -DONE='FILL(0, 3); TELL; INC(c)' -DTWO='AT(1); SEE(b); FILL(1, 1); INC(c)' -DTHREE='AT(2); SEE(b); FILL(1, 1)'
 * EXPECT: violated data-race
 * RUN: check -DONE='AT(1); d = 1' -DTHREE='TRY if (PEEK(d)) break; ADD(c, 1, relaxed)'
 * EXPECT: violated data-race
 * RUN: check -DONE='while (GET(c, acquire) < 1) {} d = 1' -DTHREE='TRY if (PEEK(d)) break; ADD(c, 1, release)'
 * EXPECT: verified
 *
 * Locks, those that are tried and others; sections; what wakes and what waits:
 * RUN: check -DONE='LOCK; d = 1; UNLOCK' -DTWO='if (!TRYLOCK) { d = 2; UNLOCK; }' -DTHREE='LOCK; d = 3; UNLOCK'
 * EXPECT: verified
 * RUN: check -DONE='LOCK; d = 1; UNLOCK' -DTWO='if (!TRYLOCK) { UNLOCK; } else { d = 2; }'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; LOCK; f = 1; UNLOCK' -DTWO='LOCK; int x = f; UNLOCK; if (x) d = 2' -DTHREE='if (!TRYLOCK) UNLOCK'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; LOCK; INC(c); UNLOCK' -DTWO='LOCK; UNLOCK; AT(1); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; LOCK; INC(c); UNLOCK' -DTWO='AT(1); LOCK; UNLOCK; d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; IN; f = 1; OUT; INC(c)' -DTWO='IN; e[0] = 1; OUT; AT(1); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; IN; f = 1; OUT; INC(c)' -DTWO='AT(1); IN; e[0] = 1; OUT; d = 2'
 * EXPECT: verified
 * RUN: check --faults spurious-wakeup:* -DONE='INC(c); LOCK; f = 1; d = 1; SIGNAL; UNLOCK' -DTWO='LOCK; WAIT; UNLOCK; d = 2'
 * EXPECT: verified
 * RUN: check -DONE='INC(c); LOCK; f = 1; UNLOCK; d = 1; SIGNAL' -DTWO='LOCK; WAIT; UNLOCK; d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; INC(c); sem_post(&s)' -DTWO='sem_wait(&s); d = 2' -DTHREE='if (!TRYWAIT) { d = 3; sem_post(&s); }'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; sem_post(&s); INC(c)' -DTWO='AT(1); (void)TRYWAIT; d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; sem_post(&s); INC(c)' -DTWO='(void)TRYWAIT; AT(1); d = 2'
 * EXPECT: violated data-race
 *
 * Memory that is freed and comes again, with what its locations passed on gone; memory that is set before others know of it:
 * RUN: check -DONE='NEW(1, release); AWAIT(b, acquire); NEW(2, release)' -DTWO='TAKE(acquire); TELL; TAKE(acquire)'
 * EXPECT: verified
 * RUN: check -DONE='NEW(1, release); AWAIT(b, acquire); NEW(2, relaxed)' -DTWO='TAKE(acquire); TELL; TAKE(acquire)'
 * EXPECT: violated data-race
 * RUN: check -DONE='NEW(1, release); AWAIT(b, acquire); NEW(2, release)' -DTWO='TAKE(acquire); TELL; TAKE(relaxed)'
 * EXPECT: violated data-race
 * RUN: check -DONE='NEW(1, relaxed)' -DTWO='TAKE(acquire)'
 * EXPECT: violated data-race
 * RUN: check -DONE='NEW(1, release); AWAIT(b, relaxed); int *n = malloc(4); SET(p, n, relaxed); *n = 2' -DTWO='TAKE(acquire); TELL'
 * EXPECT: verified
 * RUN: check -DONE='NEW(1, release); AWAIT(b, relaxed); NEW(2, release)' -DTWO='TAKE(acquire); TELL; TAKE(acquire)'
 * EXPECT: verified
 * RUN: check -DONE='FLAGGED(release); AWAIT(b, acquire); d = 1; FLAGGED(relaxed)' -DTWO='FIND; free(n); TELL; FIND; d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='FLAGGED(release); AWAIT(b, acquire); d = 1; FLAGGED(release)' -DTWO='FIND; free(n); TELL; FIND; d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; FLAGGED(release)' -DTWO='FIND; d = 2; free(n)'
 * EXPECT: verified
 * RUN: check -DONE='int *n = calloc(1, 4); SET(p, n, relaxed)' -DTWO='int *o = GET(p, acquire); if (o) READ(*o)'
 * EXPECT: violated data-race
 * RUN: check -DONE='int *n = calloc(1, 4); SET(p, n, release)' -DTWO='int *o = GET(p, acquire); if (o) READ(*o)'
 * EXPECT: verified
 * RUN: check -DONE='int x = 1; SET(p, &x, release); AWAIT(b, acquire)' -DTWO='int *o; GIVEN(o); *o = 2; TELL'
 * EXPECT: verified
 *
 * Ends of the program; and what is found beside races is found as before:
 * RUN: check -DONE='d = 1; HIDE' -DTWO='atexit(last); if (GET(a, relaxed)) exit(0)'
 * EXPECT: violated data-race
 * RUN: check -DONE=PASS -DTWO='atexit(last); if (GET(a, acquire)) exit(0)'
 * EXPECT: verified
 * RUN: check -DONE='SET(a, GET(a, relaxed) + 1, relaxed)' -DTWO='SET(a, GET(a, relaxed) + 1, relaxed)' -DMAIN='assert(a == 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='INC(c); LOCK' -DTWO='LOCK; INC(c)'
 * EXPECT: violated deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifndef ONE
#define ONE
#endif
#ifndef TWO
#define TWO
#endif
#ifndef THREE
#define THREE
#endif
#ifndef MAIN
#define MAIN
#endif
#define GET(x, order)    atomic_load_explicit(&x, memory_order_##order)
#define SET(x, v, order) atomic_store_explicit(&x, v, memory_order_##order)
#define ADD(x, v, order) atomic_fetch_add_explicit(&x, v, memory_order_##order)
#define CAS(x, old, order, failure) \
	int z = old; \
	(void)atomic_compare_exchange_strong_explicit(&x, &z, 7, memory_order_##order, memory_order_##failure)
#define PEEK(x) __atomic_load_n(&x, __ATOMIC_RELAXED)
#define SEE(x)  (void)GET(x, acquire)
#define INC(x)  ADD(x, 1, relaxed)
#define UNTIL(x, v) \
	while (GET(x, relaxed) < v) { \
	}
#define AT(n)   UNTIL(c, n)
#define LOOK    (void)GET(a, relaxed)
#define READ(x) (void)*(volatile int *)&x
#define AWAIT(x, order) \
	while (!GET(x, order)) { \
	}
#define PASS \
	d = 1; \
	SET(a, 1, release)
#define HIDE               SET(a, 1, relaxed)
#define TELL               SET(b, 1, release)
#define WHISPER            SET(b, 1, relaxed)
#define FENCE(order)       atomic_thread_fence(memory_order_##order)
#define FILL(first, count) memset(e + first, 1, count)
#define TRY                for (int i = 0; i < 50; i++)
#define LOCK               pthread_mutex_lock(&m)
#define UNLOCK             pthread_mutex_unlock(&m)
#define TRYLOCK            pthread_mutex_trylock(&m)
#define TRYWAIT            sem_trywait(&s)
#define SIGNAL             pthread_cond_signal(&condition)
#define WAIT \
	while (!f) \
	pthread_cond_wait(&condition, &m)
#define IN  __VERIFIER_atomic_begin()
#define OUT __VERIFIER_atomic_end()
#define GIVEN(o) \
	while (!(o = GET(p, acquire))) { \
	}
/* a number goes from one thread to another, in memory that is allocated anew each time */
#define NEW(v, order) \
	{ \
		int *n = malloc(4); \
		*n = v; \
		SET(p, n, order); \
	}
#define TAKE(order) \
	{ \
		int *o; \
		while (!(o = atomic_exchange_explicit(&p, NULL, memory_order_##order))) { \
		} \
		assert(*o == 1 || *o == 2); \
		free(o); \
	}
/* memory with a flag goes from ONE to TWO, which learns of what came before by the flag only */
#define FLAGGED(order) \
	{ \
		atomic_int *n = malloc(4); \
		SET(*n, 1, order); \
		SET(q, n, relaxed); \
	}
#define FIND \
	while (!(n = atomic_exchange_explicit(&q, NULL, memory_order_relaxed))) { \
	} \
	SEE(*n); \
	INC(c)

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

atomic_int a, b, c;
int *_Atomic p;
atomic_int *_Atomic q;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
sem_t s;
int d, f;
char e[4];

static inline void last(void)
{
	if (GET(a, relaxed))
		d = 3; /* ERROR */
}

static void *one(void *unused)
{
	ONE; /* ERROR */
	return unused;
}

static void *two(void *unused)
{
	atomic_int *n;
	TWO; /* ERROR */
	(void)n;
	return unused;
}

static void *three(void *unused)
{
	THREE; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t ids[3];
	void *(*const works[])(void *) = { one, two, three };
	(void)last, (void)b, (void)p, (void)q;
	sem_init(&s, 0, 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&ids[i], NULL, works[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(ids[i], NULL); /* ERROR */
	MAIN;                               /* ERROR */
}
