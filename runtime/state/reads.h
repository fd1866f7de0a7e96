/* SPDX-License-Identifier: MIT
 *
 * What a step has looked at: a log of the memory that the running thread's step depends on, from which search/step/summary.c makes
 * a summary of the step.  What the log cannot say, such as a look at another thread, refuses the summary.
 */
#ifndef BITSPIN_READS_H
#define BITSPIN_READS_H

#include "state.h"

#define MOST_READS 48u
enum { WAKES_ALL = 0xfffffffe, WAKES_NONE = 0xffffffff }; /* in the place of a number */

/* The log.  Objects of the running thread's own locals are not listed: a summary compares them as a whole. */
struct vm_reads {
	bool resumed;             /* see vm_reads_resume() */
	bool wanted, on, refused; /* refused: the step depends on something that the log does not say */
	bool unknown;             /* refused, and `looked` does not name all that the step depends on */
	uint32_t looked;          /* 1 + the slot of the other thread that the step depends on; 0: there is none */
	uint64_t sleepers;        /* the condition variable on whose sleepers the step depends; 0: there is none */
	uint32_t wakes;           /* which of the sleepers the step wakes, by number in the order of slots, from 0 on */
	uint64_t with;            /* the mutex that all sleepers must sleep with; 0: any */
	bool kept;                /* the log is that of the last step */
	uint32_t count;
	struct vm_range items[MOST_READS]; /* of 0 bytes: only that the object is there, and its header; `write`: perhaps changed */
};
extern struct vm_reads vm_reads;

/* Begin the log of the running thread's step, if it is wanted; end it when the thread has come to rest.  vm_reads_resume: the log
 * of the next step goes on where that of the last one has ended, because both are one step to the summary. */
void vm_reads_begin(void);
void vm_reads_end(void);
void vm_reads_resume(void);

/* Log that the step depends on bytes [low, high) of the object at `place` and on its header, and if `write`, changes the bytes. */
void vm_reads_add(const struct vm_place *place, uint64_t low, uint64_t high, bool write);
static inline void vm_reads_note(const struct vm_place *place, uint64_t low, uint64_t high, bool write)
{
	if (vm_reads.on)
		vm_reads_add(place, low, high, write);
}

/* Refuse a summary: the step depends on something that the log does not say. */
static inline void vm_reads_refuse(void)
{
	vm_reads.refused = vm_reads.unknown = true;
}

/* Log that the step depends on the thread in another slot. */
static inline void vm_reads_thread(unsigned slot)
{
	vm_reads.refused = true;
	vm_reads.unknown = vm_reads.unknown || (vm_reads.looked && vm_reads.looked != slot + 1);
	vm_reads.looked = slot + 1;
}

/* Log that the step depends on who sleeps on a condition variable, and wakes one sleeper, all, or none so far.  They must all sleep
 * with the mutex `with`, if it is not 0. */
void vm_reads_sleepers(uint64_t condition, uint32_t wakes, uint64_t with);

#endif
