/* SPDX-License-Identifier: MIT
 *
 * Guards: Boolean functions of propositions, as binary decision diagrams (Bryant, "Graph-Based Algorithms for Boolean Function
 * Manipulation", IEEE Transactions on Computers 35(8), 1986).  A guard is a number; equal functions have equal numbers.
 */
#ifndef LTL_GUARDS_H
#define LTL_GUARDS_H

#include "internal.h"

enum { GUARD_FALSE, GUARD_TRUE };

struct ltl_guards; /* all that a translation has made */

struct ltl_guards *ltl_guards_new(void);
void ltl_guards_free(struct ltl_guards *guards);

unsigned ltl_guard_literal(struct ltl_guards *guards, unsigned proposition, bool negated);
unsigned ltl_guard_not(struct ltl_guards *guards, unsigned a);
unsigned ltl_guard_and(struct ltl_guards *guards, unsigned a, unsigned b);
unsigned ltl_guard_or(struct ltl_guards *guards, unsigned a, unsigned b);
unsigned ltl_guard_without(struct ltl_guards *guards, unsigned a, unsigned b); /* a and not b */
bool ltl_guard_implies(struct ltl_guards *guards, unsigned a, unsigned b);

/* Are there more diagrams than a translation may have?  From then on, guards mean nothing. */
bool ltl_guards_exceeded(const struct ltl_guards *guards);

/* Print a guard in Promela, in brackets: "(p0 && !p1)", as an irredundant sum of products (Minato, "Fast Generation of Irredundant
 * Sum-of-Products Forms from Binary Decision Diagrams", SASIMI 1992), of the function or of its negation, whichever is shorter. */
void ltl_guard_print(struct ltl_guards *guards, FILE *file, unsigned guard);

#endif
