/* SPDX-License-Identifier: MIT
 *
 * The successors of a state: which of its runs (superstep.h) pan is offered, and where these lead.
 */
#ifndef BITSPIN_SUCCESSORS_H
#define BITSPIN_SUCCESSORS_H

#include "superstep.h"

/* How a run is made. */
enum vm_way { VM_AS_RUN, VM_AS_TRANSACTION, VM_AS_SECTIONS };

/* Return the way that an option of pan's asks for (bitspin_vm.h). */
static inline enum vm_way vm_way_of(uint32_t option)
{
	return option == VM_TRANSACTION ? VM_AS_TRANSACTION : option == VM_SECTIONS ? VM_AS_SECTIONS : VM_AS_RUN;
}

/* Return how many steps make up the super-step of thread `slot` in `state` with outcome `choice` of the first step, and set *end to
 * the state after them, 0 if the last step does not come to rest, as at a violation. */
unsigned vm_successor(vm_ref state, unsigned slot, uint32_t choice, enum vm_way way, vm_ref *end);

/* Return how many steps an option of the model stands for that the state offers the thread; 1 without super-steps. */
unsigned vm_successor_length(vm_ref state, unsigned slot, uint32_t option);

/* Must the steps of this thread, which is enabled, be looked at in `state`, as a transaction or not?  The answer for a state is
 * always the same. */
bool vm_offers(vm_ref state, unsigned slot, enum vm_way way);

/* May what follows the state, whose runs have just been made, hang (hangs.h)? */
bool vm_successors_are_quiet(vm_ref state);

/* Is something written or locked on the way to where the model's option leads?  False without super-steps. */
bool vm_successor_changes(vm_ref state, unsigned slot, uint32_t option);

/* Forget the runs of all states, because the table has been renewed. */
void vm_successors_forget(void);

/* Return the state to which an option leads, if that is known without taking the option and some thread can go on then; else 0. */
vm_ref vm_successor_end(vm_ref state, unsigned slot, uint32_t option);

#endif
