/* SPDX-License-Identifier: MIT
 *
 * Symmetric threads: states that differ only in which thread is which are one.
 */
#ifndef BITSPIN_SEARCH_SYMMETRY_H
#define BITSPIN_SEARCH_SYMMETRY_H

#include "search.h"
#include "../state/symmetry.h"

/* Does the reduction suit the program, and what is asked of it?  Before its first step. */
bool vm_symmetry_suits(void);

/* Is this a process that searches by pan, or repeats what pan has found?  Others look at threads one by one. */
extern int vm_may_sort;

/* The state with its threads sorted, the same for all states that differ only in which is which; `to`: where each slot's thread is
 * then.  A state in which it is not sure which words name a thread stays as it is, in part or altogether. */
vm_ref vm_symmetry_sort(vm_ref state, uint8_t to[SYMMETRIC_SLOTS]);

#endif
