/* SPDX-License-Identifier: MIT
 *
 * Records beside the states, where threads come and go: slots that are used again, joins, detached threads, threads that create
 * threads, cancellation, ends of the program, and threads that become alike while records tell them apart.  Main does MAIN; the
 * threads that it starts, with START and ALL, do ONE, TWO or EACH.  The verdicts are derived by hand.
 *
 * ALSO: --reduction all,-histories
 *
 * Slots that are used again:
 * RUN: check -DONE='d = 1; HIDE' -DTWO='d = 2' -DMAIN='START(one); JOIN(one); START(two); JOIN(two)'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; HIDE' -DTWO='d = 2' -DMAIN='LEAVE(one); AWAIT(a, relaxed); START(two); JOIN(two)'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; TELL' -DTWO='d = 2' -DMAIN='LEAVE(one); AWAIT(a, acquire); START(two); JOIN(two)'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; TELL' -DTWO='d = 2' -DMAIN='LEAVE(one); AWAIT(a, relaxed); START(two); JOIN(two)'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; TELL' -DTWO='AWAIT(a, acquire); d = 2' -DMAIN='LEAVE(one); AWAIT(a, relaxed); START(two); JOIN(two)'
 * EXPECT: verified
 * RUN: check -DONE=LOOK -DTWO='FENCE(acquire); d = 2' -DMAIN='START(writer); PASSES(one); AT(1); PASSES(two); JOIN(writer)'
 * EXPECT: violated data-race
 *
 * Who is joined, and by whom:
 * RUN: check -DONE='d = 1; START(two); JOIN(two); TELL' -DTWO='d = 2' -DMAIN='START(one); AWAIT(a, acquire); d = 3; JOIN(one)'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; START(two); JOIN(two); HIDE' -DTWO='d = 2' -DMAIN='START(one); AWAIT(a, acquire); d = 3; JOIN(one)'
 * EXPECT: violated data-race
 * RUN: check -DONE='START(two); TELL; JOIN(two)' -DTWO='d = 2' -DMAIN='START(one); AWAIT(a, acquire); d = 3; JOIN(one)'
 * EXPECT: violated data-race
 * RUN: check -DONE='START(two); TELL; JOIN(two)' -DTWO='INC(c); d = 2' -DMAIN='START(one); AWAIT(a, acquire); JOIN(one); d = 3'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; TELL' -DTWO='AWAIT(a, acquire)' -DMAIN='BOTH; JOIN(two); d = 3'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; TELL' -DTWO='AWAIT(a, relaxed)' -DMAIN='BOTH; JOIN(two); d = 3'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; TELL' -DTWO='AWAIT(a, relaxed)' -DMAIN='BOTH; JOIN(two); FENCE(acquire); d = 3'
 * EXPECT: violated data-race
 *
 * What is done before a thread is created, and after:
 * RUN: check -DONE='d = 2' -DMAIN='d = 1; HIDE; START(one); JOIN(one)'
 * EXPECT: verified
 * RUN: check -DONE='AWAIT(a, relaxed); d = 2' -DMAIN='START(one); d = 1; HIDE; JOIN(one)'
 * EXPECT: violated data-race
 * RUN: check -DONE='AWAIT(a, acquire); d = 2' -DMAIN='START(one); d = 1; TELL; JOIN(one)'
 * EXPECT: verified
 * RUN: check -DONE='AWAIT(a, acquire); d = 2' -DTWO='INC(c)' -DMAIN='START(one); d = 1; START(two); HIDE; JOINS'
 * EXPECT: violated data-race
 * RUN: check -DONE='AWAIT(a, acquire); d = 2' -DTWO='HIDE' -DMAIN='START(one); d = 1; START(two); JOINS'
 * EXPECT: violated data-race
 * RUN: check -DONE='AWAIT(a, acquire); d = 2' -DTWO=TELL -DMAIN='START(one); d = 1; START(two); JOINS'
 * EXPECT: verified
 *
 * Cancellation, with a handler that accesses:
 * RUN: check -DONE='d = 1; HIDE; FOREVER' -DMAIN='START(one); AWAIT(a, relaxed); CANCEL(one); JOIN(one); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='CLEANS(HIDE)' -DMAIN='START(one); AWAIT(a, relaxed); CANCEL(one); d = 2; JOIN(one)'
 * EXPECT: violated data-race
 * RUN: check -DONE='CLEANS(HIDE)' -DMAIN='START(one); AWAIT(a, relaxed); CANCEL(one); JOIN(one); d = 2'
 * EXPECT: verified
 * RUN: check -DONE='CLEANS(TELL)' -DTWO='AWAIT(b, acquire); d = 2' -DMAIN='BOTH; AWAIT(a, relaxed); CANCEL(one); JOINS'
 * EXPECT: verified
 * RUN: check -DONE='CLEANS(TELL)' -DTWO='AWAIT(b, relaxed); d = 2' -DMAIN='BOTH; AWAIT(a, relaxed); CANCEL(one); JOINS'
 * EXPECT: violated data-race
 *
 * The program ends before its threads do:
 * RUN: check -DONE='d = 1; TELL; FOREVER' -DMAIN='LEAVE(one); if (GET(a, acquire)) d = 2'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; HIDE; FOREVER' -DMAIN='LEAVE(one); if (GET(a, acquire)) d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; HIDE' -DTWO='if (GET(a, relaxed)) { d = 2; exit(0); }' -DMAIN='BOTH'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 1; TELL' -DTWO='if (GET(a, acquire)) { d = 2; exit(0); }' -DMAIN='BOTH'
 * EXPECT: verified
 * RUN: check -DONE='d = 1; HIDE' -DTWO='if (GET(a, relaxed)) { d = 2; _Exit(0); }' -DMAIN='BOTH; pthread_exit(NULL)'
 * EXPECT: violated data-race
 *
 * Threads that become alike; only records tell which has accessed:
 * RUN: check -DEACH='if (INC(c) == 0) d = 1; AT(3); if (INC(b) == 2) d = 2' -DMAIN=ALL
 * EXPECT: violated data-race
 * RUN: check -DEACH='if (INC(c) == 0) d = 1; AT(3); if (MEET == 2) d = 2' -DMAIN=ALL
 * EXPECT: verified
 * RUN: check -DEACH='if (INC(c) == 0) d = 1; AT(3); if (MEET == 1) d = 2' -DMAIN=ALL
 * EXPECT: violated data-race
 * RUN: check -DEACH='if (INC(c) == 0) d = 1; AT(3); if (ADD(b, 1, release) == 2) d = 2' -DMAIN=ALL
 * EXPECT: violated data-race
 * RUN: check -DEACH='if (INC(c) == 0) d = 1; AT(3); if (ADD(b, 1, release) == 2) { FENCE(acquire); d = 2; }' -DMAIN=ALL
 * EXPECT: verified
 * RUN: check -DEACH='if (INC(c) == 2) d = 1; AT(3); if (ADD(b, 1, acquire) == 2) d = 2' -DMAIN=ALL
 * EXPECT: violated data-race
 * RUN: check -DEACH='int i = INC(c); e[i] = 1; AT(3); if (MEET == 2) SUM' -DMAIN='ALL; SUM; assert(e[0] == 5)'
 * EXPECT: verified
 * RUN: check -DEACH='int i = INC(c); e[i] = 1; AT(3); if (MEET == 1) SUM' -DMAIN=ALL
 * EXPECT: violated data-race
 * RUN: check -DEACH='int i = INC(c); e[i] = 1; AT(3); if (MEET == 0) { (void)INC(b); }' -DMAIN='ALL; SUM'
 * EXPECT: verified
 * RUN: check -DEACH='INC(c); TURN(relaxed); d++; DONE(release)' -DMAIN=ALL
 * EXPECT: violated data-race
 * RUN: check -DEACH='INC(c); TURN(acquire); d++; DONE(release)' -DMAIN='ALL; assert(d == 3)'
 * EXPECT: verified
 * RUN: check -DEACH='INC(c); TURN(acquire); d++; DONE(relaxed)' -DMAIN=ALL
 * EXPECT: violated data-race
 * RUN: check -DEACH='NEW; AT(3); TURN(acquire); d += *n; DONE(release); free(n)' -DMAIN='ALL; assert(d == 3)'
 * EXPECT: verified
 * RUN: check -DEACH='NEW; AT(3); TURN(acquire); d += *n; DONE(relaxed); free(n)' -DMAIN=ALL
 * EXPECT: violated data-race
 * RUN: check -DEACH='if (INC(c) == 1) d = 1' -DMAIN='TWINS; JOIN(each); READ(d); JOIN(pair)'
 * EXPECT: violated data-race
 * RUN: check -DEACH='if (INC(c) == 1) d = 1' -DMAIN='TWINS; JOIN(each); JOIN(pair); READ(d)'
 * EXPECT: verified
 * RUN: check -DEACH='if (INC(c) == 0) d = 1; AT(2); if (INC(b) == 1) d = 2' -DMAIN='TWINS; JOIN2'
 * EXPECT: violated data-race
 * RUN: check -DEACH='if (!INC(c)) d = 1; AT(2); if (!MEET) AWAIT(a, acquire) else { d = 2; TELL; }' -DMAIN='TWINS; JOIN2; d = 3'
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef ONE
#define ONE
#endif
#ifndef TWO
#define TWO
#endif
#ifndef EACH
#define EACH
#endif
#define GET(x, order)    atomic_load_explicit(&x, memory_order_##order)
#define SET(x, v, order) atomic_store_explicit(&x, v, memory_order_##order)
#define ADD(x, v, order) atomic_fetch_add_explicit(&x, v, memory_order_##order)
#define INC(x)           ADD(x, 1, relaxed)
#define HIDE             SET(a, 1, relaxed)
#define TELL             SET(a, 1, release)
#define FENCE(order)     atomic_thread_fence(memory_order_##order)
#define UNTIL(x, v) \
	while (GET(x, relaxed) < v) { \
	}
#define AWAIT(x, order) \
	while (!GET(x, order)) { \
	}
#define AT(n)   UNTIL(c, n)
#define LOOK    (void)GET(a, relaxed)
#define MEET    ADD(b, 1, acq_rel)
#define READ(x) (void)*(volatile int *)&x
#define FOREVER \
	for (;;) \
	pause()
#define CLEANS(first) \
	pthread_cleanup_push(clean, NULL); \
	first; \
	FOREVER; \
	pthread_cleanup_pop(0)
#define NEW \
	int *n = malloc(4); \
	*n = INC(c)
/* a lock that is taken and given back */
#define TURN(order) \
	while (atomic_exchange_explicit(&a, 1, memory_order_##order)) { \
	}
#define DONE(order)  SET(a, 0, order)
#define SUM          e[0] += e[1] + e[2];
#define START(work)  pthread_create(&id_##work, NULL, work, NULL)
#define PAIR(work)   pthread_create(&id_pair, NULL, work, NULL)
#define JOIN(work)   pthread_join(id_##work, NULL)
#define BOTH         START(one), START(two)
#define TWINS        START(each), PAIR(each)
#define PASSES(work) START(work), JOIN(work)
#define JOINS        JOIN(one), JOIN(two)
#define JOIN2        JOIN(pair), JOIN(each)
#define LEAVE(work)  START(work), pthread_detach(id_##work)
#define CANCEL(work) pthread_cancel(id_##work)
#define ALL \
	pthread_t ids[3]; \
	for (int i = 0; i < 3; i++) \
		pthread_create(&ids[i], NULL, each, NULL); \
	for (int i = 0; i < 3; i++) \
	pthread_join(ids[i], NULL)

atomic_int a, b, c;
int d, e[4];
static pthread_t id_one, id_two, id_writer, id_each, id_pair;

static inline void clean(void *unused)
{
	(void)unused;
	d = 3; /* ERROR */
	SET(b, 1, release);
}

static inline void *writer(void *unused)
{
	d = 1;
	SET(a, 1, release);
	(void)INC(c);
	return unused;
}

static inline void *two(void *unused)
{
	TWO; /* ERROR */
	return unused;
}

static inline void *one(void *unused)
{
	ONE; /* ERROR */
	return unused;
}

static inline void *each(void *unused)
{
	EACH; /* ERROR */
	return unused;
}

int main(void)
{
	(void)id_one, (void)id_two, (void)id_writer, (void)id_each, (void)id_pair, (void)b, (void)c;
	MAIN; /* ERROR */
}
