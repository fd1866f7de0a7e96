/* SPDX-License-Identifier: MIT
 *
 * Michael and Scott's queue (PODC 1996): each of N threads enqueues a node of its own, and dequeues once.  Nodes are not used
 * again.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int head, tail, next[N + 1]; /* numbers of nodes; node 0 is there at first, and as a successor, 0 is none */
static void enqueue(int node)
{
	for (;;) {
		int last = tail, after = next[last];
		if (after) {
			atomic_compare_exchange_strong(&tail, &last, after);
		} else if (atomic_compare_exchange_strong(&next[last], &after, node)) {
			atomic_compare_exchange_strong(&tail, &last, node);
			return;
		}
	}
}
static int dequeue(void)
{
	for (;;) {
		int first = head, last = tail, after = next[first];
		if (after == 0)
			return 0;
		if (first == last)
			atomic_compare_exchange_strong(&tail, &last, after);
		else if (atomic_compare_exchange_strong(&head, &first, after))
			return after;
	}
}
static void *work(void *number)
{
	enqueue((int)(long)number + 1);
	assert(dequeue() != 0);
	return NULL;
}
#include "threads.h"
int main(void)
{
	return run(work);
}
