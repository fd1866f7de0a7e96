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
#include "../../state/stored.h"

/* Is the cache in use, and has it been worth while of late? */
bool vm_transitions_are_cached(void);

/* What the cache has unfolded of a state. */
struct vm_scene_view {
	unsigned slots;
	const vm_stored_header *const *threads; /* of each slot; NULL: none */
	const uint8_t *outcomes;
};

/* Fill in *view, which lasts until another state is looked at.  Return false if the state was not looked at of late. */
bool vm_transitions_view(vm_ref state, struct vm_scene_view *view);

#endif
