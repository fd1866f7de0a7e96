/* SPDX-License-Identifier: MIT
 *
 * Endless waiting: threads that go round in loops until somebody writes what they read, and nobody will.
 */
#ifndef BITSPIN_HANGS_H
#define BITSPIN_HANGS_H

#include "superstep.h"

/* Are endless waits looked for? */
bool vm_hangs_wanted(void);

/* Is every thread that has not ended blocked, or goes round for ever without a change that another one could notice, and does one
 * that matters wait so?  The working state is forgotten. */
bool vm_hangs(vm_ref state);

/* A step of the thread has led from the one state to the other: may vm_hangs() be true of the second?  A quick look, for searches
 * without runs.  All steps from a state that hangs pass it, or some in each round of each loop. */
bool vm_may_hang(vm_ref before, vm_ref after, unsigned slot);

/* The same for all runs of a state. */
bool vm_runs_may_hang(const struct expansion *expansion);

/* A step of the thread, which holds the mutex, has led from the one state to the other: does it go round for ever from there, and
 * keep it? */
bool vm_hang_holds(vm_ref before, vm_ref after, unsigned slot, const struct vm_range *mutex);

/* What the thread waits for in the state that vm_hangs() has last been true of; NULL: it goes round for nothing, or it is blocked.
 * And where it waits. */
const char *vm_hang_waits(unsigned slot);
uint32_t vm_hang_location(unsigned slot);

/* The table has been renewed: refs mean other states. */
void vm_hangs_forget(void);

/* The state of the search's path has been come to again. */
void vm_goes_round(vm_ref state);

#endif
