/* SPDX-License-Identifier: MIT
 *
 * The queue lock of Mellor-Crummey and Scott.  Without LINK or NEXT as they are, the store that hands over may come before the
 * one that makes the successor wait, in modification order: then the successor waits for ever.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DTHREADS=work,work,work
 * EXPECT: verified
 * RUN: check --memory c11 -DROUNDS=2
 * EXPECT: verified
 * RUN: check --memory c11 -DENQUEUE=acquire
 * EXPECT: violated deadlock
 * RUN: check --memory c11 -DENQUEUE=release
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DLINK=relaxed
 * EXPECT: violated deadlock
 * RUN: check --memory c11 -DNEXT=relaxed
 * EXPECT: violated deadlock
 * RUN: check --memory c11 -DWAIT=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DHAND=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DLEAVE=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef ENQUEUE
#define ENQUEUE acq_rel
#endif
#ifndef LINK
#define LINK release
#endif
#ifndef NEXT
#define NEXT acquire
#endif
#ifndef WAIT
#define WAIT acquire
#endif
#ifndef HAND
#define HAND release
#endif
#ifndef LEAVE
#define LEAVE release
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef THREADS
#define THREADS work, work
#endif

struct node {
	_Atomic(struct node *) next;
	atomic_bool waits;
};

static struct node nodes[3];
static _Atomic(struct node *) tail;
static int counter;

static void lock(struct node *node)
{
	STORE(node->next, NULL, relaxed);
	STORE(node->waits, 1, relaxed);
	struct node *before = SWAP(tail, node, ENQUEUE);
	if (!before)
		return;
	STORE(before->next, node, LINK);
	while (LOAD(node->waits, WAIT)) { /* ERROR */
	}
}

static void unlock(struct node *node)
{
	struct node *next = LOAD(node->next, NEXT);
	if (!next) {
		struct node *mine = node;
		if (TRY(tail, &mine, NULL, LEAVE, relaxed))
			return;
		while (!(next = LOAD(node->next, NEXT))) { /* ERROR */
		}
	}
	STORE(next->waits, 0, HAND);
}

static void *work(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		lock(&nodes[(size_t)number]);
		counter++; /* ERROR */
		unlock(&nodes[(size_t)number]);
	}
	return NULL;
}

int main(void)
{
	RUN(THREADS);
}
