/* SPDX-License-Identifier: MIT
 *
 * The queue of examples/queue_fixed.c: the first PRODUCERS of THREADS threads enqueue an item each, the others dequeue once.
 */
#define FIXED
#define N CELLS
#include "../../../examples/queue.c"
#undef N
#define N THREADS
static void *work(void *number)
{
	if ((long)number < PRODUCERS)
		enqueue((uint32_t)(long)number + 1);
	else
		dequeue();
	return NULL;
}
#include "threads.h"
int main(void)
{
	return run(work);
}
