/* SPDX-License-Identifier: MIT
 *
 * Bounded waits: loops that try something, and give up after so many rounds.
 */
#ifndef BITSPIN_BOUNDED_WAITS_H
#define BITSPIN_BOUNDED_WAITS_H

#include "../base/search.h"

#define VM_MOST_ROUNDS 2000u /* of a wait that one step takes one by one */

/* How many rounds of waits the last step has joined to its first one.  Where the last round does not come to rest, it counts. */
extern uint64_t vm_spin_rounds;

/* Do what vm_single() does, but take all rounds of a bounded wait as one step if that reduction is on: the step that the layers
 * start from, for those who need it without caches. */
vm_ref vm_joined(vm_ref state, unsigned slot, uint32_t choice);

#endif
