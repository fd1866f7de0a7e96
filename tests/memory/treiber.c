/* SPDX-License-Identifier: MIT
 *
 * Treiber's stack.  The compare-exchange of a pop may be relaxed: it continues the release sequences of the pushes before.
 *
 * RUN: check --memory c11 -DTHREADS=push,push,pop
 * EXPECT: verified
 * RUN: check --memory c11 -DTHREADS=push,push,pop,pop
 * EXPECT: verified
 * RUN: check --memory c11 -DPUSH=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DPOP=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DAGAIN=relaxed -DTHREADS=push,push,pop
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef PUSH
#define PUSH release
#endif
#ifndef POP
#define POP acquire
#endif
#ifndef AGAIN
#define AGAIN acquire
#endif
#ifndef THREADS
#define THREADS push, pop
#endif

struct node {
	struct node *next;
	int value;
};

static struct node nodes[4];
static _Atomic(struct node *) top;

static void *push(void *number)
{
	struct node *node = &nodes[(size_t)number];
	node->value = 1; /* ERROR */
	struct node *old = LOAD(top, relaxed);
	do
		node->next = old; /* ERROR */
	while (!TRY(top, &old, node, PUSH, relaxed));
	return NULL;
}

static void *pop(void *unused)
{
	struct node *node = LOAD(top, POP);
	while (node && !TRY(top, &node, node->next, relaxed, AGAIN)) { /* ERROR */
	}
	assert(!node || node->value == 1); /* ERROR */
	return unused;
}

int main(void)
{
	RUN(THREADS);
}
