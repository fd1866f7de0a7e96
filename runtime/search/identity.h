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

#include "search.h"

/* Is a step allowed in a node?  vm_identity_take: take the step.  `last` and `used` are for a bound on preemptions (bound.h); the
 * path has `steps` steps so far. */
bool vm_identity_allows(int state, int identity, unsigned char last, unsigned char used, int thread, int choice);
void vm_identity_take(int *state, int *identity, unsigned char *last, unsigned char *used, long steps, int thread, int choice);

/* Count the node to which the search has come, if the node is new and offers nothing. */
void vm_count_end(int state, int graph, unsigned char last, unsigned char used);

/* Count the node that the search enters, if it offers nothing, in a search that keeps few states (pan/compact.h), where it enters
 * each once. */
void vm_count_entered(int state);

/* Return how many nodes were counted; or the runs of SCALE's search, or of the search under a bound. */
uint64_t vm_ends(void);

#endif
