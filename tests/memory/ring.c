/* SPDX-License-Identifier: MIT
 *
 * A ring for one producer and one consumer.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DITEMS=6
 * EXPECT: verified
 * RUN: check --memory c11 -DPRODUCED=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSEE_PRODUCED=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DCONSUMED=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSEE_CONSUMED=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef PRODUCED
#define PRODUCED release
#endif
#ifndef SEE_PRODUCED
#define SEE_PRODUCED acquire
#endif
#ifndef CONSUMED
#define CONSUMED release
#endif
#ifndef SEE_CONSUMED
#define SEE_CONSUMED acquire
#endif
#ifndef ITEMS
#define ITEMS 3
#endif

static atomic_int head, tail;
static int slots[2];

static void *producer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		while (i - LOAD(head, SEE_CONSUMED) == 2) {
		}
		slots[i % 2] = i; /* ERROR */
		STORE(tail, i + 1, PRODUCED);
	}
	return unused;
}

static void *consumer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		while (LOAD(tail, SEE_PRODUCED) == i) {
		}
		assert(slots[i % 2] == i); /* ERROR */
		STORE(head, i + 1, CONSUMED);
	}
	return unused;
}

int main(void)
{
	RUN(producer, consumer);
}
