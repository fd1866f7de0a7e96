/* SPDX-License-Identifier: MIT
 *
 * The strongly connected components of a graph: from each vertex of one, all its others can be reached.
 */
#ifndef LTL_COMPONENTS_H
#define LTL_COMPONENTS_H

#include "internal.h"

/* a graph, built from vertex 0 up */
struct ltl_arcs {
	size_t count;  /* of vertices */
	size_t *first; /* the arcs of vertex i are targets[first[i]] to targets[first[i + 1] - 1] */
	size_t *targets;
};

void ltl_arcs_init(struct ltl_arcs *arcs, size_t vertices, size_t most_arcs);
void ltl_arcs_add(struct ltl_arcs *arcs, size_t target); /* to the vertex at hand, the first one at the beginning */
void ltl_arcs_next(struct ltl_arcs *arcs);               /* the vertex at hand has all its arcs */
void ltl_arcs_release(struct ltl_arcs *arcs);

/* Return the number of each vertex's component, from 1, malloc'ed.  A component that can be reached from another has a smaller
 * number. */
size_t *ltl_arcs_components(const struct ltl_arcs *arcs);

struct ltl_component {
	size_t number; /* from 1 */
	bool recurs;   /* a run can stay in it and be accepted: it has an accepting state, and transitions */
};

/* Return the component of each state of a Buechi automaton, malloc'ed. */
struct ltl_component *ltl_components(const struct ltl_automaton *automaton);

#endif
