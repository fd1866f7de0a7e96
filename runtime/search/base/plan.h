/* SPDX-License-Identifier: MIT
 *
 * The plan: which reductions and caches are on in this process, and why the others are off.
 */
#ifndef BITSPIN_PLAN_H
#define BITSPIN_PLAN_H

#include "../../state/driver.h"
#include "../../state/state.h"

/* What may be on or off besides the reductions of image.h. */
enum vm_cache {
	CACHE_SUMMARIES = 1 << REDUCTIONS,         /* summary.h */
	CACHE_TRANSITIONS = 1 << (REDUCTIONS + 1), /* transition_cache.h */
	COMPACT_STATES = 1 << (REDUCTIONS + 2),    /* pan/compact.h */
};

/* Decide, once, after the image is loaded and before a step is taken: vm_this has its reductions, and whether data are left out. */
void vm_plan(void);

/* Decide again, because the driver has changed since: what is off stays off. */
void vm_plan_heed_driver(void);

/* Note that from now on a path is repeated that has been found, and events are wanted (vm_driver.replays). */
void vm_plan_replay(void);

/* Note that threads are named by their creators, so that states with other names are no exchange of threads. */
void vm_plan_names_threads(void);

/* Leave on what a search needs that takes each step by itself. */
void vm_plan_single_steps(void);

/* Is the cache on? */
bool vm_plan_has(enum vm_cache cache);

/* Return a number that another decision changes; not 0. */
unsigned vm_plan_decisions(void);

/* Return why the reduction is off that the image asks for, in a static buffer; NULL: it is on, or nobody asks for it. */
const char *vm_plan_reason(enum image_reduction number);

/* Is the number of preemptions bounded? */
static inline bool vm_is_bounded(void)
{
	return vm_this.image.options->preemptions;
}

/* Is the number of preemptions bounded in a search that the VM makes by itself, bound by bound (iterative.h)? */
static inline bool vm_is_bounded_by_vm(void)
{
	return vm_is_bounded() && vm_this.image.options->identity == IDENTITY_STATE;
}

#endif
