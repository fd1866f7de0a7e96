/* SPDX-License-Identifier: MIT
 *
 * Nodes from operations, simplified.  Sums have a normal form: factors times nodes in their order, and a constant.  So have chains
 * of AND, OR and XOR.  What is compared with a constant is compared in one way only: x == k, x < k.  Constants come first, but
 * for the bound of x < k.
 */
#include "node.h"

#include <assert.h>
#include <stdlib.h>

enum { SUM_MOST = 32, CHAIN_MOST = 32 };

uint32_t vm_node_constant(unsigned width, uint64_t value)
{
	return vm_node_make(NODE_CONSTANT, width, 0, value & vm_mask(width), 0, 0, 0);
}

uint32_t vm_node_symbol(unsigned width, uint32_t number)
{
	return vm_node_make(NODE_SYMBOL, width, 0, number, 0, 0, 0);
}

static uint64_t value_of(uint32_t n)
{
	assert(vm_node_is_constant(n));
	return vm_node(n)->value;
}

static bool is(uint32_t n, enum node_op op)
{
	return vm_node(n)->op == op;
}

static uint64_t sign_bit(unsigned width)
{
	return UINT64_C(1) << (width - 1);
}

static bool is_power(uint64_t value)
{
	return value && !(value & (value - 1));
}

/* Return a bound of the node as an unsigned number. */
static uint64_t most_of(uint32_t n)
{
	return is(n, NODE_CONSTANT) ? value_of(n) : vm_mask(vm_node_width(is(n, NODE_ZEXT) ? vm_node(n)->a : n));
}

/* ---- sums ------------------------------------------------------------------------------------------------------------ */

static uint32_t add_monomials(uint32_t n, uint64_t factor, struct node_monomial *to, uint32_t count, uint32_t most,
			      uint64_t *constant)
{
	const struct node node = *vm_node(n);
	if (count > most)
		return count;
	if (node.op == NODE_CONSTANT) {
		*constant = (*constant + factor * node.value) & vm_mask(node.width);
		return count;
	}
	if (node.op == NODE_ADD) {
		count = add_monomials(node.a, factor, to, count, most, constant);
		return add_monomials(node.b, factor, to, count, most, constant);
	}
	if (node.op == NODE_MUL && vm_node_is_constant(node.a))
		return add_monomials(node.b, factor * value_of(node.a), to, count, most, constant);
	if (count < most)
		to[count] = (struct node_monomial){ n, factor & vm_mask(node.width) };
	return count + 1;
}

uint32_t vm_node_sum(uint32_t n, struct node_monomial *monomials, uint32_t most, uint64_t *constant)
{
	*constant = 0;
	return add_monomials(n, 1, monomials, 0, most, constant);
}

static int by_order(const void *a, const void *b)
{
	const struct node_monomial *x = a, *y = b;
	return x->node == y->node ? 0 : vm_node_before(x->node, y->node) ? -1 : 1;
}

/* Sort monomials, add those of one node, and drop those that are 0.  Return how many there are. */
static uint32_t tidy(unsigned width, struct node_monomial *monomials, uint32_t count)
{
	uint32_t n = 0, left = 0;
	qsort(monomials, count, sizeof *monomials, by_order);
	for (uint32_t i = 0; i < count; i++) {
		if (n && monomials[n - 1].node == monomials[i].node)
			monomials[n - 1].factor += monomials[i].factor;
		else
			monomials[n++] = monomials[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		monomials[i].factor &= vm_mask(width);
		if (monomials[i].factor)
			monomials[left++] = monomials[i];
	}
	return left;
}

static uint32_t combine(uint32_t a, uint64_t factor, uint32_t b);

/* Is the monomial `factor` times the product of the divisor and the quotient that belong to a remainder? */
static bool is_product(struct node_monomial monomial, struct node remainder, uint64_t factor)
{
	struct node n = *vm_node(monomial.node);
	uint64_t by = 1;
	if (vm_node_is_constant(remainder.b))
		by = value_of(remainder.b);
	else if (n.op != NODE_MUL || (n.a != remainder.b && n.b != remainder.b))
		return false;
	else
		n = *vm_node(n.a == remainder.b ? n.b : n.a);
	return n.op == (remainder.op == NODE_UREM ? NODE_UDIV : NODE_SDIV) && n.a == remainder.a && n.b == remainder.b &&
		monomial.factor == (factor * by & vm_mask(n.width));
}

/* a / b * b + a % b is a, also for b = 0, as this operation is defined here.  Take such a sum out of the monomials, and return a
 * and its factor; 0 if there is none. */
static uint32_t take_division(struct node_monomial *monomials, uint32_t *count, uint64_t *factor)
{
	for (uint32_t i = 0; i < *count; i++) {
		struct node_monomial one = monomials[i];
		const struct node remainder = *vm_node(one.node);
		for (uint32_t k = 0; k < *count && (remainder.op == NODE_UREM || remainder.op == NODE_SREM); k++) {
			if (k == i || !is_product(monomials[k], remainder, one.factor))
				continue;
			monomials[i > k ? i : k] = monomials[--*count];
			monomials[i > k ? k : i] = monomials[--*count];
			*factor = one.factor;
			return remainder.a;
		}
	}
	return 0;
}

uint32_t vm_node_of_sum(unsigned width, struct node_monomial *monomials, uint32_t count, uint64_t constant)
{
	uint64_t factor;
	uint32_t sum = 0, dividend;
	count = tidy(width, monomials, count);
	if ((dividend = take_division(monomials, &count, &factor)))
		return combine(dividend, factor, vm_node_of_sum(width, monomials, count, constant));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t one = monomials[i].node;
		assert(vm_node_width(one) == width);
		if (monomials[i].factor != 1)
			one = vm_node_make(NODE_MUL, width, 0, 0, vm_node_constant(width, monomials[i].factor), one, 0);
		sum = sum ? vm_node_make(NODE_ADD, width, 0, 0, sum, one, 0) : one;
	}
	constant &= vm_mask(width);
	if (sum == 0)
		return vm_node_constant(width, constant);
	return constant ? vm_node_make(NODE_ADD, width, 0, 0, vm_node_constant(width, constant), sum, 0) : sum;
}

/* Return a times `factor`, plus b. */
static uint32_t combine(uint32_t a, uint64_t factor, uint32_t b)
{
	struct node_monomial monomials[SUM_MOST];
	unsigned width = vm_node_width(a);
	uint64_t constant = 0;
	uint32_t count = add_monomials(a, factor, monomials, 0, SUM_MOST, &constant);
	if (b)
		count = add_monomials(b, 1, monomials, count, SUM_MOST, &constant);
	if (count <= SUM_MOST)
		return vm_node_of_sum(width, monomials, count, constant);
	factor &= vm_mask(width);
	uint32_t product = factor == 1 ? a : vm_node_make(NODE_MUL, width, 0, 0, vm_node_constant(width, factor), a, 0);
	return b ? vm_node_make(NODE_ADD, width, 0, 0, product, b, 0) : product;
}

uint32_t vm_node_negative(uint32_t a)
{
	return vm_node_width(a) == 1 ? a : combine(a, UINT64_MAX, 0);
}

uint32_t vm_node_subtract(uint32_t a, uint32_t b)
{
	return vm_node_width(a) == 1 ? vm_node_binary(NODE_XOR, a, b) : combine(b, UINT64_MAX, a);
}

/* Take a constant factor out of a product.  Return what is left. */
static uint32_t without_factor(uint32_t n, uint64_t *factor)
{
	if (!is(n, NODE_MUL) || !vm_node_is_constant(vm_node(n)->a))
		return n;
	*factor *= value_of(vm_node(n)->a);
	return vm_node(n)->b;
}

static uint32_t multiply(uint32_t a, uint32_t b)
{
	unsigned width = vm_node_width(a);
	uint64_t factor = 1;
	if (vm_node_is_constant(a))
		return combine(b, value_of(a), 0);
	if (vm_node_is_constant(b))
		return combine(a, value_of(b), 0);
	a = without_factor(a, &factor);
	b = without_factor(b, &factor);
	bool turned = vm_node_before(b, a);
	uint32_t product = vm_node_make(NODE_MUL, width, 0, 0, turned ? b : a, turned ? a : b, 0);
	return combine(product, factor, 0);
}

/* ---- chains of AND, OR, XOR ---------------------------------------------------------------------------------------- */

static uint32_t add_links(enum node_op op, uint32_t n, struct node_monomial *links, uint32_t count, uint64_t *constant)
{
	if (count > CHAIN_MOST)
		return count;
	if (is(n, NODE_CONSTANT)) {
		*constant = vm_node_operate(op, vm_node_width(n), vm_node_width(n), 0, *constant, value_of(n), 0);
		return count;
	}
	if (is(n, op)) {
		uint32_t a = vm_node(n)->a, b = vm_node(n)->b;
		count = add_links(op, a, links, count, constant);
		return add_links(op, b, links, count, constant);
	}
	if (count < CHAIN_MOST)
		links[count] = (struct node_monomial){ n, 1 };
	return count + 1;
}

/* Drop what is there twice; of XOR, both. */
static uint32_t drop_doubles(enum node_op op, struct node_monomial *links, uint32_t count)
{
	uint32_t n = 0;
	qsort(links, count, sizeof *links, by_order);
	for (uint32_t i = 0; i < count; i++) {
		if (n == 0 || links[n - 1].node != links[i].node)
			links[n++] = links[i];
		else if (op == NODE_XOR)
			n--;
	}
	return n;
}

/* Does a chain of 1 bit have a link and its negation? */
static bool contradicts(const struct node_monomial *links, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < count; k++)
			if (vm_node_negated(links[i].node) == links[k].node)
				return true;
	return false;
}

/* Return x & mask as an extract, where the mask is a row of ones; else 0. */
static uint32_t masked(uint32_t x, uint64_t mask)
{
	unsigned width = vm_node_width(x), low = (unsigned)__builtin_ctzll(mask), length = (unsigned)__builtin_popcountll(mask);
	if (mask >> low != vm_mask(length))
		return 0;
	uint32_t part = vm_node_extend(vm_node_extract(x, low, length), width, false);
	return low ? combine(part, UINT64_C(1) << low, 0) : part;
}

static uint32_t bitwise(enum node_op op, uint32_t a, uint32_t b)
{
	struct node_monomial links[CHAIN_MOST];
	unsigned width = vm_node_width(a);
	uint64_t all = vm_mask(width), neutral = op == NODE_AND ? all : 0, constant = neutral;
	uint32_t count = add_links(op, a, links, 0, &constant);
	count = add_links(op, b, links, count, &constant);
	if (count > CHAIN_MOST)
		return vm_node_make(op, width, 0, 0, vm_node_before(b, a) ? b : a, vm_node_before(b, a) ? a : b, 0);
	count = drop_doubles(op, links, count);
	uint64_t absorbing = op == NODE_AND ? 0 : all;
	if (op != NODE_XOR && (constant == absorbing || (width == 1 && contradicts(links, count))))
		return vm_node_constant(width, absorbing);
	if (count == 0)
		return vm_node_constant(width, constant);
	uint32_t chain = links[0].node;
	for (uint32_t i = 1; i < count; i++)
		chain = vm_node_make(op, width, 0, 0, chain, links[i].node, 0);
	if (constant == neutral)
		return chain;
	if (op == NODE_AND && masked(chain, constant))
		return masked(chain, constant);
	if (op == NODE_XOR && width > 1 && constant == all) /* ~x = -x - 1 */
		return combine(chain, UINT64_MAX, vm_node_constant(width, all));
	if (op == NODE_XOR && width > 1 && constant == sign_bit(width))
		return combine(chain, 1, vm_node_constant(width, constant));
	return vm_node_make(op, width, 0, 0, vm_node_constant(width, constant), chain, 0);
}

uint32_t vm_node_not(uint32_t a)
{
	assert(vm_node_width(a) == 1);
	return vm_node_binary(NODE_XOR, a, vm_node_constant(1, 1));
}

uint32_t vm_node_negated(uint32_t n)
{
	const struct node *node = vm_node(n);
	return node->width == 1 && node->op == NODE_XOR && vm_node_is_constant(node->a) ? node->b : 0;
}

/* ---- comparisons ----------------------------------------------------------------------------------------------------- */

static uint32_t boolean(bool value)
{
	return vm_node_constant(1, value);
}

static uint32_t equals(uint32_t a, uint32_t b);

/* Return x == value. */
static uint32_t equals_constant(uint32_t x, uint64_t value)
{
	const struct node n = *vm_node(x);
	unsigned inner = n.a ? vm_node_width(n.a) : 0;
	if (n.op == NODE_CONSTANT)
		return boolean(n.value == value);
	if (n.width == 1)
		return value ? x : vm_node_not(x);
	if (n.op == NODE_ZEXT)
		return value > vm_mask(inner) ? boolean(false) : equals_constant(n.a, value);
	if (n.op == NODE_SEXT) {
		uint64_t part = value & vm_mask(inner);
		bool fits = ((uint64_t)vm_signed(part, inner) & vm_mask(n.width)) == value;
		return fits ? equals_constant(n.a, part) : boolean(false);
	}
	if (n.op == NODE_XOR && vm_node_is_constant(n.a))
		return equals_constant(n.b, value ^ value_of(n.a));
	if (n.op == NODE_ITE && vm_node_is_constant(n.b) && vm_node_is_constant(n.c))
		return vm_node_choose(n.a, boolean(value_of(n.b) == value), boolean(value_of(n.c) == value));
	return vm_node_make(NODE_EQ, 1, 0, 0, vm_node_constant(n.width, value), x, 0);
}

/* Return 1 / odd, modulo 2^64: each round doubles the bits that are right. */
static uint64_t inverse(uint64_t odd)
{
	uint64_t x = odd;
	for (unsigned bits = 3; bits < 64; bits *= 2)
		x *= 2 - odd * x;
	return x;
}

/* Return factor * x == value. */
static uint32_t equals_product(uint32_t x, uint64_t factor, uint64_t value)
{
	unsigned width = vm_node_width(x), zeros = (unsigned)__builtin_ctzll(factor);
	if (value & vm_mask(zeros))
		return boolean(false);
	uint32_t low = vm_node_extract(x, 0, width - zeros);
	return equals_constant(low, (value >> zeros) * inverse(factor >> zeros) & vm_mask(width - zeros));
}

/* Return whether the sum of monomials in order, of factors that are not 0, and a constant, is 0. */
static uint32_t equals_zero(unsigned width, const struct node_monomial *sum, uint32_t count, uint64_t constant)
{
	struct node_monomial left[2 * SUM_MOST], right[2 * SUM_MOST];
	uint32_t lefts = 0, rights = 0;
	uint64_t all = vm_mask(width), sign = sum[0].factor > (-sum[0].factor & all) ? UINT64_MAX : 1;
	if (count == 1)
		return equals_product(sum[0].node, sum[0].factor, -constant & all);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t factor = sum[i].factor * sign & all, negative = -factor & all;
		if (factor <= negative)
			left[lefts++] = (struct node_monomial){ sum[i].node, factor };
		else
			right[rights++] = (struct node_monomial){ sum[i].node, negative };
	}
	uint32_t a = vm_node_of_sum(width, left, lefts, 0), b = vm_node_of_sum(width, right, rights, -(constant * sign));
	if (vm_node_is_constant(b))
		return vm_node_make(NODE_EQ, 1, 0, 0, b, a, 0);
	const struct node *x = vm_node(a), *y = vm_node(b);
	if (x->op == y->op && (x->op == NODE_ZEXT || x->op == NODE_SEXT) && vm_node_width(x->a) == vm_node_width(y->a))
		return equals(x->a, y->a);
	return vm_node_make(NODE_EQ, 1, 0, 0, a, b, 0);
}

static uint32_t equals(uint32_t a, uint32_t b)
{
	struct node_monomial sum[2 * SUM_MOST];
	unsigned width = vm_node_width(a);
	uint64_t constant = 0;
	if (a == b)
		return boolean(true);
	if (width == 1)
		return vm_node_not(vm_node_binary(NODE_XOR, a, b));
	uint32_t count = add_monomials(a, 1, sum, 0, 2 * SUM_MOST, &constant);
	count = add_monomials(b, UINT64_MAX, sum, count, 2 * SUM_MOST, &constant);
	if (count > 2 * SUM_MOST)
		return vm_node_make(NODE_EQ, 1, 0, 0, vm_node_before(b, a) ? b : a, vm_node_before(b, a) ? a : b, 0);
	count = tidy(width, sum, count);
	return count ? equals_zero(width, sum, count, constant) : boolean(constant == 0);
}

/* Return x < value, unsigned. */
static uint32_t below(uint32_t x, uint64_t value)
{
	unsigned width = vm_node_width(x);
	if (value == 0)
		return boolean(false);
	if (most_of(x) < value)
		return boolean(true);
	if (value == 1 || value == vm_mask(width))
		return value == 1 ? equals_constant(x, 0) : vm_node_not(equals_constant(x, value));
	if (is(x, NODE_ZEXT))
		return below(vm_node(x)->a, value);
	return vm_node_make(NODE_ULT, 1, 0, 0, x, vm_node_constant(width, value), 0);
}

static uint32_t below_signed(uint32_t x, uint64_t value)
{
	unsigned width = vm_node_width(x);
	uint64_t least = sign_bit(width), most = least - 1;
	if (value == least)
		return boolean(false);
	if (is(x, NODE_ZEXT))
		return value & least ? boolean(false) : below(vm_node(x)->a, most_of(x) < value ? most_of(x) + 1 : value);
	if (is(x, NODE_SEXT)) {
		uint32_t a = vm_node(x)->a;
		unsigned inner = vm_node_width(a);
		int64_t bound = vm_signed(value, width), end = (int64_t)sign_bit(inner);
		return bound >= end ? boolean(true) : bound <= -end ? boolean(false) : below_signed(a, value & vm_mask(inner));
	}
	if (value == ((least + 1) & vm_mask(width)))
		return equals_constant(x, least);
	if (value == most)
		return vm_node_not(equals_constant(x, most));
	return vm_node_make(NODE_SLT, 1, 0, 0, x, vm_node_constant(width, value), 0);
}

static uint32_t less(enum node_op op, uint32_t a, uint32_t b)
{
	unsigned width = vm_node_width(a);
	bool is_signed = op == NODE_SLT;
	uint64_t most = is_signed ? sign_bit(width) - 1 : vm_mask(width);
	if (a == b)
		return boolean(false);
	if (width == 1)
		return is_signed ? vm_node_binary(NODE_AND, a, vm_node_not(b)) : vm_node_binary(NODE_AND, vm_node_not(a), b);
	if (vm_node_is_constant(b))
		return is_signed ? below_signed(a, value_of(b)) : below(a, value_of(b));
	if (vm_node_is_constant(a)) { /* k < b is !(b < k + 1) */
		if (value_of(a) == most)
			return boolean(false);
		uint64_t value = (value_of(a) + 1) & vm_mask(width);
		return vm_node_not(is_signed ? below_signed(b, value) : below(b, value));
	}
	const struct node *x = vm_node(a), *y = vm_node(b);
	bool extended = x->op == y->op && x->a && vm_node_width(x->a) == vm_node_width(y->a);
	if (extended && x->op == NODE_ZEXT)
		return less(NODE_ULT, x->a, y->a);
	if (extended && x->op == NODE_SEXT)
		return less(op, x->a, y->a);
	return vm_node_make(op, 1, 0, 0, a, b, 0);
}

/* ---- the others ------------------------------------------------------------------------------------------------------ */

static uint32_t divide(enum node_op op, uint32_t a, uint32_t b)
{
	unsigned width = vm_node_width(a);
	uint64_t value = vm_node_is_constant(b) ? value_of(b) : 0;
	bool remainder = op == NODE_UREM || op == NODE_SREM, is_signed = op == NODE_SDIV || op == NODE_SREM;
	if (width > 1 && (value == 1 || (is_signed && value == vm_mask(width))))
		return remainder ? vm_node_constant(width, 0) : value == 1 ? a : vm_node_negative(a);
	if (!is_signed && width > 1 && is_power(value)) {
		unsigned bits = (unsigned)__builtin_ctzll(value);
		if (remainder)
			return vm_node_extend(vm_node_extract(a, 0, bits), width, false);
		return vm_node_extend(vm_node_extract(a, bits, width - bits), width, false);
	}
	return vm_node_make(op, width, 0, 0, a, b, 0);
}

static uint32_t shift(enum node_op op, uint32_t a, uint32_t b)
{
	unsigned width = vm_node_width(a);
	if (!vm_node_is_constant(b))
		return vm_node_make(op, width, 0, 0, a, b, 0);
	uint64_t count = value_of(b);
	if (count == 0)
		return a;
	if (op == NODE_ASHR && count >= width)
		count = width - 1;
	if (count >= width)
		return vm_node_constant(width, 0);
	if (op == NODE_SHL)
		return combine(a, UINT64_C(1) << count, 0);
	if (count == 0)
		return a; /* of 1 bit */
	return vm_node_extend(vm_node_extract(a, (unsigned)count, width - (unsigned)count), width, op == NODE_ASHR);
}

static uint32_t overflows(enum node_op op, uint32_t a, uint32_t b)
{
	bool turned = vm_node_is_constant(a) ? false : vm_node_is_constant(b) || vm_node_before(b, a);
	uint32_t x = turned ? b : a, y = turned ? a : b;
	if (vm_node_width(a) > 1 && vm_node_is_constant(x) && value_of(x) <= 1)
		return boolean(false);
	return vm_node_make(op, 1, 0, 0, x, y, 0);
}

uint32_t vm_node_binary(enum node_op op, uint32_t a, uint32_t b)
{
	unsigned width = vm_node_width(a);
	assert(vm_node_width(b) == width);
	if (vm_node_is_constant(a) && vm_node_is_constant(b)) {
		unsigned result = op >= NODE_EQ && op <= NODE_SMULO ? 1 : width;
		return vm_node_constant(result, vm_node_operate(op, width, result, 0, value_of(a), value_of(b), 0));
	}
	switch (op) {
	case NODE_ADD: return width == 1 ? bitwise(NODE_XOR, a, b) : combine(a, 1, b);
	case NODE_MUL: return width == 1 ? bitwise(NODE_AND, a, b) : multiply(a, b);
	case NODE_AND:
	case NODE_OR:
	case NODE_XOR: return bitwise(op, a, b);
	case NODE_UDIV:
	case NODE_UREM:
	case NODE_SDIV:
	case NODE_SREM: return divide(op, a, b);
	case NODE_SHL:
	case NODE_LSHR:
	case NODE_ASHR: return shift(op, a, b);
	case NODE_EQ: return equals(a, b);
	case NODE_ULT:
	case NODE_SLT: return less(op, a, b);
	case NODE_UMULO:
	case NODE_SMULO: return overflows(op, a, b);
	default: VM_BUG("a term of operation %u has two operands", op);
	}
}

uint32_t vm_node_choose(uint32_t a, uint32_t b, uint32_t c)
{
	assert(vm_node_width(a) == 1 && vm_node_width(b) == vm_node_width(c));
	if (vm_node_is_constant(a))
		return value_of(a) ? b : c;
	if (b == c)
		return b;
	if (vm_node_negated(a))
		return vm_node_choose(vm_node_negated(a), c, b);
	if (vm_node_width(b) == 1)
		return bitwise(NODE_OR, bitwise(NODE_AND, a, b), bitwise(NODE_AND, vm_node_not(a), c));
	return vm_node_make(NODE_ITE, vm_node_width(b), 0, 0, a, b, c);
}

/* Return the sum of monomials, each cut to its lowest bits, of factors times 2^`low`. */
static uint32_t sum_of_parts(unsigned width, unsigned low, const struct node_monomial *sum, uint32_t count, uint64_t constant)
{
	uint32_t result = vm_node_constant(width, constant >> low);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t part = vm_node_extract(sum[i].node, 0, width), factor = vm_node_constant(width, sum[i].factor >> low);
		result = vm_node_binary(NODE_ADD, result, vm_node_binary(NODE_MUL, factor, part));
	}
	return result;
}

/* Return the bits of a sum from `low` on, where its other monomials do not carry into them: they are a sum, too.  Else 0. */
static uint32_t extract_high(uint32_t a, unsigned low, unsigned width)
{
	struct node_monomial sum[SUM_MOST];
	uint64_t constant;
	uint32_t count = vm_node_sum(a, sum, SUM_MOST, &constant), high = 0;
	unsigned __int128 most = constant & vm_mask(low);
	if (count > SUM_MOST)
		return 0;
	for (uint32_t i = 0; i < count; i++) {
		if ((sum[i].factor & vm_mask(low)) == 0)
			sum[high++] = sum[i];
		else
			most += (unsigned __int128)sum[i].factor * most_of(sum[i].node);
	}
	if (most > vm_mask(low))
		return 0;
	return vm_node_extract(sum_of_parts(vm_node_width(a) - low, low, sum, high, constant), 0, width);
}

/* Return the low bits of a sum; 0 if it is none, or too long. */
static uint32_t extract_low(uint32_t a, unsigned width)
{
	struct node_monomial sum[SUM_MOST];
	uint64_t constant;
	uint32_t count = vm_node_sum(a, sum, SUM_MOST, &constant);
	bool none = count > SUM_MOST || (count == 1 && sum[0].node == a);
	return none ? 0 : sum_of_parts(width, 0, sum, count, constant);
}

/* Return bits of something that was extended. */
static uint32_t extract_extended(const struct node *n, unsigned low, unsigned width)
{
	unsigned inner = vm_node_width(n->a);
	bool is_signed = n->op == NODE_SEXT;
	if (low + width <= inner)
		return vm_node_extract(n->a, low, width);
	if (low == 0)
		return vm_node_extend(n->a, width, is_signed);
	if (low < inner)
		return vm_node_extend(vm_node_extract(n->a, low, inner - low), width, is_signed);
	if (!is_signed)
		return vm_node_constant(width, 0);
	return vm_node_extend(vm_node_extract(n->a, inner - 1, 1), width, true);
}

uint32_t vm_node_extract(uint32_t a, unsigned low, unsigned width)
{
	const struct node n = *vm_node(a);
	uint32_t result = 0;
	assert(width && low + width <= n.width);
	if (width == n.width)
		return a;
	switch (n.op) {
	case NODE_CONSTANT: return vm_node_constant(width, n.value >> low);
	case NODE_EXTRACT: return vm_node_extract(n.a, n.low + low, width);
	case NODE_ZEXT:
	case NODE_SEXT: return extract_extended(&n, low, width);
	case NODE_AND:
	case NODE_OR:
	case NODE_XOR: return bitwise(n.op, vm_node_extract(n.a, low, width), vm_node_extract(n.b, low, width));
	case NODE_ITE: return vm_node_choose(n.a, vm_node_extract(n.b, low, width), vm_node_extract(n.c, low, width));
	case NODE_ADD:
	case NODE_MUL:
		result = low ? extract_high(a, low, width) : extract_low(a, width);
		if (low == 0 && result == 0 && n.op == NODE_MUL)
			result = vm_node_binary(NODE_MUL, vm_node_extract(n.a, 0, width), vm_node_extract(n.b, 0, width));
		break;
	default: break;
	}
	return result ? result : vm_node_make(NODE_EXTRACT, width, low, 0, a, 0, 0);
}

uint32_t vm_node_extend(uint32_t a, unsigned width, bool is_signed)
{
	const struct node n = *vm_node(a);
	assert(width >= n.width);
	if (width == n.width)
		return a;
	if (n.op == NODE_CONSTANT)
		return vm_node_constant(width, is_signed ? (uint64_t)vm_signed(n.value, n.width) : n.value);
	if (n.op == NODE_ZEXT)
		return vm_node_extend(n.a, width, false);
	if (n.op == NODE_SEXT && is_signed)
		return vm_node_extend(n.a, width, true);
	return vm_node_make(is_signed ? NODE_SEXT : NODE_ZEXT, width, 0, 0, a, 0, 0);
}
