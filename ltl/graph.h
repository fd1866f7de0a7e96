/* SPDX-License-Identifier: MIT
 *
 * Automata while they are made from a formula: graphs whose edges have guards and marks.  A run is accepted if it takes edges with
 * each mark infinitely often (a generalised Buechi automaton with acceptance on transitions).  A Buechi automaton with accepting
 * states is one with a single mark, which all edges of a state have or none.
 */
#ifndef LTL_GRAPH_H
#define LTL_GRAPH_H

#include "terms.h"

enum { SET_WORDS = 8, SET_MOST = 64 * SET_WORDS };

/* of states of the alternating automaton; of marks, each of which has the number of the state it is about */
struct ltl_set {
	uint64_t words[SET_WORDS];
};

bool ltl_set_has(const struct ltl_set *set, unsigned item);
void ltl_set_add(struct ltl_set *set, unsigned item);
bool ltl_set_includes(const struct ltl_set *set, const struct ltl_set *part);
bool ltl_set_equals(const struct ltl_set *a, const struct ltl_set *b);
struct ltl_set ltl_set_union(const struct ltl_set *a, const struct ltl_set *b);
struct ltl_set ltl_set_without(const struct ltl_set *a, const struct ltl_set *b);
unsigned ltl_set_next(const struct ltl_set *set, unsigned from); /* the first item that is not less; SET_MOST: none */

struct ltl_edge {
	unsigned guard, target;
	struct ltl_set full; /* its marks */
	struct ltl_set half; /* marks that it has only where graph->letters of the mark holds too; none of them is in `full` */
};

struct ltl_vertex {
	struct ltl_edge *edges;
	size_t count;
};

struct ltl_graph {
	struct ltl_guards *guards;
	struct ltl_vertex *vertices; /* it begins in vertex 0 */
	size_t count, edges;         /* edges: added so far */
	size_t compared;             /* what reduce.c has spent */
	struct ltl_set marks;        /* all there are */
	unsigned letters[SET_MOST];  /* guards */
	bool of_states;              /* acceptance is of states: the edges of a vertex have equal marks */
};

unsigned ltl_graph_add_vertex(struct ltl_graph *graph);
/* Add an edge, or add its guard to the edge with the same target and marks, if there is one. */
void ltl_graph_add_edge(struct ltl_graph *graph, unsigned from, const struct ltl_edge *edge);
void ltl_graph_release(struct ltl_graph *graph);

/* Is the graph too large to go on with? */
bool ltl_graph_exceeded(const struct ltl_graph *graph);

/* ---- generalised.c ------------------------------------------------------------------------------------------------- */

/* Make the automaton of a term, by way of a very weak alternating automaton (alternating.h).  Return false if it is too large. */
bool ltl_generalised(struct ltl_terms *terms, unsigned term, struct ltl_graph *graph);

/* ---- strong.c ------------------------------------------------------------------------------------------------------ */

struct ltl_part {
	size_t number;  /* of the strongly connected component, from 1 */
	bool cyclic;    /* its edges make cycles */
	bool accepting; /* a run can be accepted on these cycles */
};

/* Return the part to which each vertex belongs, malloc'ed. */
struct ltl_part *ltl_graph_parts(const struct ltl_graph *graph);

/* Return for each vertex, malloc'ed, the marks that count in its component: a run that stays there with these has all. */
struct ltl_set *ltl_graph_essential(const struct ltl_graph *graph, const struct ltl_part *parts);

/* ---- reduce.c ------------------------------------------------------------------------------------------------------ */

/* Make an automaton with the same language smaller. */
void ltl_graph_reduce(struct ltl_graph *graph);

/* ---- buchi.c ------------------------------------------------------------------------------------------------------- */

/* Make a Buechi automaton with accepting states, in mark 0, that has the same language.  Return false if it is too large. */
bool ltl_degeneralised(const struct ltl_graph *generalised, struct ltl_graph *graph);

#endif
