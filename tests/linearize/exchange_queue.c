/* SPDX-License-Identifier: MIT
 *
 * A queue whose put() exchanges the tail and then links the node.  A put that has exchanged and not linked hides the nodes of later
 * puts: get() says that the queue is empty too early, as a published TryDequeue does.  Right is a get() that waits for the link.
 *
 * RUN: --setup 'start()' --thread 'put(1)' --thread 'put(2); get()'
 * EXPECT: violated not-linearizable
 * RUN: --setup 'start()' --thread 'put(1)' --thread 'put(2); get()' -DWAITS
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'put(1); put(2)' --thread 'get(); get()'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'put(1)' --thread 'put(2); get()' --condition sequential
 * EXPECT: violated not-linearizable
 * RUN: --setup 'start()' --thread 'put(1)' --thread 'get()' --condition quiescent
 * EXPECT: quiescently consistent
 */
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *_Atomic next;
};
static struct node *_Atomic tail;
static struct node *head;

void start(void)
{
	head = calloc(1, sizeof *head);
	tail = head;
}

void put(int value)
{
	struct node *node = calloc(1, sizeof *node);
	node->value = value;
	struct node *before = atomic_exchange(&tail, node);
	before->next = node;
}

/* One thread gets. */
int get(void)
{
	struct node *next = head->next;
#ifdef WAITS
	while (!next && tail != head)
		next = head->next;
#endif
	if (!next)
		return -1;
	head = next;
	return next->value;
}
