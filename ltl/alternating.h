/* SPDX-License-Identifier: MIT
 *
 * The very weak alternating automaton of a term (Gastin and Oddoux, "Fast LTL to Buechi Automata Translation", CAV 2001,
 * section 3).  Its states are the subterms with `until` and `release`.  A move is made at a letter of its guard; from then on all
 * of its targets must accept the rest.  The only cycles are moves of a state to itself.  A run may not stay for ever in a state of
 * `until`.
 *
 * GF x with x about one state is a single state that always stays, and asks for letters of x again and again (as in Babiak,
 * Kretinsky, Rehak and Strejcek, "LTL to Buechi Automata Translation: Fast and More Deterministic", TACAS 2012, section 4).
 */
#ifndef LTL_ALTERNATING_H
#define LTL_ALTERNATING_H

#include "graph.h"

struct ltl_move {
	unsigned guard;
	struct ltl_set targets; /* states */
};

struct ltl_moves {
	struct ltl_move *items;
	size_t count;
};

struct ltl_alternating {
	struct ltl_terms *terms;
	unsigned states[SET_MOST]; /* the term of each */
	unsigned nstates;
	struct ltl_moves *known; /* of terms, as far as they were asked for */
	size_t nknown;
	bool exceeded; /* it would have more states than a set can, or more moves than is sensible */
};

void ltl_alternating_init(struct ltl_alternating *automaton, struct ltl_terms *terms);
void ltl_alternating_release(struct ltl_alternating *automaton);

/* Return what the term demands of the first letter, and what then of the rest.  A move that another allows with fewer targets is
 * left out where the other can be made. */
struct ltl_moves ltl_moves_of(struct ltl_alternating *automaton, unsigned term);

/* Return the moves that make one move of `a` and one of `b`; malloc'ed items. */
struct ltl_moves ltl_moves_and(struct ltl_alternating *automaton, struct ltl_moves a, struct ltl_moves b);

/* Return whether the state is of a kind in which a run must not do something for ever: stay in it (GUARD_FALSE), or stay in it
 * without a letter of the guard. */
bool ltl_must_end(const struct ltl_alternating *automaton, unsigned state, unsigned *letters);

#endif
