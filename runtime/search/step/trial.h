/* SPDX-License-Identifier: MIT
 *
 * A trial run of the program, before the search, to keep slots for the threads of each creator.
 */
#ifndef BITSPIN_TRIAL_H
#define BITSPIN_TRIAL_H

#include "../../sync/sync.h"

/* Can threads other than main make a call that is wanted?  Look for functions that do and whose addresses are in the program: a
 * thread can begin with no other function. */
bool vm_others_call(bool (*is_wanted)(const struct builtin *builtin));

/* Return how many slots a trial run needs; 0 if none is needed, because only main creates threads. */
unsigned vm_trial_slots(void);

/* Run the program from the state vm_this.initial on, with as many slots, and fill in vm_this.names. */
void vm_trial(void);

#endif
