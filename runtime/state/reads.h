/* SPDX-License-Identifier: MIT
 *
 * What a step has looked at: a log of the memory that the running thread's step depends on, from which search/summary.c makes
 * a summary of the step.  What the log cannot say, such as a look at another thread, refuses the summary.
 */
#ifndef BITSPIN_READS_H
#define BITSPIN_READS_H

#include "state.h"

#define MOST_READS 48u

/* Objects of the running thread's own locals are not listed: a summary goes by the whole of these. */
struct vm_reads {
	bool wanted, on, refused; /* refused: the step depends on something that the log does not say */
	bool needed;              /* wanted even where no summaries are made */
	uint32_t count;
	struct vm_range items[MOST_READS]; /* of 0 bytes: only that the object is there, and its header; `write`: perhaps changed */
};
extern struct vm_reads vm_reads;

/* The running thread's step begins: if its log is wanted, it is kept from now on, until the thread has come to rest. */
void vm_reads_begin(void);
void vm_reads_end(void);

/* The step that has ended goes on after all. */
void vm_reads_resume(void);

/* The step depends on bytes [low, high) of the object, and on its header; does it change them? */
void vm_reads_add(const struct vm_place *place, uint64_t low, uint64_t high, bool write);
static inline void vm_reads_note(const struct vm_place *place, uint64_t low, uint64_t high, bool write)
{
	if (vm_reads.on)
		vm_reads_add(place, low, high, write);
}

/* The step depends on something else. */
static inline void vm_reads_refuse(void)
{
	vm_reads.refused = true;
}

#endif
