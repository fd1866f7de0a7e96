/* SPDX-License-Identifier: MIT
 *
 * See graph.h.
 */
#include "graph.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST_VERTICES = 10000, MOST_EDGES = 40000 };

bool ltl_set_has(const struct ltl_set *set, unsigned item)
{
	assert(item < SET_MOST);
	return set->words[item / 64] >> item % 64 & 1;
}

void ltl_set_add(struct ltl_set *set, unsigned item)
{
	assert(item < SET_MOST);
	set->words[item / 64] |= UINT64_C(1) << item % 64;
}

bool ltl_set_includes(const struct ltl_set *set, const struct ltl_set *part)
{
	uint64_t missing = 0;
	for (unsigned i = 0; i < SET_WORDS; i++)
		missing |= part->words[i] & ~set->words[i];
	return missing == 0;
}

bool ltl_set_equals(const struct ltl_set *a, const struct ltl_set *b)
{
	return ltl_set_includes(a, b) && ltl_set_includes(b, a);
}

struct ltl_set ltl_set_union(const struct ltl_set *a, const struct ltl_set *b)
{
	struct ltl_set both;
	for (unsigned i = 0; i < SET_WORDS; i++)
		both.words[i] = a->words[i] | b->words[i];
	return both;
}

struct ltl_set ltl_set_without(const struct ltl_set *a, const struct ltl_set *b)
{
	struct ltl_set rest;
	for (unsigned i = 0; i < SET_WORDS; i++)
		rest.words[i] = a->words[i] & ~b->words[i];
	return rest;
}

unsigned ltl_set_next(const struct ltl_set *set, unsigned from)
{
	while (from < SET_MOST && !ltl_set_has(set, from))
		from++;
	return from;
}

unsigned ltl_graph_add_vertex(struct ltl_graph *graph)
{
	graph->vertices = realloc(graph->vertices, (graph->count + 1) * sizeof *graph->vertices);
	if (!graph->vertices)
		abort();
	graph->vertices[graph->count] = (struct ltl_vertex){ 0 };
	return (unsigned)graph->count++;
}

void ltl_graph_add_edge(struct ltl_graph *graph, unsigned from, const struct ltl_edge *edge)
{
	assert(from < graph->count);
	struct ltl_vertex *vertex = &graph->vertices[from];
	if (edge->guard == GUARD_FALSE)
		return;
	for (size_t i = 0; i < vertex->count; i++) {
		struct ltl_edge *old = &vertex->edges[i];
		if (old->target == edge->target && ltl_set_equals(&old->full, &edge->full) &&
		    ltl_set_equals(&old->half, &edge->half)) {
			old->guard = ltl_guard_or(graph->guards, old->guard, edge->guard);
			return;
		}
	}
	vertex->edges = realloc(vertex->edges, (vertex->count + 1) * sizeof *vertex->edges);
	if (!vertex->edges)
		abort();
	assert(!graph->of_states || vertex->count == 0 || ltl_set_equals(&vertex->edges[0].full, &edge->full));
	vertex->edges[vertex->count++] = *edge;
	graph->edges++;
}

void ltl_graph_release(struct ltl_graph *graph)
{
	for (size_t i = 0; i < graph->count; i++)
		free(graph->vertices[i].edges);
	free(graph->vertices);
	graph->vertices = NULL;
	graph->count = 0;
}

bool ltl_graph_exceeded(const struct ltl_graph *graph)
{
	return graph->count > MOST_VERTICES || graph->edges > MOST_EDGES || ltl_guards_exceeded(graph->guards);
}
