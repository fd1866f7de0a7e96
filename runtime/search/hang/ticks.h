/* SPDX-License-Identifier: MIT
 *
 * Deadlocks of programs whose timers go on to send signals.
 */
#ifndef BITSPIN_TICKS_H
#define BITSPIN_TICKS_H

#include "../base/search.h"

/* Return whether all threads of a state are blocked, and stay so whatever the handlers of timers' signals do.  Tries steps, so it
 * is called in a trial (alone.h).  Forgets the working state. */
bool vm_all_tick(vm_ref state);

#endif
