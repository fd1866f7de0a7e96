/* SPDX-License-Identifier: MIT
 *
 * The end of the program comes last: the reduction `exits`, with the argument in exits.c.
 */
#ifndef BITSPIN_EXITS_H
#define BITSPIN_EXITS_H

#include "../../state/state.h"

/* Set to 0, among how many outcomes each of the slots of the state has, those of threads that are put off.  Return how many these
 * are. */
unsigned vm_exits_put_off(vm_ref state, unsigned slots, uint8_t *outcomes);

/* Is the thread in `slot`, which can go on in the state, before a step that ends the program?  vm_exits_puts_off: and can another
 * thread go on that is not? */
bool vm_exits_last(vm_ref state, unsigned slot);

bool vm_exits_puts_off(vm_ref state, unsigned slot);

/* May a move that leads to `state` take the program's end along, as nothing else is left?  vm_exits_take: take that step.  Return
 * the slot of its thread; vm_this.ending tells how the program, or the path, has ended.  Return VM_MAX_SLOTS if it is to be a
 * move. */
bool vm_exits_only(vm_ref state);
unsigned vm_exits_take(vm_ref state);

#endif
