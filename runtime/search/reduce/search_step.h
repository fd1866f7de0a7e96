/* SPDX-License-Identifier: MIT
 *
 * What a search asks of a state, and its steps.
 */
#ifndef BITSPIN_SEARCH_STEP_H
#define BITSPIN_SEARCH_STEP_H

#include "../base/search.h"

/* Can no thread go on in a state, except by a spurious wake-up? */
bool vm_nothing_enabled(vm_ref state);

/* Return the handle of the state after a step of the thread in `slot`, which has just been taken and has led to `next`, 0:
 * it has not come to rest.  `hangs`: `next` hangs, and vm_hang_tell() has found the words for it.  Report a violation. */
int vm_step_ends(unsigned slot, vm_ref next, bool hangs);

/* A violation that a step ends in. */
struct vm_found {
	bool violates;
	uint32_t kind, location;
	const char *message; /* until the next violation; NULL: there is none */
};

/* A function that takes one step of a thread, as vm_single() does. */
typedef vm_ref vm_single_step(vm_ref state, unsigned slot, uint32_t choice);

/* Do what vm_step() does in a search; take each step by `single`, if that is not NULL. */
int vm_step_by(int state, int thread, int choice, vm_single_step *single);

/* Tell `found` of violations instead of reporting them; NULL: report them. */
void vm_tell_quietly(struct vm_found *found);

#endif
