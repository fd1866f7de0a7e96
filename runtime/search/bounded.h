/* SPDX-License-Identifier: MIT
 *
 * The search under a bound on preemptions.
 */
#ifndef BITSPIN_BOUNDED_H
#define BITSPIN_BOUNDED_H

#include "search.h"

/* Do the whole search, unless it has been done, and leave the paths to its violations in the tree of walk.h. */
void vm_bounded_search(void);

struct bounded_figures {
	uint64_t states, transitions; /* of the program */
	uint64_t runs;                /* paths, each up to a state that was known or that offers nothing */
	uint64_t bytes;               /* of memory that the search takes beside the table */
	uint32_t depth;               /* most steps of a path */
};
struct bounded_figures vm_bounded_figures(void);

/* Set *state to the handle of visited state number `number`, in no order.  Return false if there are not so many.  For tests. */
bool vm_bounded_visited(uint64_t number, int *state);

#endif
