/* SPDX-License-Identifier: MIT
 *
 * LCRQ in small: a list of rings, after Morrison and Afek (PPoPP 2013).  A put takes a ticket of the ring's tail, a get one of its
 * head.  A cell has an index, a mark that it is safe, and a value, which change together; here they are in one word.  A put that
 * finds the ring full, or has failed twice, closes it, and appends a new one.
 *
 * BROKEN=1: a get that finds its cell empty does not tell the put that comes late.  BROKEN=2: a get that leaves a ring does not
 * look once more, so it overtakes the item of a put that was late.
 *
 * RUN: --setup 'start()' --thread 'put(1)' --thread 'get(); get()'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'put(1); get()' --thread 'put(2)'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'put(1)' --thread 'get(); get()' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --setup 'start()' --thread 'put(1); put(2)' --thread 'get()'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'put(1); put(2)' --thread 'get()' -DBROKEN=2
 * EXPECT: violated not-linearizable
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { CELLS = 1, EMPTY = 0 };
#define CLOSED (1u << 31)

struct ring {
	atomic_uint head, tail;
	_Atomic uint64_t cells[CELLS];
	struct ring *_Atomic next;
};

static struct ring *_Atomic first, *_Atomic last;

static uint64_t cell(unsigned safe, unsigned index, unsigned value)
{
	return (uint64_t)safe << 63 | (uint64_t)index << 32 | value;
}

static struct ring *new_ring(void)
{
	struct ring *ring = calloc(1, sizeof *ring);
	for (unsigned i = 0; i < CELLS; i++)
		ring->cells[i] = cell(1, i, EMPTY);
	return ring;
}

void start(void)
{
	first = last = new_ring();
}

static int ring_put(struct ring *ring, unsigned value)
{
	for (int tries = 1;; tries++) {
		unsigned tail = atomic_fetch_add(&ring->tail, 1);
		if (tail & CLOSED)
			return 0;
		uint64_t seen = ring->cells[tail % CELLS];
		unsigned safe = seen >> 63, index = seen >> 32 & 0x7fffffff;
		if ((unsigned)seen == EMPTY && index <= tail && (safe || ring->head <= tail) &&
		    atomic_compare_exchange_strong(&ring->cells[tail % CELLS], &seen, cell(1, tail, value)))
			return 1;
		if ((int)(tail - ring->head) >= CELLS || tries == 2) { /* full, or gets are always faster */
			atomic_fetch_or(&ring->tail, CLOSED);
			return 0;
		}
	}
}

/* Gets have run past the puts: let the tail come after. */
static void settle(struct ring *ring)
{
	for (;;) {
		unsigned head = ring->head, tail = ring->tail;
		if (head <= (tail & ~CLOSED) || (tail & CLOSED) || atomic_compare_exchange_strong(&ring->tail, &tail, head))
			return;
	}
}

static unsigned ring_get(struct ring *ring)
{
	for (;;) {
		unsigned head = atomic_fetch_add(&ring->head, 1);
		for (;;) {
			uint64_t seen = ring->cells[head % CELLS];
			unsigned safe = seen >> 63, index = seen >> 32 & 0x7fffffff, value = (unsigned)seen;
			if (index > head)
				break;
			if (value != EMPTY && index == head) {
				if (atomic_compare_exchange_strong(&ring->cells[head % CELLS], &seen,
								   cell(safe, head + CELLS, EMPTY)))
					return value;
			} else if (value != EMPTY) {
				if (atomic_compare_exchange_strong(&ring->cells[head % CELLS], &seen, cell(0, index, value)))
					break;
#if BROKEN == 1
			} else {
				break;
#else
			} else if (atomic_compare_exchange_strong(&ring->cells[head % CELLS], &seen,
								  cell(safe, head + CELLS, EMPTY))) {
				break;
#endif
			}
		}
		if ((ring->tail & ~CLOSED) <= head + 1) {
			settle(ring);
			return EMPTY;
		}
	}
}

void put(unsigned value)
{
	for (;;) {
		struct ring *ring = last, *next = ring->next;
		if (next) {
			atomic_compare_exchange_strong(&last, &ring, next);
			continue;
		}
		if (ring_put(ring, value))
			return;
		struct ring *new = new_ring();
		new->tail = 1;
		new->cells[0] = cell(1, 0, value);
		if (atomic_compare_exchange_strong(&ring->next, &next, new)) {
			atomic_compare_exchange_strong(&last, &ring, new);
			return;
		}
	}
}

unsigned get(void)
{
	for (;;) {
		struct ring *ring = first;
		unsigned value = ring_get(ring);
		if (value != EMPTY || !ring->next)
			return value;
#if BROKEN != 2
		value = ring_get(ring);
		if (value != EMPTY)
			return value;
#endif
		atomic_compare_exchange_strong(&first, &ring, ring->next);
	}
}
