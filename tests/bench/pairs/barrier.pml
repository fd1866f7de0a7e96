/* SPDX-License-Identifier: MIT
 *
 * examples/barrier.c by hand, for one step: main is one of the N threads, with number 0.
 */
#define N THREADS
#include "threads.pml"
bool locked;
byte count, phase;
short asleep; /* one bit a thread: waits on the condition variable */

/* One phase, up to the point where the mutex is held and nothing but to unlock it is left: `mine` is its number, `whole` what
 * count is when the last one has come, `change` what each adds to it. */
inline meet(mine, whole, change)
{
	atomic {
		!locked -> locked = true;
		count = count + change;
		if
		:: count == whole -> phase = 1 - mine; last = true
		:: else -> stay = phase == mine
		fi
	}
	do
	:: atomic { last -> asleep = 0; last = false }
	:: atomic { stay -> locked = false; asleep = asleep | BIT; stay = false }
		atomic { !(asleep & BIT) && !locked -> locked = true; stay = phase == mine }
	:: atomic { !last && !stay -> locked = false } break
	od
}

inline work()
{
	meet(0, N, 1);
	meet(1, 0, -1)
}

/* pids from 0 on: main comes first */
active proctype main_thread()
{
	bool last, stay;
create:	atomic {
		started++;
		if
		:: started < N - 1 -> goto create
		:: else
		fi
	}
	work();
join:	atomic {
		ended & (2 << joined) -> joined++;
		if
		:: joined < N - 1 -> goto join
		:: else -> assert(count == 0 && phase == 0)
		fi
	}
	joined = N;
end:	false
}

active [N - 1] proctype thread() provided (started >= _pid)
{
	bool last, stay;
	work();
	finish()
}
