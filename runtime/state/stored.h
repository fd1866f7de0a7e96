/* SPDX-License-Identifier: MIT
 *
 * Objects in stored states, which are looked at without loading the states.
 */
#ifndef BITSPIN_STORED_H
#define BITSPIN_STORED_H

#include "state.h"

/* Find the object with a number: set *word to the word of the state that has its map, and *index to the index there.  Return false
 * if it is at no place where objects change. */
bool vm_object_locate(uint32_t number, const uint32_t *words, uint32_t *word, uint32_t *index);

/* Return the ref of an object, 0 if it is not there.  vm_object_read: copy its bytes [low, high).  vm_object_has: compare them. */
vm_ref vm_object_stored(const uint32_t *words, uint32_t word, uint32_t index);
void vm_object_read(vm_ref ref, uint32_t low, uint32_t high, uint8_t *to);
bool vm_object_has(vm_ref ref, uint32_t low, uint32_t high, const uint8_t *bytes);

/* Copy the bytes of a range.  Return false if they are not there, or at no place where objects change. */
bool vm_object_copy(const uint32_t *words, const struct vm_range *range, uint8_t *to);

#endif
