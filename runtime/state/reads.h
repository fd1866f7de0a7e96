/* SPDX-License-Identifier: MIT
 *
 * What a step has looked at: a log of the memory that the running thread's step depends on, from which search/summary.c makes
 * a summary of the step.  What the log cannot say, such as a look at another thread, refuses the summary.
 */
#ifndef BITSPIN_READS_H
#define BITSPIN_READS_H

#include "state.h"

#define MOST_READS 48u
enum { WAKES_ALL = 0xfffffffe, WAKES_NONE = 0xffffffff }; /* in the place of a number */

/* Objects of the running thread's own locals are not listed: a summary goes by the whole of these. */
struct vm_reads {
	bool wanted, on, refused; /* refused: the step depends on something that the log does not say */
	bool unknown;             /* ... on more than one other thread */
	uint32_t looked;          /* number of the slot of that thread, plus one; 0: it has looked at none */
	uint64_t sleepers;        /* ... and on who sleeps on this condition variable; 0: on no such thing */
	uint32_t wakes;           /* of these, the one with this number in the order of slots, from 0 on */
	uint64_t with;            /* the mutex that all of them sleep with; 0: it does not matter which */
	bool kept;                /* the log is that of the last step */
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
	vm_reads.refused = vm_reads.unknown = true;
}

/* It depends on this other thread. */
static inline void vm_reads_thread(unsigned slot)
{
	vm_reads.refused = true;
	vm_reads.unknown = vm_reads.unknown || (vm_reads.looked && vm_reads.looked != slot + 1);
	vm_reads.looked = slot + 1;
}

/* It depends on who sleeps on a condition variable, and wakes one of them, all, or none so far; they must all
 * sleep with this mutex, if it is not 0. */
void vm_reads_sleepers(uint64_t condition, uint32_t wakes, uint64_t with);

#endif
