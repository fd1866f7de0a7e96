/* SPDX-License-Identifier: MIT
 *
 * The work-stealing deque of Chase and Lev, with the orders of Le, Pop, Cohen and Zappa Nardelli, PPoPP 2013, without growth: the
 * owner pushes two items and takes two, others steal.  Each item is got at most once, and only after it was pushed.  The
 * compare-exchanges may be relaxed: that one of two wins is their atomicity, and the fences do the rest.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DTHREADS=owner,thief,thief
 * EXPECT: verified
 * RUN: check --memory c11 -DSTEALS=2
 * EXPECT: verified
 * RUN: check --memory c11 -DSTEALS=2 -DSEE_TOP=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DSTEALS=2 -DTAKEN=relaxed -DSTOLEN=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DSTEALS=2 -DTAKE=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11:1 -DSTEALS=2 -DTAKE=acq_rel
 * EXPECT: inconclusive: no violation under sequential consistency, and weaker orders let threads read older values
 * RUN: check --memory c11 -DSTEALS=2 -DSTEAL=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DPUSH=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSEE_BOTTOM=relaxed
 * EXPECT: violated assertion
 */
#include "orders.h"

#ifndef PUSH
#define PUSH release
#endif
#ifndef TAKE
#define TAKE seq_cst
#endif
#ifndef TAKEN
#define TAKEN seq_cst
#endif
#ifndef STEAL
#define STEAL seq_cst
#endif
#ifndef STOLEN
#define STOLEN seq_cst
#endif
#ifndef SEE_TOP
#define SEE_TOP acquire
#endif
#ifndef SEE_BOTTOM
#define SEE_BOTTOM acquire
#endif
#ifndef STEALS
#define STEALS 1
#endif
#ifndef THREADS
#define THREADS owner, thief
#endif

static atomic_int top, bottom, items[2], got[3];

static void push(int item)
{
	int b = LOAD(bottom, relaxed);
	assert(b - LOAD(top, acquire) < 2);
	STORE(items[b], item, relaxed);
	FENCE(PUSH);
	STORE(bottom, b + 1, relaxed);
}

static int take(void)
{
	int b = LOAD(bottom, relaxed) - 1, item = 0;
	STORE(bottom, b, relaxed);
	FENCE(TAKE);
	int t = LOAD(top, relaxed);
	if (t <= b) {
		item = LOAD(items[b], relaxed);
		if (t < b)
			return item;
		if (!CAS(top, t, t + 1, TAKEN, relaxed))
			item = 0;
	}
	STORE(bottom, b + 1, relaxed);
	return item;
}

static int steal(void)
{
	int t = LOAD(top, SEE_TOP);
	FENCE(STEAL);
	int b = LOAD(bottom, SEE_BOTTOM);
	if (t >= b)
		return 0;
	int item = LOAD(items[t], relaxed);
	if (!CAS(top, t, t + 1, STOLEN, relaxed))
		return 0;
	assert(item); /* ERROR */
	return item;
}

static void use(int item)
{
	assert(!item || ADD(got[item], 1, relaxed) == 0); /* ERROR */
}

static void *owner(void *unused)
{
	push(1);
	push(2);
	use(take());
	use(take());
	return unused;
}

static void *thief(void *unused)
{
	for (int i = 0; i < STEALS; i++)
		use(steal());
	return unused;
}

int main(void)
{
	RUN(THREADS);
}
