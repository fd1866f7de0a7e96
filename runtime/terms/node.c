/* SPDX-License-Identifier: MIT
 *
 * The table of nodes, and what is done with whole terms.  Terms are small (NODE_MOST), so they are walked as trees.
 */
#include "node.h"
#include "../state/limit.h"

#include <assert.h>
#include <string.h>

static VM_OWN struct {
	struct node *nodes; /* from 1 on */
	uint32_t count, capacity;
	uint32_t *table; /* a power of two of them, at least twice as many as there are nodes; 0: free */
	uint32_t size, table_capacity;
	uint64_t symbol_limit;
} all;

uint64_t vm_node_symbol_limit(void)
{
	return all.symbol_limit;
}

const struct node *vm_node(uint32_t number)
{
	assert(number && number < all.count);
	return &all.nodes[number];
}

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static uint64_t hash_of(const struct node *n, bool shape)
{
	const uint32_t operands[] = { n->a, n->b, n->c };
	uint64_t h = mix(n->op * 0x10001u + n->width, n->low);
	h = mix(h, shape && n->op == NODE_SYMBOL ? 0 : n->value);
	for (unsigned i = 0; i < 3 && operands[i]; i++)
		h = mix(h, shape ? vm_node(operands[i])->shape : vm_node(operands[i])->hash);
	return h;
}

static bool same(const struct node *x, const struct node *y)
{
	return x->op == y->op && x->width == y->width && x->low == y->low && x->a == y->a && x->b == y->b && x->c == y->c &&
		x->value == y->value;
}

static void put(uint32_t number)
{
	uint32_t at = (uint32_t)all.nodes[number].hash & (all.size - 1);
	while (all.table[at])
		at = (at + 1) & (all.size - 1);
	all.table[at] = number;
}

static void grow(void)
{
	all.size = all.size ? 2 * all.size : 1024;
	all.table = vm_grow(all.table, &all.table_capacity, all.size, sizeof *all.table);
	memset(all.table, 0, all.size * sizeof *all.table);
	for (uint32_t i = 1; i < all.count; i++)
		put(i);
}

uint32_t vm_node_make(enum node_op op, unsigned width, unsigned low, uint64_t value, uint32_t a, uint32_t b, uint32_t c)
{
	struct node n = {
		.op = (uint8_t)op, .width = (uint8_t)width, .low = (uint8_t)low, .a = a, .b = b, .c = c, .value = value, .size = 1
	};
	const uint32_t operands[] = { a, b, c };
	assert(op < NODE_OPS && width >= 1 && width <= 64 && (op == NODE_SYMBOL || (value & ~vm_mask(width)) == 0));
	if (op == NODE_SYMBOL) {
		n.symbols = UINT64_C(1) << value % NODE_SYMBOLS;
		n.far = value >= NODE_SYMBOLS;
		all.symbol_limit = value >= all.symbol_limit ? value + 1 : all.symbol_limit;
	}
	for (unsigned i = 0; i < 3 && operands[i]; i++) {
		n.size += vm_node(operands[i])->size;
		n.symbols |= vm_node(operands[i])->symbols;
		n.far |= vm_node(operands[i])->far;
	}
	n.hash = hash_of(&n, false);
	n.shape = hash_of(&n, true);
	if (all.count == 0)
		all.count = 1;
	if (2 * all.count >= all.size)
		grow();
	for (uint32_t at = (uint32_t)n.hash & (all.size - 1); all.table[at]; at = (at + 1) & (all.size - 1))
		if (same(&all.nodes[all.table[at]], &n))
			return all.table[at];
	if (n.size > NODE_MOST)
		vm_inconclusive(LIMIT_VALUES,
				"what is computed from inputs, time and again, is too large for --inputs symbolic (%u operations)",
				(unsigned)NODE_MOST);
	all.nodes = vm_grow(all.nodes, &all.capacity, (uint64_t)all.count + 1, sizeof *all.nodes);
	all.nodes[all.count] = n;
	put(all.count);
	return all.count++;
}

bool vm_node_before(uint32_t first, uint32_t second)
{
	const struct node *a = vm_node(first), *b = vm_node(second);
	return a->shape != b->shape ? a->shape < b->shape : a->hash < b->hash;
}

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static uint64_t divide_signed(uint64_t a, uint64_t b, unsigned width, bool remainder)
{
	bool a_negative = a >> (width - 1) & 1, b_negative = b >> (width - 1) & 1;
	uint64_t x = a_negative ? -a & vm_mask(width) : a, y = b_negative ? -b & vm_mask(width) : b;
	if (remainder) {
		uint64_t rest = y ? x % y : x;
		return a_negative ? -rest : rest;
	}
	uint64_t quotient = y ? x / y : vm_mask(width);
	return a_negative != b_negative ? -quotient : quotient;
}

static bool multiply_overflows(uint64_t a, uint64_t b, unsigned width, bool is_signed)
{
	if (is_signed) {
		__int128 product = (__int128)vm_signed(a, width) * vm_signed(b, width);
		return product != vm_signed((uint64_t)product & vm_mask(width), width);
	}
	return (unsigned __int128)a * b > vm_mask(width);
}

static uint64_t shift(enum node_op op, unsigned width, uint64_t a, uint64_t count)
{
	uint64_t sign = op == NODE_ASHR && a >> (width - 1) & 1 ? UINT64_MAX : 0;
	if (count >= width)
		return sign;
	if (op == NODE_SHL)
		return a << count;
	return count ? a >> count | sign << (width - count) : a;
}

uint64_t vm_node_operate(enum node_op op, unsigned width, unsigned result, unsigned low, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t r = 0;
	switch (op) {
	case NODE_ADD: r = a + b; break;
	case NODE_MUL: r = a * b; break;
	case NODE_AND: r = a & b; break;
	case NODE_OR: r = a | b; break;
	case NODE_XOR: r = a ^ b; break;
	case NODE_UDIV: r = b ? a / b : UINT64_MAX; break;
	case NODE_UREM: r = b ? a % b : a; break;
	case NODE_SDIV:
	case NODE_SREM: r = divide_signed(a, b, width, op == NODE_SREM); break;
	case NODE_SHL:
	case NODE_LSHR:
	case NODE_ASHR: r = shift(op, width, a, b); break;
	case NODE_EQ: r = a == b; break;
	case NODE_ULT: r = a < b; break;
	case NODE_SLT: r = vm_signed(a, width) < vm_signed(b, width); break;
	case NODE_UMULO:
	case NODE_SMULO: r = multiply_overflows(a, b, width, op == NODE_SMULO); break;
	case NODE_ITE: r = a ? b : c; break;
	case NODE_EXTRACT: r = a >> low; break;
	case NODE_ZEXT: r = a; break;
	case NODE_SEXT: r = (uint64_t)vm_signed(a, width); break;
	case NODE_CONSTANT:
	case NODE_SYMBOL:
	case NODE_OPS: assert(false);
	}
	return r & vm_mask(result);
}

uint64_t vm_node_value(uint32_t number, const uint64_t *values)
{
	const struct node *n = vm_node(number);
	if (n->op == NODE_CONSTANT)
		return n->value;
	if (n->op == NODE_SYMBOL)
		return values[n->value] & vm_mask(n->width);
	uint64_t a = vm_node_value(n->a, values), b = n->b ? vm_node_value(n->b, values) : 0,
		 c = n->c ? vm_node_value(n->c, values) : 0;
	return vm_node_operate(n->op, vm_node_width(n->a), n->width, n->low, a, b, c);
}

/* ---- substitution ---------------------------------------------------------------------------------------------------- */

/* Make a node like another one, of other operands. */
static uint32_t rebuild(const struct node *n, uint32_t a, uint32_t b, uint32_t c)
{
	switch (n->op) {
	case NODE_ITE: return vm_node_choose(a, b, c);
	case NODE_EXTRACT: return vm_node_extract(a, n->low, n->width);
	case NODE_ZEXT: return vm_node_extend(a, n->width, false);
	case NODE_SEXT: return vm_node_extend(a, n->width, true);
	default: return vm_node_binary(n->op, a, b);
	}
}

uint32_t vm_node_substitute(uint32_t number, const uint32_t *with)
{
	struct node n = *vm_node(number);
	if (n.op == NODE_SYMBOL)
		return with[n.value] ? with[n.value] : number;
	if (n.symbols == 0)
		return number;
	uint32_t a = vm_node_substitute(n.a, with), b = n.b ? vm_node_substitute(n.b, with) : 0,
		 c = n.c ? vm_node_substitute(n.c, with) : 0;
	return a == n.a && b == n.b && c == n.c ? number : rebuild(&n, a, b, c);
}

uint32_t vm_node_replace(uint32_t number, uint32_t what, uint32_t with)
{
	struct node n = *vm_node(number);
	if (number == what)
		return with;
	if (n.a == 0 || (n.symbols & vm_node(what)->symbols) != vm_node(what)->symbols)
		return number;
	uint32_t a = vm_node_replace(n.a, what, with), b = n.b ? vm_node_replace(n.b, what, with) : 0,
		 c = n.c ? vm_node_replace(n.c, what, with) : 0;
	return a == n.a && b == n.b && c == n.c ? number : rebuild(&n, a, b, c);
}
