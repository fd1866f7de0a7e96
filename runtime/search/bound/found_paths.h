/* SPDX-License-Identifier: MIT
 *
 * Paths to violations that a search of the VM's own has found.  They make a tree, of which pan walks every branch afterwards: it
 * takes the steps, reports the violations, and writes the trails.
 */
#ifndef BITSPIN_FOUND_PATHS_H
#define BITSPIN_FOUND_PATHS_H

#include "../base/search.h"

/* Is a violation of this kind at this location the first one?  One path to each is enough. */
bool vm_walk_is_news(uint32_t kind, uint32_t location);

/* Return the place in the tree after a step from the place `before` (0: the root), and put it there if it is new.  `preemptions`:
 * how many the path has so far. */
uint32_t vm_walk_add(uint32_t before, unsigned thread, unsigned choice, unsigned preemptions);

/* Return the place in the tree after a step from `place`, or 0 if no path goes there. */
uint32_t vm_walk_after(uint32_t place, int thread, int choice);

unsigned vm_walk_preemptions(uint32_t place);

#endif
