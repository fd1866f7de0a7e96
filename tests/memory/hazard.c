/* SPDX-License-Identifier: MIT
 *
 * A hazard pointer: the reader announces the object, looks whether it is still the current one, and uses it; the writer replaces
 * it and reuses the old one when no reader announces it.  The load that looks again may be relaxed, since the fence acquires.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DANNOUNCED=acq_rel
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DREPLACED=acq_rel
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DREPLACE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSEE=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DDONE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSCAN=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"
#include <stdlib.h>

#ifndef ANNOUNCED
#define ANNOUNCED seq_cst
#endif
#ifndef SEE
#define SEE acquire
#endif
#ifndef DONE
#define DONE release
#endif
#ifndef REPLACE
#define REPLACE release
#endif
#ifndef REPLACED
#define REPLACED seq_cst
#endif
#ifndef SCAN
#define SCAN acquire
#endif

static _Atomic(int *) current, hazard;

static int *object(int value)
{
	int *new = malloc(sizeof *new);
	*new = value; /* ERROR */
	return new;
}

static void *writer(void *unused)
{
	int *old = SWAP(current, object(2), REPLACE);
	FENCE(REPLACED);
	while (LOAD(hazard, SCAN) == old) {
	}
	*old = 0; /* ERROR */
	return unused;
}

static void *reader(void *unused)
{
	int *mine = LOAD(current, relaxed);
	for (;;) {
		STORE(hazard, mine, relaxed);
		FENCE(ANNOUNCED);
		int *now = LOAD(current, SEE);
		if (now == mine)
			break;
		mine = now;
	}
	assert(*mine > 0); /* ERROR */
	STORE(hazard, NULL, DONE);
	return unused;
}

int main(void)
{
	STORE(current, object(1), relaxed);
	RUN(writer, reader);
}
