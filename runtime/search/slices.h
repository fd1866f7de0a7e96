/* SPDX-License-Identifier: MIT
 *
 * The replay of a path that was found under slicing (translator/relevance.c).  States of the search hold 0 where nothing that is
 * checked depends on the value.  A replay has two states: the *sliced* one, from which the lengths of super-steps follow, and the
 * *whole* one, which is the program's.  Both take the same steps.  pan knows of the whole one; it is what is told.
 */
#ifndef BITSPIN_SLICES_H
#define BITSPIN_SLICES_H

#include "search.h"

/* Does a replay have two states? */
static inline bool vm_has_slices(void)
{
	return vm_this.slicing;
}

/* The sliced state that goes with a whole one of this replay. */
vm_ref vm_slice_of(vm_ref whole);

/* What follows is about sliced states, such as the lengths of super-steps, or about whole ones, until that changes.  Without
 * slicing, nothing. */
void vm_slice_set(bool on);

/* A step of the program as it is, if in the sliced state `rounds` rounds of a bounded wait came after it (vm_spin_rounds): they are
 * taken one by one, as more than their number may change (spins.h).  0: it has not come to rest. */
vm_ref vm_slice_whole(vm_ref whole, unsigned slot, uint32_t choice, uint32_t rounds);

/* A step in both, told as that of the whole one; `sliced` is followed.  0: it has not come to rest. */
vm_ref vm_slice_single(vm_ref *sliced, vm_ref whole, unsigned slot, uint32_t choice);

/* The replay has come to these two. */
void vm_slice_note(vm_ref whole, vm_ref sliced);

#endif
