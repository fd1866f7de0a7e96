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
	uint64_t blocks; /* a filter: a bit each for hashes of the blocks of memory that the ranges lie in */
	bool everything; /* depends on every step: the end of the program, an atomic section left open */
};

/* Make it an empty one, which keeps its room. */
void vm_footprint_clear(struct footprint *footprint);

/* Record the footprint of what follows, from an empty one; NULL: record nothing. */
void vm_footprint_record(struct footprint *footprint);

/* Can the steps be swapped without a difference? */
bool vm_footprint_independent(const struct footprint *a, const struct footprint *b);

/* The same, if blocking locks and unlocks (below) of the mutexes that `left_out` accepts do not count against each other. */
bool vm_footprint_independent_but(const struct footprint *a, const struct footprint *b,
				  bool (*left_out)(const struct vm_range *mutex));

/* Until this is switched off (NULL), or the next step begins, the thread accesses a mutex by a lock that waits until it is free, or
 * by an unlock.  Not so in an atomic section: that a lock has to wait there lets others in, so who holds the mutex shows. */
void vm_footprint_blocking(const struct vm_thread_header *header);

/* Until this is switched off, or the next step begins, accesses are those of an instruction, atomic or not, under slicing, and so
 * much depends on what it reads or writes.  `all_set`: all is set there, and stays so. */
void vm_footprint_nature(bool atomic, enum image_level level, bool all_set);
void vm_footprint_no_nature(void);

/* The running thread's step has locked the mutex at this address, so that nobody else holds it; 0: it holds it no more.  Forgotten
 * when the next step begins. */
void vm_footprint_section(uint64_t address);

/* Is the range one of those that block? */
bool vm_footprint_is_blocking(const struct vm_range *range);

/* ... or written? */
bool vm_footprint_writes(const struct vm_range *range);

/* Until the next call, writes are of this kind: two of one kind to the same bytes can be swapped.  0: of no such kind; else the
 * number of the operation, from 1 on. */
void vm_footprint_commutes(unsigned operation);

/* Add the one to the other, which keeps what it has. */
void vm_footprint_merge(struct footprint *to, const struct footprint *from);

/* May the step have changed what properties say? */
bool vm_footprint_is_visible(const struct footprint *footprint);

void vm_footprint_add_range(struct footprint *to, const struct vm_range *range);

void vm_footprint_copy(struct footprint *to, const struct footprint *from);

#endif
