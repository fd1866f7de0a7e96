/* SPDX-License-Identifier: MIT
 *
 * Keys of states: 128 bits that depend on all that a state holds, and on nothing else.  Refs are no part of them, so a state
 * that is stored again when the table has forgotten it has the key that it had.
 */
#ifndef BITSPIN_KEY_H
#define BITSPIN_KEY_H

#include "table.h"

enum { KEY_WORDS = 4 };

struct vm_key {
	uint32_t words[KEY_WORDS];
};

/* Return the key of a stored state that is not transient. */
struct vm_key vm_key_of(vm_ref state);

/* Return the key of a stored state, which may be transient, without the global that has this index in the map of globals. */
struct vm_key vm_key_without(vm_ref state, uint32_t index);

/* Forget keys that were computed, because the table has been renewed and refs mean other states. */
void vm_keys_forget(void);

#endif
