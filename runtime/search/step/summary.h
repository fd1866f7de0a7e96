/* SPDX-License-Identifier: MIT
 *
 * Summaries of steps: what a step of a thread does, by what it has looked at.  Most steps that are tried begin where one began
 * before, in another state, and find there what that one found.  They need no interpretation, and no loading of the state.
 */
#ifndef BITSPIN_SUMMARY_H
#define BITSPIN_SUMMARY_H

#include "../../memory/footprint.h"

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

/* Take a step as vm_joined() does, and note what it does to records.  What a summary has noted before is noted again, and the step
 * is not interpreted. */
vm_ref vm_summary_tell(vm_ref state, unsigned slot, uint32_t choice);

/* Count `count` steps as found among the summaries. */
void vm_summaries_found(unsigned count);

/* Do summaries rest for a while, because few were of use? */
bool vm_summaries_rest(void);

/* Are steps taken although there is a summary, to compare both (BITSPIN_SUMMARIES=check)? */
bool vm_summary_is_checked(void);

#endif
