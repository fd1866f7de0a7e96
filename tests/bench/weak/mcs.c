/* SPDX-License-Identifier: MIT
 *
 * The queue lock of Mellor-Crummey and Scott (TOCS 1991): each of N threads waits on a node of its own.
 */
#include "threads.h"
struct node {
	_Atomic(struct node *) next;
	atomic_int locked;
};
static _Atomic(struct node *) tail;
static int counter;
static void lock(struct node *node)
{
	STORE(&node->next, NULL, RELAXED);
	STORE(&node->locked, 1, RELAXED);
	struct node *before = SWAP(&tail, node, ACQ_REL);
	if (!before)
		return;
	STORE(&before->next, node, RELEASE);
	while (LOAD(&node->locked, ACQUIRE))
		;
}
static void unlock(struct node *node)
{
	struct node *after = LOAD(&node->next, ACQUIRE), *own = node;
	if (!after) {
		if (CAS(&tail, &own, NULL, RELEASE, RELAXED))
			return;
		while (!(after = LOAD(&node->next, ACQUIRE)))
			;
	}
	STORE(&after->locked, 0, RELEASE);
}
static void *work(void *unused)
{
	struct node node;
	lock(&node);
	counter++;
	unlock(&node);
	return unused;
}
int main(void)
{
	run(work);
	assert(counter == N);
}
