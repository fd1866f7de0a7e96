/* SPDX-License-Identifier: MIT
 *
 * A crew: several processes, each with a pan of its own, search the same states, depth first, in one table and with one set of
 * visited states (lookahead.h).  Who has nothing left to do asks, and one of the others gives away a step that he would have
 * taken later.  Then the next step of the first one's pan leads to where that step leads: a jump, which its trail has the whole
 * path for.
 *
 * For pans compiled with -DVM_CREW; BITSPIN_CORES says how many processes there are.  See several.h for what else they need.
 */
#ifndef BITSPIN_CREW_H
#define BITSPIN_CREW_H

#include "path.h"

/* Before pan's main: make the processes. */
void vm_crew_open(void);
bool vm_crew(void);
bool vm_crew_is_first(void); /* is this the process that all others come from? */

/* A step that is given away: how to come to the state where it is taken, and where it leads (0: not known).  If that is known, it
 * counts as visited already. */
struct vm_gift {
	vm_ref state, next;
	uint32_t count;
	const struct vm_link *steps; /* from the first state on; the last is the one that is given */
};

/* Does somebody have nothing to do?  Then this process may give him a step, between begin and end: true if nobody else does so. */
bool vm_crew_wants(void);
bool vm_crew_is_eager(void); /* steps are given away all the time, from the middle of the path */
bool vm_crew_begin(void);
void vm_crew_end(void);

/* Give it away, and end. */
bool vm_crew_has_room(uint64_t steps);
void vm_crew_give(const struct vm_gift *gift);

/* Wait for a step, which is there until the next one is; NULL: nobody has any left. */
const struct vm_gift *vm_crew_wait(void);

/* The search ends early for all; has it? */
void vm_crew_call_off(void);
bool vm_crew_is_off(void);

/* This process ends; the first one waits for the others. */
void vm_crew_leave(void);

#endif
