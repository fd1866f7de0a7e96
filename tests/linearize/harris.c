/* SPDX-License-Identifier: MIT
 *
 * Harris's list (DISC 2001): the lowest bit of a link says that the node is deleted.
 *
 * RUN: --setup 'start()' --thread 'add(1); remove_key(1)' --thread 'add(1)'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --setup 'add(1)' --thread 'remove_key(1)' --thread 'add(2); contains(2)'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --setup 'add(1)' --thread 'remove_key(1)' --thread 'add(2); contains(2)' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --setup 'start()' --setup 'add(1)' --thread 'remove_key(1)' --thread 'remove_key(1)' -DBROKEN=2
 * EXPECT: violated not-linearizable
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
	int key;
	atomic_uintptr_t next;
};
static struct node *head;

static struct node *node_of(uintptr_t link)
{
	return (struct node *)(link & ~(uintptr_t)1);
}

static struct node *make(int key, struct node *next)
{
	struct node *node = malloc(sizeof *node);
	node->key = key;
	atomic_init(&node->next, (uintptr_t)next);
	return node;
}

void start(void)
{
	head = make(-1, make(100, NULL));
}

/* Find the first node with at least this key, and unlink deleted ones on the way. */
static struct node *find(int key, struct node **before)
{
again:;
	struct node *left = head, *node = node_of(left->next);
	for (;;) {
		uintptr_t next = node->next;
		if (next & 1) {
			uintptr_t old = (uintptr_t)node;
			if (!atomic_compare_exchange_strong(&left->next, &old, next & ~(uintptr_t)1))
				goto again;
			node = node_of(next);
			continue;
		}
		if (node->key >= key) {
			*before = left;
			return node;
		}
		left = node;
		node = node_of(next);
	}
}

bool add(int key)
{
	for (;;) {
		struct node *before, *node = find(key, &before);
		if (node->key == key)
			return false;
		struct node *new = make(key, node);
		uintptr_t old = (uintptr_t)node;
		if (atomic_compare_exchange_strong(&before->next, &old, (uintptr_t) new))
			return true;
	}
}

bool remove_key(int key)
{
	for (;;) {
		struct node *before, *node = find(key, &before);
		if (node->key != key)
			return false;
		uintptr_t next = node->next, old = (uintptr_t)node;
#if BROKEN == 1 /* unlinked without a mark */
		if (atomic_compare_exchange_strong(&before->next, &old, next))
			return true;
#elif BROKEN == 2 /* who has marked it does not matter */
		node->next = next | 1;
		(void)old;
		return true;
#else
		(void)old;
		if (!(next & 1) && atomic_compare_exchange_strong(&node->next, &next, next | 1))
			return true;
#endif
	}
}

bool contains(int key)
{
	struct node *before;
	return find(key, &before)->key == key;
}
