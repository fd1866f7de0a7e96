/* SPDX-License-Identifier: MIT
 *
 * ticket.c by hand.
 */
#include "threads.pml"
#ifndef ROUNDS
#define ROUNDS 1
#endif
byte next, serving, visits;

active [N] proctype thread() provided (RUNS)
{
	byte round, ticket;
again:	atomic { ticket = next; next++ }
	do
	:: d_step { serving == ticket -> ticket = 0; visits++ } break
	:: serving != ticket
	od;
	atomic {
		serving++;
		round++;
		if
		:: round < ROUNDS -> goto again
		:: else -> round = 0
		fi
	}
	finish()
}
#include "creator.pml"
