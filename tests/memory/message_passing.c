/* SPDX-License-Identifier: MIT
 *
 * Message passing: one thread writes data and sets a flag, the other spins until it sees the flag and reads the data.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DSET=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSEE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSET=relaxed -DSEE=relaxed -DBEFORE=release -DAFTER=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DSET=relaxed -DSEE=relaxed -DBEFORE=acquire -DAFTER=acquire
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DSET=relaxed -DSEE=relaxed -DBEFORE=release -DAFTER=release
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef SET
#define SET release
#endif
#ifndef SEE
#define SEE acquire
#endif
#ifndef BEFORE
#define BEFORE relaxed
#endif
#ifndef AFTER
#define AFTER relaxed
#endif

static atomic_bool flag;
static int data;

static void *writer(void *unused)
{
	data = 1; /* ERROR */
	FENCE(BEFORE);
	STORE(flag, 1, SET);
	return unused;
}

static void *reader(void *unused)
{
	while (!LOAD(flag, SEE)) {
	}
	FENCE(AFTER);
	assert(data == 1); /* ERROR */
	return unused;
}

int main(void)
{
	RUN(writer, reader);
}
