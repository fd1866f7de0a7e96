/* SPDX-License-Identifier: MIT
 *
 * The search under a bound on preemptions.
 */
#ifndef BITSPIN_BOUNDED_H
#define BITSPIN_BOUNDED_H

#include "search.h"

/* Do the whole search, if that has not been done, and leave the paths to its violations in walk.h. */
void vm_bounded_search(void);

struct bounded_figures {
	uint64_t states, transitions; /* of the program */
	uint64_t runs;                /* paths, where each goes on until it comes to a state that was known, or offers nothing */
	uint64_t bytes;               /* that the search has taken beside the table */
	uint32_t depth;               /* most steps of a path */
};
struct bounded_figures vm_bounded_figures(void);

/* The states it has visited: each's handle, in no order; false if there are not so many.  For tests. */
bool vm_bounded_visited(uint64_t number, int *state);

#endif
