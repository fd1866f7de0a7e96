/* SPDX-License-Identifier: MIT
 *
 * Summaries of steps: what a step of a thread does, by what it has looked at.  Most steps that are tried begin where one began
 * before, in another state, and find there what that one found.  They need no interpretation, and no loading of the state.
 */
#ifndef BITSPIN_SUMMARY_H
#define BITSPIN_SUMMARY_H

#include "../memory/footprint.h"

/* The state after a step, and its footprint, from a summary: what vm_single() would give.  0: none is known.  The working state
 * may be any. */
vm_ref vm_summary_use(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint);

/* The footprint of the summary that fits a step, which is there until vm_parts_age() changes; and the one map beside the
 * globals and the thread's own that it looks at, as a word of the state; 0: none.  NULL: no summary fits, or it looks at more
 * maps. */
const struct footprint *vm_summary_reach(vm_ref state, unsigned slot, uint32_t choice, uint32_t *word);

/* What a step with this footprint does to another thread that rests: may it change whether that can go on, when the thread in
 * `slot`, which takes the step, was at `old` and is at `new`?  May the step race with that one's open segment? */
bool vm_step_concerns(const struct footprint *footprint, unsigned slot, const vm_stored_header *old, const vm_stored_header *new,
		      const vm_stored_header *other);
bool vm_step_may_race(const struct footprint *footprint, const vm_stored_header *other);

/* A copy of a footprint, which is there until vm_parts_age() changes; false: there is no room. */
bool vm_footprint_keep(struct footprint *to, const struct footprint *from);

/* So many steps were as good as found here. */
void vm_summaries_found(unsigned count);

/* Summaries are off for this program; or they rest for this step, which is counted. */
bool vm_summary_is_off(void);
bool vm_summary_rests(void);

/* A step is about to be taken; it has been, and led to this state (0: to none). */
void vm_summary_begin(void);
void vm_summary_end(vm_ref state, unsigned slot, uint32_t choice, vm_ref next, const struct footprint *footprint);

/* Steps are taken although there is a summary, to compare (BITSPIN_SUMMARIES=check); a difference is an error of ours. */
bool vm_summary_is_checked(void);
void vm_summary_check(const struct footprint *expected, vm_ref expected_next, const struct footprint *footprint, vm_ref next);

#endif
