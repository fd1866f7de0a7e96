/* SPDX-License-Identifier: MIT
 *
 * The states on the path of pan's depth-first search, reconstructed from the guards that pan evaluates.
 */
#ifndef BITSPIN_PATH_H
#define BITSPIN_PATH_H

#include "../state/table.h"

#include <stdbool.h>

/* pan looks at a guard in this state. */
void vm_path_at(vm_ref state);

/* pan has taken a step to this state. */
void vm_path_step(vm_ref state);

/* May a set of threads be all that is offered in `state` if it leads to `next`, so that no cycle leaves out a thread? */
bool vm_path_may_lead(vm_ref state, vm_ref next);

#endif
