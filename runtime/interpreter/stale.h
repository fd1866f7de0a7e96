/* SPDX-License-Identifier: MIT
 *
 * Atomic accesses that may meet a value which is not the newest (memory/messages.h), as the instructions of access.c make
 * them.  Where memory is sequentially consistent these functions do what the plain ones do.
 */
#ifndef BITSPIN_STALE_H
#define BITSPIN_STALE_H

#include "../memory/messages.h"
#include "exec.h"

struct stale {
	bool on; /* else the access meets the newest value */
	struct vm_atomic atomic;
	struct vm_pick pick;
	uint64_t old[4], new[4]; /* of a write: what memory had and what is stored, two words each with two of shadow */
};

/* Return the access `insn`.  If it has more than one outcome now, then it is visible, whoever else can see the location; and the
 * thread is prepared to rest before it. */
struct stale exec_stale_of(const struct run *run, const struct image_insn *insn, bool *visible);

/* The access is made now: choose its outcome.  `chosen`: the thread has rested before it. */
void exec_stale_pick(const struct run *run, struct stale *stale, bool chosen);

/* Do what vm_order_read() does, and vm_order_write() after the write. */
void exec_stale_read(const struct stale *stale, uint64_t address, bool acquires, const char *what);
void exec_stale_written(const struct stale *stale, uint64_t address, bool releases, bool modifies, const char *what);

/* Return what is read; `newest` is what memory has. */
struct vm_bytes exec_stale_bytes(const struct stale *stale, struct vm_bytes newest);

/* Write as vm_write() does; what is put behind another value in modification order is gone at once. */
void exec_stale_write(struct stale *stale, uint64_t address, const uint64_t *words, const uint64_t *shadow, unsigned size,
		      enum vm_access access);

/* Return what is to be said of an access in a story, as a text that goes on the description of what it does; "" if the value is the
 * newest.  Call it before the access. */
const char *exec_stale_story(const struct stale *stale);

/* Carry out a fence, or rest before it. */
void exec_fence(struct run *run, const struct image_insn *insn);

#endif
