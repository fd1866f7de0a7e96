/* SPDX-License-Identifier: MIT
 *
 * From the very weak alternating automaton to a generalised one with marks on edges (Gastin and Oddoux, CAV 2001, section 4).
 * A vertex is a set of states, all of which must accept the rest of the word; vertex 0 is the formula itself.  An edge has the mark
 * of each state that must be left and is not among its targets.  (In their definition an edge also has the mark of a state that is
 * among its targets and could have been left.  Such edges have been left out, see alternating.c.)
 */
#include "alternating.h"

#include <assert.h>
#include <stdlib.h>

enum { TABLE = 1 << 12 };

struct construction {
	struct ltl_alternating alternating;
	struct ltl_graph *graph;
	struct ltl_set *sets; /* of each vertex; of the first one, none */
	unsigned *next;       /* vertex with the same hash; 0: none */
	unsigned table[TABLE];
};

static unsigned add_vertex(struct construction *c, const struct ltl_set *set)
{
	unsigned vertex = ltl_graph_add_vertex(c->graph);
	c->sets = realloc(c->sets, (vertex + 1) * sizeof *c->sets);
	c->next = realloc(c->next, (vertex + 1) * sizeof *c->next);
	if (!c->sets || !c->next)
		abort();
	c->sets[vertex] = *set;
	c->next[vertex] = 0;
	return vertex;
}

static unsigned vertex_of(struct construction *c, const struct ltl_set *set)
{
	uint64_t hash = 0;
	for (unsigned i = 0; i < SET_WORDS; i++)
		hash = hash * UINT64_C(0x9e3779b97f4a7c15) + (set->words[i] ^ set->words[i] >> 29);
	unsigned *slot = &c->table[(hash ^ hash >> 32) % TABLE];
	for (unsigned i = *slot; i; i = c->next[i])
		if (ltl_set_equals(&c->sets[i], set))
			return i;
	unsigned vertex = add_vertex(c, set);
	assert(vertex > 0);
	c->next[vertex] = *slot;
	return *slot = vertex;
}

/* Return the moves that all states of the set make together; the items are malloc'ed. */
static struct ltl_moves moves_of(struct construction *c, const struct ltl_set *set)
{
	struct ltl_move stay = { .guard = GUARD_TRUE };
	struct ltl_moves moves = ltl_moves_and(&c->alternating, (struct ltl_moves){ &stay, 1 }, (struct ltl_moves){ &stay, 1 });
	for (unsigned s = ltl_set_next(set, 0); s < SET_MOST; s = ltl_set_next(set, s + 1)) {
		assert(s < c->alternating.nstates);
		struct ltl_moves old = moves;
		moves = ltl_moves_and(&c->alternating, old, ltl_moves_of(&c->alternating, c->alternating.states[s]));
		free(old.items);
	}
	return moves;
}

static void add_edges(struct construction *c, unsigned vertex, struct ltl_moves moves)
{
	for (size_t i = 0; i < moves.count && !ltl_graph_exceeded(c->graph); i++) {
		struct ltl_edge edge = { .guard = moves.items[i].guard, .target = vertex_of(c, &moves.items[i].targets) };
		ltl_graph_add_edge(c->graph, vertex, &edge);
	}
}

static bool exceeded(const struct construction *c)
{
	return c->alternating.exceeded || ltl_graph_exceeded(c->graph);
}

static void mark_edge(const struct construction *c, struct ltl_edge *edge, const struct ltl_set *halves)
{
	const struct ltl_set *targets = &c->sets[edge->target];
	assert(ltl_set_includes(&c->graph->marks, halves));
	struct ltl_set others = ltl_set_without(halves, targets);
	edge->full = ltl_set_without(&c->graph->marks, targets);
	edge->half = ltl_set_without(halves, &others);
}

static void mark(struct construction *c)
{
	struct ltl_set halves = { 0 };
	for (unsigned s = 0; s < c->alternating.nstates; s++) {
		if (!ltl_must_end(&c->alternating, s, &c->graph->letters[s]))
			continue;
		ltl_set_add(&c->graph->marks, s);
		if (c->graph->letters[s] != GUARD_FALSE)
			ltl_set_add(&halves, s);
	}
	for (size_t i = 0; i < c->graph->count; i++)
		for (size_t k = 0; k < c->graph->vertices[i].count; k++)
			mark_edge(c, &c->graph->vertices[i].edges[k], &halves);
}

bool ltl_generalised(struct ltl_terms *terms, unsigned term, struct ltl_graph *graph)
{
	struct construction *c = calloc(1, sizeof *c);
	if (!c)
		abort();
	*graph = (struct ltl_graph){ .guards = terms->guards };
	c->graph = graph;
	ltl_alternating_init(&c->alternating, terms);
	add_vertex(c, &(struct ltl_set){ 0 });
	add_edges(c, 0, ltl_moves_of(&c->alternating, term));
	assert(graph->count >= 1);
	for (unsigned i = 1; i < graph->count && !exceeded(c); i++) {
		struct ltl_set set = c->sets[i];
		struct ltl_moves moves = moves_of(c, &set);
		add_edges(c, i, moves);
		free(moves.items);
	}
	mark(c);
	bool fits = !exceeded(c);
	ltl_alternating_release(&c->alternating);
	free(c->sets);
	free(c->next);
	free(c);
	return fits;
}
