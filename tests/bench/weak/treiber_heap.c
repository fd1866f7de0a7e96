/* SPDX-License-Identifier: MIT
 *
 * Treiber's stack on the heap: each of N threads pushes a node; main pops them all in the end.
 */
#include "threads.h"
struct node {
	struct node *next;
	int value;
};
static _Atomic(struct node *) top;
static void *work(void *number)
{
	struct node *node = malloc(sizeof *node), *old = LOAD(&top, RELAXED);
	node->value = (int)(long)number;
	do
		node->next = old;
	while (!CAS(&top, &old, node, RELEASE, RELAXED));
	return NULL;
}
int main(void)
{
	int count = 0;
	run(work);
	for (struct node *node = LOAD(&top, ACQUIRE), *next; node; node = next, count++) {
		next = node->next;
		free(node);
	}
	assert(count == N);
}
