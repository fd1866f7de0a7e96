/* SPDX-License-Identifier: MIT
 *
 * Treiber's stack over a fixed pool of nodes, which are used again: with a tag beside the head, in 64 or in 128 bits, it is
 * right; without one a compare-and-swap may succeed though the stack has changed and changed back (ABA).
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DWIDE
 * EXPECT: verified
 * RUN: check -DWIDE -DASSEMBLY
 * EXPECT: verified
 * RUN: check -DBUG_NO_TAG
 * EXPECT: violated assertion
 * RUN: check -DBUG_NO_TAG -DWIDE
 * EXPECT: violated assertion
 * RUN: check -DBUG_PLAIN_NEXT
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { NODES = 3 };

#ifdef BUG_NO_TAG
#define STEP 0
#else
#define STEP 1
#endif

struct node {
#ifdef BUG_PLAIN_NEXT
	struct node *next;
#else
	struct node *_Atomic next;
#endif
	atomic_int owners; /* threads that have popped it */
};

static struct node pool[NODES];

#ifdef WIDE
struct head { struct node *top; uintptr_t tag; };
static _Atomic struct head stack;

static struct head packed(struct node *top, uintptr_t tag)
{
	return (struct head){ top, tag };
}

static struct node *top_of(struct head head) { return head.top; }
static uintptr_t tag_of(struct head head) { return head.tag; }
#else
typedef uint64_t head; /* number of the node from 1 on, below the tag */
#define head_type head
static _Atomic head stack;

static head packed(struct node *top, uintptr_t tag)
{
	return (top ? (head)(top - pool) + 1 : 0) | (head)tag << 8;
}

static struct node *top_of(head h) { return h & 255 ? &pool[(h & 255) - 1] : NULL; }
static uintptr_t tag_of(head h) { return (uintptr_t)(h >> 8); }
#endif
#ifdef WIDE
typedef struct head head_type;
#endif

static bool replace(head_type *old, head_type new)
{
#ifdef ASSEMBLY
	struct head *at = (struct head *)&stack;
	unsigned char done;
	__asm__ __volatile__("lock cmpxchg16b %1; sete %0"
			     : "=q"(done), "+m"(*at), "+a"(old->top), "+d"(old->tag) : "b"(new.top), "c"(new.tag) : "memory", "cc");
	return done;
#else
	return atomic_compare_exchange_strong(&stack, old, new);
#endif
}

static void push(struct node *node)
{
	head_type old = stack;
	do
		node->next = top_of(old); /* ERROR */
	while (!replace(&old, packed(node, tag_of(old) + STEP)));
}

static struct node *pop(void)
{
	head_type old = stack;
	struct node *top;
	do {
		top = top_of(old);
		if (!top)
			return NULL;
	} while (!replace(&old, packed(top->next, tag_of(old) + STEP)));
	return top;
}

static struct node *take(void)
{
	struct node *node = pop();
	if (node)
		assert(++node->owners == 1);
	return node;
}

static void give(struct node *node)
{
	if (!node)
		return;
	node->owners--;
	push(node);
}

static void *twice(void *unused)
{
	struct node *first = take(), *second = take();
	give(first);
	give(second);
	return unused;
}

static void *once(void *unused)
{
	struct node *first = take();
	struct node *second = take();
	give(second);
	give(first);
	return unused;
}

int main(void)
{
	pthread_t thread;
	for (int i = 0; i < NODES; i++)
		push(&pool[i]);
	pthread_create(&thread, NULL, twice, NULL);
	once(NULL);
	pthread_join(thread, NULL);
	int count = 0;
	while (take())
		count++;
	assert(count == NODES); /* ERROR */
	return 0;
}
