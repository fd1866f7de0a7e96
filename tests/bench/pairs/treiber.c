/* SPDX-License-Identifier: MIT
 *
 * Treiber's stack: each of N threads pushes a node of its own, and pops one.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int top, next[N + 1]; /* numbers of nodes, from 1 on; 0: none */
static void push(int node)
{
	int old = top;
	do
		next[node] = old;
	while (!atomic_compare_exchange_strong(&top, &old, node));
}
static int pop(void)
{
	int old = top;
	while (!atomic_compare_exchange_strong(&top, &old, next[old]))
		;
	return old;
}
static void *work(void *number)
{
	push((int)(long)number + 1);
	assert(pop() != 0);
	return NULL;
}
#include "threads.h"
int main(void)
{
	return run(work);
}
