/* SPDX-License-Identifier: MIT
 *
 * Terms over inputs against brute force (runtime/terms/): random terms over two inputs of 4 bits and one of 1 bit.  What simplified
 * terms, ranges and the solver say is compared with what the operations make of all 512 values of the inputs.
 *
 *     usage: BITSPIN_SOLVER=FILE terms [COUNT [FIRST]]
 */
#include "../../runtime/terms/range.h"
#include "../../runtime/terms/solve.h"
#include "../../runtime/state/limit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

static struct term make(unsigned depth, unsigned width)
{
	struct term t, a, b, c;
	if (depth == 0 || pick(8) == 0)
		return leaf(width);
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
	printf("%lu passed, 0 failed\n", count);
	return 0;
}
