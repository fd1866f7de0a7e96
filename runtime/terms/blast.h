/* SPDX-License-Identifier: MIT
 *
 * Bit-blasting: nodes to clauses for a SAT solver.  A literal is a number of a variable, negative if it is negated.
 */
#ifndef BITSPIN_BLAST_H
#define BITSPIN_BLAST_H

#include "range.h"

/* Begin: all clauses go to the solver, a literal each, 0 after the last one.  The bounds are those of conditions that will all be
 * added: products and quotients of operands that are small then need few bits. */
void vm_blast_begin(void *solver, void (*add)(void *solver, int literal), const struct node_bounds *bounds);

/* Return the literals of a node, the lowest bit first; the pointer is good until the next call. */
const int *vm_blast(uint32_t node);

/* Add a clause of `count` literals. */
void vm_blast_clause(const int *literals, unsigned count);

#endif
