/* SPDX-License-Identifier: MIT
 *
 * What distinguishes two visits of a search beside the program state: the happens-before graph of the execution so far,
 * as SCALE and CHESS have it, or nothing at all.  It exists to compare searches, not to be used.  (SCALE's own search is no
 * matter of identity alone: scale.h.)
 *
 * A graph is a ref in the table, 0 for the empty one; it stands beside the handle in pan's state vector.
 */
#ifndef BITSPIN_IDENTITY_H
#define BITSPIN_IDENTITY_H

#include "search.h"

/* vm_single(), which also adds the step to the graph of the visit under way, if graphs are wanted. */
vm_ref vm_identity_single(vm_ref state, unsigned slot, uint32_t choice);

/* Are graphs wanted for the step under way?  Then each of its single steps must go through vm_identity_single(). */
bool vm_identity_wanted(void);

/* The search has come to this node: count it if it is a new one that offers nothing. */
void vm_count_end(int state, int graph, unsigned char last, unsigned char used);

/* The same in a search that keeps few states (compact.h), where pan enters each node once: it enters this one. */
void vm_count_entered(int state);

/* Nodes counted; runs of SCALE, or of the search under a bound. */
uint64_t vm_ends(void);

#endif
