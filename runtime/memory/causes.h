/* SPDX-License-Identifier: MIT
 *
 * Why two accesses are not ordered.  While a trail is replayed, what threads do to one another is written down, with the operations
 * that are too weak; so the report of a race names the memory order that would have to be stronger.  A search remembers nothing.
 */
#ifndef BITSPIN_CAUSES_H
#define BITSPIN_CAUSES_H

#include "memory.h"

/* Note that the running thread reads, or has written, an atomic location or a lock; that it has passed a fence; or that what `from`
 * has done happens before what `to` does next.  The arguments are those of vm_order_read() and its kin (records.h). */
void vm_cause_read(uint64_t address, bool acquires, const char *what);
void vm_cause_write(uint64_t address, bool releases, bool modifies, const char *what);
/* Note the value of the write that was noted last, of at most 8 bytes; that the read or write that was noted last has met a
 * message that is not the newest. */
void vm_cause_value(uint64_t value);
void vm_cause_old(void);
/* Return which store has put a value there last, for people.  vm_cause_forbids: and which orders would let it happen before what
 * the running thread does now, as " (release at ... would forbid that)"; "" if none would, or it is not clear which store it
 * is. */
const char *vm_cause_store(uint64_t address, uint64_t value);
const char *vm_cause_forbids(uint64_t address, uint64_t value);
void vm_cause_fence(bool acquires, bool releases);
void vm_cause_follow(unsigned from, unsigned to, const char *what);

/* Note that the running thread accesses bytes of an object. */
void vm_cause_access(const struct vm_range *range);

/* The earlier access of a race with the access that the running thread makes now. */
struct vm_cause {
	unsigned slot;     /* the thread that made it; max_threads if that is not known */
	uint32_t location; /* where it was made; 0: unknown */
	char text[300];    /* "the store at ring.c:12 is relaxed, so ...", or "" */
};

/* Return the earlier access that conflicts with an access to these bytes, and is not ordered before it. */
struct vm_cause vm_cause_of_race(const struct vm_range *range);

#endif
