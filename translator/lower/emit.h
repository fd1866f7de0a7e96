/* SPDX-License-Identifier: MIT
 *
 * Instructions of the function that is being lowered (emit.c, liveness.c).
 */
#ifndef BITSPIN_TRANSLATOR_EMIT_H
#define BITSPIN_TRANSLATOR_EMIT_H

#include "../symbols/values.h"

/* A register that counts the rounds of a loop, for a block of the loop: instructions first .. last - 1. */
struct count {
	LLVMBasicBlockRef block;
	size_t first, last;
	uint32_t reg;
};

struct operands {
	uint32_t *items;
	unsigned count, capacity;
};

struct emitter {
	struct translation *t;
	LLVMValueRef function;
	struct image_insn *code;
	size_t count, capacity;
	struct image_insn *prologue; /* static stack objects, put in front at the end */
	size_t nprologue;
	uint32_t *labels; /* from a label to its instruction, IMAGE_NONE while unknown */
	size_t nlabels;
	struct map *values;   /* from a value of LLVM to its first slot */
	struct map *blocks;   /* from a basic block to its label */
	struct map *loops;    /* basic blocks to which a back-edge leads */
	struct count *counts; /* bounded_waits.c */
	size_t ncounts;
	struct operands counters, bounds; /* bounded_waits.c: words of struct image_counter and struct image_bound */
	uint32_t nvariables;              /* so many have a number there */
	uint32_t registers;
	uint32_t area; /* first slot of the words that tell where the variable arguments are (IMAGE_AREA_OPERANDS); or IMAGE_NONE */
	uint32_t location;
	unsigned results;
	/* Compute a constant expression with addresses of thread-local variables.  Return the first slot of its registers. */
	uint32_t (*compute)(struct emitter *e, LLVMValueRef expression);
};

void emit(struct emitter *e, enum image_opcode op, unsigned bits, unsigned aux, uint32_t dst, uint32_t a, uint32_t b, uint32_t c);
/* Emit an operation on two operands of `bits` bits, at most 64, into a new register, and return the register. */
uint32_t emit_binary(struct emitter *e, enum image_opcode op, unsigned bits, uint32_t a, uint32_t b);
uint32_t new_register(struct emitter *e, unsigned slots);
uint32_t new_label(struct emitter *e);
void place_label(struct emitter *e, uint32_t label);
/* Return the operand for the constant `value`. */
uint32_t number(struct emitter *e, uint64_t value);
/* Give `reg` an uninitialized value, that of the variable `symbol` or, if that is IMAGE_NONE, of none. */
void emit_undefined(struct emitter *e, uint32_t reg, unsigned bits, uint32_t symbol);
/* Return the operand, a register or a constant, for slot `slot` of a value, or for its only slot. */
uint32_t operand_at(struct emitter *e, LLVMValueRef value, unsigned slot);
uint32_t operand_of(struct emitter *e, LLVMValueRef value);
/* Return the first slot of the registers that hold the result of an instruction. */
uint32_t result_of(struct emitter *e, LLVMValueRef instruction);
/* Append the operands of all slots of a value. */
void operands_add(struct operands *list, uint32_t operand);
void operands_value(struct emitter *e, struct operands *list, LLVMValueRef value);
/* Make a stack object in the prologue, which lives as long as the call.  Return the register that holds its address. */
uint32_t static_object(struct emitter *e, uint64_t size, uint64_t align, uint32_t symbol, bool escapes);
/* Let the life of static object `object` begin or end here.  The instruction names the object by its number, so that the address
 * need not be live until then. */
void emit_lifetime(struct emitter *e, uint32_t object, bool begins);
/* Return the operand for an integer that is extended to 64 bits. */
uint32_t sign_extended(struct emitter *e, LLVMValueRef value);
uint32_t zero_extended(struct emitter *e, LLVMValueRef value);
/* Return the operand for the operand `address` plus `offset`. */
uint32_t add_offset(struct emitter *e, uint32_t address, uint64_t offset);

/* Finish function `f`: put the prologue in front, resolve labels, find live registers, and add the code to the image. */
void finish_function(struct emitter *e, struct image_function *f);

/* Fill in which registers are live at each instruction of the code of `f`, and which of them count rounds there (liveness.c).  With
 * the option `leaks`, the registers of the function are live where it ends the program. */
void find_live_registers(const struct emitter *e, struct image_insn *code, size_t count, const struct image_function *f);

#endif
