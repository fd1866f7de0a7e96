/* SPDX-License-Identifier: MIT
 *
 * What distinguishes two visits of a search beside the program state: the happens-before graph of the execution so far,
 * as SCALE and CHESS have it, or nothing at all.  It exists to compare searches, not to be used.  (SCALE's own search is no
 * matter of identity alone: scale.h.)
 *
 * A graph is a ref in the table, 0 for the empty one; it stands beside the handle in the search's node.
 */
#ifndef BITSPIN_IDENTITY_H
#define BITSPIN_IDENTITY_H

#include "../base/search.h"

/* Is a step allowed in a node?  vm_identity_take: take it.  `last` and `used` are for a bound on preemptions (bound/allowed.h);
 * `steps` is how many the path has so far. */
bool vm_identity_allows(int state, int identity, unsigned char last, unsigned char used, int thread, int choice);
void vm_identity_take(int *state, int *identity, unsigned char *last, unsigned char *used, long steps, int thread, int choice);

#endif
