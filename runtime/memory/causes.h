/* SPDX-License-Identifier: MIT
 *
 * Why two accesses are not ordered.  While a trail is replayed, what threads do to one another is written down, with the operations
 * that are too weak; so the report of a race names the memory order that would have to be stronger.  A search remembers nothing.
 */
#ifndef BITSPIN_CAUSES_H
#define BITSPIN_CAUSES_H

#include "memory.h"

/* Note that the running thread reads, or has written, an atomic location or a lock; that it has passed a fence; or that what `from`
 * has done happens before what `to` does next.  The arguments are those of vm_order_read() and its kin (records.h), and how many
 * stores are newer than the one that is read, or than the one that was made. */
void vm_cause_read(uint64_t address, uint32_t newer, bool acquires, const char *what);
void vm_cause_write(uint64_t address, uint32_t newer, bool releases, bool modifies, const char *what);
/* Note of the read or write that was noted last that it is weaker than seq_cst; of the write, what it has replaced and stored. */
void vm_cause_weaker(void);
void vm_cause_values(uint64_t before, uint64_t value);
/* The store in front of the `newer` newest ones is one with the next; bytes [low, high) of an object have no stores any more. */
void vm_cause_merge(uint64_t address, uint32_t newer);
void vm_cause_forget(uint32_t object, uint32_t low, uint32_t high);
void vm_cause_fence(bool acquires, bool releases);
void vm_cause_follow(unsigned from, unsigned to, const char *what);

/* Return the steps in which stores to a location were made, in modification order: first the one in front of the `newer` newest
 * ones, which has stored `value` (0: that was there before all of them), then the newer ones.  Set *count; 0: that is not known. */
const uint32_t *vm_cause_steps(uint64_t address, uint32_t newer, uint64_t value, uint32_t *count);

/* An access that the running thread is about to make. */
struct vm_cause_now {
	uint64_t address;
	unsigned size;
	uint32_t newer;    /* it meets the store in front of so many newest ones */
	uint64_t next;     /* the value of the next one */
	bool total, fails; /* it is seq_cst; it is a compare-exchange that fails */
};

/* Return for people which store is next; and which orders would forbid that the access meets the one before, as " (release at ...
 * would forbid that)", or "" if that is not known. */
const char *vm_cause_store(const struct vm_cause_now *now);
const char *vm_cause_forbids(const struct vm_cause_now *now);

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
