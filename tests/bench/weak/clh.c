/* SPDX-License-Identifier: MIT
 *
 * The queue lock of Craig, Landin and Hagersten: each of N threads waits for the node of the thread before it.
 */
#include "threads.h"
struct node {
	atomic_int locked;
};
static struct node first;
static _Atomic(struct node *) tail = &first;
static int counter;
static void *work(void *unused)
{
	struct node *node = malloc(sizeof *node);
	STORE(&node->locked, 1, RELAXED);
	struct node *before = SWAP(&tail, node, ACQ_REL);
	while (LOAD(&before->locked, ACQUIRE))
		;
	counter++;
	STORE(&node->locked, 0, RELEASE);
	return unused;
}
int main(void)
{
	run(work);
	assert(counter == N);
}
