/* SPDX-License-Identifier: MIT
 *
 * The queue with two locks of Michael and Scott.
 *
 * RUN: --setup 'start()' --thread 'put(1); get()' --thread 'put(2); get()'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --setup 'put(1)' --thread 'get()' --thread 'get()' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --setup 'start()' --thread 'put(1)' --thread 'put(2)' --finally 'assert(get() > 0 && get() > 0)' -DBROKEN=2
 * EXPECT: violated assertion
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *_Atomic next;
};
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *_Atomic head, *_Atomic tail;

void start(void)
{
	head = tail = calloc(1, sizeof(struct node));
}

void put(int value)
{
	struct node *node = calloc(1, sizeof *node);
	node->value = value;
#if BROKEN == 2
	tail->next = node;
	pthread_mutex_lock(&tail_lock);
#else
	pthread_mutex_lock(&tail_lock);
	tail->next = node;
#endif
	tail = node;
	pthread_mutex_unlock(&tail_lock);
}

int get(void)
{
	int value = -1;
	pthread_mutex_lock(&head_lock);
	struct node *next = head->next;
	if (next) {
		value = next->value;
#if BROKEN == 1
		pthread_mutex_unlock(&head_lock);
		pthread_mutex_lock(&head_lock);
#endif
		head = next;
	}
	pthread_mutex_unlock(&head_lock);
	return value;
}
