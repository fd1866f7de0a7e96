/* SPDX-License-Identifier: MIT
 *
 * Histories: what is recorded of earlier accesses (memory/records.h) is kept beside the states and not in them (vm_this.apart).
 */
#ifndef BITSPIN_HISTORIES_H
#define BITSPIN_HISTORIES_H

#include "../base/search.h"

/* A move of the search: an option of a thread. */
struct vm_move {
	vm_ref from;
	uint32_t length; /* steps */
	uint8_t slot, option, choice;
};

/* Take the steps of a move once more, and note what they do to records.  `known`: where it leads,
 * 0 if that is not known; if it is, the states between are not stored.  Return the state after the steps; 0 if the last does not
 * come to rest, and then vm_this.ending tells how it has ended. */
vm_ref vm_histories_take(const struct vm_move *move, vm_ref known);

/* Add the move that was taken last, which has led to `to`; 0: it has not come to rest.  Return true if it, or a move that
 * was added before, races with an access that is recorded now.  Then vm_this.ending tells of the race. */
bool vm_histories_add(const struct vm_move *move, vm_ref to);

/* Return the moves from the first state to the race that was found, `count` of them; NULL: none was found. */
const struct vm_move *vm_histories_path(uint32_t *count);

#endif
