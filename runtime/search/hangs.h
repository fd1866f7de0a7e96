/* SPDX-License-Identifier: MIT
 *
 * Endless waiting: threads that go round in loops until somebody writes what they read, and nobody will.
 */
#ifndef BITSPIN_HANGS_H
#define BITSPIN_HANGS_H

#include "superstep.h"

/* Are endless waits looked for? */
bool vm_hangs_wanted(void);

/* Is each thread that has not ended blocked in `state`, or does it go round for ever without a change that another thread could
 * notice, and does a thread that matters wait so?  Forget the working state. */
bool vm_hangs(vm_ref state);

/* May vm_hangs() be true of the state `after`, to which a step of the thread in `slot` has led from `before`?  A quick look, for
 * searches without runs.  It says yes of all steps from a state that hangs, or of some in each round of each loop. */
bool vm_may_hang(vm_ref before, vm_ref after, unsigned slot);

/* May vm_hangs() be true of a state to which the runs of an expansion lead? */
bool vm_runs_may_hang(const struct expansion *expansion);

/* Does the thread in `slot`, whose step has led from `before` to `after`, go round for ever from there and keep `mutex`, which it
 * holds? */
bool vm_hang_holds(vm_ref before, vm_ref after, unsigned slot, const struct vm_range *mutex);

/* Return what the thread in `slot` waits for in the state of which vm_hangs() was true last; NULL if it goes round for nothing, or
 * is blocked.  vm_hang_location: return where it waits. */
const char *vm_hang_waits(unsigned slot);
uint32_t vm_hang_location(unsigned slot);

/* Forget what is known of states, because the table has been renewed and refs mean other states. */
void vm_hangs_forget(void);

/* Note that the search has come again to a state of its path. */
void vm_goes_round(vm_ref state);

#endif
