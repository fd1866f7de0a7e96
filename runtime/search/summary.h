/* SPDX-License-Identifier: MIT
 *
 * Summaries of steps: what a step of a thread does, by what it has looked at.  Most steps that are tried begin where one began
 * before, in another state, and find there what that one found.  They need no interpretation, and no loading of the state.
 */
#ifndef BITSPIN_SUMMARY_H
#define BITSPIN_SUMMARY_H

#include "../memory/footprint.h"

/* Return the state after a step, and its footprint, from a summary, as vm_single() would; 0 if no summary fits.  The working state
 * may be any. */
vm_ref vm_summary_use(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint);

/* Return the footprint of the summary that fits a step, which stays until vm_parts_age() changes; NULL if no summary fits, or if
 * the step looks at more than one map beside the globals and the thread's own.  *word is the word of the state that has this map;
 * 0: there is none. */
const struct footprint *vm_summary_reach(vm_ref state, unsigned slot, uint32_t choice, uint32_t *word);

/* May a step with this footprint change whether the resting thread with the header `other` can go on?  The thread in `slot` takes
 * the step, and has the headers `old` before and `new` after it.  vm_step_may_race: may the step race with the open segment of
 * `other`? */
bool vm_step_concerns(const struct footprint *footprint, unsigned slot, const vm_stored_header *old, const vm_stored_header *new,
		      const vm_stored_header *other);
bool vm_step_may_race(const struct footprint *footprint, const vm_stored_header *other);

/* Copy a footprint; the copy stays until vm_parts_age() changes.  Return false if there is no room. */
bool vm_footprint_keep(struct footprint *to, const struct footprint *from);

/* Count `count` steps as found among the summaries. */
void vm_summaries_found(unsigned count);

/* Are summaries off for this program?  vm_summary_rests: do they rest for this step, which is counted? */
bool vm_summary_is_off(void);
bool vm_summary_rests(void);

/* Begin a summary of a step that is about to be taken; end it after the step, which led to the state `next` (0: to none). */
void vm_summary_begin(void);
void vm_summary_end(vm_ref state, unsigned slot, uint32_t choice, vm_ref next, const struct footprint *footprint);

/* Are steps taken although there is a summary, to compare both (BITSPIN_SUMMARIES=check)?  vm_summary_check: compare; a difference
 * is a bug of bitspin. */
bool vm_summary_is_checked(void);
void vm_summary_check(const struct footprint *expected, vm_ref expected_next, const struct footprint *footprint, vm_ref next);

#endif
