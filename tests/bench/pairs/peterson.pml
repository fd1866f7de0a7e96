/* SPDX-License-Identifier: MIT
 *
 * peterson.c by hand.
 */
#include "threads.pml"
#ifndef ROUNDS
#define ROUNDS 1
#endif
byte level[N], last[N], inside;

/* The next thread to look at, or the next level, or in. */
inline go_on()
{
	k++;
	if
	:: k == _pid -> k++
	:: else
	fi;
	if
	:: k < N -> goto look
	:: k >= N && l + 1 < N -> k = 0; l++; goto climb
	:: else -> k = 0; l = 0; goto in
	fi
}

active [N] proctype thread() provided (RUNS)
{
	byte round, l = 1, k;
climb:	level[_pid] = l;
	d_step {
		last[l] = _pid;
		k = (_pid == 0 -> 1 : 0)
	}
look:	atomic {
		if
		:: level[k] >= l
		:: else -> go_on()
		fi
	}
	atomic {
		if
		:: last[l] == _pid -> goto look
		:: else -> go_on()
		fi
	}
in:	atomic { inside++; assert(inside == 1) }
	inside--;
	atomic {
		level[_pid] = 0;
		round++;
		if
		:: round < ROUNDS -> l = 1; goto climb
		:: else -> round = 0
		fi
	}
	finish()
}
#include "creator.pml"
