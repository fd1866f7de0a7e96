/* SPDX-License-Identifier: MIT
 *
 * A bounded queue for many producers and consumers, with a sequence number in each cell, after Vyukov.  A put that has taken a cell
 * and not filled it makes later gets fail although a later put has returned: so the queue is not linearizable with two producers.
 * WAITS: it is, where a get fails only if nobody has taken a cell, and a put only if no cell is free or about to be.
 *
 * RUN: --setup 'start()' --thread 'put(1); put(2)' --thread 'get(out(int))'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'put(1); get(out(int))' --thread 'put(2)'
 * EXPECT: violated not-linearizable
 * RUN: --setup 'start()' --thread 'put(1); get(out(int))' --thread 'put(2)' -DWAITS
 * EXPECT: linearizable
 * RUN: --setup 'start()' --setup 'put(1)' --setup 'put(2)' --thread 'get(out(int)); put(3)' --thread 'get(out(int))' -DWAITS
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'put(1)' --thread 'get(out(int))' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --setup 'start()' --setup 'put(1)' --thread 'get(out(int))' --thread 'get(out(int))' -DBROKEN=2
 * EXPECT: violated not-linearizable
 */
#include <stdatomic.h>
#include <stdbool.h>

enum { SIZE = 2 };
static struct {
	atomic_uint sequence;
	atomic_int value;
} cells[SIZE];
static atomic_uint puts, gets;

void start(void)
{
	for (unsigned i = 0; i < SIZE; i++)
		cells[i].sequence = i;
}

bool put(int value)
{
	unsigned at = puts;
	for (;;) {
		int ahead = (int)(cells[at % SIZE].sequence - at);
		if (ahead < 0) {
#ifdef WAITS
			if (at - gets < SIZE) {
				at = puts;
				continue;
			}
#endif
			return false;
		}
		if (ahead == 0 && atomic_compare_exchange_strong(&puts, &at, at + 1))
			break;
		if (ahead > 0)
			at = puts;
	}
#if BROKEN == 1
	cells[at % SIZE].sequence = at + 1;
	cells[at % SIZE].value = value;
#else
	cells[at % SIZE].value = value;
	cells[at % SIZE].sequence = at + 1;
#endif
	return true;
}

bool get(int *value)
{
	unsigned at = gets;
	for (;;) {
		int ahead = (int)(cells[at % SIZE].sequence - (at + 1));
		if (ahead < 0) {
#ifdef WAITS
			if (puts != at) {
				at = gets;
				continue;
			}
#endif
			return false;
		}
#if BROKEN == 2
		if (ahead == 0) {
			gets = at + 1;
			break;
		}
#else
		if (ahead == 0 && atomic_compare_exchange_strong(&gets, &at, at + 1))
			break;
#endif
		if (ahead > 0)
			at = gets;
	}
	*value = cells[at % SIZE].value;
	cells[at % SIZE].sequence = at + SIZE;
	return true;
}
