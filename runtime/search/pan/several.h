/* SPDX-License-Identifier: MIT
 *
 * A search by several processes (BITSPIN_CORES): pan shares its work among processes that it forks.  Besides the table, they need
 * from the VM what is here.
 *
 * Nothing that goes wrong with one of them may pass for a complete search.  pan itself notices neither a process that was killed
 * (BFS_PAR waits for it for ever) nor what it loses when its table is full or two states have one hash.  So the first process ends
 * the search when another has died, and a census counts the states that steps have led to and those whose guards pan has asked
 * for: when all is done, these must be as many.
 */
#ifndef BITSPIN_SEVERAL_H
#define BITSPIN_SEVERAL_H

#include "../../state/table.h"

#include <stdbool.h>
#include <stdint.h>

/* Begin, before pan forks.  vm_several: are there several processes? */
void vm_several_open(void);
bool vm_several(void);

/* Take the census. vm_census_reached: count a state to which a step has led.  vm_census_expanded: count a state whose steps pan
 * looks at.  vm_census_states: return how many states steps have led to; vm_census_left: at how many of these pan has not
 * looked. */
void vm_census_reached(vm_ref state);
void vm_census_expanded(vm_ref state);
uint64_t vm_census_states(void);
uint64_t vm_census_left(void);

/* Note that a violation is about to be reported, so that pan may kill processes from now on. */
void vm_several_violated(void);

/* End the whole search from one of its processes, which has written its results. */
_Noreturn void vm_several_end(void);

#endif
