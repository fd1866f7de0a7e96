/* SPDX-License-Identifier: MIT
 *
 * Terms over inputs, hash-consed: equal terms are one node, so they are compared by number.
 *
 * A node is a total function of symbols, of 1 to 64 bits.  Where C has no result, it has the one that is written here.  Node 0 is
 * none.  The operands of operations that commute are in the order of a hash of their structure: numbers of nodes depend on
 * what the process has seen before, and must not show in a state.
 *
 * node.c has the table, values and substitution; build.c makes nodes and simplifies them.  Each rule there is an identity of
 * bit-vectors: tests/bench/terms.c tries all of them on all values of few bits.
 */
#ifndef BITSPIN_NODE_H
#define BITSPIN_NODE_H

#include "../state/state.h"

#include <stdbool.h>
#include <stdint.h>

/* Operands have the width of the result, unless it says otherwise. */
enum node_op {
	NODE_CONSTANT, /* value */
	NODE_SYMBOL,   /* value: its number */
	NODE_ADD,
	NODE_MUL,
	NODE_AND,
	NODE_OR,
	NODE_XOR,
	NODE_UDIV, /* by 0: all ones */
	NODE_UREM, /* by 0: the dividend */
	NODE_SDIV, /* by 0: 1 or -1, with the sign of no dividend; the least number by -1: itself */
	NODE_SREM, /* by 0: the dividend */
	NODE_SHL,  /* by more than there are bits: 0, as if bit after bit were moved out */
	NODE_LSHR,
	NODE_ASHR,
	NODE_EQ, /* 1 bit, of two operands of one width, and so the next four */
	NODE_ULT,
	NODE_SLT,
	NODE_UMULO, /* does the product overflow? */
	NODE_SMULO,
	NODE_ITE,     /* a, of 1 bit, ? b : c */
	NODE_EXTRACT, /* the bits from `low` on, of a wider operand */
	NODE_ZEXT,    /* of a narrower operand */
	NODE_SEXT,
	NODE_OPS
};

enum {
	NODE_SYMBOLS = 64, /* those of a state have smaller numbers, and each has a bit of its own in a set */
	NODE_MOST = 2000,  /* nodes in a term, written as a tree */
};

struct node {
	uint8_t op, width, low;
	bool far;         /* it has a symbol with a number from NODE_SYMBOLS on */
	uint32_t a, b, c; /* operands; 0: none */
	uint32_t size;    /* as a tree */
	uint64_t value;
	uint64_t hash;    /* of its structure */
	uint64_t shape;   /* the same, with all symbols of a width alike */
	uint64_t symbols; /* the set of those that it has; of numbers from NODE_SYMBOLS on, modulo that */
};

/* Return a node; the pointer is good until one is made. */
const struct node *vm_node(uint32_t number);

/* Return the node that is just this, without any simplification. */
uint32_t vm_node_make(enum node_op op, unsigned width, unsigned low, uint64_t value, uint32_t a, uint32_t b, uint32_t c);

/* Return a number that is larger than those of all symbols so far. */
uint64_t vm_node_symbol_limit(void);

/* Is the first one to come before the second one, where the order is free? */
bool vm_node_before(uint32_t first, uint32_t second);

static inline bool vm_node_is_constant(uint32_t n)
{
	return vm_node(n)->op == NODE_CONSTANT;
}

static inline unsigned vm_node_width(uint32_t n)
{
	return vm_node(n)->width;
}

/* Return what an operation makes of values; `width`: of the first operand. */
uint64_t vm_node_operate(enum node_op op, unsigned width, unsigned result, unsigned low, uint64_t a, uint64_t b, uint64_t c);

/* Return the value of a node, where symbol s has the value values[s]. */
uint64_t vm_node_value(uint32_t n, const uint64_t *values);

/* Return the node with other nodes in the place of symbols: of symbol s, with[s], unless that is 0. */
uint32_t vm_node_substitute(uint32_t n, const uint32_t *with);

/* Return the node with one node in the place of another one. */
uint32_t vm_node_replace(uint32_t n, uint32_t what, uint32_t with);

/* Does the node have the symbol? */
static inline bool vm_node_has(uint32_t n, uint32_t symbol)
{
	return vm_node(n)->symbols >> symbol % NODE_SYMBOLS & 1;
}

/* ---- build.c --------------------------------------------------------------------------------------------------------- */

uint32_t vm_node_constant(unsigned width, uint64_t value);
uint32_t vm_node_symbol(unsigned width, uint32_t number);

/* Return a node for an operation with these operands. */
uint32_t vm_node_binary(enum node_op op, uint32_t a, uint32_t b);
uint32_t vm_node_not(uint32_t a); /* of 1 bit */
uint32_t vm_node_negative(uint32_t a);
uint32_t vm_node_subtract(uint32_t a, uint32_t b);
uint32_t vm_node_choose(uint32_t a, uint32_t b, uint32_t c);
uint32_t vm_node_extract(uint32_t a, unsigned low, unsigned width);
uint32_t vm_node_extend(uint32_t a, unsigned width, bool is_signed);

/* A node as a negation: return what it negates, or 0. */
uint32_t vm_node_negated(uint32_t n);

/* Split a sum into monomials with constant factors, and a constant: there are at most `most`.  Return their number; `most` + 1 if
 * there are more. */
struct node_monomial {
	uint32_t node;
	uint64_t factor;
};
uint32_t vm_node_sum(uint32_t n, struct node_monomial *monomials, uint32_t most, uint64_t *constant);

/* Make a sum of these. */
uint32_t vm_node_of_sum(unsigned width, struct node_monomial *monomials, uint32_t count, uint64_t constant);

#endif
