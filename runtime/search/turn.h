/* SPDX-License-Identifier: MIT
 *
 * Turns of threads, in claims with fairness built in (bitspin_vm.h, ltl/fairness.c).
 */
#ifndef BITSPIN_TURN_H
#define BITSPIN_TURN_H

#include "../state/symmetry.h"

/* A step has put the thread of each slot there.  Turns go along. */
void vm_turns_move(const uint8_t to[SYMMETRIC_SLOTS]);

#endif
