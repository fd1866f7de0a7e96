/* SPDX-License-Identifier: MIT
 *
 * An automaton in the making is made smaller until nothing changes:
 * - Marks are dropped where no run can be accepted, and set where they do not matter (Somenzi and Bloem, CAV 2000, section 5).
 * - Vertices with equal edges become one (Gastin and Oddoux, CAV 2001, section 4).
 * - Vertices that simulate each other directly become one; an edge is left out where another is as good (Etessami and Holzmann,
 *   CONCUR 2000, section 4; Bustan and Grumberg, "Simulation-Based Minimization", ACM TOCL 4(2), 2003).
 * - Vertices that cannot be reached, or accept nothing, go.
 *
 * Where acceptance is of states, marks are those of a vertex: all its edges have equal ones, and go on having them.
 */
#include "graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Pairs of edges that may be compared for a graph; one whose guards are compared too counts as many. */
enum { MOST_COMPARED = 40 * 1000 * 1000, GUARD_COMPARED = 100 };

#define NOWHERE UINT32_MAX

static void *array(size_t count, size_t size)
{
	void *memory = calloc(count + 1, size);
	if (!memory)
		abort();
	return memory;
}

static size_t edges_of(const struct ltl_graph *g)
{
	size_t edges = 0;
	for (size_t i = 0; i < g->count; i++)
		edges += g->vertices[i].count;
	return edges;
}

/* ---- vertices that become others ----------------------------------------------------------------------------------- */

/* Return new numbers for the vertices that can be reached, from 0 in the order in which they are met; NOWHERE for others. */
static unsigned *numbered(const struct ltl_graph *g, const unsigned *to, unsigned *count)
{
	unsigned *numbers = array(g->count, sizeof *numbers), *queue = array(g->count, sizeof *queue);
	memset(numbers, 0xff, g->count * sizeof *numbers);
	*count = 0;
	assert(g->count > 0 && to[0] < g->count && to[to[0]] == to[0]);
	queue[0] = to[0];
	numbers[to[0]] = (*count)++;
	for (unsigned i = 0; i < *count; i++) {
		const struct ltl_vertex *vertex = &g->vertices[queue[i]];
		for (size_t k = 0; k < vertex->count; k++) {
			unsigned target = to[vertex->edges[k].target];
			if (target == NOWHERE || numbers[target] != NOWHERE)
				continue;
			assert(to[target] == target);
			queue[*count] = target;
			numbers[target] = (*count)++;
		}
	}
	free(queue);
	return numbers;
}

/* Let each vertex i become to[i], for which to[to[i]] == to[i], or go if to[i] is NOWHERE; vertex 0 does not go. */
static void rebuild(struct ltl_graph *g, const unsigned *to)
{
	unsigned count, *numbers = numbered(g, to, &count);
	struct ltl_graph new = *g;
	new.vertices = array(count, sizeof *new.vertices);
	new.count = count;
	new.edges = 0;
	for (size_t i = 0; i < g->count; i++) {
		for (size_t k = 0; k < g->vertices[i].count && numbers[i] != NOWHERE; k++) {
			struct ltl_edge edge = g->vertices[i].edges[k];
			if (to[edge.target] == NOWHERE)
				continue;
			edge.target = numbers[to[edge.target]];
			ltl_graph_add_edge(&new, numbers[i], &edge);
		}
	}
	free(numbers);
	ltl_graph_release(g);
	*g = new;
}

static unsigned *identity(const struct ltl_graph *g)
{
	unsigned *to = array(g->count, sizeof *to);
	for (size_t i = 0; i < g->count; i++)
		to[i] = (unsigned)i;
	return to;
}

/* ---- marks, and vertices that accept nothing ----------------------------------------------------------------------- */

/* Return for each vertex whether it accepts something. */
static bool *accepts_something(const struct ltl_graph *g, const struct ltl_part *parts)
{
	bool *alive = array(g->count + 1, sizeof *alive); /* of components, then of vertices */
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < g->count; i++) {
			bool now = parts[i].accepting;
			for (size_t k = 0; k < g->vertices[i].count; k++)
				now = now || alive[g->vertices[i].edges[k].target];
			changed = changed || now != alive[i];
			alive[i] = now;
		}
	}
	return alive;
}

static void clean_edge(const struct ltl_graph *g, struct ltl_edge *edge, bool counts, const struct ltl_set *essential)
{
	struct ltl_set others = ltl_set_without(&g->marks, essential);
	if (!counts) {
		edge->full = edge->half = (struct ltl_set){ 0 };
		return;
	}
	edge->full = ltl_set_union(&edge->full, &others);
	edge->half = ltl_set_without(&edge->half, &others);
}

static void clean(struct ltl_graph *g)
{
	struct ltl_part *parts = ltl_graph_parts(g);
	struct ltl_set *essential = ltl_graph_essential(g, parts);
	bool *alive = accepts_something(g, parts);
	unsigned *to = identity(g);
	for (size_t i = 0; i < g->count; i++) {
		for (size_t k = 0; k < g->vertices[i].count; k++) {
			struct ltl_edge *edge = &g->vertices[i].edges[k];
			bool inner = g->of_states || parts[edge->target].number == parts[i].number;
			clean_edge(g, edge, inner && parts[i].accepting, &essential[i]);
		}
		if (!alive[i] && i > 0)
			to[i] = NOWHERE;
	}
	if (g->count && !alive[0])
		g->vertices[0].count = 0;
	free(parts);
	free(essential);
	free(alive);
	rebuild(g, to);
	free(to);
}

/* ---- equal vertices ------------------------------------------------------------------------------------------------ */

static bool has_edge(const struct ltl_vertex *vertex, const struct ltl_edge *edge)
{
	for (size_t i = 0; i < vertex->count; i++) {
		const struct ltl_edge *other = &vertex->edges[i];
		if (other->target == edge->target && other->guard == edge->guard && ltl_set_equals(&other->full, &edge->full) &&
		    ltl_set_equals(&other->half, &edge->half))
			return true;
	}
	return false;
}

static bool are_equal(const struct ltl_vertex *a, const struct ltl_vertex *b)
{
	bool equal = a->count == b->count;
	for (size_t i = 0; i < a->count && equal; i++)
		equal = has_edge(b, &a->edges[i]);
	return equal;
}

/* Return the letters at which the vertex goes to the target, with any marks. */
static unsigned letters_to(struct ltl_graph *g, const struct ltl_vertex *vertex, unsigned target)
{
	unsigned letters = GUARD_FALSE;
	for (size_t i = 0; i < vertex->count; i++)
		if (vertex->edges[i].target == target)
			letters = ltl_guard_or(g->guards, letters, vertex->edges[i].guard);
	return letters;
}

/* Are two vertices without cycles alike?  A run passes such a vertex once, so marks do not matter. */
static bool are_alike(struct ltl_graph *g, const struct ltl_vertex *a, const struct ltl_vertex *b)
{
	for (unsigned way = 0; way < 2; way++) {
		const struct ltl_vertex *one = way ? a : b;
		for (size_t i = 0; i < one->count; i++)
			if (letters_to(g, a, one->edges[i].target) != letters_to(g, b, one->edges[i].target))
				return false;
	}
	return true;
}

/* Return a number that equal vertices, or alike ones, have in common. */
static unsigned summary(const struct ltl_vertex *vertex)
{
	unsigned all = 0;
	for (size_t i = 0; i < vertex->count; i++)
		all |= 1u << vertex->edges[i].target % 32;
	return all;
}

static bool merge_equal(struct ltl_graph *g)
{
	struct ltl_part *parts = ltl_graph_parts(g);
	unsigned *to = identity(g), *summaries = array(g->count, sizeof *summaries);
	bool changed = false;
	for (size_t i = 0; i < g->count; i++)
		summaries[i] = summary(&g->vertices[i]);
	for (unsigned i = 0; i < g->count; i++)
		for (unsigned k = 0; k < g->count && to[i] == i; k++) {
			if (k == i || to[k] != k || summaries[i] != summaries[k])
				continue;
			bool same = are_equal(&g->vertices[i], &g->vertices[k]);
			if (!same && (parts[i].cyclic || !are_alike(g, &g->vertices[i], &g->vertices[k])))
				continue;
			to[i] = k;
			for (unsigned m = 0; m < i; m++) /* those that have become i */
				to[m] = to[m] == i ? k : to[m];
			changed = true;
		}
	if (changed)
		rebuild(g, to);
	free(parts);
	free(to);
	free(summaries);
	return changed;
}

/* ---- direct simulation --------------------------------------------------------------------------------------------- */

/* simulates[p * count + q]: p simulates q */
struct simulation {
	struct ltl_graph *g;
	bool *simulates;
};

static bool has_marks_of(const struct ltl_edge *a, const struct ltl_edge *b)
{
	struct ltl_set ours = ltl_set_union(&a->full, &a->half), theirs = ltl_set_union(&b->full, &b->half);
	return ltl_set_includes(&a->full, &b->full) && ltl_set_includes(&ours, &theirs);
}

static bool is_simulated(const struct simulation *s, unsigned p, unsigned q)
{
	return s->simulates[(size_t)p * s->g->count + q];
}

/* Can p answer each edge of q, at each of its letters? */
static bool answers(struct simulation *s, unsigned p, unsigned q)
{
	const struct ltl_vertex *ours = &s->g->vertices[p], *theirs = &s->g->vertices[q];
	for (size_t i = 0; i < theirs->count; i++) {
		const struct ltl_edge *move = &theirs->edges[i];
		unsigned left = move->guard;
		for (size_t k = 0; k < ours->count && left != GUARD_FALSE; k++, s->g->compared++)
			if (is_simulated(s, ours->edges[k].target, move->target) && has_marks_of(&ours->edges[k], move)) {
				left = ltl_guard_without(s->g->guards, left, ours->edges[k].guard);
				s->g->compared += GUARD_COMPARED;
			}
		if (left != GUARD_FALSE)
			return false;
	}
	return true;
}

/* Find which vertices simulate which.  Return false if that would take too long. */
static bool simulate(struct simulation *s)
{
	size_t n = s->g->count;
	memset(s->simulates, true, n * n);
	for (bool changed = true; changed;) {
		changed = false;
		for (unsigned p = 0; p < n; p++)
			for (unsigned q = 0; q < n; q++)
				if (s->g->compared > MOST_COMPARED) {
					return false;
				} else if (p != q && is_simulated(s, p, q) && !answers(s, p, q)) {
					s->simulates[p * n + q] = false;
					changed = true;
				}
	}
	return true;
}

/* Leave out an edge at the letters at which another goes to a vertex that simulates its target.  In a graph whose vertices do not
 * simulate each other mutually, that is never so both ways. */
static bool restrict_edges(const struct simulation *s, struct ltl_vertex *vertex)
{
	bool changed = false;
	size_t kept = 0;
	for (size_t i = 0; i < vertex->count; i++) {
		struct ltl_edge *edge = &vertex->edges[i];
		for (size_t k = 0; k < vertex->count; k++) {
			const struct ltl_edge *other = &vertex->edges[k];
			if (k == i || !is_simulated(s, other->target, edge->target) || !has_marks_of(other, edge))
				continue;
			assert(other->target != edge->target || !has_marks_of(edge, other));
			unsigned guard = ltl_guard_without(s->g->guards, edge->guard, other->guard);
			changed = changed || guard != edge->guard;
			edge->guard = guard;
		}
	}
	for (size_t i = 0; i < vertex->count; i++)
		if (vertex->edges[i].guard != GUARD_FALSE)
			vertex->edges[kept++] = vertex->edges[i];
	vertex->count = kept;
	return changed;
}

static bool merge_similar(struct simulation *s)
{
	struct ltl_graph *g = s->g;
	unsigned *to = identity(g);
	bool changed = false;
	for (unsigned i = 0; i < g->count; i++)
		for (unsigned k = 0; k < i && to[i] == i; k++)
			if (to[k] == k && is_simulated(s, i, k) && is_simulated(s, k, i)) {
				to[i] = k;
				changed = true;
			}
	if (changed)
		rebuild(g, to);
	free(to);
	return changed;
}

static bool compare(struct ltl_graph *g)
{
	struct simulation s = { g, array(g->count * g->count, sizeof(bool)) };
	bool done = simulate(&s), merged = done && merge_similar(&s),
	     changed = false; /* merged: the numbers are no longer those of the simulation */
	for (size_t i = 0; i < g->count && done && !merged; i++)
		changed = restrict_edges(&s, &g->vertices[i]) || changed;
	free(s.simulates);
	return merged || changed;
}

void ltl_graph_reduce(struct ltl_graph *g)
{
	size_t vertices, edges;
	do {
		vertices = g->count;
		edges = edges_of(g);
		clean(g);
		bool changed;
		do
			changed = merge_equal(g) || compare(g);
		while (changed && !ltl_graph_exceeded(g));
		assert(g->count <= vertices && edges_of(g) <= edges); /* so the rounds come to an end */
	} while (vertices != g->count || edges != edges_of(g));
}
