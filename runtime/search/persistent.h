/* SPDX-License-Identifier: MIT
 *
 * Persistent sets: in a state, a few threads whose next steps nothing that the others may do before can touch, so that the
 * others' steps need not be looked at yet.  Godefroid, "Partial-order methods for the verification of concurrent systems"
 * (LNCS 1032, 1996), chapter 4.
 */
#ifndef BITSPIN_PERSISTENT_H
#define BITSPIN_PERSISTENT_H

#include "superstep.h"

#define PERSISTENT_THREADS 2u /* most threads of a set */

/* Find a set for the state of an expansion: its threads go to `slots`; how many they are, or 0 when there is none that
 * leaves out a thread.  Takes steps, so states of transient refs come about. */
unsigned vm_persistent_choose(const struct expansion *expansion, unsigned slots[PERSISTENT_THREADS]);

#endif
