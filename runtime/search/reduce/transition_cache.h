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

#include "../base/search.h"

/* Is the cache in use, and has it been worth while of late? */
bool vm_transitions_are_cached(void);

#endif
