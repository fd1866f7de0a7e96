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
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef ITEMS
#define ITEMS 3
#endif

#define EMPTY 0u

static _Atomic uint64_t cells[N]; /* item in the low half, counter in the high half */
static _Atomic uint32_t front, rear;

static uint32_t item(uint64_t cell)
{
	return (uint32_t)cell;
}

static uint64_t successor(uint64_t cell, uint32_t item)
{
	return ((cell >> 32) + 1) << 32 | item;
}

static bool enqueue(uint32_t value)
{
	for (;;) {
		uint32_t r = rear;
		uint32_t f = front;
		uint64_t cell = cells[r % N];
		if (r != rear)
			continue;
		if (r == f + N)
			return false;
		if (item(cell) == EMPTY) {
			if (atomic_compare_exchange_strong(&cells[r % N], &cell, successor(cell, value))) {
				atomic_compare_exchange_strong(&rear, &r, r + 1);
				return true;
			}
		} else {
			atomic_compare_exchange_strong(&rear, &r, r + 1);
		}
	}
}

static uint32_t dequeue(void)
{
	for (;;) {
		uint32_t f = front;
		uint32_t r = rear;
		uint64_t cell = cells[f % N];
		if (f != front)
			continue;
		if (f == r)
			return EMPTY;
		if (item(cell) != EMPTY) {
			if (atomic_compare_exchange_strong(&cells[f % N], &cell, successor(cell, EMPTY))) {
				uint32_t value = item(cell);
				atomic_compare_exchange_strong(&front, &f, f + 1);
				return value;
			}
		} else {
			atomic_compare_exchange_strong(&front, &f, f + 1);
		}
	}
}

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
