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

/* Summaries are off, or rest for this step, which is counted. */
bool vm_summary_rests(void);

/* A step is about to be taken; it has been, and led to this state (0: to none). */
void vm_summary_begin(void);
void vm_summary_end(vm_ref state, unsigned slot, uint32_t choice, vm_ref next, const struct footprint *footprint);

/* Steps are taken although there is a summary, to compare (BITSPIN_SUMMARIES=check); a difference is an error of ours. */
bool vm_summary_is_checked(void);
void vm_summary_check(const struct footprint *expected, vm_ref expected_next, const struct footprint *footprint, vm_ref next);

#endif
