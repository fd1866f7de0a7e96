/* SPDX-License-Identifier: MIT
 *
 * Strongly connected components of an automaton in the making: whether a run can be accepted in one, and what it takes there.
 */
#include "components.h"
#include "graph.h"

#include <assert.h>
#include <stdlib.h>

/* Return the components of all edges; or, within those, of the edges that do not have the mark `without` for all letters. */
static size_t *components_of(const struct ltl_graph *graph, const struct ltl_part *within, unsigned without)
{
	size_t most = 0;
	struct ltl_arcs arcs;
	for (size_t i = 0; i < graph->count; i++)
		most += graph->vertices[i].count;
	ltl_arcs_init(&arcs, graph->count, most);
	for (size_t i = 0; i < graph->count; i++, ltl_arcs_next(&arcs))
		for (size_t k = 0; k < graph->vertices[i].count; k++) {
			const struct ltl_edge *edge = &graph->vertices[i].edges[k];
			assert(edge->target < graph->count);
			if (!within || (within[i].number == within[edge->target].number && !ltl_set_has(&edge->full, without)))
				ltl_arcs_add(&arcs, edge->target);
		}
	size_t *components = ltl_arcs_components(&arcs);
	ltl_arcs_release(&arcs);
	return components;
}

/* Return the marks that an edge has at some letter. */
static struct ltl_set possible(const struct ltl_graph *graph, const struct ltl_edge *edge)
{
	struct ltl_set marks = edge->full;
	for (unsigned m = ltl_set_next(&edge->half, 0); m < SET_MOST; m = ltl_set_next(&edge->half, m + 1))
		if (ltl_guard_and(graph->guards, edge->guard, graph->letters[m]) != GUARD_FALSE)
			ltl_set_add(&marks, m);
	return marks;
}

struct ltl_part *ltl_graph_parts(const struct ltl_graph *graph)
{
	size_t *numbers = components_of(graph, NULL, 0), n = graph->count;
	struct ltl_part *parts = calloc(n + 1, sizeof *parts);
	struct ltl_set *marks = calloc(n + 1, sizeof *marks); /* of each component */
	bool *cyclic = calloc(n + 1, sizeof *cyclic);
	if (!parts || !marks || !cyclic)
		abort();
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < graph->vertices[i].count; k++) {
			const struct ltl_edge *edge = &graph->vertices[i].edges[k];
			if (numbers[edge->target] != numbers[i])
				continue;
			struct ltl_set these = possible(graph, edge), *all = &marks[numbers[i]];
			*all = ltl_set_union(all, &these);
			cyclic[numbers[i]] = true;
		}
	for (size_t i = 0; i < n; i++) {
		bool cycles = cyclic[numbers[i]];
		parts[i] = (struct ltl_part){ numbers[i], cycles, cycles && ltl_set_includes(&marks[numbers[i]], &graph->marks) };
	}
	free(numbers);
	free(marks);
	free(cyclic);
	return parts;
}

/* Has the edge mark `b` wherever it has mark `a`? */
static bool follows(const struct ltl_graph *graph, const struct ltl_edge *edge, unsigned a, unsigned b)
{
	if (ltl_set_has(&edge->full, b) || (!ltl_set_has(&edge->full, a) && !ltl_set_has(&edge->half, a)))
		return true;
	if (ltl_set_has(&edge->full, a) || !ltl_set_has(&edge->half, b))
		return false;
	return ltl_guard_implies(graph->guards, ltl_guard_and(graph->guards, edge->guard, graph->letters[a]), graph->letters[b]);
}

/* Return for each component whether mark `b` follows from mark `a` there, or, if they are one, whether no cycle is without it. */
static bool *redundant(const struct ltl_graph *graph, const struct ltl_part *parts, unsigned a, unsigned b)
{
	bool *result = malloc(graph->count + 1);
	size_t *split = a == b ? components_of(graph, parts, b) : NULL;
	if (!result)
		abort();
	for (size_t i = 0; i <= graph->count; i++)
		result[i] = true;
	for (size_t i = 0; i < graph->count; i++)
		for (size_t k = 0; k < graph->vertices[i].count; k++) {
			const struct ltl_edge *edge = &graph->vertices[i].edges[k];
			if (parts[edge->target].number != parts[i].number)
				continue;
			bool *all = &result[parts[i].number];
			if (split)
				*all = *all && (ltl_set_has(&edge->full, b) || split[i] != split[edge->target]);
			else
				*all = *all && follows(graph, edge, a, b);
		}
	free(split);
	return result;
}

struct ltl_set *ltl_graph_essential(const struct ltl_graph *graph, const struct ltl_part *parts)
{
	const struct ltl_set *marks = &graph->marks;
	struct ltl_set *essential = calloc(graph->count + 1, sizeof *essential); /* of components, then of vertices */
	struct ltl_set *result = calloc(graph->count + 1, sizeof *result);
	if (!essential || !result)
		abort();
	for (size_t i = 0; i <= graph->count; i++)
		essential[i] = *marks;
	for (unsigned b = ltl_set_next(marks, 0); b < SET_MOST; b = ltl_set_next(marks, b + 1))
		for (unsigned a = ltl_set_next(marks, 0); a < SET_MOST; a = ltl_set_next(marks, a + 1)) {
			struct ltl_set one = { 0 };
			bool *without = redundant(graph, parts, a, b);
			ltl_set_add(&one, b);
			for (size_t i = 0; i <= graph->count; i++)
				if (without[i] && ltl_set_has(&essential[i], a))
					essential[i] = ltl_set_without(&essential[i], &one);
			free(without);
		}
	for (size_t i = 0; i < graph->count; i++)
		result[i] = essential[parts[i].number];
	free(essential);
	return result;
}
