/* SPDX-License-Identifier: MIT
 *
 * A statement of inline assembly while it is lowered.  An operand ($0, $1...) is a cell: a register of the VM, or memory at an
 * address that the statement gets.
 */
#ifndef BITSPIN_TRANSLATOR_ASSEMBLY_H
#define BITSPIN_TRANSLATOR_ASSEMBLY_H

#include "instructions.h"

enum { MOST_CELLS = 24 };

/* Registers that a text may name, and constraints ask for. */
enum { AX, DX, BX, CX, GENERAL, DI = GENERAL, SI, FIXED };

struct cell {
	enum { CELL_VALUE, CELL_MEMORY, CELL_STACK } kind; /* STACK: bytes at the stack pointer, which nobody reads */
	uint32_t at;                                       /* register; operand with the address */
	unsigned bits;                                     /* of a register */
	bool constant;                                     /* VALUE: must not be written */
};

struct assembly {
	struct emitter *e;
	LLVMValueRef call;
	struct cell cells[MOST_CELLS];
	unsigned count;
	int fixed[FIXED]; /* cells in the registers ax, dx..., or -1 */
	bool clobbers_memory, lock;
	uint32_t zero;                /* register with the Z flag, NONE while nothing has set it */
	uint32_t carry;               /* the same of the C flag, which tests of bits set, and sums where `carries` */
	bool carries;                 /* the text has an instruction that adds a carry */
	unsigned outputs[MOST_CELLS]; /* direct outputs: their cells, in order */
	bool flag_outputs[MOST_CELLS], inverted[MOST_CELLS];
	unsigned noutputs;
};

/* Add a cell to `a` for each constraint in the list `constraints`, which has commas between them and is cut up.  Return false if
 * one is not supported. */
bool read_constraints(struct assembly *a, char *constraints);
/* Put the operand that `text` names into *cell.  Return false if it is not supported. */
bool read_operand(const struct assembly *a, const char *text, struct cell *cell);

/* Emit a read of the low `bits` bits of a cell, 8 to 64, and return the register. */
uint32_t get(struct assembly *a, const struct cell *cell, unsigned bits);
/* Emit a write of `value` to a cell, as instructions of `bits` bits write: one of 8 or 16 bits leaves the rest of a register, one
 * of 32 bits clears it.  Return false if the cell may not be written. */
bool put(struct assembly *a, const struct cell *cell, unsigned bits, uint32_t value);
/* Emit a write of `value` to the register `fixed`, which may hold an input, too. */
bool put_fixed(struct assembly *a, int fixed, uint32_t value);

/* Cut the first operand off a list of operands and return it: a comma in brackets ends none. */
char *cut_operand(char **rest);

/* Is `text` one of `words`, of which the last is NULL? */
bool is_word(const char *text, const char *const words[]);

#endif
