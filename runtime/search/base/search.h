/* SPDX-License-Identifier: MIT
 *
 * Handles: states as a model of pan has them.
 */
#ifndef BITSPIN_SEARCH_H
#define BITSPIN_SEARCH_H

#include "../../interpreter/interpreter.h"

/* Convert a handle to a state, and back.  A handle is a state's ref, combined with the initial state's ref by exclusive or, so that
 * 0 is the initial state. */
static inline vm_ref vm_ref_of(int handle)
{
	return (vm_ref)handle ^ vm_this.initial;
}

static inline int vm_handle_of(vm_ref state)
{
	return (int)(state ^ vm_this.initial);
}

/* Can the thread in a slot go on in a state? */
static inline bool vm_can_go_on(vm_ref state, unsigned slot)
{
	const uint32_t *words = vm_state_words(state);
	return slot < words[1] && vm_state_outcomes(words)[slot];
}

#endif
