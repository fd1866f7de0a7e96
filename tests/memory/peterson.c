/* SPDX-License-Identifier: MIT
 *
 * Peterson's algorithm, with seq_cst accesses, with release and acquire (RA) and fences before and after the store of `turn`, and
 * with an exchange of `turn`.  Where a store is weaker than seq_cst, it has no place in the total order.  The load of `turn` may
 * be acquire: a thread's own store comes before it in any case.
 *
 * RUN: check --memory c11 -DROUNDS=2
 * EXPECT: verified
 * RUN: check --memory c11 -DFLAG=release
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTURN=release
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSEE_FLAG=acquire
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSEE_TURN=acquire -DROUNDS=2
 * EXPECT: verified
 * RUN: check --memory c11 -DSEE_TURN=relaxed -DROUNDS=2
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DLEAVE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DFLAG=relaxed -DTURN=relaxed -DRA -DBEFORE_TURN=seq_cst -DAFTER_TURN=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DRA -DAFTER_TURN=seq_cst
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DRA -DBEFORE_TURN=seq_cst
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DFLAG=relaxed -DEXCHANGE -DTURN=acq_rel -DRA
 * EXPECT: verified
 * RUN: check --memory c11 -DFLAG=relaxed -DEXCHANGE -DTURN=acquire -DRA
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DFLAG=relaxed -DEXCHANGE -DTURN=release -DRA
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifdef RA
#define SEE_FLAG acquire
#define SEE_TURN acquire
#endif
#if defined RA && !defined FLAG
#define FLAG release
#endif
#if defined RA && !defined TURN
#define TURN release
#endif

#ifndef FLAG
#define FLAG seq_cst
#endif
#ifndef TURN
#define TURN seq_cst
#endif
#ifndef SEE_FLAG
#define SEE_FLAG seq_cst
#endif
#ifndef SEE_TURN
#define SEE_TURN seq_cst
#endif
#ifndef LEAVE
#define LEAVE release
#endif
#ifndef BEFORE_TURN
#define BEFORE_TURN relaxed
#endif
#ifndef AFTER_TURN
#define AFTER_TURN relaxed
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int flag[2];
atomic_int turn; /* if it is static, clang 14 makes it a local variable at -O1: work() writes it first */
static int counter;

static void *work(void *number)
{
	int me = (int)(size_t)number, other = 1 - me;
	for (int i = 0; i < ROUNDS; i++) {
		STORE(flag[me], 1, FLAG);
		FENCE(BEFORE_TURN);
#ifdef EXCHANGE
		SWAP(turn, other, TURN);
#else
		STORE(turn, other, TURN);
#endif
		FENCE(AFTER_TURN);
		while (LOAD(flag[other], SEE_FLAG) && LOAD(turn, SEE_TURN) == other) {
		}
		counter++; /* ERROR */
		STORE(flag[me], 0, LEAVE);
	}
	return NULL;
}

int main(void)
{
	RUN(work, work);
	assert(counter == 2 * ROUNDS);
}
