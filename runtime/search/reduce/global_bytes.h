/* SPDX-License-Identifier: MIT
 *
 * The bytes of all global variables in a state, one after the other, each variable at a multiple of 8.
 */
#ifndef BITSPIN_GLOBAL_BYTES_H
#define BITSPIN_GLOBAL_BYTES_H

#include "../../memory/footprint.h"
#include "byte_sets.h"

struct global_bytes {
	const uint8_t *bytes;
	uint32_t size;
	const uint64_t *headers; /* of each variable: what is beside its bytes */
	uint32_t count;          /* variables */
	bool whole;              /* all bits are initialized, and the bytes were found */
};

/* Return the bytes in `state`, which must be no transient one, until the next call with the same `which`, 0 or 1. */
const struct global_bytes *vm_global_bytes(vm_ref state, unsigned which);

/* Put into *bytes the place of a range of memory; false if it is not in a global variable that is kept in states. */
bool vm_global_range(const struct vm_range *range, struct bytes *bytes);

/* Are there few enough bytes for this to be worthwhile? */
bool vm_global_bytes_are_few(void);

/* Forget what is known of parts of states, because the table has been renewed. */
void vm_global_bytes_forget(void);

#endif
