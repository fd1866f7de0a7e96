/* SPDX-License-Identifier: MIT
 *
 * philosophers.c by hand.
 */
#include "threads.pml"
#ifndef ROUNDS
#define ROUNDS 1
#endif
bool forks[N];
#define FIRST  (_pid == N - 1 -> 0 : _pid)
#define SECOND (_pid == N - 1 -> N - 1 : _pid + 1)

active [N] proctype thread() provided (RUNS)
{
	byte round;
again:	atomic { !forks[FIRST] -> forks[FIRST] = true }
	d_step { !forks[SECOND] -> forks[SECOND] = true }
	forks[SECOND] = false;
	atomic {
		forks[FIRST] = false;
		round++;
		if
		:: round < ROUNDS -> goto again
		:: else -> round = 0
		fi
	}
	finish()
}
#include "creator.pml"
