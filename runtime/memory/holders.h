/* SPDX-License-Identifier: MIT
 *
 * Sets K of holders (records.h), as sorted arrays, and what operations do to one.
 */
#ifndef BITSPIN_HOLDERS_H
#define BITSPIN_HOLDERS_H

#include "records.h"

enum holder_class { HOLDER_THREAD, HOLDER_FENCE, HOLDER_PENDING, HOLDER_PLACE };

/* Return the holder of a class that a thread is; or the one that is a location. */
uint64_t vm_holder(enum holder_class class, unsigned slot);
uint64_t vm_place_holder(uint32_t object, uint32_t offset);

/* Return where the holder `wanted` is in a set, or would be; whether it is there. */
uint32_t vm_holders_find(const struct vm_holders *set, uint64_t wanted);
bool vm_holders_has(const struct vm_holders *set, uint64_t wanted);

/* Put a holder in, or take it out; vm_this.records is dirty if that changes the set. */
void vm_holders_add(struct vm_holders *set, uint64_t new);
void vm_holders_take_out(struct vm_holders *set, uint64_t old);

/* Return <0, 0 or >0, as for qsort(): sets in some order; and whether a set is part of another. */
int vm_holders_compare(const struct vm_holders *a, const struct vm_holders *b);
bool vm_holders_subset(const struct vm_holders *small, const struct vm_holders *large);

/* Apply an operation that is no access, by the rules of records.h. */
void vm_holders_change(struct vm_holders *set, const struct vm_order_op *op);

/* Let the thread of each slot be in slot to[slot].  vm_object_moved: return the number that an object then has, as the objects of a
 * thread's own are numbered by its slot. */
void vm_holders_move(struct vm_holders *set, const uint8_t *to);
uint32_t vm_object_moved(uint32_t object, const uint8_t *to);

#endif
