/* SPDX-License-Identifier: MIT
 *
 * The replay of a path that was found under slicing (translator/analyse/relevance.c).  States of the search hold 0 where nothing
 * that is checked depends on the value.  A replay has two states: the *sliced* one, from which the lengths of super-steps follow,
 * and the *whole* one, which is the program's.  Both take the same steps.  pan knows of the whole one; it is what is told.
 */
#ifndef BITSPIN_WHOLE_STATES_H
#define BITSPIN_WHOLE_STATES_H

#include "../base/search.h"

/* Does a replay have two states? */
static inline bool vm_has_slices(void)
{
	return vm_this.slicing;
}

/* Return the sliced state that goes with a whole state of this replay. */
vm_ref vm_slice_of(vm_ref whole);

/* Switch to sliced states, as for the lengths of super-steps, or back to whole ones.  Without slicing, do nothing. */
void vm_slice_set(bool on);

/* Take a step in a whole state, and then `rounds` rounds of a bounded wait, as many as came after the step in the sliced state
 * (vm_spin_rounds).  If they are few, they are taken one by one, because more than their number may change (bounded_waits.h).
 * Return the state after them; 0 if they do not come to rest. */
vm_ref vm_slice_whole(vm_ref whole, unsigned slot, uint32_t choice, uint64_t rounds);

/* Take a step in both states, tell it as that of the whole one, and set *sliced to the sliced state after it.  Return the whole
 * state after it; 0 if the step does not come to rest. */
vm_ref vm_slice_single(vm_ref *sliced, vm_ref whole, unsigned slot, uint32_t choice);

/* Note that the replay has come to these two states. */
void vm_slice_note(vm_ref whole, vm_ref sliced);

#endif
