/* SPDX-License-Identifier: MIT
 *
 * The set of visited states is the VM's, where the model says so (-DVM_VISITED in bitspin_vm.h): pan asks it in the place of
 * its own table, and need not be offered steps that lead to what has been visited.
 */
#ifndef BITSPIN_LOOKAHEAD_H
#define BITSPIN_LOOKAHEAD_H

#include "crew.h"
#include "../base/search.h"

/* Take out of `options`, those of all threads in `state`, a bit each, the ones that lead to visited states, as far as pan will ask
 * for them next. */
void vm_lookahead(vm_ref state, unsigned slots, unsigned short *options);

/* Return the state to which an option leads that pan takes, if that is known, else 0. */
vm_ref vm_lookahead_take(vm_ref state, unsigned thread, unsigned option);

/* Return, in a crew, the step to whose end step number `step` of pan's path, counted from 1, is a jump; NULL if step `step` is no
 * jump, or if a later step is one.  vm_lookahead_jumped: is step `step`, or a later one, a jump? */
const struct vm_gift *vm_lookahead_jump(uint32_t step);
bool vm_lookahead_jumped(uint32_t step);

/* Return how many steps were not offered to pan so far; how many steps pan has taken, without jumps. */
uint64_t vm_lookahead_skipped(void);
uint64_t vm_lookahead_taken(void);

#endif
