/* SPDX-License-Identifier: MIT
 *
 * Symmetric threads: states that differ only in which thread is which are one.
 */
#ifndef BITSPIN_SORT_THREADS_H
#define BITSPIN_SORT_THREADS_H

#include "../../memory/footprint.h"
#include "../base/search.h"
#include "../../state/symmetry.h"

/* Return the state with its threads sorted, the same for all states that differ only in which thread is which, and in to[] the new
 * slot of the thread of each slot.  A state in which it is not sure which words name a thread stays as it is, in part or
 * altogether. */
vm_ref vm_symmetry_sort(vm_ref state, uint8_t to[SYMMETRIC_SLOTS]);

/* Return whether main joins a thread in a state without being asked, as others still run: see (3) in sort_threads.c. */
bool vm_symmetry_joins(vm_ref state);

/* Take the joins that main takes so, and sort.  Add to *joins what they touch, if it is not NULL. */
vm_ref vm_symmetry_settle(vm_ref state, uint8_t to[SYMMETRIC_SLOTS], struct footprint *joins);

#endif
