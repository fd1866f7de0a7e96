/* SPDX-License-Identifier: MIT
 *
 * The deque "Snark" (Detlefs, Flood, Garthwaite, Martin, Shavit and Steele, DISC 2000), whose steps compare and swap two words.  A
 * node that has been popped points to itself, which also says that the deque is empty.  Doherty, Detlefs, Groves, Flood, Luchangco,
 * Martin, Moir, Shavit and Steele (SPAA 2004) found two errors in it.  The first is here with BROKEN=1: a pop has read the hat, and
 * the node there is popped from the other end, after a push has made the deque longer: so the pop says "empty", which it never was.
 *
 * RUN: --setup 'start()' --setup 'push_right(1)' --thread 'pop_right()' --thread 'push_right(2); pop_left()'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --setup 'push_right(1)' --thread 'pop_right()' --thread 'push_right(2); pop_left()' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --setup 'start()' --setup 'push_right(1)' --setup 'push_right(2)' --thread 'pop_right()' --thread 'pop_left(); pop_left()'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'push_left(1); pop_right()' --thread 'push_right(2); pop_left()'
 * EXPECT: linearizable
 */
#include <bitspin.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	struct node *_Atomic left, *_Atomic right;
	atomic_int value;
};

static struct node dummy;
static struct node *_Atomic left_hat, *_Atomic right_hat;

void start(void)
{
	dummy.left = dummy.right = &dummy;
	left_hat = right_hat = &dummy;
}

/* Compare and swap two words, in one step. */
static int swap_two(struct node *_Atomic *a, struct node *_Atomic *b, struct node *old_a, struct node *old_b, struct node *new_a,
		    struct node *new_b)
{
	int same;
	bitspin_atomic_begin();
	same = *a == old_a && *b == old_b;
	if (same) {
		*a = new_a;
		*b = new_b;
	}
	bitspin_atomic_end();
	return same;
}

/* The two ends are mirror images: `near` is the hat of this end, `far` that of the other; links by their place in the node. */
struct end {
	struct node *_Atomic *near, *_Atomic *far;
	int right;
};

static const struct end left_end = { &left_hat, &right_hat, 0 }, right_end = { &right_hat, &left_hat, 1 };

static struct node *_Atomic *outwards(const struct end *end, struct node *node)
{
	return end->right ? &node->right : &node->left;
}

static struct node *_Atomic *inwards(const struct end *end, struct node *node)
{
	return end->right ? &node->left : &node->right;
}

static void push(const struct end *end, int value)
{
	struct node *node = malloc(sizeof *node);
	*outwards(end, node) = &dummy;
	node->value = value;
	for (;;) {
		struct node *hat = *end->near, *beyond = *outwards(end, hat);
		if (beyond == hat) {
			struct node *other = *end->far;
			*inwards(end, node) = &dummy;
			if (swap_two(end->near, end->far, hat, other, node, node))
				return;
		} else {
			*inwards(end, node) = hat;
			if (swap_two(end->near, outwards(end, hat), hat, beyond, node, node))
				return;
		}
	}
}

static int pop(const struct end *end)
{
	for (;;) {
		struct node *hat = *end->near, *other = *end->far;
		if (*outwards(end, hat) == hat) {
#if BROKEN != 1
			if (*end->near != hat)
				continue;
#endif
			return 0;
		}
		if (hat == other) {
			if (!swap_two(end->near, end->far, hat, other, &dummy, &dummy))
				continue;
		} else {
			struct node *next = *inwards(end, hat);
			if (!swap_two(end->near, inwards(end, hat), hat, next, next, hat))
				continue;
			*outwards(end, hat) = &dummy;
		}
		int value = atomic_exchange(&hat->value, 0); /* who takes the node from the other end, too, finds none */
		if (value)
			return value;
	}
}

void push_left(int value)
{
	push(&left_end, value);
}

void push_right(int value)
{
	push(&right_end, value);
}

int pop_left(void)
{
	return pop(&left_end);
}

int pop_right(void)
{
	return pop(&right_end);
}
