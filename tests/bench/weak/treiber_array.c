/* SPDX-License-Identifier: MIT
 *
 * Treiber's stack of numbered nodes: each of N threads pushes a node of its own, with a value, and pops one.
 */
#include "threads.h"
static atomic_int top, next[N + 1]; /* numbers of nodes, from 1 on; 0: none */
static int value[N + 1];
static void push(int node)
{
	int old = LOAD(&top, RELAXED);
	value[node] = node;
	do
		STORE(&next[node], old, RELAXED);
	while (!CAS(&top, &old, node, RELEASE, RELAXED));
}
static int pop(void)
{
	int old = LOAD(&top, ACQUIRE);
	while (!CAS(&top, &old, LOAD(&next[old], RELAXED), ACQUIRE, ACQUIRE))
		;
	return old;
}
static void *work(void *number)
{
	push((int)(long)number + 1);
	int node = pop();
	assert(node && value[node] == node);
	return NULL;
}
int main(void)
{
	run(work);
}
