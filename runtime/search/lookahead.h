/* SPDX-License-Identifier: MIT
 *
 * The set of visited states is the VM's, where the model says so (-DVM_VISITED in bitspin_vm.h): pan asks it in the place of
 * its own table, and need not be offered steps that lead to what has been visited.
 */
#ifndef BITSPIN_LOOKAHEAD_H
#define BITSPIN_LOOKAHEAD_H

#include "crew.h"
#include "search.h"

/* pan asks for the options of all threads in a state, which are these, a bit each: those are taken out that lead to visited
 * states, as far as pan will ask for them next. */
void vm_lookahead(vm_ref state, unsigned slots, unsigned short *options);

/* pan takes an option: the state that it leads to, if that is known, else 0. */
vm_ref vm_lookahead_take(vm_ref state, unsigned thread, unsigned option);

/* In a crew: the step of pan's path with this number, the first being 1, is a jump to where this step leads; NULL: it is none,
 * or a later step is one.  And is it, or a later one, a jump? */
const struct vm_gift *vm_lookahead_jump(uint32_t step);
bool vm_lookahead_jumped(uint32_t step);

/* Steps that pan was not offered so far; that it has taken, but for jumps. */
uint64_t vm_lookahead_skipped(void);
uint64_t vm_lookahead_taken(void);

#endif
