/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share: symbols and terms.
 */
#ifndef BITSPIN_TERMS_H
#define BITSPIN_TERMS_H

#include "symbolic.h"

/* The numbers low, low + step, ... high, which is one of them; step is at least 1. */
struct vm_piece {
	uint64_t low, high, step;
};

/* A symbol has rows, if it has few values: then a term is a column, a value for each row.  Else it has pieces, which have no
 * number in common, and a term is what operations make of these. */
struct vm_symbol {
	uint32_t rows; /* 0: it has pieces */
	uint32_t count;
	uint32_t bits; /* with pieces */
	uint32_t node; /* in a replay, see history.c; no part of a state */
	const struct vm_piece *pieces;
};

enum { TERM_FAULTS = 1, TERM_SECOND = 2 }; /* what is asked of an operation: would it be a fault; what is its second result? */

/* An operation: that of an instruction of which some operands are the value, and the others are constants. */
struct vm_operation {
	uint8_t op, bits, aux, asked;
	uint32_t which; /* of the operands a, b, c: a bit each */
	uint64_t constants[3];
	uint32_t immediates[3], width; /* width: of the result */
};

struct vm_term {
	uint32_t symbol, bits;
	uint32_t count;                        /* of operations */
	const struct vm_operation *operations; /* the first one first */
	const uint64_t *column;
	uint32_t node; /* of relations.h, and none of the others but `bits` */
};

struct vm_slot_byte {
	uint32_t term, byte;
};

struct vm_split {
	uint32_t term; /* 0: there is none */
	uint32_t question, cases, count, slot, choice, low, answers;
};

enum { SLOTS = 255, CHAIN_MOST = 12 };

extern struct vm_symbols {
	struct vm_symbol *symbols;
	struct vm_term *terms; /* from 1 on */
	uint32_t symbol_count, symbol_capacity, term_count, term_capacity;
	struct vm_slot_byte slots[SLOTS + 1]; /* from 1 on */
	uint32_t slot_count;
	struct vm_split split;
} vm_symbols;

/* Add one, and return its number. */
uint32_t vm_symbol_add(struct vm_symbol symbol);
uint32_t vm_term_add(struct vm_term term);

/* Return the value of an operation, and of all operations of a term; `value` must be one that the symbol has. */
uint64_t vm_operation_value(const struct vm_operation *operation, uint64_t value);
uint64_t vm_term_value(const struct vm_term *term, uint64_t value);

/* Does signed arithmetic overflow? */
bool vm_operation_overflows(unsigned op, unsigned bits, uint64_t a, uint64_t b);

/* pieces.c: return a piece with all values that a term has for the values of a piece; *exact: and with no others.  *modulus:
 * 0, or a number such that pieces with a step that is a multiple of it may have fewer. */
struct vm_piece vm_term_range(const struct vm_term *term, struct vm_piece piece, bool *exact, uint64_t *modulus);

/* reals.c: can an instruction on floating-point numbers be an operation of a term?  Let the piece, of more than one number, be one
 * with all that such an operation makes of it, and return true; or false if it has to be cut first.  *exact as above. */
bool vm_real_is_known(const struct image_insn *insn);
bool vm_real_range(struct vm_piece *piece, const struct vm_operation *operation, bool *exact);

/* Is the conversion of a floating-point number to an integer defined? */
bool vm_real_fits(const struct vm_operation *operation, uint64_t value);

/* All numbers of a term: none is below the least or above the greatest.  Return false if they are not known with some effort.
 * vm_reals_relations: return how one of `a` may be related to one of `b`, as in a comparison of opcode.def. */
enum { REAL_EQUAL = 1, REAL_GREATER = 2, REAL_LESS = 4, REAL_UNORDERED = 8 };
struct vm_reals {
	uint64_t least, greatest; /* their bits, if there is a number */
	unsigned bits;
	bool any, nan;
};
bool vm_term_reals(const struct vm_term *term, struct vm_reals *reals);
unsigned vm_reals_relations(const struct vm_reals *a, const struct vm_reals *b);

/* Return the parts of a piece into which it may be cut, with the hint of a modulus; at least 2, as it must have several values. */
uint32_t vm_piece_cut(struct vm_piece piece, uint64_t modulus, struct vm_piece *parts);
enum { CUT_MOST = 256 };

/* Return how many values there are, at most `most` + 1. */
uint64_t vm_pieces_size(const struct vm_piece *pieces, uint32_t count, uint64_t most);

/* Sort pieces, and join those that touch.  Return how many there are. */
uint32_t vm_pieces_sort(struct vm_piece *pieces, uint32_t count);

/* Return how many values may be enumerated. */
uint32_t vm_symbolic_most(void);

_Noreturn void vm_symbolic_refuse(const char *what);

/* Return the one value of a term, if it has but one. */
bool vm_term_is_constant(uint32_t term, uint64_t *value);

/* Return the values of a term as pieces; NULL if they are too many or not known.  Their number goes to *count. */
struct vm_piece *vm_term_image(const struct vm_term *term, uint32_t *count);

/* canonical.c: the index of the object with the symbols, in the map of globals.  vm_symbolic_visit: do something to each register,
 * and each object with slots, of the thread in a slot, and of what all share if that is main's, in an order that is the same
 * whichever slot it is. */
struct vm_term_visitor {
	void (*word)(struct vm_thread *thread, uint64_t *value, uint64_t *shadow);
	void (*object)(struct vm_map *map, struct vm_object *object);
};
uint32_t vm_symbolic_place(void);
void vm_symbolic_visit(unsigned slot, const struct vm_term_visitor *visitor);

/* history.c: note that a symbol is an input, has fewer pieces, has become the image of a term over what was at node `before`,
 * or has new rows: `map` has the values, or the rows, that they were before.  vm_history_load: forget what was noted since
 * the last step of the path, and give the symbols their nodes. */
void vm_history_input(struct vm_symbol *symbol);
void vm_history_pieces(struct vm_symbol *symbol);
void vm_history_image(struct vm_symbol *symbol, uint32_t before, const struct vm_term *term);
void vm_history_rows(struct vm_symbol *symbol, const uint64_t *map, bool values);
void vm_history_load(void);

#endif
