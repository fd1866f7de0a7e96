/* SPDX-License-Identifier: MIT
 *
 * Lamport's bakery for two threads.  All accesses are seq_cst, but four may be weaker: that a thread has chosen (release), the
 * number that the other one is asked for (acquire), and that it leaves (release).  A weaker order of the others lets both in: one
 * chooses without the other's number, and the other does not see that it chooses.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DCHOOSE=release
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DGREATEST=acquire
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DNUMBER=release
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DCHOSEN=release
 * EXPECT: verified
 * RUN: check --memory c11 -DCHOSEN=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DCHOOSES=acquire
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DWAIT=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DWAIT=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DLEAVE=release
 * EXPECT: verified
 * RUN: check --memory c11 -DLEAVE=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef CHOOSE
#define CHOOSE seq_cst
#endif
#ifndef GREATEST
#define GREATEST seq_cst
#endif
#ifndef NUMBER
#define NUMBER seq_cst
#endif
#ifndef CHOSEN
#define CHOSEN seq_cst
#endif
#ifndef CHOOSES
#define CHOOSES seq_cst
#endif
#ifndef WAIT
#define WAIT seq_cst
#endif
#ifndef LEAVE
#define LEAVE seq_cst
#endif

static atomic_int chooses[2], number[2];
static int counter;

static void *work(void *argument)
{
	int me = (int)(size_t)argument, other = 1 - me, theirs;
	STORE(chooses[me], 1, CHOOSE);
	int mine = LOAD(number[other], GREATEST) + 1;
	STORE(number[me], mine, NUMBER);
	STORE(chooses[me], 0, CHOSEN);
	while (LOAD(chooses[other], CHOOSES)) {
	}
	while ((theirs = LOAD(number[other], WAIT)) && (theirs < mine || (theirs == mine && other < me))) {
	}
	counter++; /* ERROR */
	STORE(number[me], 0, LEAVE);
	return NULL;
}

int main(void)
{
	RUN(work, work);
	assert(counter == 2);
}
