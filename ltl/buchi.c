/* SPDX-License-Identifier: MIT
 *
 * From formulas to never claims, in the form that `spin -f` prints, which claim.c describes: by way of terms, a very weak
 * alternating automaton, a generalised Buechi automaton, and a Buechi automaton, each made as small as is cheap.  See also
 * Gastin and Oddoux, CAV 2001, section 5, on how several marks become accepting states.
 */
#include "graph.h"

#include <assert.h>
#include <stdlib.h>

/* ---- accepting states ---------------------------------------------------------------------------------------------- */

/* A vertex, and how many of the marks that count in its component a run has passed; with all of them it is accepting.  They count
 * in one order, so that a run that has passed some waits for one.  In another component a run begins anew. */
struct counting {
	const struct ltl_graph *from;
	struct ltl_graph *to;
	struct ltl_part *parts;
	struct ltl_set *essential;   /* of each vertex of `from` */
	unsigned *numbers;           /* in `to`, by vertex and level; UNKNOWN: it has none */
	unsigned *vertices, *levels; /* of each vertex of `to` */
	size_t room;                 /* of a vertex in `numbers` */
};

#define UNKNOWN UINT32_MAX

static unsigned size_of(const struct ltl_set *set)
{
	unsigned size = 0;
	for (unsigned m = ltl_set_next(set, 0); m < SET_MOST; m = ltl_set_next(set, m + 1))
		size++;
	return size;
}

static unsigned last_level(const struct counting *c, unsigned vertex)
{
	assert(vertex < c->from->count);
	return c->parts[vertex].accepting ? size_of(&c->essential[vertex]) : 1;
}

static unsigned number_of(struct counting *c, unsigned vertex, unsigned level)
{
	unsigned *number = &c->numbers[vertex * c->room + level];
	assert(level < c->room);
	if (*number == UNKNOWN) {
		*number = ltl_graph_add_vertex(c->to);
		c->vertices = realloc(c->vertices, c->to->count * sizeof *c->vertices);
		c->levels = realloc(c->levels, c->to->count * sizeof *c->levels);
		if (!c->vertices || !c->levels)
			abort();
		c->vertices[*number] = vertex;
		c->levels[*number] = level;
	}
	return *number;
}

static void add(struct counting *c, unsigned number, bool accepting, unsigned guard, unsigned target, unsigned level)
{
	struct ltl_edge edge = { .guard = guard, .target = number_of(c, target, level) };
	if (accepting)
		ltl_set_add(&edge.full, 0);
	ltl_graph_add_edge(c->to, number, &edge);
}

/* Add an edge within a component, from the level of vertex `number`: at each of its letters the edge passes marks as long as it
 * has the next one. */
static void add_inner(struct counting *c, unsigned number, const struct ltl_edge *edge)
{
	const struct ltl_set *order = &c->essential[edge->target];
	unsigned last = last_level(c, edge->target), guard = edge->guard, level = c->levels[number], mark = ltl_set_next(order, 0);
	bool accepting = level == last;
	assert(level <= last);
	level = accepting ? 0 : level;
	for (unsigned i = 0; i < level; i++)
		mark = ltl_set_next(order, mark + 1);
	for (; level < last && guard != GUARD_FALSE; level++, mark = ltl_set_next(order, mark + 1)) {
		unsigned passing = ltl_set_has(&edge->full, mark) ? GUARD_TRUE : GUARD_FALSE;
		if (ltl_set_has(&edge->half, mark))
			passing = c->from->letters[mark];
		unsigned waiting = ltl_guard_without(c->from->guards, guard, passing);
		if (waiting != GUARD_FALSE)
			add(c, number, accepting, waiting, edge->target, level);
		guard = ltl_guard_and(c->from->guards, guard, passing);
	}
	if (guard != GUARD_FALSE)
		add(c, number, accepting, guard, edge->target, level);
}

static void add_edges(struct counting *c, unsigned number)
{
	unsigned vertex = c->vertices[number];
	for (size_t i = 0; i < c->from->vertices[vertex].count; i++) {
		const struct ltl_edge *edge = &c->from->vertices[vertex].edges[i];
		bool inner = c->parts[edge->target].number == c->parts[vertex].number;
		if (inner && c->parts[vertex].accepting)
			add_inner(c, number, edge);
		else
			add(c, number, c->levels[number] == last_level(c, vertex), edge->guard, edge->target, 0);
	}
}

bool ltl_degeneralised(const struct ltl_graph *from, struct ltl_graph *to)
{
	struct counting c = { .from = from, .to = to, .parts = ltl_graph_parts(from), .room = size_of(&from->marks) + 2 };
	*to = (struct ltl_graph){ .guards = from->guards, .of_states = true };
	ltl_set_add(&to->marks, 0);
	assert(from->count > 0);
	c.essential = ltl_graph_essential(from, c.parts);
	c.numbers = malloc(from->count * c.room * sizeof *c.numbers);
	if (!c.numbers)
		abort();
	for (size_t i = 0; i < from->count * c.room; i++)
		c.numbers[i] = UNKNOWN;
	number_of(&c, 0, 0);
	for (unsigned i = 0; i < to->count && !ltl_graph_exceeded(to); i++)
		add_edges(&c, i);
	free(c.parts);
	free(c.essential);
	free(c.numbers);
	free(c.vertices);
	free(c.levels);
	return !ltl_graph_exceeded(to);
}

/* ---- printing ------------------------------------------------------------------------------------------------------ */

static bool is_accepting(const struct ltl_graph *g, unsigned vertex)
{
	assert(g->of_states && vertex < g->count);
	return g->vertices[vertex].count && ltl_set_has(&g->vertices[vertex].edges[0].full, 0);
}

/* Does the vertex accept whatever comes? */
static bool accepts_all(const struct ltl_graph *g, unsigned vertex)
{
	const struct ltl_vertex *v = &g->vertices[vertex];
	return is_accepting(g, vertex) && v->count == 1 && v->edges[0].target == vertex && v->edges[0].guard == GUARD_TRUE;
}

static void print_name(const struct ltl_graph *g, FILE *file, unsigned vertex)
{
	fputs(is_accepting(g, vertex) ? "accept_" : "T0_", file);
	if (vertex)
		fprintf(file, "S%u", vertex);
	else
		fputs("init", file);
}

static void print_edge(const struct ltl_graph *g, FILE *file, const struct ltl_edge *edge)
{
	bool accepted = accepts_all(g, edge->target);
	fputs(accepted ? "\t:: atomic { " : "\t:: ", file);
	ltl_guard_print(g->guards, file, edge->guard);
	if (accepted) {
		fputs(" -> assert(!", file);
		ltl_guard_print(g->guards, file, edge->guard);
		fputs(") }\n", file);
	} else {
		fputs(" -> goto ", file);
		print_name(g, file, edge->target);
		fputs("\n", file);
	}
}

static void print_owed(struct ltl_guards *guards, FILE *file, const struct ltl_owed *owed)
{
	fputs(owed->first ? "owed " : "owes ", file);
	ltl_guard_print(guards, file, owed->trigger);
	fputs(" until ", file);
	ltl_guard_print(guards, file, owed->discharge);
	fputs(";\n", file);
}

static char *print(const struct ltl_graph *g, const struct ltl_owed *owed, size_t count)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	if (!file)
		abort();
	for (size_t i = 0; i < count; i++)
		print_owed(g->guards, file, &owed[i]);
	fputs("never {\n", file);
	for (unsigned i = 0; i < g->count; i++) {
		if (i && accepts_all(g, i)) /* where it would be entered, the word is accepted */
			continue;
		print_name(g, file, i);
		fputs(":\n\tdo\n", file);
		if (g->vertices[i].count == 0)
			fputs("\t:: false\n", file);
		for (size_t k = 0; k < g->vertices[i].count; k++)
			print_edge(g, file, &g->vertices[i].edges[k]);
		fputs("\tod;\n", file);
	}
	fputs("}\n", file);
	fclose(file);
	return text;
}

static char *translate(struct ltl_terms *terms, unsigned term, const struct ltl_owed *owed, size_t count, size_t *edges)
{
	struct ltl_graph generalised, graph;
	char *text = NULL;
	if (ltl_generalised(terms, term, &generalised)) {
		ltl_graph_reduce(&generalised);
		if (ltl_degeneralised(&generalised, &graph)) {
			ltl_graph_reduce(&graph);
			text = print(&graph, owed, count);
			*edges = graph.edges;
		}
		ltl_graph_release(&graph);
	}
	ltl_graph_release(&generalised);
	return text;
}

/* Return how many of the things that are owed make an automaton twice as large each. */
static size_t dear(const struct ltl_owed *owed, size_t count)
{
	size_t dear = 0;
	for (size_t i = 0; i < count; i++)
		dear += owed[i].trigger != GUARD_TRUE;
	return dear;
}

/* Translate a formula with what it owes apart, if `apart` or if more than `few` things that it owes are dear.  Return the text,
 * NULL if the automaton is too large; `edges` is how many edges it has. */
static char *attempt(const struct ltl_formula *formula, bool negated, bool apart, size_t few, size_t *edges)
{
	struct ltl_guards *guards = ltl_guards_new();
	struct ltl_terms terms;
	struct ltl_owed owed[LTL_MOST_OWED];
	size_t count;
	ltl_terms_init(&terms, guards);
	unsigned term = ltl_term_joined(&terms, ltl_term_of(&terms, formula->root, negated));
	unsigned rest = ltl_term_owes(&terms, term, owed, &count);
	assert(count <= LTL_MOST_OWED);
	apart = apart || dear(owed, count) > few;
	char *text = translate(&terms, apart ? rest : term, owed, apart ? count : 0, edges);
	if (ltl_guards_exceeded(guards)) {
		free(text);
		text = NULL;
	}
	ltl_terms_release(&terms);
	ltl_guards_free(guards);
	return text;
}

char *ltl_buchi(const struct ltl_formula *formula, bool negated, size_t most, struct ltl_error *error)
{
	enum { FEW_OWED = 5 };
	size_t edges = 0, others = 0, few = most == SIZE_MAX ? SIZE_MAX : FEW_OWED;
	*error = (struct ltl_error){ 0 };
	char *text = attempt(formula, negated, false, few, &edges);
	if (most < SIZE_MAX && (!text || edges > most)) {
		char *other = attempt(formula, negated, true, few, &others);
		bool better = other && (!text || others < edges || most == 0);
		free(better ? text : other);
		text = better ? other : text;
	}
	if (!text)
		ltl_fail(error, formula->text, 0,
			 "the automaton of this formula is too large; check parts of it on their own, or demand less in premises");
	return text;
}
