/* SPDX-License-Identifier: MIT
 *
 * Dekker's algorithm with fences.  Both fences after raising the flag must be seq_cst.  That the one on a retry must be is seen
 * only if a thread comes twice.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DRAISE=acq_rel
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DRETRY=acq_rel
 * EXPECT: verified
 * RUN: check --memory c11 -DRETRY=acq_rel -DROUNDS=2
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DENTER=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DLEAVE=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef RAISE
#define RAISE seq_cst
#endif
#ifndef RETRY
#define RETRY seq_cst
#endif
#ifndef ENTER
#define ENTER acquire
#endif
#ifndef LEAVE
#define LEAVE release
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int flag[2], turn;
static int counter;

static void lock(int me)
{
	STORE(flag[me], 1, relaxed);
	FENCE(RAISE);
	while (LOAD(flag[1 - me], relaxed)) {
		if (LOAD(turn, relaxed) == me)
			continue;
		STORE(flag[me], 0, relaxed);
		while (LOAD(turn, relaxed) != me) {
		}
		STORE(flag[me], 1, relaxed);
		FENCE(RETRY);
	}
	FENCE(ENTER);
}

static void unlock(int me)
{
	STORE(turn, 1 - me, relaxed);
	FENCE(LEAVE);
	STORE(flag[me], 0, relaxed);
}

static void *work(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		lock((int)(size_t)number);
		counter++; /* ERROR */
		unlock((int)(size_t)number);
	}
	return NULL;
}

int main(void)
{
	RUN(work, work);
	assert(counter == 2 * ROUNDS);
}
