/* SPDX-License-Identifier: MIT
 *
 * See components.h.  Tarjan's algorithm ("Depth-first search and linear graph algorithms", SIAM Journal on Computing 1(2),
 * 1972).
 */
#include "components.h"

#include <stdlib.h>

struct walk {
	const struct ltl_automaton *a;
	struct ltl_component *components; /* of each state */
	size_t *index, *low;              /* 0: not met yet */
	size_t *stack, depth;
	size_t met, found;
};

static void visit(struct walk *w, size_t state);

static void look_at(struct walk *w, size_t state, size_t target)
{
	if (target == LTL_ACCEPTED)
		return;
	if (w->index[target] == 0)
		visit(w, target);
	if (w->components[target].number == 0 && w->low[target] < w->low[state]) /* it is still on the stack */
		w->low[state] = w->low[target];
}

static void visit(struct walk *w, size_t state)
{
	w->index[state] = w->low[state] = ++w->met;
	w->stack[w->depth++] = state;
	for (size_t i = 0; i < w->a->states[state].ntransitions; i++)
		look_at(w, state, w->a->states[state].transitions[i].target);
	if (w->low[state] != w->index[state])
		return;
	w->found++;
	do
		w->components[w->stack[--w->depth]].number = w->found;
	while (w->stack[w->depth] != state);
}

/* Can a run stay in the state's component and be accepted?  Not in a single state without a transition to itself. */
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
	size_t n = a->nstates + 1;
	struct walk w = { .a = a, .components = calloc(n, sizeof *w.components), .index = calloc(n, sizeof *w.index) };
	w.low = calloc(n, sizeof *w.low);
	w.stack = calloc(n, sizeof *w.stack);
	bool *all = calloc(n + 1, sizeof *all);
	if (!w.components || !w.index || !w.low || !w.stack || !all)
		abort();
	for (size_t i = 0; i < a->nstates; i++)
		if (w.index[i] == 0)
			visit(&w, i);
	for (size_t number = 1; number <= w.found; number++)
		all[number] = recurs(a, w.components, number);
	for (size_t i = 0; i < a->nstates; i++)
		w.components[i].recurs = all[w.components[i].number];
	free(w.index);
	free(w.low);
	free(w.stack);
	free(all);
	return w.components;
}
