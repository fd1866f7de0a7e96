/* SPDX-License-Identifier: MIT
 *
 * The queue of queue.c, with correct helping: each operation reads the *other* number before the cell.
 *
 * If rear has passed f before cell f is read, then the cell has been filled by then; so when it is found empty, a
 * dequeuer has emptied it, and moving front is right.  The same holds for the enqueuer with front and the full
 * cell.
 *
 *     bitspin check -DN=2 -DITEMS=3 examples/queue_fixed.c
 *
 * RUN: check -DN=2 -DITEMS=2
 * EXPECT: verified
 * RUN: check -DN=2 -DITEMS=3
 * EXPECT: verified
 * RUN: check -DN=1 -DITEMS=2
 * EXPECT: verified
 * ALSO: --races ignore
 */
#define FIXED
#include "queue.c"

#ifndef ITEMS
#define ITEMS 3
#endif

static void *producer(void *unused)
{
	(void)unused;
	for (uint32_t i = 1; i <= ITEMS; i++)
		while (!enqueue(i))
			;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, producer, NULL);
	for (uint32_t i = 1; i <= ITEMS; i++) {
		uint32_t value;
		while ((value = dequeue()) == EMPTY)
			;
		assert(value == i);
	}
	pthread_join(thread, NULL);
	assert(dequeue() == EMPTY);
	return 0;
}
