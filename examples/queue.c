/* SPDX-License-Identifier: MIT
 *
 * A bounded queue without locks, after Shann, Huang and Chen (2000), with a flaw.
 *
 * The queue is a circular array of N cells, each an item and a counter in one 64-bit word, and two running numbers:
 * front, where the next item is taken, and rear, where the next one goes.  Cells and numbers change by
 * compare-and-swap only.  Who finds a cell already changed, but its number not yet moved, "helps" by moving the number.
 *
 * The flaw: a dequeuer reads an empty cell while the queue is empty; then two items are enqueued; now the dequeuer
 * sees that the queue is not empty, takes the empty cell for one that another dequeuer has just emptied, and moves
 * front past an item nobody has taken.  Item 2 comes out first.  The cure (FIXED, see queue_fixed.c): read the other number
 * before the cell.
 *
 *     bitspin check -DN=2 examples/queue.c
 *
 * RUN: check -DN=2
 * EXPECT: violated assertion
 * RUN: check -DN=3
 * EXPECT: violated assertion
 * RUN: check -DN=5
 * EXPECT: violated assertion
 * RUN: check -DN=10
 * EXPECT: violated assertion
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
#ifdef FIXED
		uint32_t f = front;
#endif
		uint64_t cell = cells[r % N];
		if (r != rear)
			continue;
#ifndef FIXED
		uint32_t f = front; /* the flaw: later than the cell */
#endif
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
#ifdef FIXED
		uint32_t r = rear;
#endif
		uint64_t cell = cells[f % N];
		if (f != front)
			continue;
#ifndef FIXED
		uint32_t r = rear; /* likewise */
#endif
		if (f == r)
			return EMPTY;
		if (item(cell) != EMPTY) {
			if (atomic_compare_exchange_strong(&cells[f % N], &cell, successor(cell, EMPTY))) {
				uint32_t value = item(cell);
				atomic_compare_exchange_strong(&front, &f, f + 1);
				return value;
			}
		} else {
			atomic_compare_exchange_strong(&front, &f, f + 1); /* the cell may have been filled since, unless FIXED */
		}
	}
}

#ifndef FIXED
static void *producer(void *unused)
{
	(void)unused;
	enqueue(1);
	enqueue(2);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, producer, NULL);
	uint32_t first = dequeue();
	assert(first == EMPTY || first == 1); /* ERROR */
	pthread_join(thread, NULL);
	return 0;
}
#endif
