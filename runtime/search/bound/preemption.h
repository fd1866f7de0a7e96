/* SPDX-License-Identifier: MIT
 *
 * What a preemption is, and what a schedule costs its reader.
 */
#ifndef BITSPIN_PREEMPTION_H
#define BITSPIN_PREEMPTION_H

#include "../base/schedule.h"
#include "../reduce/search_step.h"
#include "../base/search.h"

/* Can the search leave the thread that has moved last for another without a preemption, because the thread cannot go on, or is
 * about to yield or to time out? */
bool vm_bound_leaves(int state, unsigned slot);

/* Take a step in state *state, after a step of thread *last (-1: none), change both, and add the cost of the step to *cost.  Return
 * false and change nothing if the step is not possible.  `found` tells of a violation. */
bool schedule_step(struct schedule_step step, int *state, int *last, struct schedule_cost *cost, struct vm_found *found);

#endif
