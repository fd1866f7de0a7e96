/* SPDX-License-Identifier: MIT
 *
 * A crew: several processes, each with a pan of its own, search the same states, depth first, in one table and with one set of
 * visited states (lookahead.h).  A process that has nothing left to do asks, and another one gives away a step that it would have
 * taken later.  Then the next step of the asking process's pan leads to where that step leads: a *jump*, for which its trail has
 * the whole path.
 *
 * For pans compiled with -DVM_CREW; BITSPIN_CORES says how many processes there are.  See several.h for what else they need.
 */
#ifndef BITSPIN_CREW_H
#define BITSPIN_CREW_H

#include "../../state/table.h"

#include <stdbool.h>

/* Make the processes, before pan's main.  vm_crew: is there a crew?  vm_crew_is_first: is this the process that has made the
 * others? */
void vm_crew_open(void);
bool vm_crew(void);
bool vm_crew_is_first(void);

/* a step of a thread, by an option of the model */
struct vm_link {
	uint8_t slot, option;
};

/* A step that is given away: the path to the state in which it is taken, and the state `next` to which it leads (0: not known),
 * which counts as visited already. */
struct vm_gift {
	vm_ref state, next;
	uint32_t count;
	const struct vm_link *steps; /* from the first state on; the last one is the step that is given */
};

/* Has some process nothing to do?  Then this process may give a step to it, between vm_crew_begin(), which returns false if another
 * process is giving one, and vm_crew_end().  vm_crew_is_eager: are steps given away all the time, from the middle of the path? */
bool vm_crew_wants(void);
bool vm_crew_is_eager(void);
bool vm_crew_begin(void);
void vm_crew_end(void);

/* Is there room for a path of so many steps?  Give a step away. */
bool vm_crew_has_room(uint64_t steps);
void vm_crew_give(const struct vm_gift *gift);

/* Wait for a step and return it; it stays until the next call.  NULL: no process has any left. */
const struct vm_gift *vm_crew_wait(void);

/* End the search early for all processes.  vm_crew_heed_others: end this process if another one has done that. */
void vm_crew_call_off(void);
void vm_crew_heed_others(void);

/* Leave the crew at the end of this process; the first process waits for the others. */
void vm_crew_leave(void);

#endif
