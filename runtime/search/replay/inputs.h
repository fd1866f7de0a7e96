/* SPDX-License-Identifier: MIT
 *
 * The replay of a path with inputs as sets of values (symbolic/symbolic.h).  There are two: the first follows the path with
 * symbols, and writes the inputs that lead along it.  The second has them, and so two states: that of the search, with
 * symbols, which pan knows, and the program's own one, where the inputs are numbers.  The second one is told.  A step that
 * ends in a split, or narrows one, is none of the program.
 */
#ifndef BITSPIN_REPLAY_INPUTS_H
#define BITSPIN_REPLAY_INPUTS_H

#include "../base/search.h"

/* Has the command asked for the inputs of the path? */
bool vm_inputs_sought(void);

/* Return the program's state where the path has come to; 0 if the path has ended, or is not told. */
vm_ref vm_inputs_told(void);

/* Take a step from `state` of the search, and return the state after it; 0 if it does not come to rest.  *own: 0 if the step
 * is none of the program, or is not told; else the program's state before the step.  *after: the one after it. */
vm_ref vm_inputs_step(vm_ref state, unsigned slot, uint32_t choice, vm_ref *own, vm_ref *after);

#endif
