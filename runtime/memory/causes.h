/* SPDX-License-Identifier: MIT
 *
 * Why two accesses are not ordered.  While a trail is replayed, what threads do to one another is written down, with the operations
 * that are too weak; so the report of a race names the memory order that would have to be stronger.  A search remembers nothing.
 */
#ifndef BITSPIN_CAUSES_H
#define BITSPIN_CAUSES_H

#include "memory.h"

/* The running thread reads, or has written, an atomic location or a lock; or has passed a fence.  See records.h. */
void vm_cause_read(uint64_t address, bool acquires, const char *what);
void vm_cause_write(uint64_t address, bool releases, bool modifies, const char *what);
void vm_cause_fence(bool acquires, bool releases);
void vm_cause_follow(unsigned from, unsigned to, const char *what);

/* It accesses bytes of an object. */
void vm_cause_access(const struct vm_range *range);

/* of a race of the access that the running thread makes now with an earlier one */
struct vm_cause {
	unsigned slot;     /* who made the earlier one; max_threads if that is not known */
	uint32_t location; /* where; 0: unknown */
	char text[300];    /* "the store at ring.c:12 is relaxed, so ...", or "" */
};

/* The earlier access that conflicts with one to these bytes, and is not ordered before it. */
struct vm_cause vm_cause_of_race(const struct vm_range *range);

#endif
