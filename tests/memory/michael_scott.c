/* SPDX-License-Identifier: MIT
 *
 * The queue of Michael and Scott.  Nodes are initialised by plain writes, so whoever gets a node's address must know of them:
 * from the link, from the tail or from the head.  Only the tail that a dequeuer reads is just compared.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DTHREADS=enqueue,enqueue,dequeue
 * EXPECT: verified
 * RUN: check --memory c11 -DTHREADS=enqueue,dequeue,dequeue
 * EXPECT: verified
 * RUN: check --memory c11 -DTHREADS=enqueue,enqueue,dequeue -DCOMPARED=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DLINK=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DNEXT=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTHREADS=enqueue,enqueue -DTAIL=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTHREADS=enqueue,enqueue -DSWING=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTHREADS=enqueue,enqueue,dequeue -DHELP=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTHREADS=enqueue,dequeue,dequeue -DHEAD=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTHREADS=enqueue,dequeue,dequeue -DMOVE=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"
#include <stdlib.h>

#ifndef LINK
#define LINK release
#endif
#ifndef NEXT
#define NEXT acquire
#endif
#ifndef TAIL
#define TAIL acquire
#endif
#ifndef COMPARED
#define COMPARED acquire
#endif
#ifndef SWING
#define SWING release
#endif
#ifndef HELP
#define HELP release
#endif
#ifndef HEAD
#define HEAD acquire
#endif
#ifndef MOVE
#define MOVE release
#endif
#ifndef THREADS
#define THREADS enqueue, dequeue
#endif

struct node {
	_Atomic(struct node *) next;
	int value;
};

static struct node dummy;
static _Atomic(struct node *) head = &dummy, tail = &dummy;

static void *enqueue(void *unused)
{
	struct node *node = malloc(sizeof *node);
	node->value = 1;                /* ERROR */
	atomic_init(&node->next, NULL); /* ERROR */
	for (;;) {
		struct node *last = LOAD(tail, TAIL), *next = LOAD(last->next, NEXT), *none = NULL; /* ERROR */
		if (next) {
			TRY(tail, &last, next, HELP, relaxed);
		} else if (TRY(last->next, &none, node, LINK, relaxed)) {
			TRY(tail, &last, node, SWING, relaxed);
			return unused;
		}
	}
}

static void *dequeue(void *unused)
{
	for (;;) {
		struct node *first = LOAD(head, HEAD), *last = LOAD(tail, COMPARED);
		struct node *next = LOAD(first->next, NEXT); /* ERROR */
		if (!next)
			return unused;
		if (first == last) {
			TRY(tail, &last, next, HELP, relaxed);
		} else if (TRY(head, &first, next, MOVE, relaxed)) {
			assert(next->value == 1); /* ERROR */
			return unused;
		}
	}
}

int main(void)
{
	RUN(THREADS);
}
