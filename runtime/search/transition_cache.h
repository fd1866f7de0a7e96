/* SPDX-License-Identifier: MIT
 *
 * A cache of transitions (after Blom, van de Pol and Weber, "Bridging the gap between enumerative and symbolic model checkers",
 * 2009): what a step does to the nodes of a state (trees.h), by the nodes that it depends on.  Most steps are found there, and the
 * state after one is made of the one before and a few other nodes, so nothing is loaded, and no summary is looked for.
 *
 * It is for states that are no transient ones, so for searches without super-steps.
 */
#ifndef BITSPIN_TRANSITION_CACHE_H
#define BITSPIN_TRANSITION_CACHE_H

#include "search.h"

/* Can the cache be used for this state, and has it been worth while of late? */
bool vm_transitions_are_cached(vm_ref state);

/* Return the state after thread `slot` takes its next step in `state` with outcome `choice`, if the step comes to rest and some
 * thread can go on then.  Return 0 if that is not so, or not known without taking the step. */
vm_ref vm_cached_step(vm_ref state, unsigned slot, uint32_t choice);

/* Fill in how many outcomes each thread is offered in a state, as vm_look() does. */
unsigned vm_cached_outcomes(vm_ref state, uint8_t *outcomes);

#endif
