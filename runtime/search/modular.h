/* SPDX-License-Identifier: MIT
 *
 * What the threads outside a set may do while the threads of the set rest, found out thread by thread instead of by all their
 * interleavings.  Flanagan and Qadeer, "Thread-modular model checking" (SPIN 2003); one set of values for each place in memory, as
 * in Miné, "Static analysis of run-time errors in embedded critical parallel C programs" (ESOP 2011).
 */
#ifndef BITSPIN_MODULAR_H
#define BITSPIN_MODULAR_H

#include "groups.h"

enum vm_modular {
	MODULAR_APART,   /* nothing that the threads do meets the set */
	MODULAR_MEETS,   /* a step of thread *slot may meet the set */
	MODULAR_UNKNOWN, /* finding out takes too long, or the threads do something that is not looked into */
};

/* Explore the threads outside the set, which are enabled there, from a state on.  `meets` tells whether a step, or a wait, with
 * this footprint matters to the set.  *steps: how many states may be made, and then, how many were.  *slot: the thread that meets
 * the set.  States of transient refs come about. */
enum vm_modular vm_modular_explore(vm_ref state, const struct set *resting, bool (*meets)(const struct footprint *, bool waits),
				   unsigned *steps, unsigned *slot);

/* Can vm_modular_explore() be used in this search? */
bool vm_modular_is_possible(void);

#endif
