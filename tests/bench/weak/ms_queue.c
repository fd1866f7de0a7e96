/* SPDX-License-Identifier: MIT
 *
 * Michael and Scott's queue (PODC 1996) with counted references: each of N threads enqueues a node of its own, and dequeues once.
 */
#include "threads.h"
static atomic_int head, tail, next[N + 1]; /* a node in the low byte, a counter above; as a successor, node 0 is none */
static int value[N + 1];
static int node_of(int reference)
{
	return reference & 0xff;
}
static int counted(int reference, int node)
{
	return ((reference & ~0xff) + 0x100) | node;
}
static void enqueue(int node)
{
	value[node] = node;
	for (;;) {
		int last = LOAD(&tail, ACQUIRE), after = LOAD(&next[node_of(last)], ACQUIRE);
		if (last != LOAD(&tail, ACQUIRE))
			continue;
		if (node_of(after)) {
			CAS(&tail, &last, counted(last, node_of(after)), RELEASE, RELAXED);
		} else if (CAS(&next[node_of(last)], &after, counted(after, node), RELEASE, RELAXED)) {
			CAS(&tail, &last, counted(last, node), RELEASE, RELAXED);
			return;
		}
	}
}
static int dequeue(void)
{
	for (;;) {
		int first = LOAD(&head, ACQUIRE), last = LOAD(&tail, ACQUIRE), after = LOAD(&next[node_of(first)], ACQUIRE);
		if (first != LOAD(&head, ACQUIRE))
			continue;
		if (node_of(after) == 0)
			return 0;
		if (node_of(first) == node_of(last))
			CAS(&tail, &last, counted(last, node_of(after)), RELEASE, RELAXED);
		else if (CAS(&head, &first, counted(first, node_of(after)), ACQ_REL, RELAXED))
			return node_of(after);
	}
}
static void *work(void *number)
{
	enqueue((int)(long)number + 1);
	int node = dequeue();
	assert(node && value[node] == node);
	return NULL;
}
int main(void)
{
	run(work);
}
