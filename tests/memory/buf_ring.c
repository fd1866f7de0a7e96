/* SPDX-License-Identifier: MIT
 *
 * A ring as FreeBSD's buf_ring: producers reserve slots and publish them in turn, and one consumer takes them.  The consumer once
 * had no acquire (SEE), which failed on ARM.  A producer that waits for its turn must acquire, since its store passes on what the
 * producers before it have written.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DRESERVE=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DSEE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DPUBLISH=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTURN=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTHREADS=producer,consumer -DITEMS=3
 * EXPECT: verified
 * RUN: check --memory c11 -DTHREADS=producer,consumer -DITEMS=3 -DSPACE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTHREADS=producer,consumer -DITEMS=3 -DTAKEN=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef RESERVE
#define RESERVE acquire
#endif
#ifndef SPACE
#define SPACE acquire
#endif
#ifndef TURN
#define TURN acquire
#endif
#ifndef PUBLISH
#define PUBLISH release
#endif
#ifndef SEE
#define SEE acquire
#endif
#ifndef TAKEN
#define TAKEN release
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef THREADS
#define THREADS producer, producer, consumer
#endif

enum { SIZE = 2 };

static int slots[SIZE];
static atomic_int reserved, published, taken; /* they do not wrap */

static void *producer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		int at;
		do {
			at = LOAD(reserved, relaxed);
			if (at - LOAD(taken, SPACE) == SIZE)
				return unused;
		} while (!CAS(reserved, at, at + 1, RESERVE, relaxed));
		slots[at % SIZE] = 1; /* ERROR */
		while (LOAD(published, TURN) != at) {
		}
		STORE(published, at + 1, PUBLISH);
	}
	return unused;
}

static void *consumer(void *unused)
{
	int at = 0;
	for (int i = 0; i < 3; i++) {
		if (LOAD(published, SEE) == at)
			continue;
		assert(slots[at % SIZE] == 1); /* ERROR */
		at++;
		STORE(taken, at, TAKEN);
	}
	return unused;
}

int main(void)
{
	RUN(THREADS);
}
