/* SPDX-License-Identifier: MIT
 *
 * Treiber's stack.  Nodes are never freed.
 *
 * RUN: --thread 'push(1); pop()' --thread 'push(2); pop()'
 * EXPECT: linearizable
 * RUN: --setup 'push(1)' --setup 'push(2)' --thread 'pop()' --thread 'pop()' --thread 'push(3)'
 * EXPECT: linearizable
 * RUN: --thread 'push(1)' --thread 'push(2); pop(); pop()' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --thread 'push(1)' --thread 'push(2)' --finally 'assert(pop() > 0 && pop() > 0)' -DBROKEN=1
 * EXPECT: violated assertion
 * RUN: --setup 'push(1)' --thread 'pop()' --thread 'pop()' -DBROKEN=2
 * EXPECT: violated not-linearizable
 */
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *next;
};
static struct node *_Atomic top;

void push(int value)
{
	struct node *node = malloc(sizeof *node), *old = top;
	node->value = value;
#if BROKEN == 1
	node->next = old;
	top = node;
#else
	do
		node->next = old;
	while (!atomic_compare_exchange_strong(&top, &old, node));
#endif
}

int pop(void)
{
	struct node *old = top;
#if BROKEN == 2
	if (old)
		top = old->next;
#else
	while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
		;
#endif
	return old ? old->value : -1;
}
