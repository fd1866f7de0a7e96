/* SPDX-License-Identifier: MIT
 *
 * See condition.h.  A symbol that is in a root is in the store.  The rules, until none changes anything:
 *
 * split    A condition a && b is two, what is always true goes, none is there twice.
 * implied  A condition goes that the ranges of the others imply.
 * fix      A root of which the conditions allow one value is that value.
 * solve    A condition x == t, also of k + x, odd * x or x ^ k, where x is not in t: t takes the place of x everywhere, and the
 *          condition goes.  Values of the symbols that meet it, and values of the others, are the same thing.
 * collect  Conditions go that share no symbol with the store, neither directly nor by way of others.  They can hold together (P),
 *          whatever the symbols in the store are.  All that are connected go together, or none.
 * drop     A symbol y that is not in the store and in one condition only, y REL t or t REL y, where y is not in t: the condition
 *          becomes that there is such a y.
 * free     All occurrences of a symbol y, in roots and conditions, are in one node f(y, t), y is not in t, and f takes each value
 *          of its width for each t: y takes the place of the node.  So all others see the same values.
 * invert   All occurrences of a symbol x in roots are in one node, a bijection of x: x takes its place there, and in conditions the
 *          inverse takes the place of x.
 * name     Symbols are numbered in an order that does not depend on their numbers, as far as it can tell them apart.  All
 *          occurrences get the new numbers.
 */
#include "condition.h"
#include "range.h"
#include "../state/limit.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST = 1000 /* conditions */, SUM_MOST = 32 };

void vm_form_add(struct vm_form *form, uint32_t condition)
{
	assert(vm_node_width(condition) == 1);
	if (form->count == MOST)
		vm_inconclusive(LIMIT_VALUES, "the conditions that inputs meet are too many for --inputs symbolic (%u)",
				(unsigned)MOST);
	form->conditions = vm_grow(form->conditions, &form->capacity, (uint64_t)form->count + 1, sizeof *form->conditions);
	form->conditions[form->count++] = condition;
}

/* Return the symbols of the store, and those that stay as they are. */
static uint64_t in_store(const struct vm_form *form)
{
	uint64_t symbols = form->kept ? vm_mask(form->kept) : 0;
	for (uint32_t i = 0; i < form->root_count; i++)
		symbols |= vm_node(form->roots[i])->symbols;
	return symbols;
}

static void remove_condition(struct vm_form *form, uint32_t at)
{
	for (uint32_t i = at + 1; i < form->count; i++)
		form->conditions[i - 1] = form->conditions[i];
	form->count--;
}

/* Let a node take the place of another one everywhere. */
static void replace(struct vm_form *form, uint32_t what, uint32_t with)
{
	for (uint32_t i = 0; i < form->root_count; i++)
		form->roots[i] = vm_node_replace(form->roots[i], what, with);
	for (uint32_t i = 0; i < form->count; i++)
		form->conditions[i] = vm_node_replace(form->conditions[i], what, with);
}

/* ---- split, implied, fix --------------------------------------------------------------------------------------------- */

static int by_order(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return *x == *y ? 0 : vm_node_before(*x, *y) ? -1 : 1;
}

static void split(struct vm_form *form)
{
	for (uint32_t i = 0; i < form->count; i++) {
		const struct node n = *vm_node(form->conditions[i]);
		uint32_t other = vm_node_negated(form->conditions[i]);
		if (n.op == NODE_AND) {
			form->conditions[i--] = n.a;
			vm_form_add(form, n.b);
		} else if (other && vm_node(other)->op == NODE_OR) {
			const struct node either = *vm_node(other);
			form->conditions[i--] = vm_node_not(either.a);
			vm_form_add(form, vm_node_not(either.b));
		}
	}
	uint32_t n = 0;
	if (form->count) /* else there may be no array */
		qsort(form->conditions, form->count, sizeof *form->conditions, by_order);
	for (uint32_t i = 0; i < form->count; i++) {
		uint32_t c = form->conditions[i];
		if (vm_node_is_constant(c) && !vm_node(c)->value)
			VM_BUG("the conditions that inputs meet exclude each other");
		if (!vm_node_is_constant(c) && (n == 0 || form->conditions[n - 1] != c))
			form->conditions[n++] = c;
	}
	form->count = n;
}

static void drop_implied(struct vm_form *form)
{
	struct node_bounds bounds;
	for (uint32_t i = 0; i < form->count; i++) {
		uint32_t condition = form->conditions[i];
		form->conditions[i] = vm_node_constant(1, 1); /* the others only */
		vm_bounds_of(&bounds, form->conditions, form->count);
		if (vm_range_of(condition, &bounds).low == 1)
			remove_condition(form, i--);
		else
			form->conditions[i] = condition;
	}
}

static bool fix(struct vm_form *form)
{
	struct node_bounds bounds;
	bool changed = false;
	vm_bounds_of(&bounds, form->conditions, form->count);
	for (uint32_t i = 0; i < form->root_count; i++) {
		uint32_t root = form->roots[i];
		if (vm_node_is_constant(root) || (form->kept && vm_node(root)->symbols & vm_mask(form->kept)))
			continue;
		struct node_range r = vm_range_of(root, &bounds);
		if (r.low != r.high)
			continue;
		form->roots[i] = vm_node_constant(vm_node_width(root), r.low);
		changed = true;
	}
	return changed;
}

/* ---- solve ----------------------------------------------------------------------------------------------------------- */

/* Return 1 / odd, modulo 2^64: each round doubles the bits that are right. */
static uint64_t inverse(uint64_t odd)
{
	uint64_t x = odd;
	for (unsigned bits = 3; bits < 64; bits *= 2)
		x *= 2 - odd * x;
	return x;
}

/* Is the node a symbol that may go? */
static bool may_go(const struct vm_form *form, uint32_t n)
{
	return vm_node(n)->op == NODE_SYMBOL && vm_node(n)->value >= form->kept;
}

/* Solve sum == 0 for the monomial with this number.  Return what its node equals, or 0. */
static uint32_t solve_sum(const struct node_monomial *sum, uint32_t count, uint64_t constant, uint32_t at)
{
	unsigned width = vm_node_width(sum[at].node);
	struct node_monomial rest[2 * SUM_MOST];
	uint32_t n = 0;
	if (!(sum[at].factor & 1))
		return 0;
	uint64_t factor = -inverse(sum[at].factor);
	for (uint32_t i = 0; i < count; i++) {
		if (i == at)
			continue;
		if (vm_node_has(sum[i].node, (uint32_t)vm_node(sum[at].node)->value))
			return 0;
		rest[n++] = (struct node_monomial){ sum[i].node, sum[i].factor * factor & vm_mask(width) };
	}
	return vm_node_of_sum(width, rest, n, constant * factor);
}

/* Solve a condition of 1 bit: a symbol, or an XOR that has one.  Return the symbol, 0 for none; its value goes to *with. */
static uint32_t solve_bit(const struct vm_form *form, uint32_t condition, uint32_t *with)
{
	uint32_t rest = vm_node_constant(1, 1);
	for (uint32_t n = condition;;) {
		const struct node node = *vm_node(n);
		bool chain = node.op == NODE_XOR;
		uint32_t link = chain ? node.b : n, left = chain ? node.a : 0;
		uint32_t others = left ? vm_node_binary(NODE_XOR, rest, left) : rest;
		if (may_go(form, link) && !vm_node_has(others, (uint32_t)vm_node(link)->value)) {
			*with = others;
			return link;
		}
		if (!chain)
			return 0;
		rest = vm_node_binary(NODE_XOR, rest, link);
		n = left;
	}
}

static uint32_t solve_equation(const struct vm_form *form, const struct node *equation, uint32_t *with)
{
	struct node_monomial sum[2 * SUM_MOST];
	uint64_t constant, other;
	uint64_t store = in_store(form);
	uint32_t found = 0;
	uint32_t count = vm_node_sum(equation->a, sum, SUM_MOST, &constant);
	if (count > SUM_MOST)
		return 0;
	uint32_t more = vm_node_sum(equation->b, sum + count, SUM_MOST, &other);
	if (more > SUM_MOST)
		return 0;
	for (uint32_t i = count; i < count + more; i++)
		sum[i].factor = -sum[i].factor;
	for (uint32_t i = 0; i < count + more; i++) {
		bool better = !found || !(vm_node(sum[i].node)->symbols & store); /* best one that is not in the store */
		uint32_t t = better && may_go(form, sum[i].node) ? solve_sum(sum, count + more, constant - other, i) : 0;
		if (!t)
			continue;
		*with = t;
		found = sum[i].node;
	}
	return found;
}

static bool solve(struct vm_form *form)
{
	for (uint32_t i = 0; i < form->count; i++) {
		const struct node n = *vm_node(form->conditions[i]);
		uint32_t with = 0,
			 symbol = n.op == NODE_EQ ? solve_equation(form, &n, &with) : solve_bit(form, form->conditions[i], &with);
		if (!symbol)
			continue;
		assert(!vm_node_has(with, (uint32_t)vm_node(symbol)->value));
		remove_condition(form, i);
		replace(form, symbol, with);
		return true;
	}
	return false;
}

/* ---- collect, drop --------------------------------------------------------------------------------------------------- */

static bool collect(struct vm_form *form)
{
	uint64_t live = in_store(form), before;
	uint32_t n = 0, count = form->count;
	do {
		before = live;
		for (uint32_t i = 0; i < count; i++)
			if (vm_node(form->conditions[i])->symbols & live)
				live |= vm_node(form->conditions[i])->symbols;
	} while (live != before);
	for (uint32_t i = 0; i < count; i++)
		if (vm_node(form->conditions[i])->symbols & live)
			form->conditions[n++] = form->conditions[i];
	form->count = n;
	return n < count;
}

/* Is the node a symbol of no root and no condition but this one, and of this one only there? */
static bool is_alone(const struct vm_form *form, uint32_t n, uint32_t condition, uint32_t other)
{
	if (!may_go(form, n) || vm_node_has(other, (uint32_t)vm_node(n)->value) || in_store(form) & vm_node(n)->symbols)
		return false;
	for (uint32_t i = 0; i < form->count; i++)
		if (i != condition && vm_node(form->conditions[i])->symbols & vm_node(n)->symbols)
			return false;
	return true;
}

/* Return whether some y is such that y < t (or t < y, `above`), or the negation of that. */
static uint32_t some(const struct node *n, bool above, bool negated)
{
	uint32_t t = above ? n->a : n->b;
	unsigned width = vm_node_width(t);
	uint64_t sign = n->op == NODE_SLT ? UINT64_C(1) << (width - 1) : 0, end = (above ? vm_mask(width) : 0) ^ sign;
	if (negated || n->op == NODE_EQ)
		return vm_node_constant(1, 1); /* t itself, or another one */
	return vm_node_not(vm_node_binary(NODE_EQ, t, vm_node_constant(width, end)));
}

static bool drop(struct vm_form *form)
{
	for (uint32_t i = 0; i < form->count; i++) {
		uint32_t negated = vm_node_negated(form->conditions[i]);
		const struct node n = *vm_node(negated ? negated : form->conditions[i]);
		bool relation = n.op == NODE_ULT || n.op == NODE_SLT || (n.op == NODE_EQ && negated);
		if (!relation)
			continue;
		bool below = is_alone(form, n.a, i, n.b), above = is_alone(form, n.b, i, n.a);
		if (!below && !above)
			continue;
		form->conditions[i] = some(&n, !below, negated);
		split(form);
		return true;
	}
	return false;
}

/* ---- free ------------------------------------------------------------------------------------------------------------ */

/* the one node that has a symbol as an operand; or none, or several, or the symbol is a root or a condition */
struct parent {
	uint32_t node;
	bool several;
};

static void find_parent(uint32_t number, uint32_t symbol, struct parent *parent)
{
	const struct node n = *vm_node(number);
	const uint32_t operands[] = { n.a, n.b, n.c };
	if (parent->several || !(n.symbols & vm_node(symbol)->symbols))
		return;
	if (number == symbol) {
		parent->several = true;
		return;
	}
	for (unsigned i = 0; i < 3 && operands[i]; i++) {
		if (operands[i] != symbol) {
			find_parent(operands[i], symbol, parent);
			continue;
		}
		parent->several |= parent->node && parent->node != number;
		parent->node = number;
	}
}

/* Does f(y, t) take all values for each t?  For an odd factor, y + t and y ^ t it is a bijection of y. */
static bool takes_all(const struct node *n, uint32_t y)
{
	uint32_t t = n->a == y ? n->b : n->a;
	if (t && vm_node_has(t, (uint32_t)vm_node(y)->value))
		return false;
	switch (n->op) {
	case NODE_ADD:
	case NODE_XOR: return true;
	case NODE_MUL: return vm_node_is_constant(t) && vm_node(t)->value & 1;
	case NODE_EXTRACT: return true;
	case NODE_EQ: return true; /* y == t, and another y */
	case NODE_ULT:
	case NODE_SLT: return vm_node_is_constant(t); /* which is no end: build.c */
	default: return false;
	}
}

/* Let a symbol stand for what the node has been. */
static void define(struct vm_form *form, uint32_t symbol, uint32_t node)
{
	if (form->definitions)
		form->definitions[symbol] = vm_node_substitute(node, form->definitions);
}

static bool free_symbol(struct vm_form *form, uint32_t y)
{
	struct parent parent = { 0 };
	for (uint32_t i = 0; i < form->root_count; i++)
		find_parent(form->roots[i], y, &parent);
	for (uint32_t i = 0; i < form->count; i++)
		find_parent(form->conditions[i], y, &parent);
	if (parent.several || !parent.node)
		return false;
	const struct node n = *vm_node(parent.node);
	if (!takes_all(&n, y))
		return false;
	uint32_t number = (uint32_t)vm_node(y)->value;
	define(form, number, parent.node);
	replace(form, parent.node, vm_node_symbol(n.width, number));
	return true;
}

/* Put the symbols of a node into a table by their numbers. */
static void list_symbols(uint32_t number, uint32_t *table)
{
	const struct node n = *vm_node(number);
	const uint32_t operands[] = { n.a, n.b, n.c };
	if (n.op == NODE_SYMBOL) {
		assert(n.value < NODE_SYMBOLS && (table[n.value] == 0 || table[n.value] == number));
		table[n.value] = number;
	}
	for (unsigned i = 0; i < 3 && operands[i]; i++)
		list_symbols(operands[i], table);
}

static void list_all(const struct vm_form *form, uint32_t *table)
{
	memset(table, 0, NODE_SYMBOLS * sizeof *table);
	for (uint32_t i = 0; i < form->root_count; i++)
		list_symbols(form->roots[i], table);
	for (uint32_t i = 0; i < form->count; i++)
		list_symbols(form->conditions[i], table);
}

/* Return what y is where a bijection of it has the value y: the inverse; 0 if the node is none that is known. */
static uint32_t inverse_of(const struct node *n, uint32_t y)
{
	if (n->b != y || !vm_node_is_constant(n->a))
		return 0;
	uint64_t k = vm_node(n->a)->value;
	switch (n->op) {
	case NODE_ADD: return vm_node_subtract(y, n->a);
	case NODE_XOR: return vm_node_binary(NODE_XOR, y, n->a);
	case NODE_MUL: return k & 1 ? vm_node_binary(NODE_MUL, y, vm_node_constant(n->width, inverse(k))) : 0;
	default: return 0;
	}
}

static bool invert_symbol(struct vm_form *form, uint32_t y)
{
	struct parent parent = { 0 };
	uint32_t number = (uint32_t)vm_node(y)->value, with[NODE_SYMBOLS] = { 0 };
	for (uint32_t i = 0; i < form->root_count; i++)
		find_parent(form->roots[i], y, &parent);
	if (parent.several || !parent.node)
		return false;
	const struct node n = *vm_node(parent.node);
	with[number] = inverse_of(&n, y);
	if (!with[number])
		return false;
	define(form, number, parent.node);
	for (uint32_t i = 0; i < form->root_count; i++)
		form->roots[i] = vm_node_replace(form->roots[i], parent.node, y);
	for (uint32_t i = 0; i < form->count; i++)
		form->conditions[i] = vm_node_substitute(form->conditions[i], with);
	return true;
}

static bool free_symbols(struct vm_form *form)
{
	uint32_t table[NODE_SYMBOLS];
	bool changed = false;
	list_all(form, table);
	for (uint32_t s = form->kept; s < NODE_SYMBOLS && !changed; s++)
		changed = table[s] && (free_symbol(form, table[s]) || invert_symbol(form, table[s]));
	return changed;
}

/* ---- name ------------------------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static uint64_t colour_in(uint32_t number, uint32_t symbol);

/* Return what the links of a chain, or the monomials of a sum, have in common in whatever order they are; of a sum, also if all are
 * negated. */
static uint64_t colour_of_links(uint32_t number, enum node_op op, uint32_t symbol)
{
	const struct node n = *vm_node(number);
	if (n.op == op)
		return colour_of_links(n.a, op, symbol) + colour_of_links(n.b, op, symbol);
	if (op == NODE_ADD && n.op == NODE_MUL && vm_node_is_constant(n.a)) {
		uint64_t factor = vm_node(n.a)->value, negative = -factor & vm_mask(n.width);
		return mix(colour_in(n.b, symbol), factor < negative ? factor : negative);
	}
	if (op == NODE_ADD && n.op == NODE_CONSTANT) {
		uint64_t negative = -n.value & vm_mask(n.width);
		return mix(0, n.value < negative ? n.value : negative);
	}
	return mix(colour_in(number, symbol), 1);
}

/* Return a hash of a node in which one symbol is told from all others, which are alike. */
static uint64_t colour_in(uint32_t number, uint32_t symbol)
{
	const struct node n = *vm_node(number);
	uint64_t h = mix(n.op * 0x10001u + n.width, n.low);
	switch (n.op) {
	case NODE_CONSTANT: return mix(h, n.value);
	case NODE_SYMBOL: return mix(h, number == symbol);
	case NODE_ADD:
	case NODE_AND:
	case NODE_OR:
	case NODE_XOR: return mix(h, colour_of_links(number, n.op, symbol));
	case NODE_MUL: return mix(h, colour_in(n.a, symbol) + colour_in(n.b, symbol));
	case NODE_EQ: return mix(h, colour_of_links(n.a, NODE_ADD, symbol) + colour_of_links(n.b, NODE_ADD, symbol));
	default: break;
	}
	h = mix(h, colour_in(n.a, symbol));
	h = n.b ? mix(h, colour_in(n.b, symbol)) : h;
	return n.c ? mix(h, colour_in(n.c, symbol)) : h;
}

static uint64_t colour(const struct vm_form *form, uint32_t symbol)
{
	uint64_t h = 0, all = 0;
	for (uint32_t i = 0; i < form->root_count; i++)
		h = mix(h, colour_in(form->roots[i], symbol));
	for (uint32_t i = 0; i < form->count; i++)
		all += colour_in(form->conditions[i], symbol);
	return mix(h, all);
}

struct coloured {
	uint64_t colour;
	uint32_t symbol;
};

static int by_colour(const void *a, const void *b)
{
	const struct coloured *x = a, *y = b;
	return x->colour != y->colour ? (x->colour > y->colour) - (x->colour < y->colour) :
					(x->symbol > y->symbol) - (x->symbol < y->symbol);
}

static void name(struct vm_form *form)
{
	uint32_t table[NODE_SYMBOLS], names[NODE_SYMBOLS] = { 0 }, definitions[NODE_SYMBOLS] = { 0 }, count = 0;
	struct coloured order[NODE_SYMBOLS];
	list_all(form, table);
	for (uint32_t s = form->kept; s < NODE_SYMBOLS; s++)
		if (table[s])
			order[count++] = (struct coloured){ colour(form, table[s]), s };
	qsort(order, count, sizeof *order, by_colour);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t s = order[i].symbol;
		names[s] = vm_node_symbol(vm_node_width(table[s]), form->kept + i);
		if (form->definitions)
			definitions[form->kept + i] = form->definitions[s];
	}
	for (uint32_t i = 0; i < form->root_count; i++)
		form->roots[i] = vm_node_substitute(form->roots[i], names);
	for (uint32_t i = 0; i < form->count; i++)
		form->conditions[i] = vm_node_substitute(form->conditions[i], names);
	for (uint32_t i = form->kept; form->definitions && i < NODE_SYMBOLS; i++)
		form->definitions[i] = definitions[i];
	form->symbols = form->kept + count;
}

void vm_form_settle(struct vm_form *form)
{
	bool changed = true;
	while (changed) {
		split(form);
		drop_implied(form);
		changed = fix(form) || solve(form) || collect(form) || drop(form) || free_symbols(form);
	}
	name(form);
	split(form);
}
