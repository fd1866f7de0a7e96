/* SPDX-License-Identifier: MIT
 *
 * See blast.h.  Gates are hash-consed, and simplified where an input is constant or equals another one (Tseitin's encoding).
 *
 * Bounds: the ranges of a node's operands follow from conditions that bound nodes below it.  So values that meet all conditions
 * give each node its true value.  Of the conditions that other values break, take one that bounds the lowest node: all below that
 * have their true values, so the clauses have the condition broken, too.
 */
#include "blast.h"

#include <assert.h>
#include <string.h>

enum { TRUE = 1 /* a variable that is 1 */, USUAL = 16384 };

struct gate {
	int a, b, out; /* out 0: free */
	bool is_xor;
};

static VM_OWN struct {
	void *solver;
	void (*add)(void *, int);
	const struct node_bounds *bounds;
	int variables;
	struct gate *gates; /* a power of two of them */
	uint32_t gate_count, gate_size, gate_capacity;
	int *literals; /* of all nodes so far */
	uint32_t count, capacity;
	uint32_t *keys, *starts; /* from a node to its literals */
	uint32_t nodes, size, key_capacity, start_capacity;
} now;

void vm_blast_clause(const int *literals, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		now.add(now.solver, literals[i]);
	now.add(now.solver, 0);
}

static void clause(int a, int b, int c)
{
	const int literals[] = { a, b, c };
	vm_blast_clause(literals, c ? 3 : b ? 2 : 1);
}

void vm_blast_begin(void *solver, void (*add)(void *solver, int literal), const struct node_bounds *bounds)
{
	now.solver = solver;
	now.bounds = bounds;
	now.add = add;
	now.variables = TRUE;
	now.count = now.gate_count = now.nodes = 0;
	now.gate_size = now.gate_size > USUAL ? USUAL : now.gate_size; /* a large question must not slow down the others */
	now.size = now.size > USUAL ? USUAL : now.size;
	if (now.gates)
		memset(now.gates, 0, now.gate_size * sizeof *now.gates);
	if (now.keys)
		memset(now.keys, 0, now.size * sizeof *now.keys);
	clause(TRUE, 0, 0);
}

/* ---- gates ----------------------------------------------------------------------------------------------------------- */

static uint32_t place_of(int a, int b, bool is_xor)
{
	uint64_t h = ((uint64_t)(uint32_t)a << 32 | (uint32_t)b) * UINT64_C(0x9e3779b97f4a7c15) + is_xor;
	uint32_t at = (uint32_t)(h >> 32) & (now.gate_size - 1);
	for (; now.gates[at].out; at = (at + 1) & (now.gate_size - 1))
		if (now.gates[at].a == a && now.gates[at].b == b && now.gates[at].is_xor == is_xor)
			break;
	return at;
}

static void grow_gates(void)
{
	uint32_t before = now.gate_size;
	struct gate *old = vm_scratch((before + 1) * sizeof *old);
	if (before)
		memcpy(old, now.gates, before * sizeof *old);
	now.gate_size = before ? 2 * before : 4096;
	now.gates = vm_grow(now.gates, &now.gate_capacity, now.gate_size, sizeof *now.gates);
	memset(now.gates, 0, now.gate_size * sizeof *now.gates);
	for (uint32_t i = 0; i < before; i++)
		if (old[i].out)
			now.gates[place_of(old[i].a, old[i].b, old[i].is_xor)] = old[i];
}

/* Return the gate of two literals, where the order is free; *fresh: it has no clauses yet. */
static int gate(int a, int b, bool is_xor, bool *fresh)
{
	if (2 * now.gate_count >= now.gate_size)
		grow_gates();
	if (a > b) {
		int other = a;
		a = b;
		b = other;
	}
	struct gate *g = &now.gates[place_of(a, b, is_xor)];
	*fresh = g->out == 0;
	if (*fresh) {
		*g = (struct gate){ a, b, ++now.variables, is_xor };
		now.gate_count++;
	}
	return g->out;
}

static int both(int a, int b)
{
	bool fresh;
	if (a == -TRUE || b == -TRUE || a == -b)
		return -TRUE;
	if (a == TRUE || a == b)
		return b;
	if (b == TRUE)
		return a;
	int out = gate(a, b, false, &fresh);
	if (fresh) {
		clause(-out, a, 0);
		clause(-out, b, 0);
		clause(out, -a, -b);
	}
	return out;
}

static int either(int a, int b)
{
	return -both(-a, -b);
}

static int differ(int a, int b)
{
	int sign = (a < 0) == (b < 0) ? 1 : -1, x = a < 0 ? -a : a, y = b < 0 ? -b : b;
	bool fresh;
	if (x == y)
		return -TRUE * sign;
	if (x == TRUE)
		return -y * sign;
	if (y == TRUE)
		return -x * sign;
	int out = gate(x, y, true, &fresh);
	if (fresh) {
		clause(-out, x, y);
		clause(-out, -x, -y);
		clause(out, -x, y);
		clause(out, x, -y);
	}
	return out * sign;
}

static int choose(int c, int a, int b)
{
	if (c == TRUE || a == b)
		return a;
	return c == -TRUE ? b : either(both(c, a), both(-c, b));
}

/* ---- numbers --------------------------------------------------------------------------------------------------------- */

struct bits {
	int at[65];
	unsigned width;
};

static struct bits constant(uint64_t value, unsigned width)
{
	struct bits r = { .width = width };
	for (unsigned i = 0; i < width; i++)
		r.at[i] = i < 64 && value >> i & 1 ? TRUE : -TRUE;
	return r;
}

/* Return a + b + carry, and what is carried out. */
static struct bits add(const struct bits *a, const struct bits *b, int carry, int *out)
{
	struct bits r = { .width = a->width };
	assert(a->width == b->width);
	for (unsigned i = 0; i < a->width; i++) {
		int x = differ(a->at[i], b->at[i]);
		r.at[i] = differ(x, carry);
		carry = either(both(a->at[i], b->at[i]), both(x, carry));
	}
	*out = carry;
	return r;
}

static struct bits invert(const struct bits *a)
{
	struct bits r = { .width = a->width };
	for (unsigned i = 0; i < a->width; i++)
		r.at[i] = -a->at[i];
	return r;
}

/* Return a - b; *borrow: a < b. */
static struct bits subtract(const struct bits *a, const struct bits *b, int *borrow)
{
	struct bits other = invert(b), r = add(a, &other, TRUE, borrow);
	*borrow = -*borrow;
	return r;
}

static struct bits negative_if(int c, const struct bits *a)
{
	struct bits zero = constant(0, a->width), r = { .width = a->width };
	int borrow;
	struct bits negative = subtract(&zero, a, &borrow);
	for (unsigned i = 0; i < a->width; i++)
		r.at[i] = choose(c, negative.at[i], a->at[i]);
	return r;
}

static struct bits resized(const struct bits *a, unsigned width, int fill)
{
	struct bits r = *a;
	for (unsigned i = a->width; i < width; i++)
		r.at[i] = fill;
	r.width = width;
	return r;
}

static int equal(const struct bits *a, const struct bits *b)
{
	int all = TRUE;
	for (unsigned i = 0; i < a->width; i++)
		all = both(all, -differ(a->at[i], b->at[i]));
	return all;
}

static int less(struct bits a, struct bits b, bool is_signed)
{
	int borrow;
	if (is_signed) {
		a.at[a.width - 1] = -a.at[a.width - 1];
		b.at[b.width - 1] = -b.at[b.width - 1];
	}
	subtract(&a, &b, &borrow);
	return borrow;
}

static bool is_constant(const struct bits *a, uint64_t *value)
{
	*value = 0;
	for (unsigned i = 0; i < a->width; i++) {
		if (a->at[i] != TRUE && a->at[i] != -TRUE)
			return false;
		*value |= (uint64_t)(a->at[i] == TRUE) << i;
	}
	return true;
}

/* Return a product, by as many sums as `b` has bits that may be 1; *lost: it does not fit, as unsigned numbers. */
static struct bits multiply(const struct bits *a, const struct bits *b, int *lost)
{
	unsigned width = a->width;
	struct bits r = constant(0, width);
	*lost = -TRUE;
	for (unsigned i = 0; i < width; i++) {
		struct bits row = constant(0, width);
		int carry;
		if (b->at[i] == -TRUE)
			continue;
		for (unsigned k = 0; k < width; k++) {
			int bit = both(b->at[i], a->at[k]);
			if (k + i < width)
				row.at[k + i] = bit;
			else
				*lost = either(*lost, bit);
		}
		r = add(&r, &row, -TRUE, &carry);
		*lost = either(*lost, carry);
	}
	return r;
}

static struct bits product(const struct bits *a, const struct bits *b)
{
	uint64_t value;
	int lost;
	if (!is_constant(a, &value))
		return multiply(a, b, &lost);
	uint64_t negative = -value & vm_mask(a->width);
	if (__builtin_popcountll(negative) >= __builtin_popcountll(value))
		return multiply(b, a, &lost);
	struct bits factor = constant(negative, a->width), r = multiply(b, &factor, &lost);
	return negative_if(TRUE, &r);
}

/* Does a signed product fit?  That of the absolute values does, and is at most 2^(width-1) - 1, or one more if it is negative. */
static int product_overflows(const struct bits *a, const struct bits *b, bool is_signed)
{
	unsigned width = a->width, top = width - 1;
	int lost, any = -TRUE;
	if (!is_signed) {
		multiply(a, b, &lost);
		return lost;
	}
	struct bits x = negative_if(a->at[top], a), y = negative_if(b->at[top], b), r = multiply(&x, &y, &lost);
	for (unsigned i = 0; i < top; i++)
		any = either(any, r.at[i]);
	int negative = differ(a->at[top], b->at[top]);
	return either(lost, both(r.at[top], either(any, -negative)));
}

/* Divide as by hand, a bit of the quotient after the other. */
static void divide(const struct bits *a, const struct bits *b, struct bits *quotient, struct bits *rest)
{
	unsigned width = a->width;
	struct bits r = constant(0, width + 1), by = resized(b, width + 1, -TRUE);
	*quotient = constant(0, width);
	for (unsigned i = width; i-- > 0;) {
		struct bits next = { .width = width + 1 };
		int borrow;
		next.at[0] = a->at[i];
		for (unsigned k = 1; k <= width; k++)
			next.at[k] = r.at[k - 1];
		struct bits less_one = subtract(&next, &by, &borrow);
		quotient->at[i] = -borrow;
		for (unsigned k = 0; k <= width; k++)
			r.at[k] = choose(-borrow, less_one.at[k], next.at[k]);
	}
	*rest = resized(&r, width, 0);
	rest->width = width;
}

static struct bits division(enum node_op op, const struct bits *a, const struct bits *b)
{
	struct bits quotient, rest;
	bool is_signed = op == NODE_SDIV || op == NODE_SREM, remainder = op == NODE_UREM || op == NODE_SREM;
	int a_negative = is_signed ? a->at[a->width - 1] : -TRUE, b_negative = is_signed ? b->at[b->width - 1] : -TRUE;
	struct bits x = negative_if(a_negative, a), y = negative_if(b_negative, b);
	divide(&x, &y, &quotient, &rest);
	return remainder ? negative_if(a_negative, &rest) : negative_if(differ(a_negative, b_negative), &quotient);
}

static struct bits shift(enum node_op op, const struct bits *a, const struct bits *count)
{
	unsigned width = a->width;
	struct bits r = *a;
	int fill = op == NODE_ASHR ? a->at[width - 1] : -TRUE, far = -TRUE;
	for (unsigned k = 0; k < count->width; k++) {
		if (k >= 6 || (1u << k) >= width) {
			far = either(far, count->at[k]);
			continue;
		}
		struct bits moved = { .width = width };
		for (unsigned i = 0; i < width; i++) {
			bool in = op == NODE_SHL ? i >= 1u << k : i + (1u << k) < width;
			moved.at[i] = !in ? fill : r.at[op == NODE_SHL ? i - (1u << k) : i + (1u << k)];
		}
		for (unsigned i = 0; i < width; i++)
			r.at[i] = choose(count->at[k], moved.at[i], r.at[i]);
	}
	for (unsigned i = 0; i < width; i++)
		r.at[i] = choose(far, fill, r.at[i]);
	return r;
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------- */

static uint32_t key_at(uint32_t node)
{
	uint32_t at = node * 2654435761u & (now.size - 1);
	while (now.keys[at] && now.keys[at] != node)
		at = (at + 1) & (now.size - 1);
	return at;
}

static void remember(uint32_t node, const struct bits *bits)
{
	if (2 * now.nodes >= now.size) {
		uint32_t before = now.size, *keys = vm_scratch((before + 1) * sizeof *keys),
			 *starts = vm_scratch((before + 1) * sizeof *starts);
		if (before) {
			memcpy(keys, now.keys, before * sizeof *keys);
			memcpy(starts, now.starts, before * sizeof *starts);
		}
		now.size = before ? 2 * before : 256;
		now.keys = vm_grow(now.keys, &now.key_capacity, now.size, sizeof *now.keys);
		now.starts = vm_grow(now.starts, &now.start_capacity, now.size, sizeof *now.starts);
		memset(now.keys, 0, now.size * sizeof *now.keys);
		for (uint32_t i = 0; i < before; i++)
			if (keys[i]) {
				uint32_t at = key_at(keys[i]);
				now.keys[at] = keys[i];
				now.starts[at] = starts[i];
			}
	}
	now.literals = vm_grow(now.literals, &now.capacity, (uint64_t)now.count + bits->width, sizeof *now.literals);
	memcpy(now.literals + now.count, bits->at, bits->width * sizeof *now.literals);
	uint32_t at = key_at(node);
	now.keys[at] = node;
	now.starts[at] = now.count;
	now.count += bits->width;
	now.nodes++;
}

static struct bits bits_of(uint32_t number);

static struct bits bitwise(const struct node *n, const struct bits *a, const struct bits *b)
{
	struct bits r = { .width = n->width };
	for (unsigned i = 0; i < n->width; i++)
		r.at[i] = n->op == NODE_AND ? both(a->at[i], b->at[i]) :
			n->op == NODE_OR    ? either(a->at[i], b->at[i]) :
					      differ(a->at[i], b->at[i]);
	return r;
}

/* Return how many bits the numbers up to `most` have, at least one. */
static unsigned bits_for(unsigned __int128 most)
{
	unsigned bits = 1;
	while (most >>= 1)
		bits++;
	return bits;
}

/* Return the operation that does the same as that of a node, on its operands' lowest `*bits` bits alone. */
static enum node_op narrowed(const struct node *n, unsigned *bits)
{
	enum node_op op = n->op;
	*bits = n->width;
	if (op < NODE_MUL || op > NODE_SREM || (op > NODE_MUL && op < NODE_UDIV))
		return op;
	struct node_range a = vm_range_of(n->a, now.bounds), b = vm_range_of(n->b, now.bounds);
	unsigned __int128 product = (unsigned __int128)a.high * b.high;
	if (op == NODE_MUL) {
		*bits = product <= vm_mask(n->width) ? bits_for(product | a.high | b.high) : n->width;
		return op;
	}
	if ((op == NODE_SDIV || op == NODE_SREM) && a.least >= 0 && b.least > 0)
		op = op == NODE_SDIV ? NODE_UDIV : NODE_UREM;
	if ((op == NODE_UDIV || op == NODE_UREM) && b.low > 0)
		*bits = bits_for(a.high | b.high);
	return op;
}

static struct bits part(const struct bits *a, unsigned low, unsigned width)
{
	struct bits r = { .width = width };
	memcpy(r.at, a->at + low, width * sizeof *r.at);
	return r;
}

static struct bits one(int literal)
{
	return (struct bits){ .at = { literal }, .width = 1 };
}

static struct bits of_two(const struct node *n, const struct bits *a, const struct bits *b)
{
	int carry;
	switch (n->op) {
	case NODE_ADD: return add(a, b, -TRUE, &carry);
	case NODE_MUL: return product(a, b);
	case NODE_AND:
	case NODE_OR:
	case NODE_XOR: return bitwise(n, a, b);
	case NODE_UDIV:
	case NODE_UREM:
	case NODE_SDIV:
	case NODE_SREM: return division(n->op, a, b);
	case NODE_SHL:
	case NODE_LSHR:
	case NODE_ASHR: return shift(n->op, a, b);
	case NODE_EQ: return one(equal(a, b));
	case NODE_ULT:
	case NODE_SLT: return one(less(*a, *b, n->op == NODE_SLT));
	case NODE_UMULO:
	case NODE_SMULO: return one(product_overflows(a, b, n->op == NODE_SMULO));
	default: VM_BUG("a term of operation %u cannot be given to the solver", n->op);
	}
}

static struct bits make(const struct node *n)
{
	struct bits r = { .width = n->width }, a, b;
	if (n->op == NODE_CONSTANT)
		return constant(n->value, n->width);
	if (n->op == NODE_SYMBOL) {
		for (unsigned i = 0; i < n->width; i++)
			r.at[i] = ++now.variables;
		return r;
	}
	a = bits_of(n->a);
	switch (n->op) {
	case NODE_EXTRACT: return part(&a, n->low, n->width);
	case NODE_ZEXT: return resized(&a, n->width, -TRUE);
	case NODE_SEXT: return resized(&a, n->width, a.at[a.width - 1]);
	default: break;
	}
	b = bits_of(n->b);
	if (n->op != NODE_ITE) {
		unsigned bits;
		struct node small = *n;
		small.op = (uint8_t)narrowed(n, &bits);
		if (bits == n->width)
			return of_two(&small, &a, &b);
		a.width = b.width = bits;
		r = of_two(&small, &a, &b);
		return resized(&r, n->width, -TRUE);
	}
	struct bits c = bits_of(n->c);
	for (unsigned i = 0; i < n->width; i++)
		r.at[i] = choose(a.at[0], b.at[i], c.at[i]);
	return r;
}

static struct bits bits_of(uint32_t number)
{
	struct bits r = { .width = vm_node_width(number) };
	uint32_t at = now.size ? key_at(number) : 0;
	if (now.size && now.keys[at]) {
		memcpy(r.at, now.literals + now.starts[at], r.width * sizeof *r.at);
		return r;
	}
	const struct node n = *vm_node(number);
	r = make(&n);
	assert(r.width == n.width);
	remember(number, &r);
	return r;
}

const int *vm_blast(uint32_t node)
{
	bits_of(node);
	return now.literals + now.starts[key_at(node)];
}
