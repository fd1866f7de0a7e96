/* SPDX-License-Identifier: MIT
 *
 * A stack without locks: between the read of the head and its exchange, two pops and a push bring back the same head.
 *
 * EXPECT: violated assertion
 */
#include "padding.h"

#include <assert.h>

enum { NONE = -1 };
static atomic_int head = 0, next[3] = { 1, 2, NONE }, in_use[3];

static int pop(void)
{
	int top = atomic_load(&head);
	while (top != NONE) {
		int below = atomic_load(&next[top]);
		if (atomic_compare_exchange_strong(&head, &top, below))
			break;
	}
	if (top != NONE)
		assert(atomic_exchange(&in_use[top], 1) == 0); /* ERROR: it is another thread's */
	return top;
}

static void push(int node)
{
	atomic_store(&in_use[node], 0);
	int top = atomic_load(&head);
	do
		atomic_store(&next[node], top);
	while (!atomic_compare_exchange_strong(&head, &top, node));
}

static void *slow(void *unused)
{
	pop();
	pop();
	return unused;
}

static void *quick(void *unused)
{
	int first = pop();
	pop();
	if (first != NONE)
		push(first);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, quick, 0);
	pthread_create(&threads[1], 0, slow, 0);
	pad();
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	pad_end();
}
