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

#endif
