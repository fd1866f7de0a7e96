/* SPDX-License-Identifier: MIT
 *
 * The strongly connected components of a Buechi automaton: from each state of one, all its others can be reached.
 */
#ifndef LTL_COMPONENTS_H
#define LTL_COMPONENTS_H

#include "internal.h"

struct ltl_component {
	size_t number; /* from 1 */
	bool recurs;   /* a run can stay in it and be accepted: it has an accepting state, and transitions */
};

/* That of each state, malloc'ed. */
struct ltl_component *ltl_components(const struct ltl_automaton *automaton);

#endif
