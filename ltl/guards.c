/* SPDX-License-Identifier: MIT
 *
 * See guards.h.  Diagrams are reduced and ordered by the numbers of the propositions: a node is made once, and never with equal
 * branches.  All operations come from one, conjunction, and from negation.
 */
#include "guards.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST_NODES = 1 << 20, TABLE = 1 << 15, CACHE = 1 << 14, MOST_PRODUCTS = 1 << 12 };

#define NO_PROPOSITION UINT32_MAX /* of the two constants, which come last in the order */

struct node {
	unsigned proposition, low, high; /* the function where the proposition is false, where it is true */
	unsigned next;                   /* with the same hash; 0: none */
	unsigned negation;               /* 0: not known yet (of a constant: never 0, see below) */
};

struct answer {
	unsigned a, b, and;
};

struct ltl_guards {
	struct node *nodes; /* 0 and 1 are the constants */
	unsigned count, room;
	bool exceeded;
	unsigned table[TABLE];
	struct answer cache[CACHE];
};

static void add_node(struct ltl_guards *g, struct node node)
{
	if (g->count == g->room) {
		g->room = g->room ? 2 * g->room : 256;
		if (!(g->nodes = realloc(g->nodes, g->room * sizeof *g->nodes)))
			abort();
	}
	g->nodes[g->count++] = node;
}

struct ltl_guards *ltl_guards_new(void)
{
	struct ltl_guards *g = calloc(1, sizeof *g);
	if (!g)
		abort();
	add_node(g, (struct node){ NO_PROPOSITION, GUARD_FALSE, GUARD_FALSE, 0, GUARD_TRUE });
	add_node(g, (struct node){ NO_PROPOSITION, GUARD_TRUE, GUARD_TRUE, 0, GUARD_FALSE });
	return g;
}

void ltl_guards_free(struct ltl_guards *g)
{
	free(g->nodes);
	free(g);
}

bool ltl_guards_exceeded(const struct ltl_guards *g)
{
	return g->exceeded;
}

static unsigned hash(unsigned a, unsigned b, unsigned c)
{
	return (a * 12582917u + b * 4256249u + c * 741457u) ^ (a * 741457u + b * 12582917u) >> 16;
}

static unsigned make(struct ltl_guards *g, unsigned proposition, unsigned low, unsigned high)
{
	assert(g->exceeded || (proposition < g->nodes[low].proposition && proposition < g->nodes[high].proposition));
	if (low == high)
		return low;
	unsigned *slot = &g->table[hash(proposition, low, high) % TABLE];
	for (unsigned i = *slot; i; i = g->nodes[i].next)
		if (g->nodes[i].proposition == proposition && g->nodes[i].low == low && g->nodes[i].high == high)
			return i;
	if (g->count >= MOST_NODES) {
		g->exceeded = true;
		return GUARD_FALSE;
	}
	add_node(g, (struct node){ proposition, low, high, *slot, 0 });
	return *slot = g->count - 1;
}

unsigned ltl_guard_literal(struct ltl_guards *g, unsigned proposition, bool negated)
{
	assert(proposition < LTL_MAX_PROPOSITIONS);
	return negated ? make(g, proposition, GUARD_TRUE, GUARD_FALSE) : make(g, proposition, GUARD_FALSE, GUARD_TRUE);
}

unsigned ltl_guard_not(struct ltl_guards *g, unsigned a)
{
	assert(a < g->count);
	if (a <= GUARD_TRUE)
		return !a;
	if (g->nodes[a].negation)
		return g->nodes[a].negation;
	unsigned low = ltl_guard_not(g, g->nodes[a].low), high = ltl_guard_not(g, g->nodes[a].high);
	unsigned negation = make(g, g->nodes[a].proposition, low, high);
	if (!g->exceeded) {
		g->nodes[a].negation = negation;
		g->nodes[negation].negation = a;
	}
	return negation;
}

/* Return the branch of diagram `a` for a proposition that is the first one of `a` or comes before. */
static unsigned branch(const struct ltl_guards *g, unsigned a, unsigned proposition, bool value)
{
	assert(g->exceeded || proposition <= g->nodes[a].proposition);
	if (g->nodes[a].proposition != proposition)
		return a;
	return value ? g->nodes[a].high : g->nodes[a].low;
}

static unsigned first_of(const struct ltl_guards *g, unsigned a, unsigned b)
{
	unsigned one = g->nodes[a].proposition, other = g->nodes[b].proposition;
	return one < other ? one : other;
}

unsigned ltl_guard_and(struct ltl_guards *g, unsigned a, unsigned b)
{
	assert(a < g->count && b < g->count);
	if (a == b || b == GUARD_TRUE)
		return a;
	if (a == GUARD_TRUE)
		return b;
	if (a == GUARD_FALSE || b == GUARD_FALSE || g->exceeded)
		return GUARD_FALSE;
	if (a > b)
		return ltl_guard_and(g, b, a);
	struct answer *known = &g->cache[hash(a, b, 0) % CACHE];
	if (known->a == a && known->b == b)
		return known->and;
	unsigned p = first_of(g, a, b);
	unsigned low = ltl_guard_and(g, branch(g, a, p, false), branch(g, b, p, false));
	unsigned high = ltl_guard_and(g, branch(g, a, p, true), branch(g, b, p, true));
	unsigned and = make(g, p, low, high);
	*known = (struct answer){ a, b, and};
	return and;
}

unsigned ltl_guard_or(struct ltl_guards *g, unsigned a, unsigned b)
{
	return ltl_guard_not(g, ltl_guard_and(g, ltl_guard_not(g, a), ltl_guard_not(g, b)));
}

unsigned ltl_guard_without(struct ltl_guards *g, unsigned a, unsigned b)
{
	return ltl_guard_and(g, a, ltl_guard_not(g, b));
}

bool ltl_guard_implies(struct ltl_guards *g, unsigned a, unsigned b)
{
	return a == b || ltl_guard_without(g, a, b) == GUARD_FALSE;
}

/* ---- printing ------------------------------------------------------------------------------------------------------ */

/* a conjunction of literals: bit i for p_i */
struct product {
	uint64_t positive, negative;
};

struct sum {
	struct product *products;
	size_t count, literals;
	bool exceeded;
};

static void add_product(struct sum *sum, struct product product)
{
	if (sum->count == MOST_PRODUCTS) {
		sum->exceeded = true;
		return;
	}
	sum->products = realloc(sum->products, (sum->count + 1) * sizeof *sum->products);
	if (!sum->products)
		abort();
	sum->products[sum->count++] = product;
	sum->literals += (size_t)__builtin_popcountll(product.positive) + (size_t)__builtin_popcountll(product.negative);
}

/* Add products, all with `context`, whose sum is between the functions `lower` and `upper`.  Return the sum, without the
 * context. */
static unsigned cover(struct ltl_guards *g, struct sum *sum, unsigned lower, unsigned upper, struct product context)
{
	assert(ltl_guard_implies(g, lower, upper) || g->exceeded);
	if (lower == GUARD_FALSE || sum->exceeded || g->exceeded)
		return GUARD_FALSE;
	if (upper == GUARD_TRUE) {
		add_product(sum, context);
		return GUARD_TRUE;
	}
	unsigned p = first_of(g, lower, upper), lowers[2], uppers[2], covered[2];
	for (unsigned i = 0; i < 2; i++) {
		lowers[i] = branch(g, lower, p, i);
		uppers[i] = branch(g, upper, p, i);
	}
	for (unsigned i = 0; i < 2; i++) {
		assert(p < LTL_MAX_PROPOSITIONS);
		struct product with = context;
		*(i ? &with.positive : &with.negative) |= UINT64_C(1) << p;
		covered[i] = cover(g, sum, ltl_guard_without(g, lowers[i], uppers[!i]), uppers[i], with);
	}
	if (sum->exceeded)
		return GUARD_FALSE;
	unsigned rest = ltl_guard_or(g, ltl_guard_without(g, lowers[0], covered[0]), ltl_guard_without(g, lowers[1], covered[1]));
	unsigned both = cover(g, sum, rest, ltl_guard_and(g, uppers[0], uppers[1]), context);
	unsigned without = ltl_guard_and(g, covered[0], ltl_guard_literal(g, p, true)),
		 with = ltl_guard_and(g, covered[1], ltl_guard_literal(g, p, false));
	return ltl_guard_or(g, both, ltl_guard_or(g, without, with));
}

static void print_product(FILE *file, struct product product, bool alone)
{
	const char *between = "";
	bool several = __builtin_popcountll(product.positive | product.negative) > 1;
	fputs(several && !alone ? "(" : "", file);
	for (unsigned p = 0; p < LTL_MAX_PROPOSITIONS; p++) {
		if (!((product.positive | product.negative) >> p & 1))
			continue;
		fprintf(file, "%s%sp%u", between, product.negative >> p & 1 ? "!" : "", p);
		between = " && ";
	}
	fputs(several && !alone ? ")" : "", file);
}

static void print_sum(FILE *file, const struct sum *sum)
{
	putc('(', file);
	for (size_t i = 0; i < sum->count; i++) {
		fputs(i ? " || " : "", file);
		print_product(file, sum->products[i], sum->count == 1);
	}
	putc(')', file);
}

void ltl_guard_print(struct ltl_guards *g, FILE *file, unsigned guard)
{
	struct sum sum = { 0 }, opposite = { 0 };
	if (guard <= GUARD_TRUE) {
		fputs(guard ? "(1)" : "(0)", file);
		return;
	}
	cover(g, &sum, guard, guard, (struct product){ 0 });
	cover(g, &opposite, ltl_guard_not(g, guard), ltl_guard_not(g, guard), (struct product){ 0 });
	bool negated = sum.exceeded || (!opposite.exceeded && opposite.literals < sum.literals);
	if (sum.exceeded && opposite.exceeded)
		g->exceeded = true;
	fputs(negated ? "(!" : "", file);
	print_sum(file, negated ? &opposite : &sum);
	fputs(negated ? ")" : "", file);
	free(sum.products);
	free(opposite.products);
}
