/* SPDX-License-Identifier: MIT
 *
 * Endless waiting: threads that go round in loops until somebody writes what they read, and nobody will.
 */
#ifndef BITSPIN_HANGS_H
#define BITSPIN_HANGS_H

#include "alone.h"
#include "../reduce/superstep.h"

/* Are endless waits looked for? */
bool vm_hangs_wanted(void);

/* Is each thread that has not ended blocked in `state`, or does it go round for ever without a change that another thread could
 * notice, and does a thread that matters wait so?  Or are all threads blocked, whatever handlers of timers' signals do (ticks.h)?
 * Forget the working state. */
bool vm_hangs(vm_ref state);

/* May vm_hangs() be true of the state `after`, to which a step of the thread in `slot` has led from `before`?  A quick look, for
 * searches without runs.  It says yes of all steps from a state that hangs, or of some in each round of each loop. */
bool vm_may_hang(vm_ref before, vm_ref after, unsigned slot);

/* Does the step of the thread in `slot` from `before` to `after` show that the thread is not stuck in `before`, so that this state
 * does not hang? */
bool vm_hang_is_left(vm_ref before, vm_ref after, unsigned slot, const struct footprint *step);

/* May vm_hangs() be true of a state to which the runs of an expansion lead? */
bool vm_runs_may_hang(const struct expansion *expansion);

/* Does the thread in `slot`, whose step has led from `before` to `after`, go round for ever from there and keep `mutex`, which it
 * holds? */
bool vm_hang_holds(vm_ref before, vm_ref after, unsigned slot, const struct vm_range *mutex);

/* Return where the first thread waits in a loop, in the state that vm_hangs() has last been true of; 0: none does. */
uint32_t vm_hang_location(void);

/* hang_words.c: put into words what each thread waits for in `state`: the program's own, where vm_hangs() was asked about the state
 * that the search has in its place. */
void vm_hang_tell(vm_ref state);

/* Return what the thread in `slot` waits for; NULL if it goes round for nothing, or was blocked before.  vm_hang_thread: return the
 * slot of the first thread that waits in a loop. */
const char *vm_hang_waits(unsigned slot);
unsigned vm_hang_thread(void);

/* hang_words.c: is a range of a footprint memory?  Does the thread, in a loop that it does not leave, read what others may write,
 * and where?  The working state is another one after that. */
bool vm_hang_is_memory(const struct vm_range *range);
bool vm_hang_awaits(const struct vm_alone *alone, uint32_t *location);

/* Note (state/met.h) where a run of the thread in `slot`, which leads from `before` to `next`, closes a circle of states in which
 * something changes: vm_hangs() does not find what goes on for ever there.  `changes`: the run does. */
void vm_goes_round(vm_ref before, vm_ref next, unsigned slot, bool changes);

/* Forget what is known of states, because the table has been renewed and refs mean other states. */
void vm_hangs_forget(void);

#endif
