/* SPDX-License-Identifier: MIT
 *
 * Persistent sets: in a state, a few threads whose next steps nothing that the others may do before can touch, so that the
 * others' steps need not be looked at yet.  Godefroid, "Partial-order methods for the verification of concurrent systems"
 * (LNCS 1032, 1996), chapter 4.
 */
#ifndef BITSPIN_PERSISTENT_H
#define BITSPIN_PERSISTENT_H

#include "superstep.h"

#define PERSISTENT_THREADS 16u /* most threads of a set */

/* Threads that may be offered alone. */
struct persistent_set {
	unsigned count, slots[PERSISTENT_THREADS];
	bool sections;     /* the set is persistent because mutexes are left out */
	bool whole;        /* the runs of its only thread go on to the end of their sections, see vm_run_on() */
	bool transactions; /* the runs are transactions */
	unsigned most;     /* steps that groups of several others might take, each, to find it; 0: there were none */
};

/* Find a persistent set for the state of an expansion.  Return false if none leaves out a thread.  This takes steps, and so makes
 * states with transient refs. */
bool vm_persistent_choose(const struct expansion *expansion, struct persistent_set *set);

/* Extend the runs of the state by rule T, if the set that vm_persistent_choose() has just found for it is persistent with these
 * runs.  Return whether it is. */
bool vm_persistent_transacts(const struct expansion *expansion, const struct persistent_set *set);

/* Return whether sets are not looked for now, as they have left out too little of late. */
bool vm_persistent_rests(void);

#endif
