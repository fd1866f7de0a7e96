/* SPDX-License-Identifier: MIT
 *
 * Sets of bytes of global variables.  Equal sets have equal numbers, so that what was made of two sets is remembered by their
 * numbers.
 */
#ifndef BITSPIN_BYTE_SETS_H
#define BITSPIN_BYTE_SETS_H

#include <stdint.h>

typedef uint32_t byte_set;
enum { NO_BYTES = 1 }; /* the empty set; no set has the number 0 */

/* bytes [low, high), by their places among all bytes of global variables (global_bytes.h) */
struct bytes {
	uint32_t low, high;
};

/* Return the set of all bytes that the ranges have; they are sorted on the way. */
byte_set vm_bytes_set(struct bytes *ranges, uint32_t count);

byte_set vm_bytes_unite(byte_set a, byte_set b);

/* Return what `a` has and `b` has not. */
byte_set vm_bytes_minus(byte_set a, byte_set b);

/* Return the ranges of a set, sorted and apart from each other, until the next set is made. */
const struct bytes *vm_bytes_of(byte_set set, uint32_t *count);

/* Forget all sets. */
void vm_bytes_forget(void);

#endif
