/* SPDX-License-Identifier: MIT
 *
 * The stores to each atomic location in modification order, while a trail is replayed, so that a report can say which store an
 * access has met and which are newer.  A search remembers nothing.  Stores have the numbers that causes.c gives them, from 1 on;
 * number 0 is what was there before.
 */
#ifndef BITSPIN_PLACED_H
#define BITSPIN_PLACED_H

#include "memory.h"

struct vm_placed {
	uint32_t store;
	uint64_t value; /* the first word; of no use if it is not known */
	bool has_value;
};

/* Return the stores to a location, the oldest first, and their number: 0, or at least 2, as the first is number 0. */
const struct vm_placed *vm_placed_at(uint64_t address, uint32_t *count);

/* Put a store to a location in front of the `newer` newest ones. */
void vm_placed_add(uint64_t address, uint32_t newer, uint32_t store);

/* Set the values of a store, and of what was there before all stores if the store is the first. */
void vm_placed_value(uint64_t address, uint32_t store, uint64_t before, uint64_t value);

/* The store in front of the `newer` newest ones, at most all, is one with the next. */
void vm_placed_merge(uint64_t address, uint32_t newer);

/* Forget the stores to [low, high). */
void vm_placed_forget(uint64_t low, uint64_t high);

#endif
