/* SPDX-License-Identifier: MIT
 *
 * Footprints: what a step read and wrote.  They show whether two steps of different threads depend on each other.
 */
#ifndef BITSPIN_FOOTPRINT_H
#define BITSPIN_FOOTPRINT_H

#include "memory.h"

struct footprint {
	struct vm_range *ranges;
	uint32_t count, capacity;
	uint64_t blocks;  /* a filter: a bit each for hashes of the blocks of memory that the ranges lie in */
	uint64_t written; /* ... that the ranges lie in which are written */
	bool everything;  /* the step depends on every step, as the end of the program does, or an atomic section left open */
};

/* Make a footprint empty, and keep its room. */
void vm_footprint_clear(struct footprint *footprint);

/* Empty `footprint` and record into it what follows; NULL: record nothing. */
void vm_footprint_record(struct footprint *footprint);

/* Have they the same ranges, in the same order? */
bool vm_footprint_equal(const struct footprint *a, const struct footprint *b);

/* Can steps with these footprints be swapped without a difference? */
bool vm_footprint_independent(const struct footprint *a, const struct footprint *b);

/* Can they, if blocking locks and unlocks (below) of the mutexes that `left_out` accepts do not count against each other? */
bool vm_footprint_independent_but(const struct footprint *a, const struct footprint *b,
				  bool (*left_out)(const struct vm_range *mutex));

/* Do `a` and `b` conflict at most where `b` has atomic stores, and `a`, of the same bytes, atomic stores, or if `reads` the only
 * atomic load of all of `a`?  Footprints know that of accesses only where unread values are looked for. */
bool vm_footprint_conflicts_with_stores(const struct footprint *a, const struct footprint *b, bool reads,
					bool (*left_out)(const struct vm_range *mutex));

/* Record accesses to a mutex as *blocking*, those of a lock that waits until the mutex is free or of an unlock, until this is
 * switched off (NULL) or the next step begins.  In an atomic section they are not blocking: a lock that waits there lets others in,
 * so it shows who holds the mutex. */
void vm_footprint_blocking(const struct vm_thread_header *header);

/* Record accesses as those of an instruction, atomic or not, under slicing, until this is switched off or the next step begins.
 * `level` says what depends on the bytes, `all_set` that all of them are initialized and stay so. */
void vm_footprint_nature(bool atomic, enum image_level level, bool all_set);
void vm_footprint_no_nature(void);

/* Record writes as those of a store, which overwrites all bytes of its range and does not read them, until this is switched off or
 * the next step begins.  Is a range so? */
void vm_footprint_overwrites(bool on);
bool vm_footprint_is_overwritten(const struct vm_range *range);

/* Note that the running thread's step holds the mutex at `address`, which it has locked; 0: it holds none any more.  The note ends
 * when the next step begins. */
void vm_footprint_section(uint64_t address);

/* Is the range a blocking access? */
bool vm_footprint_is_blocking(const struct vm_range *range);

/* Tell `to` of each access that is recorded, when it is made, until the next call; NULL: tell nobody. */
void vm_footprint_tell(void (*to)(const struct vm_range *range));

/* Is the range written? */
bool vm_footprint_writes(const struct vm_range *range);

/* Record writes as those of operation number `operation`, from 1 on, until the next call: two writes of one operation to the same
 * bytes can be swapped.  0: writes that cannot. */
void vm_footprint_commutes(unsigned operation);

/* Is anything in it written or locked? */
bool vm_footprint_changes(const struct footprint *footprint);

/* Add what `from` has to `to`. */
void vm_footprint_merge(struct footprint *to, const struct footprint *from);

/* May a step with this footprint have changed what properties say? */
bool vm_footprint_is_visible(const struct footprint *footprint);

void vm_footprint_add_range(struct footprint *to, const struct vm_range *range);

void vm_footprint_copy(struct footprint *to, const struct footprint *from);

#endif
