/* SPDX-License-Identifier: MIT
 *
 * The messages of an atomic location and their holders: what messages.c and total.c share.  See messages.c.
 */
#ifndef BITSPIN_LOCATIONS_H
#define BITSPIN_LOCATIONS_H

#include "holders.h"

#include <assert.h>

/* The stores of a location that are kept. */
struct location {
	uint32_t object, low;
	uint32_t first, count; /* in the array; `first`: where they would be if there are none */
	bool mixed;            /* others overlap it */
};

/* Return the holder of a message: what its store released. */
static inline uint64_t vm_message_holder(const struct location *at, uint32_t message)
{
	return message ? (uint64_t)HOLDER_MESSAGE << 60 | (at->first + message - 1) : vm_place_holder(at->object, at->low);
}

static inline struct vm_holders *vm_message_set(struct vm_records *records, uint32_t store, unsigned which)
{
	uint32_t set = records->messages[store].set[which];
	assert(set == IMAGE_NONE || set < records->set_count);
	return set == IMAGE_NONE ? NULL : &records->sets[set];
}

/* Return the same of a set that may be NULL, as it is not kept. */
static inline bool vm_message_set_has(const struct vm_holders *set, uint64_t holder)
{
	return set && vm_holders_has(set, holder);
}

static inline void vm_message_set_add(struct vm_holders *set, uint64_t holder)
{
	if (set)
		vm_holders_add(set, holder);
}

/* Is each thread that runs in `set`, of the oldest store of a location, or cannot stand before it any more (later.h)? */
bool vm_messages_are_past(const struct vm_records *records, const struct location *at, const struct vm_holders *set,
			  const uint64_t *running);

#endif
