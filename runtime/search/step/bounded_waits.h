/* SPDX-License-Identifier: MIT
 *
 * Bounded waits: loops that try something, and give up after so many rounds.
 */
#ifndef BITSPIN_BOUNDED_WAITS_H
#define BITSPIN_BOUNDED_WAITS_H

#include "../base/search.h"

#define MOST_ROUNDS 2000u /* of a wait that one step takes one by one */

/* How many rounds of waits the last step has joined to its first one. */
extern uint64_t vm_spin_rounds;

/* Has the thread in `slot`, in its step from `before` to `after`, only counted a round of a wait, so that the step may go on? */
bool vm_spins(vm_ref before, vm_ref after, unsigned slot);

/* A chain of such steps: it begins in this state, and has come to a state after vm_spin_rounds rounds.  What then? */
enum vm_spin { SPIN_ON, SPIN_AHEAD, SPIN_ENDLESS }; /* the next round; vm_spin_ahead(); no round will ever be another */
void vm_spin_begin(vm_ref state, unsigned slot);
enum vm_spin vm_spin_look(vm_ref state, unsigned slot);
/* Let the counters of the thread, in the working state, be what they are after all rounds that are sure to be like the last ones,
 * and count these rounds. */
void vm_spin_ahead(unsigned slot);

/* Has the thread in `slot`, in its step from `before` to `after`, changed something without leaving the loop, so that the loop is
 * no wait? */
bool vm_spin_is_none(vm_ref before, vm_ref after, unsigned slot);

#endif
