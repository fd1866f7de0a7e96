/* SPDX-License-Identifier: MIT
 *
 * Bounded queues for many producers and consumers, with two slots: each slot has a number that says whose turn it is.  In the one
 * of Vyukov a position is taken by compare-exchange, if the slot is ready; with TICKETS, as in folly's MPMCQueue, by addition, and
 * then the thread waits for the slot.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DTHREADS=produce,produce,consume,consume -DITEMS=1
 * EXPECT: verified
 * RUN: check --memory c11 -DFILLED=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSEE_FILLED=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DEMPTIED=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSEE_EMPTIED=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTICKETS
 * EXPECT: verified
 * RUN: check --memory c11 -DTICKETS -DTHREADS=produce,produce,consume,consume -DITEMS=1
 * EXPECT: verified
 * RUN: check --memory c11 -DTICKETS -DFILLED=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTICKETS -DSEE_FILLED=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTICKETS -DEMPTIED=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTICKETS -DSEE_EMPTIED=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef FILLED
#define FILLED release
#endif
#ifndef SEE_FILLED
#define SEE_FILLED acquire
#endif
#ifndef EMPTIED
#define EMPTIED release
#endif
#ifndef SEE_EMPTIED
#define SEE_EMPTIED acquire
#endif
#ifndef ITEMS
#define ITEMS 3
#endif
#ifndef THREADS
#define THREADS produce, consume
#endif

enum { SIZE = 2 };

static struct {
	atomic_int turn;
	int item;
} slots[SIZE] = { { 0, 0 }, { 1, 0 } };
static atomic_int head, tail;

#ifdef TICKETS
#define TAKE(from, turn_at, seen) \
	int at = ADD(from, 1, relaxed); \
	while (LOAD(slots[at % SIZE].turn, seen) != (turn_at)) { \
	}
#else
#define TAKE(from, turn_at, seen) \
	int at = LOAD(from, relaxed); \
	for (;;) { \
		int turn = LOAD(slots[at % SIZE].turn, seen); \
		if (turn != (turn_at)) \
			at = LOAD(from, relaxed); \
		else if (TRY(from, &at, at + 1, relaxed, relaxed)) \
			break; \
	}
#endif

static void *produce(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		TAKE(tail, at, SEE_EMPTIED)
		slots[at % SIZE].item = 1; /* ERROR */
		STORE(slots[at % SIZE].turn, at + 1, FILLED);
	}
	return unused;
}

static void *consume(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		TAKE(head, at + 1, SEE_FILLED)
		assert(slots[at % SIZE].item == 1); /* ERROR */
		STORE(slots[at % SIZE].turn, at + SIZE, EMPTIED);
	}
	return unused;
}

int main(void)
{
	RUN(THREADS);
}
