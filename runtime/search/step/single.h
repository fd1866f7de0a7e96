/* SPDX-License-Identifier: MIT
 *
 * One step of one thread, and the ends it can have.
 */
#ifndef BITSPIN_SINGLE_H
#define BITSPIN_SINGLE_H

#include "../base/search.h"

/* Return the state after thread `slot` takes its next step in `state` with outcome `choice`; 0 if the step does not come to rest,
 * and vm_this.ending tells how it ended. */
vm_ref vm_single(vm_ref state, unsigned slot, uint32_t choice);

/* Does the step of the thread in `slot` that has just led to the state `next` (0: to none) keep other threads from doing what they
 * could do before? */
bool vm_excludes(vm_ref next, unsigned slot);

/* Return how many outcomes are offered for an operation that has `outcomes`: a choice among too many is first narrowed to a part.
 * vm_part_size: return how many outcomes a part has. */
uint32_t vm_offered(uint32_t outcomes);
uint32_t vm_part_size(uint32_t outcomes);

/* Store the working state, whose running thread has come to a scheduling point, and return its ref. */
vm_ref vm_rest(void);

#endif
