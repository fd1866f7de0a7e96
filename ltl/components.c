/* SPDX-License-Identifier: MIT
 *
 * See components.h.  Tarjan's algorithm ("Depth-first search and linear graph algorithms", SIAM Journal on Computing 1(2),
 * 1972).
 */
#include "components.h"

#include <assert.h>
#include <stdlib.h>

static void *zeroes(size_t count, size_t size)
{
	void *memory = calloc(count + 1, size);
	if (!memory)
		abort();
	return memory;
}

void ltl_arcs_init(struct ltl_arcs *arcs, size_t vertices, size_t most_arcs)
{
	*arcs = (struct ltl_arcs){ .first = zeroes(vertices + 1, sizeof(size_t)), .targets = zeroes(most_arcs, sizeof(size_t)) };
}

void ltl_arcs_add(struct ltl_arcs *arcs, size_t target)
{
	assert(arcs->first[arcs->count] <= arcs->first[arcs->count + 1]);
	arcs->targets[arcs->first[arcs->count + 1]++] = target;
}

void ltl_arcs_next(struct ltl_arcs *arcs)
{
	arcs->count++;
	arcs->first[arcs->count + 1] = arcs->first[arcs->count];
}

void ltl_arcs_release(struct ltl_arcs *arcs)
{
	free(arcs->first);
	free(arcs->targets);
}

struct walk {
	const struct ltl_arcs *arcs;
	size_t *components;  /* of each vertex; 0: not known yet */
	size_t *index, *low; /* 0: not met yet */
	size_t *stack, depth;
	size_t met, found;
};

static void visit(struct walk *w, size_t vertex);

static void look_at(struct walk *w, size_t vertex, size_t target)
{
	assert(target < w->arcs->count);
	if (w->index[target] == 0)
		visit(w, target);
	if (w->components[target] == 0 && w->low[target] < w->low[vertex]) /* it is still on the stack */
		w->low[vertex] = w->low[target];
}

static void visit(struct walk *w, size_t vertex)
{
	assert(w->index[vertex] == 0 && w->depth < w->arcs->count);
	w->index[vertex] = w->low[vertex] = ++w->met;
	w->stack[w->depth++] = vertex;
	for (size_t i = w->arcs->first[vertex]; i < w->arcs->first[vertex + 1]; i++)
		look_at(w, vertex, w->arcs->targets[i]);
	if (w->low[vertex] != w->index[vertex])
		return;
	w->found++;
	do
		w->components[w->stack[--w->depth]] = w->found;
	while (w->stack[w->depth] != vertex);
}

size_t *ltl_arcs_components(const struct ltl_arcs *arcs)
{
	size_t n = arcs->count;
	struct walk w = {
		.arcs = arcs,
		.components = zeroes(n, sizeof(size_t)),
		.index = zeroes(n, sizeof(size_t)),
		.low = zeroes(n, sizeof(size_t)),
		.stack = zeroes(n, sizeof(size_t)),
	};
	for (size_t i = 0; i < n; i++)
		if (w.index[i] == 0)
			visit(&w, i);
	free(w.index);
	free(w.low);
	free(w.stack);
	return w.components;
}

/* ---- of a Buechi automaton ----------------------------------------------------------------------------------------- */

static struct ltl_arcs arcs_of(const struct ltl_automaton *a)
{
	size_t most = 0;
	struct ltl_arcs arcs;
	for (size_t i = 0; i < a->nstates; i++)
		most += a->states[i].ntransitions;
	ltl_arcs_init(&arcs, a->nstates, most);
	for (size_t i = 0; i < a->nstates; i++, ltl_arcs_next(&arcs))
		for (size_t k = 0; k < a->states[i].ntransitions; k++)
			if (a->states[i].transitions[k].target != LTL_ACCEPTED)
				ltl_arcs_add(&arcs, a->states[i].transitions[k].target);
	return arcs;
}

/* Can a run stay in the component `number` and be accepted?  Not in a single state without a transition to itself. */
static bool recurs(const struct ltl_automaton *a, const struct ltl_component *components, size_t number)
{
	bool accepting = false, cyclic = false;
	for (size_t i = 0; i < a->nstates; i++) {
		if (components[i].number != number)
			continue;
		accepting = accepting || a->states[i].accepting;
		for (size_t k = 0; k < a->states[i].ntransitions; k++) {
			size_t target = a->states[i].transitions[k].target;
			cyclic = cyclic || (target != LTL_ACCEPTED && components[target].number == number);
		}
	}
	return accepting && cyclic;
}

struct ltl_component *ltl_components(const struct ltl_automaton *a)
{
	struct ltl_arcs arcs = arcs_of(a);
	size_t *numbers = ltl_arcs_components(&arcs);
	struct ltl_component *components = zeroes(a->nstates, sizeof *components);
	bool *all = zeroes(a->nstates + 1, sizeof *all);
	for (size_t i = 0; i < a->nstates; i++)
		components[i].number = numbers[i];
	for (size_t number = 1; number <= a->nstates; number++)
		all[number] = recurs(a, components, number);
	for (size_t i = 0; i < a->nstates; i++)
		components[i].recurs = all[components[i].number];
	free(all);
	free(numbers);
	ltl_arcs_release(&arcs);
	return components;
}
