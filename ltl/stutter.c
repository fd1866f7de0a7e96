/* SPDX-License-Identifier: MIT
 *
 * Can a never claim distinguish runs that differ only in how often a valuation is repeated (stuttering)?  Reductions preserve runs
 * only up to stuttering, so the verdict on such a claim would depend on them.
 *
 * The language of an automaton A is closed under stuttering if it includes those of two others, after Michaud and Duret-Lutz,
 * "Practical Stutter-Invariance Checks for omega-Regular Languages" (SPIN 2015):
 * - longer(A) reads a letter once more: its states are those of A, each with the letter that led there, on which it may stay;
 * - shorter(A) reads equal letters at once: where A goes by a letter from s to x and by the same on to d, it goes from s to d.
 * Of two words that differ by stuttering only, make one that has the longer block of each; the first word leads to it by
 * longer(A), and it leads to the other by shorter(A).
 *
 * Inclusion is shown by fair simulation, a game of parity: the spoiler moves in the other automaton, the duplicator follows in
 * A by the same letter, and wins if it accepts infinitely often or the spoiler does not.  That is exact where A is
 * deterministic.  Else a claim that is closed may not be recognised, which costs it the reductions and nothing more.
 */
#include "internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROPOSITIONS = 6, MOST_STATES = 60, MOST_POSITIONS = 20000 };

struct edge {
	unsigned letter, target;
	bool accepts; /* the target does, or a state that is passed */
};

/* a state, with its edges */
struct node {
	struct edge *edges;
	size_t count;
};

struct graph {
	struct node *nodes;
	size_t count;
};

/* ---- guards -------------------------------------------------------------------------------------------------------- */

/* being evaluated */
struct guard {
	struct ltl_lexer lexer;
	struct ltl_error error;
	unsigned letter, propositions;
	bool failed; /* it is not of a form that is known */
};

static bool or_value(struct guard *g);

static void next(struct guard *g)
{
	g->failed = g->failed || ltl_lexer_next(&g->lexer) < 0;
}

static bool is_symbol(const struct guard *g, enum ltl_operator op)
{
	return !g->failed && g->lexer.token == TOKEN_OPERATOR && g->lexer.op == op;
}

static bool number_value(struct guard *g)
{
	const char *at = g->lexer.text + g->lexer.begin;
	bool value = *at == '1';
	g->failed = g->failed || g->lexer.end - g->lexer.begin != 1 || (*at != '0' && *at != '1');
	next(g);
	return value;
}

static bool word_value(struct guard *g)
{
	const char *at = g->lexer.text + g->lexer.begin;
	bool truth = ltl_is_word(&g->lexer, "true") || ltl_is_word(&g->lexer, "skip"), value = truth;
	if (!truth && !ltl_is_word(&g->lexer, "false")) {
		unsigned long number = strtoul(at + 1, NULL, 10);
		g->failed = g->failed || *at != 'p' || g->lexer.end - g->lexer.begin < 2 || number >= g->propositions;
		value = !g->failed && (g->letter >> number & 1);
	}
	next(g);
	return value;
}

static bool unary_value(struct guard *g)
{
	if (is_symbol(g, LTL_NOT)) {
		next(g);
		return !unary_value(g);
	}
	if (g->failed || (g->lexer.token != TOKEN_LEFT && g->lexer.token != TOKEN_WORD && g->lexer.token != TOKEN_NUMBER)) {
		g->failed = true;
		return false;
	}
	if (g->lexer.token != TOKEN_LEFT)
		return g->lexer.token == TOKEN_WORD ? word_value(g) : number_value(g);
	next(g);
	bool value = or_value(g);
	g->failed = g->failed || g->lexer.token != TOKEN_RIGHT;
	next(g);
	return value;
}

static bool and_value(struct guard *g)
{
	bool value = unary_value(g);
	while (is_symbol(g, LTL_AND)) {
		next(g);
		bool right = unary_value(g);
		value = value && right;
	}
	return value;
}

static bool or_value(struct guard *g)
{
	bool value = and_value(g);
	while (is_symbol(g, LTL_OR)) {
		next(g);
		bool right = and_value(g);
		value = value || right;
	}
	return value;
}

/* Does the guard hold for a letter?  Set `failed` if that is not known. */
static bool guard_value(const char *text, unsigned letter, unsigned propositions, bool *failed)
{
	struct guard g = { .letter = letter, .propositions = propositions };
	g.failed = ltl_lexer_start(&g.lexer, text, &g.error) < 0;
	bool value = !g.failed && or_value(&g);
	*failed = *failed || g.failed || g.lexer.token != TOKEN_END;
	ltl_error_release(&g.error);
	return value;
}

/* ---- graphs -------------------------------------------------------------------------------------------------------- */

static struct graph graph_of(size_t count)
{
	struct graph graph = { calloc(count, sizeof *graph.nodes), count };
	if (!graph.nodes)
		abort();
	return graph;
}

static void release(struct graph *graph)
{
	for (size_t i = 0; i < graph->count; i++)
		free(graph->nodes[i].edges);
	free(graph->nodes);
}

/* Add an edge, and return whether it says something new. */
static bool add_edge(struct node *node, struct edge edge)
{
	for (size_t i = 0; i < node->count; i++)
		if (node->edges[i].letter == edge.letter && node->edges[i].target == edge.target) {
			bool new = edge.accepts && !node->edges[i].accepts;
			node->edges[i].accepts = node->edges[i].accepts || edge.accepts;
			return new;
		}
	node->edges = realloc(node->edges, (node->count + 1) * sizeof *node->edges);
	if (!node->edges)
		abort();
	node->edges[node->count++] = edge;
	return true;
}

/* Make a graph of the automaton, with a node for LTL_ACCEPTED at its end.  Return false if a guard is not understood. */
static bool graph_of_claim(const struct ltl_automaton *a, unsigned propositions, struct graph *graph)
{
	unsigned letters = 1u << propositions, all = (unsigned)a->nstates;
	bool failed = false;
	*graph = graph_of(a->nstates + 1);
	for (size_t s = 0; s < a->nstates; s++)
		for (size_t i = 0; i < a->states[s].ntransitions; i++)
			for (unsigned letter = 0; letter < letters; letter++) {
				const struct ltl_transition *t = &a->states[s].transitions[i];
				unsigned target = t->target == LTL_ACCEPTED ? all : (unsigned)t->target;
				if (guard_value(t->guard, letter, propositions, &failed))
					add_edge(&graph->nodes[s],
						 (struct edge){ letter, target, target == all || a->states[target].accepting });
			}
	for (unsigned letter = 0; letter < letters; letter++)
		add_edge(&graph->nodes[all], (struct edge){ letter, all, true });
	return !failed;
}

/* Return longer(A).  Node 0 is the initial one; behind it are, for each state and letter, the state as it is entered by the
 * letter. */
static struct graph longer(const struct graph *a, unsigned letters)
{
	struct graph graph = graph_of(1 + a->count * letters);
	for (size_t i = 0; i < graph.count; i++) {
		const struct node *from = &a->nodes[i ? (i - 1) / letters : 0];
		for (size_t k = 0; k < from->count; k++) {
			struct edge edge = from->edges[k];
			assert(edge.letter < letters && edge.target < a->count);
			edge.target = 1 + edge.target * letters + edge.letter;
			add_edge(&graph.nodes[i], edge);
		}
		if (i)
			add_edge(&graph.nodes[i], (struct edge){ (unsigned)((i - 1) % letters), (unsigned)i, false });
	}
	return graph;
}

static struct graph shorter(const struct graph *a)
{
	struct graph graph = graph_of(a->count);
	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < a->nodes[i].count; k++)
			add_edge(&graph.nodes[i], a->nodes[i].edges[k]);
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < graph.count; i++)
			for (size_t k = 0; k < graph.nodes[i].count; k++) {
				struct edge one = graph.nodes[i].edges[k];
				for (size_t m = 0; m < graph.nodes[one.target].count; m++) {
					struct edge other = graph.nodes[one.target].edges[m];
					other.accepts = other.accepts || one.accepts;
					changed = (other.letter == one.letter && add_edge(&graph.nodes[i], other)) || changed;
				}
			}
	}
	return graph;
}

/* ---- fair simulation ----------------------------------------------------------------------------------------------- */

struct game {
	const struct graph *spoiler, *duplicator;
	size_t positions; /* spoiler's node * duplicator's nodes + duplicator's node */
	bool *sets[3];    /* positions: where to go when nobody accepts, only the spoiler does, the duplicator does */
};

static bool is_answered(const struct game *g, struct edge move, const struct node *duplicator)
{
	for (size_t i = 0; i < duplicator->count; i++) {
		struct edge answer = duplicator->edges[i];
		unsigned set = answer.accepts ? 2 : move.accepts;
		if (answer.letter == move.letter && g->sets[set][move.target * g->duplicator->count + answer.target])
			return true;
	}
	return false;
}

static bool holds(const struct game *g, size_t position)
{
	const struct node *spoiler = &g->spoiler->nodes[position / g->duplicator->count];
	for (size_t i = 0; i < spoiler->count; i++)
		if (!is_answered(g, spoiler->edges[i], &g->duplicator->nodes[position % g->duplicator->count]))
			return false;
	return true;
}

/* Find the positions in which the duplicator wins, by nested fixed points: sets 0 and 2 are greatest ones, set 1 is a least one. */
static void solve(struct game *g, unsigned set)
{
	assert(set < 3 && g->positions > 0);
	memset(g->sets[set], set != 1, g->positions);
	for (bool changed = true; changed;) {
		changed = false;
		if (set)
			solve(g, set - 1);
		for (size_t i = 0; i < g->positions; i++) {
			bool now = set ? g->sets[set - 1][i] : g->sets[0][i] && holds(g, i);
			changed = changed || now != g->sets[set][i];
			g->sets[set][i] = now;
		}
	}
}

static bool includes(const struct graph *a, const struct graph *other)
{
	struct game game = { .spoiler = other, .duplicator = a, .positions = a->count * other->count };
	if (game.positions > MOST_POSITIONS)
		return false;
	for (unsigned i = 0; i < 3; i++)
		if (!(game.sets[i] = malloc(game.positions)))
			abort();
	solve(&game, 2);
	bool wins = game.sets[2][0];
	for (unsigned i = 0; i < 3; i++)
		free(game.sets[i]);
	return wins;
}

bool ltl_is_stutter_closed(const char *claim, size_t propositions)
{
	struct ltl_automaton automaton;
	struct ltl_error error = { 0 };
	if (ltl_automaton_read(claim, &automaton, &error) < 0) {
		ltl_error_release(&error);
		return false;
	}
	bool closed = false;
	if (propositions <= MOST_PROPOSITIONS && automaton.nstates <= MOST_STATES) {
		struct graph graph;
		bool understood = graph_of_claim(&automaton, (unsigned)propositions, &graph);
		struct graph more = longer(&graph, 1u << propositions), less = shorter(&graph);
		closed = understood && includes(&graph, &more) && includes(&graph, &less);
		release(&graph);
		release(&more);
		release(&less);
	}
	ltl_automaton_release(&automaton);
	return closed;
}
