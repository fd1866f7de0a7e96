/* SPDX-License-Identifier: MIT
 *
 * ms_queue.c by hand.
 */
#include "threads.pml"
byte head, tail, next[N + 1];
#define NODE   (_pid + 1)
#define NOBODY 255

inline move_tail(from, to)
{
	if
	:: tail == from -> tail = to
	:: else
	fi
}

active [N] proctype thread() provided (RUNS)
{
	byte first, last, after;
enqueue:
	last = tail;
	after = next[last];
	if
	:: atomic { after -> move_tail(last, after); last = 0; after = 0; goto enqueue }
	:: atomic {
			!after ->
			if
			:: next[last] == 0 -> next[last] = NODE
			:: else -> last = 0; goto enqueue
			fi
		}
	fi;
	atomic { move_tail(last, NODE); last = 0 }
dequeue:
	first = head;
	last = tail;
	atomic {
		after = next[first];
		assert(after != 0);
		if
		:: first == last -> first = NOBODY
		:: else -> last = 0
		fi
	}
	if
	:: atomic { first == NOBODY -> move_tail(last, after); first = 0; last = 0; after = 0; goto dequeue }
	:: atomic {
			first != NOBODY ->
			if
			:: head == first -> head = after; first = 0; after = 0
			:: else -> first = 0; after = 0; goto dequeue
			fi
		}
	fi;
	finish()
}
#include "creator.pml"
