/* SPDX-License-Identifier: MIT
 *
 * readers.c by hand.
 */
#include "threads.pml"
bool locked, writing;
byte readers;
byte asleep; /* one bit a thread: waits on the condition variable */
#define WRITES (_pid < WRITERS)

/* The mutex has just been locked. */
inline look()
{
	stay = writing || (WRITES && readers > 0);
	if
	:: !stay && WRITES -> writing = true
	:: !stay && !WRITES -> readers++
	:: else
	fi
}

active [N] proctype thread() provided (RUNS)
{
	bool stay;
	atomic { !locked -> locked = true; look() }
	do
	:: atomic { stay -> locked = false; asleep = asleep | BIT; stay = false }
		atomic { !(asleep & BIT) && !locked -> locked = true; look() }
	:: atomic { !stay -> locked = false } break
	od;
	atomic {
		!locked -> locked = true;
		if
		:: WRITES -> writing = false
		:: else -> readers--
		fi
	}
	asleep = 0;
	locked = false;
	finish()
}
#include "creator.pml"
