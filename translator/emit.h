/* SPDX-License-Identifier: MIT
 *
 * Instructions of the function that is being lowered (emit.c, liveness.c).
 */
#ifndef BITSPIN_TRANSLATOR_EMIT_H
#define BITSPIN_TRANSLATOR_EMIT_H

#include "values.h"

/* a register that counts the rounds of a loop, in a block of the loop: instructions first .. last - 1 */
struct count {
	LLVMBasicBlockRef block;
	size_t first, last;
	uint32_t reg;
};

struct emitter {
	struct translation *t;
	LLVMValueRef function;
	struct image_insn *code;
	size_t count, capacity;
	struct image_insn *prologue; /* static stack objects, put in front at the end */
	size_t nprologue;
	uint32_t *labels; /* label -> instruction, IMAGE_NONE while unknown */
	size_t nlabels;
	struct map *values;   /* LLVM value -> first slot */
	struct map *blocks;   /* basic block -> label */
	struct map *loops;    /* basic blocks that some back-edge leads to */
	struct count *counts; /* spins.c */
	size_t ncounts;
	uint32_t registers;
	uint32_t area; /* first slot of what tells where the variable arguments are, see IMAGE_AREA_OPERANDS; or IMAGE_NONE */
	uint32_t location;
	unsigned results;
	/* computes a constant expression with addresses of thread-local variables; first slot of its registers */
	uint32_t (*compute)(struct emitter *e, LLVMValueRef expression);
};

void emit(struct emitter *e, enum image_opcode op, unsigned bits, unsigned aux, uint32_t dst, uint32_t a, uint32_t b, uint32_t c);
uint32_t new_register(struct emitter *e, unsigned slots);
uint32_t new_label(struct emitter *e);
void place_label(struct emitter *e, uint32_t label);
uint32_t number(struct emitter *e, uint64_t value); /* operand */
/* Give a register an uninitialized value; `symbol`: of which variable, or IMAGE_NONE. */
void emit_undefined(struct emitter *e, uint32_t reg, unsigned bits, uint32_t symbol);
/* The operand for slot `slot` of a value: register or constant. */
uint32_t operand_at(struct emitter *e, LLVMValueRef value, unsigned slot);
uint32_t operand_of(struct emitter *e, LLVMValueRef value);
/* First slot of the registers that hold an instruction's result. */
uint32_t result_of(struct emitter *e, LLVMValueRef instruction);
/* Operands of all slots of a value, appended to a list. */
struct operands {
	uint32_t *items;
	unsigned count, capacity;
};
void operands_add(struct operands *list, uint32_t operand);
void operands_value(struct emitter *e, struct operands *list, LLVMValueRef value);
/* A stack object of the whole call, made in the prologue; register with its address. */
uint32_t static_object(struct emitter *e, uint64_t size, uint64_t align, uint32_t symbol, bool escapes);
/* Such an object begins, or ends, before the call does.  The instruction names it by its number, so that its address need not be
 * live until then. */
void emit_lifetime(struct emitter *e, uint32_t object, bool begins);
uint32_t sign_extended(struct emitter *e, LLVMValueRef value); /* an integer as 64 bits */
uint32_t zero_extended(struct emitter *e, LLVMValueRef value);
/* An address plus a constant; `address` is an operand. */
uint32_t add_offset(struct emitter *e, uint32_t address, uint64_t offset);

/* Finish: put the prologue in front, resolve labels, find live registers, add all to the image's code. */
void finish_function(struct emitter *e, struct image_function *f);

/* Fill in the live sets of a function's code (liveness.c), and which of these registers count rounds there.  With the option
 * `leaks`, what the function holds where it ends the program is live. */
void find_live_registers(const struct emitter *e, struct image_insn *code, size_t count, const struct image_function *f);

#endif
