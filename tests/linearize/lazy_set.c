/* SPDX-License-Identifier: MIT
 *
 * The lazy list of Heller, Herlihy, Luchangco, Moir, Scherer and Shavit (OPODIS 2005).
 *
 * NO_MARK: contains() does not look at the mark.  That is right, as remove_key() unlinks a node before it returns: who still comes
 * to the node has been under way since before that, and its key was in the set at some time since then.
 *
 * RUN: --setup 'start()' --thread 'add(1); remove_key(1)' --thread 'add(1)' --thread 'contains(1)'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --setup 'add(1)' --setup 'add(2)' --thread 'remove_key(1)' --thread 'remove_key(2); contains(2)'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --setup 'add(1)' --setup 'add(2)' --thread 'contains(2)' --thread 'remove_key(2)' -DNO_MARK
 * EXPECT: linearizable
 * RUN: --setup 'start()' --setup 'add(1)' --thread 'contains(1)' --thread 'remove_key(1); add(1)' -DNO_MARK
 * EXPECT: linearizable
 * RUN: --setup 'start()' --setup 'add(1)' --thread 'add(2)' --thread 'remove_key(1)' --finally 'check(2)' -DBROKEN=2
 * EXPECT: violated assertion
 * RUN: --setup 'start()' --setup 'add(1)' --thread 'add(2); contains(2)' --thread 'remove_key(1)' -DBROKEN=2
 * EXPECT: violated not-linearizable
 * RUN: --setup 'start()' --setup 'add(1)' --thread 'remove_key(1); contains(1)' --thread 'remove_key(1)' -DBROKEN=4
 * EXPECT: violated not-linearizable
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	int key;
	atomic_bool marked;
	struct node *_Atomic next;
	pthread_mutex_t lock;
};
static struct node *head;

static struct node *make(int key, struct node *next)
{
	struct node *node = calloc(1, sizeof *node);
	node->key = key;
	node->next = next;
	pthread_mutex_init(&node->lock, NULL);
	return node;
}

void start(void)
{
	head = make(-1, make(100, NULL));
}

static struct node *find(int key, struct node **before)
{
	struct node *node = head;
	while (node->key < key) {
		*before = node;
		node = node->next;
	}
	return node;
}

static bool is_valid(struct node *before, struct node *node)
{
#if BROKEN == 2 /* what has been removed may be changed */
	return before->next == node;
#elif BROKEN == 4
	return true;
#else
	return !before->marked && !node->marked && before->next == node;
#endif
}

static bool change(int key, bool adds)
{
	for (;;) {
		struct node *before, *node = find(key, &before);
		bool there = false, valid;
		pthread_mutex_lock(&before->lock);
		pthread_mutex_lock(&node->lock);
		valid = is_valid(before, node);
		if (valid) {
			there = node->key == key;
			if (adds && !there)
				before->next = make(key, node);
			if (!adds && there) {
				node->marked = true;
				before->next = node->next;
			}
		}
		pthread_mutex_unlock(&node->lock);
		pthread_mutex_unlock(&before->lock);
		if (valid)
			return adds != there;
	}
}

bool add(int key)
{
	return change(key, true);
}

bool remove_key(int key)
{
	return change(key, false);
}

bool contains(int key)
{
	struct node *before, *node = find(key, &before);
#ifdef NO_MARK
	return node->key == key;
#else
	return node->key == key && !node->marked;
#endif
}

void check(int key)
{
	assert(contains(key));
}
