/* SPDX-License-Identifier: MIT
 *
 * examples/indexer.c by hand: THREADS threads put four values each into a table of 128 slots, one lock a slot.
 *
 *     spin -DTHREADS=3 -a indexer.pml
 */
#ifndef THREADS
#define THREADS 3
#endif

#define SLOTS 128
#define VALUES 4

byte table[SLOTS];
bool locked[SLOTS];
byte ended, stored;

proctype thread(byte tid)
{
	byte m = 1, h = 7 * (11 + tid) % SLOTS;
	bool stuck;
	do
	:: m <= VALUES ->
		atomic {
			!locked[h] -> locked[h] = true;
			if
			:: table[h] == 0 -> table[h] = 11 * m + tid
			:: else -> stuck = true
			fi
		}
		d_step {
			locked[h] = false;
			if
			:: stuck -> stuck = false; h = (h + 1) % SLOTS
			:: else -> stored++; m++; h = 7 * (11 * m + tid) % SLOTS
			fi
		}
	:: m > VALUES -> break
	od;
	ended++
}

init {
	byte i;
	do
	:: i < THREADS -> atomic { run thread(i); i++ }
	:: i == THREADS -> break
	od;
	ended == THREADS;
	assert(stored == VALUES * THREADS)
}
