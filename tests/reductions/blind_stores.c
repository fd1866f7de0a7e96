/* SPDX-License-Identifier: MIT
 *
 * Stores that overwrite what nobody has read, and reads that do the same with most values: three threads do ONE, TWO and THREE,
 * another one READS, and main does MAIN when all have ended.  The verdicts are derived by hand.
 *
 * The values that may be read:
 * RUN: check -DREADS='int r = a; assert(r >= 0 && r <= 3)'
 * EXPECT: verified
 * RUN: check -DREADS='int r = a; assert(r != 0)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='int r = a; assert(r != 1)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='int r = a; assert(r != 2)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='int r = a; assert(r != 3)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='int r = a; assert(r != 4)'
 * EXPECT: verified
 *
 * What main finds at the end:
 * RUN: check -DREADS='int r = a; assert(r != 4)' -DMAIN='assert(a != 0)'
 * EXPECT: verified
 * RUN: check -DREADS='int r = a; assert(r != 4)' -DMAIN='assert(a != 1)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='int r = a; assert(r != 4)' -DMAIN='assert(a != 2)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='int r = a; assert(r != 4)' -DMAIN='if (a == 2) sem_wait(&s)'
 * EXPECT: violated deadlock
 * RUN: check -DREADS='int r = a; assert(r != 4)' -DMAIN='if (a == 4) sem_wait(&s)'
 * EXPECT: verified
 *
 * What is read is kept, in a register or in memory; or tells where to go on:
 * RUN: check -DREADS='int r = a, t = a; assert(r != 2 || t != 1)'
 * EXPECT: violated assertion
 * RUN: check -DTHREE='a = 2' -DREADS='int r = a, t = a, u = a; assert(r != 1 || t != 2 || u != 1)'
 * EXPECT: verified
 * RUN: check -DREADS='b = a' -DMAIN='assert(b != 3 || a != 1)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='d = a' -DMAIN='assert(d != 2)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='d = a' -DMAIN='assert(d <= 3)'
 * EXPECT: verified
 * RUN: check -DREADS='b = a' -DMAIN='assert(b != 4)'
 * EXPECT: verified
 * RUN: check -DREADS='if (a == 2) b = 1' -DMAIN='assert(!b)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='if (a == 4) b = 1' -DMAIN='assert(!b)'
 * EXPECT: verified
 * RUN: check -DREADS='assert(a <= 3); assert(a != 2)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='if (a == 7) b = 1; if (a == 8) b = 1; if (a == 3) b = 1' -DMAIN='assert(!b)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='if (a == 2 && x == 5) b = 1' -DTHREE='x = 5; a = 2' -DMAIN='assert(!b)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='if (a == 3 && x == 5) b = 1' -DTHREE='a = 3; x = 5' -DMAIN='assert(!b)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='if (x == 5 && a == 0) b = 1' -DTHREE='a = 3; x = 5' -DMAIN='assert(!b)'
 * EXPECT: verified
 *
 * The value depends on what was read, or on who comes first; the storing thread reads; another one does not only store:
 * RUN: check -DTWO='a = b + 4' -DTHREE='b = 1' -DREADS='int r = a; assert(r != 5)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='a = b + 4' -DTHREE='b = 1' -DREADS='int r = a; assert(r != 6)'
 * EXPECT: verified
 * RUN: check -DTWO='if (b) a = 9' -DTHREE='b = 1' -DREADS='assert(a != 9)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='a = 2; if (a == 1) a = 9' -DREADS='assert(a != 9)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='a = 2; if (a == 2) a = 9' -DREADS='assert(a != 9)' -DTHREE='b = 1'
 * EXPECT: violated assertion
 * RUN: check -DTWO='atomic_fetch_add(&a, 4)' -DREADS='assert(a <= 3)'
 * EXPECT: violated assertion
 * RUN: check -DTWO='atomic_fetch_add(&a, 4)' -DREADS='assert(a <= 7)'
 * EXPECT: verified
 * RUN: check -DTWO='int e = 1; atomic_compare_exchange_strong(&a, &e, 9)' -DREADS='assert(a != 9)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='int e = 2; if (atomic_compare_exchange_strong(&a, &e, 9)) b = 1' -DMAIN='assert(!b)'
 * EXPECT: violated assertion
 * RUN: check -DREADS='int e = 4; if (atomic_compare_exchange_strong(&a, &e, 9)) b = 1' -DMAIN='assert(!b)'
 * EXPECT: verified
 * RUN: check -DONE='for (int i = 0; i < 20; i++) a = i' -DREADS='assert(a != 19)'
 * EXPECT: violated assertion
 * RUN: check -DONE='for (int i = 0; i < 40; i++) a = i' -DREADS='assert(a != 39)'
 * EXPECT: violated assertion
 * RUN: check -DONE='for (int i = 0; i < 40; i++) a = i' -DREADS='assert(a != 40)'
 * EXPECT: verified
 * RUN: check -DONE='for (int i = 0; i < 3; i++) { a = 7 + i; b = 1; }' -DREADS='assert(a != 8)'
 * EXPECT: violated assertion
 * RUN: check -DONE='bitspin_atomic_begin(); a = 9; a = 1; bitspin_atomic_end()' -DREADS='assert(a != 9)'
 * EXPECT: verified
 * RUN: check -DONE='bitspin_atomic_begin(); a = 1; a = 9; bitspin_atomic_end()' -DREADS='assert(a != 9)'
 * EXPECT: violated assertion
 *
 * What the reader does next:
 * RUN: check -DONE='IF_ADDED(a = 1); assert(b)' -DTWO='IF_ADDED(a = 2)' -DTHREE= -DREADS='assert(a <= 3); b = 1'
 * EXPECT: violated assertion
 * RUN: check -DONE='IF_ADDED(a = 1); assert(!b)' -DTWO='IF_ADDED(a = 2)' -DTHREE= -DREADS='assert(a <= 3); b = 1'
 * EXPECT: violated assertion
 *
 * Somebody blocks, and is woken; or is created, and reads:
 * RUN: check -DONE='sem_wait(&s); a = 5' -DTWO='a = 2; sem_post(&s)' -DREADS='assert(a != 5)'
 * EXPECT: violated assertion
 * RUN: check -DONE='sem_wait(&s); a = 5' -DTWO='a = 2; sem_post(&s)' -DREADS='int r = a; sem_wait(&s); assert(r >= 0)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='a = 1; create(&late)' -DREADS='assert(a != 9)' -DLATE='assert(a != 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='a = 1; create(&late)' -DREADS='assert(a != 9)' -DLATE='assert(a != 0)'
 * EXPECT: verified
 * RUN: check -DONE='a = 1; create(&late)' -DREADS='assert(a != 9)' -DLATE='a = 9'
 * EXPECT: violated assertion
 * RUN: check -DREADS='while (a == 0) {}'
 * EXPECT: verified
 * RUN: check -DREADS='while (a != 2) {}'
 * EXPECT: violated deadlock
 * RUN: check -DREADS='while (a != 2) {}' -DONE='while (a != 2) {} a = 1' -DTHREE='while (a != 2) {} a = 2'
 * EXPECT: violated deadlock
 *
 * What is stored publishes other data; and orders nothing that it does not:
 * RUN: check -DONE='d = 7; a = 1' -DREADS='int r = a; if (r == 1) assert(d == 7)' -DTWO= -DTHREE=
 * EXPECT: verified
 * RUN: check -DONE='d = 7; a = 1' -DREADS='int r = a; if (r == 1) assert(d != 7)' -DTWO= -DTHREE=
 * EXPECT: violated assertion
 * RUN: check -DONE='d = 7; a = 1' -DREADS='int r = a; if (r) assert(d != 9)'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 7; a = 1' -DREADS='int r = a; assert(r <= 3); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='a = 1; d = 7' -DREADS='int r = a; assert(r <= 3); d = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 7; a = 1' -DREADS='d = 2; int r = a; assert(r <= 3)'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 7; a = 1' -DTWO='if (a == 1) d = 8' -DTHREE= -DREADS='int r = a; assert(r <= 3)'
 * EXPECT: verified
 * RUN: check -DTWO='*(volatile int *)&a = 2' -DREADS='int r = a; assert(r <= 3)'
 * EXPECT: violated data-race
 * RUN: check -DREADS='int r = *(volatile int *)&a; assert(r <= 3)'
 * EXPECT: violated data-race
 * RUN: check --races ignore -DREADS='int r = *(volatile int *)&a; assert(r != 2)'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DONE='d = 7' -DTWO='a = 2' -DTHREE= -DREADS='if (a == 2) assert(d != 7)'
 * EXPECT: violated assertion
 * RUN: check --races ignore -DONE='d = 1' -DTWO='d = 2' -DTHREE='d = 3' -DREADS='int r = d; assert(r != 2)'
 * EXPECT: violated assertion
 *
 * Other sizes, and pieces:
 * RUN: check -DONE='w.low = 1' -DTWO='w.all = 0x20000' -DTHREE= -DREADS='unsigned r = w.all; assert(r != 0x20001)'
 * EXPECT: violated assertion
 * RUN: check -DONE='w.low = 1' -DTWO='w.high = 1' -DTHREE= -DREADS='unsigned r = w.all; assert(r != 0x10001)'
 * EXPECT: violated assertion
 * RUN: check -DONE='w.low = 1; w.high = 1' -DTWO='w.low = 2; w.high = 2' -DTHREE= -DREADS='int r = w.all; assert(r != 0x20001)'
 * EXPECT: violated assertion
 * RUN: check -DONE='w.low = 1; w.high = 1' -DTWO='w.low = 2; w.high = 2' -DTHREE= -DREADS='int r = w.all; assert(r != 0x30001)'
 * EXPECT: verified
 * RUN: check -DONE='w.low = 1' -DTWO='w.high = 1' -DTHREE= -DREADS='assert(w.low != 2)' -DMAIN='assert(w.all == 0x10001)'
 * EXPECT: verified
 * RUN: check -DONE='w.low = 1' -DTWO='w.all = 0x30002' -DTHREE= -DREADS='unsigned r = w.high; assert(r != 3)'
 * EXPECT: violated assertion
 * RUN: check -DONE='w.low = 1' -DTWO='w.all = 0x30002' -DTHREE= -DREADS='assert(w.high != 2)' -DMAIN='assert(w.all != 0x30001)'
 * EXPECT: violated assertion
 *
 * Addresses:
 * RUN: check -DONE='p = &y' -DTWO='int *q = malloc(4); *q = 2; p = q' -DTHREE= -DREADS='int *q = p; assert(!q || *q != 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='p = &y' -DTWO='int *q = malloc(4); *q = 2; p = q' -DTHREE= -DREADS='int *q = p; assert(!q || *q != 3)'
 * EXPECT: verified
 * RUN: check -DONE='p = &y' -DTWO='int *q = malloc(4); *q = 2; p = q; free(q)' -DTHREE= -DREADS='int *q = p; assert(!q || *q != 3)'
 * EXPECT: violated use-after-free
 *
 * Others look at it:
 * RUN: check -DREADS='int r = a; assert(r != 4)' --invariant '{a != 2}'
 * EXPECT: violated invariant
 * RUN: check -DREADS='int r = a; assert(r != 4)' --invariant '{a != 4}'
 * EXPECT: verified
 * RUN: check -DREADS='int r = a; assert(r != 4)' --ltl '[] ({a == 2} -> [] {a != 1})'
 * EXPECT: violated ltl
 * RUN: check -DREADS='int r = a; assert(r != 4)' --preemptions 1 -DMAIN='assert(a != 1)'
 * EXPECT: violated assertion
 *
 * Other models of memory:
 * RUN: check --memory c11 -DREADS='int r = a; assert(r != 2)'
 * EXPECT: violated assertion
 * RUN: check --memory tso -DREADS='int r = a; assert(r != 4)' -DMAIN='assert(a != 0)'
 * EXPECT: verified
 * RUN: check --memory c11 -DONE='d = 7; STORE(1, relaxed)' -DTWO= -DTHREE= -DREADS='if (a == 1) assert(d == 7)'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 7; STORE(1, relaxed)' -DTWO= -DTHREE= -DREADS='if (a == 1) assert(d == 7)'
 * EXPECT: violated data-race
 * RUN: check -DONE='d = 7; STORE(1, release)' -DTWO='atomic_fetch_add(&a, 1)' -DTHREE= -DREADS='if (a == 2) assert(d == 7)'
 * EXPECT: verified
 * RUN: check -DONE='d = 7; STORE(1, release)' -DTWO='STORE(2, relaxed)' -DTHREE= -DREADS='if (a == 2) assert(d != 7)'
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bitspin.h"

#ifndef ONE
#define ONE a = 1
#endif
#ifndef TWO
#define TWO a = 2
#endif
#ifndef THREE
#define THREE a = 3
#endif
#ifndef LATE
#define LATE
#endif
#ifndef MAIN
#define MAIN
#endif
#define IF_ADDED(what) \
	if (atomic_fetch_add(&x, 1) < 9) \
	what
#define STORE(value, order) atomic_store_explicit(&a, value, memory_order_##order)

static atomic_int a, b, x;
static int d, y;
static _Atomic(int *) p;
static union {
	atomic_uint all;
	struct {
		atomic_ushort low, high;
	};
} w;
static sem_t s;
static pthread_t late;
static atomic_int created;

static void *later(void *argument)
{
	LATE; /* ERROR */
	return argument;
}

static void create(pthread_t *thread)
{
	pthread_create(thread, NULL, later, NULL);
	created = 1;
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

static void *three(void *argument)
{
	THREE; /* ERROR */
	return argument;
}

static void *reads(void *argument)
{
	READS; /* ERROR */
	return argument;
}

int main(void)
{
	static void *(*const functions[])(void *) = { reads, one, two, three };
	pthread_t threads[4];
	(void)create;
	sem_init(&s, 0, 0);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, functions[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL); /* ERROR */
	if (created)
		pthread_join(late, NULL);
	MAIN; /* ERROR */
	return (void)d, (void)y, (void)b, (void)x, (void)p, 0;
}
