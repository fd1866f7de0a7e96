/* SPDX-License-Identifier: MIT
 *
 * Values as the image has them (values.c), and constants (constant.c).
 *
 * A value of LLVM, of whatever type, is a run of register slots: its scalar leaves in order (flatten()).  A vector is
 * nothing but a struct of equal leaves, and vector instructions are lowered lane by lane.
 */
#ifndef BITSPIN_TRANSLATOR_VALUES_H
#define BITSPIN_TRANSLATOR_VALUES_H

#include "translation.h"

/* a scalar part of a value */
struct leaf {
	unsigned bits;   /* 1..128; pointers 64, x86_fp80 80 */
	unsigned slot;   /* first slot within the value */
	uint64_t offset; /* bytes from the start of the value in memory */
};

struct leaves {
	struct leaf *items;
	unsigned count, slots;
};

/* The leaves of a type.  A type that has no place in a register gives a message and no leaves.  Owned by the caller. */
struct leaves flatten(struct translation *t, LLVMTypeRef type, LLVMValueRef where);
unsigned slots_of_bits(unsigned bits);
unsigned bits_of_type(LLVMTypeRef type); /* of a scalar; 0 if it is none that we know */
bool is_float_type(LLVMTypeRef type);
bool is_wide(LLVMTypeRef type); /* an integer of more than 128 bits; see lower_wide.c */

/* ---- constants (constant.c) ---------------------------------------------------------------------------------------- */

/* a scalar constant */
struct constant {
	uint64_t low, high;
	uint32_t tls;          /* not IMAGE_NONE: add the address of this thread-local global */
	bool undefined;        /* undef or poison; `low` and `high` are 0 */
	LLVMValueRef computed; /* not NULL: an expression that each thread has to compute; nothing else is known */
};

/* The leaves of a constant, in the order of flatten(); `out` has room for `count`.  False, with a message, if unsupported. */
bool constant_leaves(struct translation *t, LLVMValueRef constant, struct constant *out, unsigned count, LLVMValueRef where);
/* Write a constant's bytes as they lie in memory. */
bool constant_bytes(struct translation *t, LLVMValueRef constant, uint8_t *bytes, LLVMValueRef where);
/* What the address of a block (GNU C's &&label) is: a number in its function's range. */
uint64_t block_number(struct translation *t, LLVMValueRef function, LLVMBasicBlockRef block);
/* Element of an aggregate constant. */
LLVMValueRef constant_element(LLVMValueRef constant, unsigned index);

#endif
