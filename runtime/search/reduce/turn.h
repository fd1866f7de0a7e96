/* SPDX-License-Identifier: MIT
 *
 * Turns of threads, in claims with fairness built in (bitspin_vm.h, ltl/fairness.c).
 */
#ifndef BITSPIN_TURN_H
#define BITSPIN_TURN_H

#include "../../state/symmetry.h"

/* Move the turns of threads along with the threads, after a step has put the thread of each slot into slot to[slot]. */
void vm_turns_move(const uint8_t to[SYMMETRIC_SLOTS]);

#endif
