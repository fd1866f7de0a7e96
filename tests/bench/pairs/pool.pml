/* SPDX-License-Identifier: MIT
 *
 * examples/pool.c by hand.
 */
#define N WORKERS
#include "threads.pml"
bool locked, stopping;
byte queued, done;
byte asleep; /* one bit a worker: waits on the condition variable */
mtype { WAITS, WORKS, GOES }

/* The mutex has just been locked. */
inline look()
{
	if
	:: queued == 0 && !stopping -> next = WAITS
	:: queued == 0 && stopping -> next = GOES
	:: else -> queued--; next = WORKS
	fi
}

active [N] proctype worker() provided (RUNS)
{
	mtype next;
	atomic { !locked -> locked = true; look() }
	do
	:: atomic { next == WAITS -> locked = false; asleep = asleep | BIT; next = 0 }
		atomic { !(asleep & BIT) && !locked -> locked = true; look() }
	:: atomic { next == WORKS -> locked = false; next = 0 }
		atomic { !locked -> locked = true; done++; look() }
	:: atomic { next == GOES -> locked = false; next = 0 } break
	od;
	finish()
}

active proctype main_thread()
{
create:	atomic {
		started++;
		if
		:: started < N -> goto create
		:: else
		fi
	}
	atomic { !locked -> locked = true; queued++ }
	if /* signal: any one that sleeps */
	:: asleep == 0
	:: d_step { asleep & 1 -> asleep = asleep & 254 }
	:: d_step { asleep & 2 -> asleep = asleep & 253 }
	:: d_step { asleep & 4 -> asleep = asleep & 251 }
	:: d_step { asleep & 8 -> asleep = asleep & 247 }
	:: d_step { asleep & 16 -> asleep = asleep & 239 }
	:: d_step { asleep & 32 -> asleep = asleep & 223 }
	:: d_step { asleep & 64 -> asleep = asleep & 191 }
	:: d_step { asleep & 128 -> asleep = asleep & 127 }
	fi;
	locked = false;
	atomic { !locked -> locked = true; stopping = true }
	asleep = 0;
	locked = false;
join:	atomic {
		ended & (1 << joined) -> joined++;
		if
		:: joined < N -> goto join
		:: else -> assert(queued == 0 && done == 1)
		fi
	}
	joined = N + 1;
end:	false
}
