/* SPDX-License-Identifier: MIT
 *
 * Threads that begin alike, under a memory model with older values: what each knows of them goes with it when threads are
 * exchanged.
 *
 * COHERENT: two threads read x twice, relaxed.  Who has read 1 does not read 0 after that; who has not can.
 *
 * BOXES: each thread hands out a box of its own, and then stores 1 and 2 there.  Who has the box reads them in this order, if at
 * all: the stores are relaxed, and only the exchange synchronizes.  With RELEASED, who reads the 1, which may be an older value,
 * sees what was written before; if that store is relaxed, too, it is a data race.
 *
 * CHAIN: a box names itself for a while, and then no box.  Who reads that later may still read the name.
 *
 * ADDED: main joins both threads, and then reads what the second one has stored: it knows the newest value.  Before, it does
 * not; and between the joins it knows what the first one has stored.
 *
 * RUN: check --memory c11 -DCOHERENT
 * EXPECT: verified
 * RUN: check --memory c11 -DCOHERENT -DWRONG
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DBOXES
 * EXPECT: verified
 * RUN: check --memory c11 -DBOXES -DWRONG
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DBOXES -DRELEASED=release
 * EXPECT: verified
 * RUN: check --memory c11 -DBOXES -DRELEASED=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DCHAIN
 * EXPECT: verified
 * RUN: check --memory c11 -DCHAIN -DWRONG
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DADDED
 * EXPECT: verified
 * RUN: check --memory c11 -DADDED -DWRONG
 * EXPECT: violated assertion
 */
#include "orders.h"
#include <stdlib.h>

static atomic_int x;

#ifdef WRONG
enum { IS_WRONG = 1 };
#else
enum { IS_WRONG = 0 };
#endif

#ifdef COHERENT
static void *work(void *unused)
{
	int first = LOAD(x, relaxed), second = LOAD(x, relaxed);
	assert(first <= second);
	assert(!IS_WRONG || first == second); /* ERROR */
	return unused;
}

static void meanwhile(void)
{
	STORE(x, 1, relaxed);
}
#endif

#ifdef BOXES
struct box {
	atomic_int number;
	int plain;
};
static _Atomic(struct box *) given;

static void *work(void *unused)
{
	struct box *own = malloc(sizeof *own), *other;
	atomic_init(&own->number, 0);
	own->plain = 0;
	other = SWAP(given, own, acq_rel);
#ifdef RELEASED
	own->plain = 5;
	STORE(own->number, 1, RELEASED);
	STORE(own->number, 2, relaxed);
	other = other ? other : LOAD(given, acquire);
	if (other != own && LOAD(other->number, acquire) == 1)
		assert(other->plain == 5); /* ERROR */
#else
	STORE(own->number, 1, relaxed);
	STORE(own->number, 2, relaxed);
	if (other) {
		int first = LOAD(other->number, relaxed), second = LOAD(other->number, relaxed);
		assert(first <= second);
		assert(!IS_WRONG || first + 2 != second); /* ERROR */
	}
#endif
	return unused;
}

static void meanwhile(void)
{
}
#endif

#ifdef CHAIN
struct box {
	struct box *_Atomic next;
};
static struct box *_Atomic top;

static void *work(void *unused)
{
	struct box *own = malloc(sizeof *own), *other;
	atomic_init(&own->next, NULL);
	other = SWAP(top, own, acq_rel);
	STORE(own->next, own, relaxed);
	STORE(own->next, NULL, relaxed);
	other = other ? other : LOAD(top, acquire);
	struct box *next = LOAD(other->next, relaxed);
	assert(!next || next == other);
	assert(other != own || !next);
	assert(!IS_WRONG || !next); /* ERROR */
	return unused;
}

static void meanwhile(void)
{
}
#endif

#ifdef ADDED
static void *work(void *unused)
{
	int old = ADD(x, 1, relaxed);
	assert(LOAD(x, relaxed) > old);
	assert(!IS_WRONG || LOAD(x, relaxed) == old + 1); /* ERROR */
	return unused;
}

static void meanwhile(void)
{
}
#endif

int main(void)
{
	pthread_t ids[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&ids[i], NULL, work, NULL);
	meanwhile();
	for (int i = 0; i < 2; i++)
		pthread_join(ids[i], NULL);
#ifdef ADDED
	assert(LOAD(x, relaxed) == 2);
#endif
}
