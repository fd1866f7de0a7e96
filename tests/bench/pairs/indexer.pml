/* SPDX-License-Identifier: MIT
 *
 * examples/indexer.c by hand.
 */
#define N THREADS
#include "threads.pml"
#define SLOTS  128
#define VALUES 4
byte table[SLOTS];
bool locked[SLOTS];
byte stored;

active [N] proctype thread() provided (RUNS)
{
	byte m = 1, h = 7 * (11 + _pid) % SLOTS;
	bool stuck;
put:	atomic {
		!locked[h] -> locked[h] = true;
		if
		:: table[h] == 0 -> table[h] = 11 * m + _pid; stored++
		:: else -> stuck = true
		fi
	}
	atomic {
		locked[h] = false;
		if
		:: stuck -> stuck = false; h = (h + 1) % SLOTS; goto put
		:: else -> m++
		fi;
		h = 7 * (11 * m + _pid) % SLOTS;
		if
		:: m <= VALUES -> goto put
		:: else -> m = 0; h = 0
		fi
	}
	finish()
}
#include "creator.pml"
