/* SPDX-License-Identifier: MIT
 *
 * One step of one thread, and the ends it can have.
 */
#ifndef BITSPIN_SINGLE_H
#define BITSPIN_SINGLE_H

#include "search.h"

/* The state after thread `slot` takes its next step in `state` with outcome `choice`; 0 if the step ended in another way
 * than by coming to rest, which vm_this.ending then tells. */
vm_ref vm_single(vm_ref state, unsigned slot, uint32_t choice);

/* Does the step just taken, from which this state (0: none) came, keep other threads from doing what they could before it? */
bool vm_excludes(vm_ref next, unsigned slot);

/* Outcomes that are offered for a thread whose operation has so many: a choice among too many is narrowed first. */
uint32_t vm_offered(uint32_t outcomes);
uint32_t vm_part_size(uint32_t outcomes); /* ... in parts of so many */

#endif
