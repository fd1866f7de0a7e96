/* SPDX-License-Identifier: MIT
 *
 * A search by several processes (BITSPIN_CORES): pan shares its work among processes that it forks, and this file is what they need
 * of the VM besides the table.
 *
 * Nothing that goes wrong with one of them may pass for a complete search.  pan itself notices neither a process that was killed
 * (BFS_PAR waits for it for ever) nor what it loses when its table is full or two states have one hash.  So the first process ends
 * the search when another has died, and a census counts the states that steps have led to and those whose guards pan has asked
 * for: when all is done, these must be as many.
 */
#ifndef BITSPIN_SEVERAL_H
#define BITSPIN_SEVERAL_H

#include "../state/table.h"

#include <stdbool.h>
#include <stdint.h>

/* Before pan forks. */
void vm_several_open(void);
bool vm_several(void);

/* The census: a step has led to this state; pan looks at what it offers. */
void vm_census_reached(vm_ref state);
void vm_census_expanded(vm_ref state);
uint64_t vm_census_states(void);
uint64_t vm_census_left(void); /* states that steps have led to and that pan has not looked at */

/* A violation is about to be reported: from now on processes may be killed, pan does so. */
void vm_several_violated(void);

/* The end of the whole search, by one of its processes, which has written its results. */
_Noreturn void vm_several_end(void);

#endif
