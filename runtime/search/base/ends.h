/* SPDX-License-Identifier: MIT
 *
 * How many nodes of the search offer nothing: so many paths come to an end.
 */
#ifndef BITSPIN_ENDS_H
#define BITSPIN_ENDS_H

#include "search.h"

/* Count the node to which the search has come, if the node is new and offers nothing. */
void vm_count_end(int state, int graph, unsigned char last, unsigned char used);

/* Count the node that the search enters, if it offers nothing, in a search that keeps few states (pan/compact.h), where it enters
 * each once. */
void vm_count_entered(int state);

/* Return how many nodes were counted. */
uint64_t vm_ends(void);

#endif
