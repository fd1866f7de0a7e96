/* SPDX-License-Identifier: MIT
 *
 * A stack with elimination (Hendler, Shavit and Yerushalmi, SPAA 2004), with one place to meet: a push that has lost a race offers
 * its value there, and takes the offer back unless a pop that has lost a race, too, has taken the value.
 *
 * BROKEN=1: to break the offer takes three threads.  Who offers has lost a race and changes nothing until the offer is taken
 * back; so the pop that takes it has lost its race to a third one.
 *
 * RUN: --setup 'push(9)' --thread 'push(1)' --thread 'pop()' --thread 'push(2)'
 * EXPECT: linearizable
 * RUN: --setup 'push(9)' --thread 'push(1); pop()' --thread 'pop()'
 * EXPECT: linearizable
 * RUN: --setup 'push(9)' --thread 'push(1); pop()' --thread 'push(2); pop()' -DBROKEN=1
 * EXPECT: linearizable
 * RUN: --setup 'push(9)' --thread 'push(1); pop()' --thread 'pop(); pop()' --thread 'push(2)' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --setup 'push(9)' --thread 'pop()' --thread 'pop()' -DBROKEN=2
 * EXPECT: violated not-linearizable
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *next;
};
static struct node *_Atomic top;

enum { NOTHING = 0, TAKEN = -1 };
static atomic_int offer;

/* Has a pop taken the value? */
static bool is_taken(int value)
{
	int nothing = NOTHING, mine = value;
	if (!atomic_compare_exchange_strong(&offer, &nothing, value))
		return false;
#if BROKEN == 1 /* takes the offer back without a look */
	(void)mine;
	offer = NOTHING;
	return false;
#else
	if (atomic_compare_exchange_strong(&offer, &mine, NOTHING))
		return false;
	offer = NOTHING;
	return true;
#endif
}

void push(int value)
{
	struct node *node = malloc(sizeof *node);
	node->value = value;
	do {
		node->next = top;
		struct node *old = node->next;
		if (atomic_compare_exchange_strong(&top, &old, node))
			return;
	} while (!is_taken(value));
}

int pop(void)
{
	for (;;) {
		struct node *old = top;
		if (!old)
			return -1;
#if BROKEN == 2 /* nobody asks whether the node is still there */
		top = old->next;
		return old->value;
#else
		if (atomic_compare_exchange_strong(&top, &old, old->next))
			return old->value;
#endif
		int value = offer;
		if (value > NOTHING && atomic_compare_exchange_strong(&offer, &value, TAKEN))
			return value;
	}
}
