/* SPDX-License-Identifier: MIT
 *
 * queue.c by hand.
 */
#define N THREADS
#include "threads.pml"
byte items[CELLS], counters[CELLS]; /* a cell is both */
byte front, rear;

inline forget()
{
	f = 0;
	r = 0;
	item = 0;
	counter = 0
}

inline move(number, from)
{
	if
	:: number == from -> number = from + 1
	:: else
	fi;
	forget()
}


/* Change a cell if it is what it was; else begin again. */
inline change(place, to)
{
	if
	:: items[place] == item && counters[place] == counter ->
		items[place] = to;
		counters[place] = counter + 1;
		item = 0;
		counter = 0
	:: else -> forget(); goto again
	fi
}

active [PRODUCERS] proctype producer() provided (RUNS)
{
	byte f, r, item, counter;
again:	r = rear;
	f = front;
	d_step { item = items[r % CELLS]; counter = counters[r % CELLS] }
	atomic {
		if
		:: r != rear -> forget(); goto again
		:: r == rear && r == f + CELLS -> forget(); goto over
		:: else -> f = 0; if :: item -> item = 1; counter = 0 :: else fi
		fi
	}
	if
	:: atomic { item -> move(rear, r); goto again }
	:: atomic { !item -> change(r % CELLS, _pid + 1) }
	fi;
	d_step { move(rear, r) }
over:	finish()
}

active [THREADS - PRODUCERS] proctype consumer() provided (RUNS)
{
	byte f, r, item, counter;
again:	f = front;
	r = rear;
	d_step { item = items[f % CELLS]; counter = counters[f % CELLS] }
	atomic {
		if
		:: f != front -> forget(); goto again
		:: f == front && f == r -> forget(); goto over
		:: else -> r = 0; if :: !item -> counter = 0 :: else fi
		fi
	}
	if
	:: atomic { item -> change(f % CELLS, 0) }
	:: atomic { !item -> move(front, f); goto again }
	fi;
	d_step { move(front, f) }
over:	finish()
}
#include "creator.pml"
