/* SPDX-License-Identifier: MIT
 *
 * Bounded waits: loops that try something, and give up after so many rounds.
 */
#ifndef BITSPIN_SPINS_H
#define BITSPIN_SPINS_H

#include "search.h"

#define MOST_ROUNDS 100000u /* of a wait that one step may take */

/* How many rounds of waits the last step has joined to its first one. */
extern uint32_t vm_spin_rounds;

/* Has the thread in `slot`, in its step from `before` to `after`, only counted a round of a wait, so that the step may go on? */
bool vm_spins(vm_ref before, vm_ref after, unsigned slot);

/* Has the thread in `slot`, in its step from `before` to `after`, changed something without leaving the loop, so that the loop is
 * no wait? */
bool vm_spin_is_none(vm_ref before, vm_ref after, unsigned slot);

#endif
