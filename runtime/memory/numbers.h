/* SPDX-License-Identifier: MIT
 *
 * Which numbers new objects get: the head of memory.c has the rule.  And what happens when a deep recursion has used them up.
 */
#ifndef BITSPIN_NUMBERS_H
#define BITSPIN_NUMBERS_H

#include "memory.h"

/* Return the lowest free index of `map` from `from` on, in steps of `step`; if `scan`, the lowest that no pointer names. */
uint32_t vm_free_index(struct vm_map *map, uint32_t from, uint32_t step, bool scan);

/* Return the lowest index of the running thread's heap from which on `count` indices are free and have no name.  Its address is a
 * multiple of a gigabyte, because allocators look for such. */
uint32_t vm_free_run(uint64_t count);

/* Report a stack overflow unless there is room for `more` bytes on the thread's stack. */
void vm_check_stack(struct vm_thread *thread, uint64_t more);

#endif
