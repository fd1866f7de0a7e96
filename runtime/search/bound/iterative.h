/* SPDX-License-Identifier: MIT
 *
 * The search under a bound on preemptions.
 */
#ifndef BITSPIN_ITERATIVE_H
#define BITSPIN_ITERATIVE_H

#include "../base/report.h"
#include "../base/search.h"

/* Do the whole search, unless it has been done, and leave the paths to its violations in the tree of found_paths.h. */
void vm_bounded_search(void);

/* Return the figures of the search. */
struct vm_figures vm_bounded_figures(void);

/* Set *state to the handle of visited state number `number`, in no order.  Return false if there are not so many.  For tests. */
bool vm_bounded_visited(uint64_t number, int *state);

#endif
