/* SPDX-License-Identifier: MIT
 *
 * As in RCU: the writer publishes a new object, waits for the reader that may have the old one, and reuses the old one.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DPUBLISH=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSEE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DLEAVE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DWAIT=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DENTERED=acq_rel
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DPUBLISHED=acq_rel
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef PUBLISH
#define PUBLISH release
#endif
#ifndef PUBLISHED
#define PUBLISHED seq_cst
#endif
#ifndef WAIT
#define WAIT acquire
#endif
#ifndef ENTERED
#define ENTERED seq_cst
#endif
#ifndef SEE
#define SEE acquire
#endif
#ifndef LEAVE
#define LEAVE release
#endif

static int objects[2] = { 1, 0 };
static _Atomic(int *) current = &objects[0];
static atomic_bool reads;

static void *writer(void *unused)
{
	objects[1] = 2; /* ERROR */
	STORE(current, &objects[1], PUBLISH);
	FENCE(PUBLISHED);
	while (LOAD(reads, WAIT)) {
	}
	objects[0] = 0; /* ERROR */
	return unused;
}

static void *reader(void *unused)
{
	STORE(reads, 1, relaxed);
	FENCE(ENTERED);
	int *object = LOAD(current, SEE);
	assert(*object != 0); /* ERROR */
	STORE(reads, 0, LEAVE);
	return unused;
}

int main(void)
{
	RUN(writer, reader);
}
