/* SPDX-License-Identifier: MIT
 *
 * The queue of Michael and Scott, PODC 1996.  Nodes are never freed.
 *
 * RUN: --setup 'start()' --thread 'put(1); get()' --thread 'put(2)'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'put(1)' --thread 'get(); get()'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'put(1)' --thread 'put(2)' --finally 'assert(get() > 0 && get() > 0)' -DBROKEN=1
 * EXPECT: violated assertion
 * RUN: --setup 'start()' --setup 'put(1)' --thread 'get()' --thread 'get()' -DBROKEN=2
 * EXPECT: violated not-linearizable
 */
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *_Atomic next;
};
static struct node *_Atomic head, *_Atomic tail;

static struct node *make(int value)
{
	struct node *node = malloc(sizeof *node);
	node->value = value;
	node->next = NULL;
	return node;
}

void start(void)
{
	head = tail = make(0);
}

void put(int value)
{
	struct node *node = make(value);
	for (;;) {
		struct node *last = tail, *next = last->next, *none = NULL;
		if (next) {
			atomic_compare_exchange_strong(&tail, &last, next);
			continue;
		}
#if BROKEN == 1 /* nobody asks whether somebody else has put a node there */
		(void)none;
		last->next = node;
		atomic_compare_exchange_strong(&tail, &last, node);
		return;
#else
		if (atomic_compare_exchange_strong(&last->next, &none, node)) {
			atomic_compare_exchange_strong(&tail, &last, node);
			return;
		}
#endif
	}
}

int get(void)
{
	for (;;) {
		struct node *first = head, *last = tail, *next = first->next;
		if (!next)
			return -1;
		if (first == last) {
			atomic_compare_exchange_strong(&tail, &last, next);
			continue;
		}
#if BROKEN == 2
		head = next;
		return next->value;
#else
		if (atomic_compare_exchange_strong(&head, &first, next))
			return next->value;
#endif
	}
}
