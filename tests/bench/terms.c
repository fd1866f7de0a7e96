/* SPDX-License-Identifier: MIT
 *
 * Terms over inputs against brute force (runtime/terms/): random terms over two inputs of 4 bits and one of 1 bit.  What
 * simplified terms, ranges and the solver say is compared with what the operations make of all 512 values of the inputs.  The
 * canonical form of some terms and conditions must stand for the same tuples, each definition of a symbol must lead there, and the
 * names of inputs must not matter: how often they do is counted.  Z3 must give the same answers, where it is installed; one in
 * SELDOM cases asks it.
 *
 *     usage: BITSPIN_SOLVER=FILE terms [COUNT [FIRST]]
 */
#include "../../runtime/terms/condition.h"
#include "../../runtime/terms/range.h"
#include "../../runtime/terms/second.h"
#include "../../runtime/terms/solve.h"
#include "../../runtime/state/limit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 512, CONDITIONS = 3 };

static uint64_t state;

static unsigned pick(unsigned n)
{
	state ^= state << 13, state ^= state >> 7, state ^= state << 17;
	return (unsigned)(state >> 20) % n;
}

/* a term, and its value for each values of the inputs */
struct term {
	uint32_t node;
	uint64_t values[ALL];
};

static unsigned long seed;

static void fail(const char *what, const struct term *t, unsigned at)
{
	printf("FAIL %lu: %s: %" PRIu64 " is wanted for inputs %u\n", seed, what, t->values[at], at);
	exit(1);
}

static void values_of_inputs(unsigned at, uint64_t *values)
{
	values[0] = at & 15;
	values[1] = at >> 4 & 15;
	values[2] = at >> 8;
}

static unsigned any_width(void)
{
	static const unsigned all[] = { 1, 2, 4, 5, 8, 16, 32, 64 };
	return all[pick(sizeof all / sizeof *all)];
}

static struct term leaf(unsigned width)
{
	struct term t;
	if (pick(3) == 0) {
		uint64_t value = (pick(4) ? (uint64_t)pick(18) - 2 : (uint64_t)1 << pick(width)) & vm_mask(width);
		t.node = vm_node_constant(width, value);
		for (unsigned i = 0; i < ALL; i++)
			t.values[i] = value;
		return t;
	}
	unsigned which = pick(3), own = which == 2 ? 1 : 4;
	bool is_signed = pick(2);
	uint32_t symbol = vm_node_symbol(own, which);
	t.node = width >= own ? vm_node_extend(symbol, width, is_signed) : vm_node_extract(symbol, 0, width);
	for (unsigned i = 0; i < ALL; i++) {
		uint64_t values[3];
		values_of_inputs(i, values);
		t.values[i] = (is_signed ? (uint64_t)vm_signed(values[which], own) : values[which]) & vm_mask(width);
	}
	return t;
}

static struct term make(unsigned depth, unsigned width);

static void operate(struct term *t, enum node_op op, unsigned width, unsigned result, unsigned low, const struct term *a,
		    const struct term *b, const struct term *c)
{
	for (unsigned i = 0; i < ALL; i++)
		t->values[i] = vm_node_operate(op, width, result, low, a->values[i], b ? b->values[i] : 0, c ? c->values[i] : 0);
}

static struct term of_one(unsigned depth, unsigned width)
{
	struct term t, a;
	unsigned from = any_width();
	if (from < width) {
		bool is_signed = pick(2);
		a = make(depth, from);
		t.node = vm_node_extend(a.node, width, is_signed);
		operate(&t, is_signed ? NODE_SEXT : NODE_ZEXT, from, width, 0, &a, NULL, NULL);
	} else {
		unsigned low = pick(from - width + 1);
		a = make(depth, from);
		t.node = vm_node_extract(a.node, low, width);
		operate(&t, NODE_EXTRACT, from, width, low, &a, NULL, NULL);
	}
	return t;
}

static struct term of_two(enum node_op op, const struct term *a, const struct term *b, unsigned width)
{
	struct term t = { .node = vm_node_binary(op, a->node, b->node) };
	operate(&t, op, width, width, 0, a, b, NULL);
	return t;
}

/* A dividend, made again of its quotient and remainder; or almost. */
static struct term division(unsigned depth, unsigned width)
{
	struct term a = make(depth, width), b = make(depth, width), factor = leaf(width);
	bool is_signed = pick(2), other = pick(4) == 0;
	struct term c = make(depth, width), quotient = of_two(is_signed ? NODE_SDIV : NODE_UDIV, pick(4) ? &a : &c, &b, width),
		    rest = of_two(is_signed != other ? NODE_SREM : NODE_UREM, &a, &b, width),
		    product = of_two(NODE_MUL, &quotient, pick(4) ? &b : &a, width);
	if (pick(3) == 0)
		rest = of_two(NODE_MUL, &factor, &rest, width);
	if (pick(3) == 0)
		product = of_two(NODE_MUL, &factor, &product, width);
	return of_two(NODE_ADD, &product, &rest, width);
}

static struct term make(unsigned depth, unsigned width)
{
	struct term t, a, b, c;
	if (depth == 0 || pick(8) == 0)
		return leaf(width);
	if (width > 1 && pick(12) == 0)
		return division(depth - 1, width);
	if (pick(4) == 0)
		return of_one(depth - 1, width);
	if (pick(10) == 0) {
		a = make(depth - 1, 1), b = make(depth - 1, width), c = make(depth - 1, width);
		t.node = vm_node_choose(a.node, b.node, c.node);
		operate(&t, NODE_ITE, 1, width, 0, &a, &b, &c);
		return t;
	}
	enum node_op op = width == 1 && pick(2) ? NODE_EQ + pick(5) : NODE_ADD + pick(NODE_EQ - NODE_ADD);
	if (op >= NODE_UDIV && op <= NODE_SREM && pick(2))
		op = NODE_ADD;
	unsigned own = op >= NODE_EQ ? any_width() : width;
	a = make(depth - 1, own);
	b = pick(6) ? make(depth - 1, own) : a;
	t.node = op == NODE_ADD && pick(3) == 0 ? vm_node_subtract(a.node, b.node) : vm_node_binary(op, a.node, b.node);
	if (op == NODE_ADD && t.node == vm_node_subtract(a.node, b.node)) {
		struct term negative = b;
		for (unsigned i = 0; i < ALL; i++)
			negative.values[i] = -b.values[i] & vm_mask(own);
		operate(&t, op, own, width, 0, &a, &negative, NULL);
	} else {
		operate(&t, op, own, width, 0, &a, &b, NULL);
	}
	return t;
}

static void check_value(const struct term *t)
{
	for (unsigned i = 0; i < ALL; i++) {
		uint64_t values[3];
		values_of_inputs(i, values);
		if (vm_node_value(t->node, values) != t->values[i])
			fail("the simplified term", t, i);
	}
}

static void check_range(const struct term *t, const struct node_bounds *bounds, const bool *holds)
{
	struct node_range r = vm_range_of(t->node, bounds);
	for (unsigned i = 0; i < ALL; i++) {
		int64_t number = vm_signed(t->values[i], vm_node_width(t->node));
		if (holds[i] && (t->values[i] < r.low || t->values[i] > r.high || number < r.least || number > r.most))
			fail("the range", t, i);
	}
}

static void check_solver(const struct term *t, struct vm_conditions conditions, const bool *holds)
{
	unsigned at = pick(ALL), width = vm_node_width(t->node);
	uint64_t wanted = t->values[at], values[ALL] = { 0 };
	bool some = false, may = false;
	uint32_t count, distinct = 0;
	for (unsigned i = 0; i < ALL; i++) {
		bool first = holds[i];
		some |= holds[i];
		may |= holds[i] && t->values[i] == wanted;
		for (unsigned k = 0; k < i && first; k++)
			first = !holds[k] || t->values[k] != t->values[i];
		distinct += first;
	}
	if (!some) /* solve.h */
		return;
	enum vm_answer answer = vm_solve(conditions, vm_node_binary(NODE_EQ, t->node, vm_node_constant(width, wanted)));
	if (answer != (may ? ANSWER_YES : ANSWER_NO))
		fail("the solver's answer", t, at);
	if (vm_solve_values(conditions, t->node, ALL, values, &count) != ANSWER_YES || count != distinct)
		fail("the number of values", t, at);
	for (uint32_t k = 0; k < count; k++) {
		unsigned i = 0;
		while (i < ALL && !(holds[i] && t->values[i] == values[k]))
			i++;
		if (i == ALL || (k && values[k] <= values[k - 1]))
			fail("a value", t, at);
	}
	values[0] = values[1] = values[2] = 0;
	if (vm_solve_some(conditions, values) != ANSWER_YES || !holds[values[0] | values[1] << 4 | values[2] << 8])
		fail("values for which conditions hold", t, at);
}

static unsigned asked; /* how often Z3 has been */

static void check_second(const struct term *t, const uint32_t *nodes, uint32_t count, const bool *holds)
{
	enum { SELDOM = 8, EFFORT = 10000000 };
	uint32_t all[CONDITIONS + 1], none = vm_node_constant(1, 1);
	uint64_t values[ALL] = { 0 };
	unsigned at = pick(ALL);
	bool may = false;
	if (seed % SELDOM || vm_second_opinion(&none, 1, EFFORT, values) == ANSWER_UNKNOWN)
		return;
	for (unsigned i = 0; i < ALL; i++)
		may |= holds[i] && t->values[i] == t->values[at];
	memcpy(all, nodes, count * sizeof *all);
	all[count] = vm_node_binary(NODE_EQ, t->node, vm_node_constant(vm_node_width(t->node), t->values[at]));
	asked++;
	if (vm_second_opinion(all, count + 1, EFFORT, values) != (may ? ANSWER_YES : ANSWER_NO))
		fail("the second solver's answer", t, at);
	unsigned found = (unsigned)(values[0] | values[1] << 4 | values[2] << 8);
	if (may && !(holds[found] && t->values[found] == t->values[at]))
		fail("the second solver's values", t, at);
}

/* ---- the canonical form ---------------------------------------------------------------------------------------------- */

enum { ROOTS = 3, TUPLES = 4096 };

/* what terms stand for: tuples of values, sorted, each once */
struct tuples {
	uint64_t values[TUPLES][ROOTS];
	unsigned count;
};

static int by_tuple(const void *a, const void *b)
{
	return memcmp(a, b, ROOTS * sizeof(uint64_t));
}

static void tidy(struct tuples *t)
{
	unsigned n = 0;
	qsort(t->values, t->count, sizeof *t->values, by_tuple);
	for (unsigned i = 0; i < t->count; i++)
		if (n == 0 || by_tuple(t->values[n - 1], t->values[i]) != 0)
			memcpy(t->values[n++], t->values[i], sizeof *t->values);
	t->count = n;
}

static void note_widths(uint32_t number, unsigned *widths)
{
	const struct node n = *vm_node(number);
	const uint32_t operands[] = { n.a, n.b, n.c };
	if (n.op == NODE_SYMBOL)
		widths[n.value] = n.width;
	for (unsigned i = 0; i < 3 && operands[i]; i++)
		note_widths(operands[i], widths);
}

static bool all_hold(const struct vm_form *form, const uint64_t *values)
{
	for (uint32_t i = 0; i < form->count; i++)
		if (!vm_node_value(form->conditions[i], values))
			return false;
	return true;
}

/* Return all tuples of a form, over all values of its symbols. */
static void expand(const struct vm_form *form, struct tuples *t)
{
	unsigned widths[NODE_SYMBOLS] = { 0 }, bits = 0;
	for (uint32_t i = 0; i < form->root_count; i++)
		note_widths(form->roots[i], widths);
	for (uint32_t i = 0; i < form->count; i++)
		note_widths(form->conditions[i], widths);
	for (uint32_t s = 0; s < form->symbols; s++)
		bits += widths[s];
	t->count = 0;
	memset(t->values, 0, sizeof t->values);
	if (bits > 12) {
		printf("FAIL %lu: symbols have %u bits\n", seed, bits);
		exit(1);
	}
	for (unsigned at = 0; at < 1u << bits; at++) {
		uint64_t values[NODE_SYMBOLS] = { 0 }, rest = at;
		for (uint32_t s = 0; s < form->symbols; s++) {
			values[s] = rest & vm_mask(widths[s]);
			rest >>= widths[s];
		}
		if (!all_hold(form, values))
			continue;
		for (uint32_t i = 0; i < form->root_count; i++)
			t->values[t->count][i] = vm_node_value(form->roots[i], values);
		t->count++;
	}
	tidy(t);
}

static unsigned named, unsettled;

/* Make a form, with other numbers of the symbols if `turned`, and settle it. */
static void settle(struct vm_form *form, uint32_t *roots, const struct term *terms, const struct term *conditions, uint32_t count,
		   uint32_t *definitions, bool turned)
{
	uint32_t with[NODE_SYMBOLS] = { 0 };
	if (turned)
		with[0] = vm_node_symbol(4, 2), with[1] = vm_node_symbol(4, 0), with[2] = vm_node_symbol(1, 1);
	form->roots = roots;
	form->root_count = ROOTS;
	form->definitions = definitions;
	for (unsigned i = 0; i < ROOTS; i++)
		roots[i] = vm_node_substitute(terms[i].node, with);
	for (uint32_t i = 0; i < count; i++)
		vm_form_add(form, vm_node_substitute(conditions[i].node, with));
	vm_form_settle(form);
}

static bool same_form(const struct vm_form *a, const struct vm_form *b)
{
	return a->count == b->count && memcmp(a->roots, b->roots, ROOTS * sizeof *a->roots) == 0 &&
		(a->count == 0 || memcmp(a->conditions, b->conditions, a->count * sizeof *a->conditions) == 0);
}

static void check_form(const struct term *terms, const struct term *conditions, uint32_t count, const bool *holds)
{
	static struct tuples before, after;
	struct vm_form form = { 0 }, turned = { 0 };
	uint32_t roots[ROOTS], other_roots[ROOTS], definitions[NODE_SYMBOLS] = { 0 };
	bool some = false;
	memset(before.values, 0, sizeof before.values);
	before.count = 0;
	for (unsigned i = 0; i < ALL; i++) {
		some |= holds[i];
		for (unsigned k = 0; k < ROOTS && holds[i]; k++)
			before.values[before.count][k] = terms[k].values[i];
		before.count += holds[i];
	}
	if (!some)
		return;
	tidy(&before);
	for (unsigned s = 0; s < 3; s++)
		definitions[s] = vm_node_symbol(s == 2 ? 1 : 4, NODE_SYMBOLS + s);
	settle(&form, roots, terms, conditions, count, definitions, false);
	expand(&form, &after);
	if (before.count != after.count || memcmp(before.values, after.values, before.count * sizeof *before.values) != 0) {
		printf("FAIL %lu: the canonical form has %u tuples, not %u, or others\n", seed, after.count, before.count);
		exit(1);
	}
	for (unsigned i = 0; i < ALL; i++) {
		uint64_t inputs[NODE_SYMBOLS + 3], values[NODE_SYMBOLS] = { 0 };
		values_of_inputs(i, inputs + NODE_SYMBOLS);
		for (uint32_t s = 0; s < form.symbols && holds[i]; s++)
			values[s] = vm_node_value(definitions[s], inputs);
		if (holds[i] && !all_hold(&form, values))
			fail("conditions of definitions", &terms[0], i);
		for (unsigned k = 0; k < ROOTS && holds[i]; k++)
			if (vm_node_value(form.roots[k], values) != terms[k].values[i])
				fail("a term of definitions", &terms[k], i);
	}
	settle(&turned, other_roots, terms, conditions, count, NULL, true);
	named += !same_form(&form, &turned);
	memcpy(other_roots, roots, sizeof roots);
	turned.count = 0;
	for (uint32_t i = 0; i < form.count; i++)
		vm_form_add(&turned, form.conditions[i]);
	vm_form_settle(&turned);
	unsettled += !same_form(&form, &turned);
	free(form.conditions);
	free(turned.conditions);
}

static void one(void)
{
	struct term t, conditions[CONDITIONS];
	uint32_t nodes[CONDITIONS], count = pick(CONDITIONS + 1);
	bool holds[ALL];
	struct node_bounds bounds;
	state = (seed + 1) * 0x9e3779b97f4a7c15;
	t = make(4, any_width());
	check_value(&t);
	for (unsigned i = 0; i < ALL; i++)
		holds[i] = true;
	for (uint32_t k = 0; k < count; k++) {
		conditions[k] = make(2 + pick(2), 1);
		check_value(&conditions[k]);
		nodes[k] = conditions[k].node;
		for (unsigned i = 0; i < ALL; i++)
			holds[i] = holds[i] && conditions[k].values[i];
	}
	vm_bounds_of(&bounds, nodes, count);
	check_range(&t, &bounds, holds);
	check_solver(&t, (struct vm_conditions){ nodes, count }, holds);
	check_second(&t, nodes, count, holds);
	struct term roots[ROOTS];
	for (unsigned k = 0; k < ROOTS; k++)
		roots[k] = make(1 + pick(3), any_width());
	check_form(roots, conditions, count, holds);
	/* inputs in each other's place */
	uint32_t with[] = { vm_node_symbol(4, 1), vm_node_symbol(4, 0), vm_node_symbol(1, 2) };
	struct term other = { .node = vm_node_substitute(t.node, with) };
	for (unsigned i = 0; i < ALL; i++)
		other.values[i] = t.values[(i & 256) | (i & 15) << 4 | (i >> 4 & 15)];
	check_value(&other);
	vm_scratch_reset();
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000, first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	vm_limit_memory(0);
	for (seed = first; seed < first + count; seed++)
		one();
	printf("%lu passed, 0 failed (%u depend on names, %u on how often they are settled; Z3 asked %u times)\n", count, named,
	       unsettled, asked);
	return 0;
}
