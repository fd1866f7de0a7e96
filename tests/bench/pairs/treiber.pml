/* SPDX-License-Identifier: MIT
 *
 * treiber.c by hand.
 */
#include "threads.pml"
byte top, next[N + 1];
#define NODE (_pid + 1)

active [N] proctype thread() provided (RUNS)
{
	byte old, after;
	old = top;
push:	next[NODE] = old;
	atomic {
		if
		:: top == old -> top = NODE; old = 0
		:: else -> old = top; goto push
		fi
	}
	old = top;
pop:	after = next[old];
	atomic {
		if
		:: top == old -> assert(old != 0); top = after; old = 0; after = 0
		:: else -> old = top; after = 0; goto pop
		fi
	}
	finish()
}
#include "creator.pml"
