/* SPDX-License-Identifier: MIT
 *
 * See range.h.  A range may be too large, never too small: where an operation may wrap around, it is all numbers.
 */
#include "range.h"

#include <assert.h>

typedef __int128 wide;

static int64_t least_of(unsigned width)
{
	return vm_signed(UINT64_C(1) << (width - 1), width);
}

static struct node_range whole(unsigned width)
{
	return (struct node_range){ 0, vm_mask(width), least_of(width), -(least_of(width) + 1) };
}

/* Let the two halves of a range know of each other. */
static void agree(struct node_range *r, unsigned width)
{
	uint64_t sign = UINT64_C(1) << (width - 1);
	if (r->low <= r->high && (r->low & sign) == (r->high & sign)) {
		int64_t least = vm_signed(r->low, width), most = vm_signed(r->high, width);
		r->least = least > r->least ? least : r->least;
		r->most = most < r->most ? most : r->most;
	}
	if (r->least <= r->most && (r->least < 0) == (r->most < 0)) {
		uint64_t low = (uint64_t)r->least & vm_mask(width), high = (uint64_t)r->most & vm_mask(width);
		r->low = low > r->low ? low : r->low;
		r->high = high < r->high ? high : r->high;
	}
}

static void cut(struct node_range *r, const struct node_range *by)
{
	r->low = by->low > r->low ? by->low : r->low;
	r->high = by->high < r->high ? by->high : r->high;
	r->least = by->least > r->least ? by->least : r->least;
	r->most = by->most < r->most ? by->most : r->most;
}

static void set_unsigned(struct node_range *r, uint64_t low, uint64_t high)
{
	r->low = low;
	r->high = high;
}

static void set_signed(struct node_range *r, wide least, wide most, unsigned width)
{
	if (least < least_of(width) || most > -(wide)(least_of(width) + 1))
		return;
	r->least = (int64_t)least;
	r->most = (int64_t)most;
}

static void add(struct node_range *r, const struct node_range *a, const struct node_range *b, unsigned width)
{
	unsigned __int128 low = (unsigned __int128)a->low + b->low, high = (unsigned __int128)a->high + b->high;
	if (high <= vm_mask(width) || low > vm_mask(width))
		set_unsigned(r, (uint64_t)low & vm_mask(width), (uint64_t)high & vm_mask(width));
	set_signed(r, (wide)a->least + b->least, (wide)a->most + b->most, width);
}

static void corners(const struct node_range *a, const struct node_range *b, wide *least, wide *most)
{
	wide all[] = { (wide)a->least * b->least, (wide)a->least * b->most, (wide)a->most * b->least, (wide)a->most * b->most };
	*least = *most = all[0];
	for (unsigned i = 1; i < 4; i++) {
		*least = all[i] < *least ? all[i] : *least;
		*most = all[i] > *most ? all[i] : *most;
	}
}

/* `square`: both operands are the same, so the product is not negative unless it wraps around. */
static void multiply(struct node_range *r, const struct node_range *a, const struct node_range *b, unsigned width, bool square)
{
	wide least, most;
	corners(a, b, &least, &most);
	least = square && least < 0 ? 0 : least;
	if ((unsigned __int128)a->high * b->high <= vm_mask(width))
		set_unsigned(r, a->low * b->low, a->high * b->high);
	set_signed(r, least, most, width);
}

/* Return the answer to a question as a range: 0 and 1 are both possible unless one is known not to be. */
static void answer(struct node_range *r, bool never, bool always)
{
	set_unsigned(r, always, !never);
}

static void compare(struct node_range *r, enum node_op op, const struct node_range *a, const struct node_range *b, unsigned width)
{
	wide least, most;
	bool apart = a->high < b->low || b->high < a->low || a->most < b->least || b->most < a->least;
	switch (op) {
	case NODE_EQ: answer(r, apart, a->low == a->high && b->low == b->high && a->low == b->low); break;
	case NODE_ULT: answer(r, a->low >= b->high, a->high < b->low); break;
	case NODE_SLT: answer(r, a->least >= b->most, a->most < b->least); break;
	case NODE_UMULO: answer(r, (unsigned __int128)a->high * b->high <= vm_mask(width), false); break;
	case NODE_SMULO:
		corners(a, b, &least, &most);
		answer(r, least >= least_of(width) && most <= -(wide)(least_of(width) + 1), false);
		break;
	default: assert(false);
	}
}

static void bitwise(struct node_range *r, enum node_op op, const struct node_range *a, const struct node_range *b, unsigned width)
{
	uint64_t any = a->high | b->high;
	for (unsigned shift = 1; shift < 64; shift *= 2)
		any |= any >> shift;
	switch (op) {
	case NODE_AND: set_unsigned(r, width == 1 ? a->low & b->low : 0, a->high < b->high ? a->high : b->high); break;
	case NODE_OR: set_unsigned(r, a->low > b->low ? a->low : b->low, any); break;
	default:
		set_unsigned(r, 0, any);
		if (width == 1 && a->low == a->high && b->low == b->high)
			set_unsigned(r, a->low ^ b->low, a->low ^ b->low);
		break;
	}
}

static void divide(struct node_range *r, enum node_op op, const struct node_range *a, const struct node_range *b)
{
	if (op == NODE_UDIV && b->low)
		set_unsigned(r, a->low / b->high, a->high / b->low);
	else if (op == NODE_UREM && b->low)
		set_unsigned(r, a->high < b->low ? a->low : 0, a->high < b->high - 1 ? a->high : b->high - 1);
	else if (op == NODE_SREM && b->least > 0 && b->least == b->most) { /* has the sign of the dividend */
		r->least = a->least >= 0 ? 0 : a->least > -(b->least - 1) ? a->least : -(b->least - 1);
		r->most = a->most <= 0 ? 0 : a->most < b->least - 1 ? a->most : b->least - 1;
	} else if (op == NODE_SDIV && b->least > 0 && b->least == b->most) {
		r->least = a->least / b->least;
		r->most = a->most / b->least;
	}
}

static void resize(struct node_range *r, const struct node *n, const struct node_range *a, unsigned width)
{
	switch (n->op) {
	case NODE_ZEXT: set_unsigned(r, a->low, a->high); break;
	case NODE_SEXT: set_signed(r, a->least, a->most, n->width); break;
	default:
		assert(n->op == NODE_EXTRACT && n->width < width);
		if (a->high >> n->low <= vm_mask(n->width))
			set_unsigned(r, a->low >> n->low, a->high >> n->low);
		if (n->low == 0)
			set_signed(r, a->least, a->most, n->width);
		break;
	}
}

static struct node_range either(const struct node_range *a, const struct node_range *b)
{
	return (struct node_range){ a->low < b->low ? a->low : b->low, a->high > b->high ? a->high : b->high,
				    a->least < b->least ? a->least : b->least, a->most > b->most ? a->most : b->most };
}

static struct node_range by_operands(const struct node *n, const struct node_bounds *bounds)
{
	struct node_range r = whole(n->width), a, b = r;
	if (n->op == NODE_CONSTANT)
		set_unsigned(&r, n->value, n->value);
	if (n->a == 0)
		return r;
	unsigned width = vm_node_width(n->a);
	a = vm_range_of(n->a, bounds);
	if (n->b)
		b = vm_range_of(n->b, bounds);
	if (a.low > a.high || a.least > a.most || b.low > b.high || b.least > b.most)
		return r; /* no value at all */
	switch (n->op) {
	case NODE_ADD: add(&r, &a, &b, width); break;
	case NODE_MUL: multiply(&r, &a, &b, width, n->a == n->b); break;
	case NODE_AND:
	case NODE_OR:
	case NODE_XOR: bitwise(&r, n->op, &a, &b, width); break;
	case NODE_UDIV:
	case NODE_UREM:
	case NODE_SDIV:
	case NODE_SREM: divide(&r, n->op, &a, &b); break;
	case NODE_EQ:
	case NODE_ULT:
	case NODE_SLT:
	case NODE_UMULO:
	case NODE_SMULO: compare(&r, n->op, &a, &b, width); break;
	case NODE_LSHR: set_unsigned(&r, 0, a.high); break;
	case NODE_EXTRACT:
	case NODE_ZEXT:
	case NODE_SEXT: resize(&r, n, &a, width); break;
	case NODE_ITE: {
		struct node_range c = vm_range_of(n->c, bounds);
		return a.low == 1 ? b : a.high == 0 ? c : either(&b, &c);
	}
	default: break;
	}
	return r;
}

struct node_range vm_range_of(uint32_t number, const struct node_bounds *bounds)
{
	const struct node n = *vm_node(number);
	struct node_range r = by_operands(&n, bounds);
	for (uint32_t i = 0; i < bounds->count; i++)
		if (bounds->nodes[i] == number)
			cut(&r, &bounds->ranges[i]);
	agree(&r, n.width);
	return r;
}

/* ---- conditions ------------------------------------------------------------------------------------------------------ */

static struct node_range *bound(struct node_bounds *bounds, uint32_t node)
{
	enum { MOST = sizeof bounds->nodes / sizeof *bounds->nodes };
	for (uint32_t i = 0; i < bounds->count; i++)
		if (bounds->nodes[i] == node)
			return &bounds->ranges[i];
	if (bounds->count == MOST)
		return NULL;
	bounds->nodes[bounds->count] = node;
	bounds->ranges[bounds->count] = whole(vm_node_width(node));
	return &bounds->ranges[bounds->count++];
}

static void learn_equal(struct node_range *r, uint64_t value, unsigned width, bool holds)
{
	int64_t number = vm_signed(value, width);
	if (holds) {
		cut(r, &(struct node_range){ value, value, number, number });
		return;
	}
	if (r->low == value && r->low < r->high)
		r->low++;
	if (r->high == value && r->low < r->high)
		r->high--;
	if (r->least == number && r->least < r->most)
		r->least++;
	if (r->most == number && r->least < r->most)
		r->most--;
}

static void learn(struct node_bounds *bounds, uint32_t condition, bool holds)
{
	struct node n = *vm_node(condition);
	if (vm_node_negated(condition)) {
		learn(bounds, vm_node_negated(condition), !holds);
		return;
	}
	if (n.op == (holds ? NODE_AND : NODE_OR) && n.width == 1) { /* both hold, or neither does */
		learn(bounds, n.a, holds);
		learn(bounds, n.b, holds);
	}
	bool equal = n.op == NODE_EQ && vm_node_is_constant(n.a),
	     less = (n.op == NODE_ULT || n.op == NODE_SLT) && vm_node_is_constant(n.b);
	struct node_range *r = bound(bounds, equal ? n.b : less ? n.a : condition);
	if (!r)
		return;
	unsigned width = equal || less ? vm_node_width(n.a) : 1;
	uint64_t value = equal ? vm_node(n.a)->value : less ? vm_node(n.b)->value : 0;
	struct node_range by = whole(width);
	if (equal) {
		learn_equal(r, value, width, holds);
	} else if (less && n.op == NODE_ULT) {
		assert(value); /* build.c */
		set_unsigned(&by, holds ? 0 : value, holds ? value - 1 : vm_mask(width));
	} else if (less) {
		assert(vm_signed(value, width) > least_of(width));
		by.least = holds ? by.least : vm_signed(value, width);
		by.most = holds ? vm_signed(value, width) - 1 : by.most;
	} else {
		set_unsigned(&by, holds, holds);
	}
	cut(r, &by);
	agree(r, width);
}

void vm_bounds_of(struct node_bounds *bounds, const uint32_t *conditions, uint32_t count)
{
	bounds->count = 0;
	for (unsigned round = 0; round < 2; round++) /* != cuts only the ends that others have made */
		for (uint32_t i = 0; i < count; i++)
			learn(bounds, conditions[i], true);
}
