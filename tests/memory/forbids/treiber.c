/* SPDX-License-Identifier: MIT
 *
 * Treiber's stack, all relaxed; one atomic access on a line.  tests/forbids.py strengthens orders as stories say.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
	_Atomic(struct node *) next;
	atomic_int value;
};
static struct node nodes[2];
static _Atomic(struct node *) head;
static int wrong;

static void push(struct node *node, int value)
{
	atomic_store_explicit(&node->value, value, memory_order_relaxed);
	struct node *top = atomic_load_explicit(&head, memory_order_relaxed);
	do
		atomic_store_explicit(&node->next, top, memory_order_relaxed);
	while (!atomic_compare_exchange_strong_explicit(&head, &top, node, memory_order_relaxed, memory_order_relaxed));
}

static void *first(void *unused)
{
	push(&nodes[0], 1);
	push(&nodes[1], 1);
	return unused;
}

static void *second(void *unused)
{
	struct node *next, *top = atomic_load_explicit(&head, memory_order_relaxed);
	do {
		if (!top)
			return unused;
		next = atomic_load_explicit(&top->next, memory_order_relaxed);
	} while (!atomic_compare_exchange_strong_explicit(&head, &top, next, memory_order_relaxed, memory_order_relaxed));
	int value = atomic_load_explicit(&top->value, memory_order_relaxed);
	wrong = value != 1 || (top == &nodes[1] && next != &nodes[0]);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	assert(!wrong);
}
