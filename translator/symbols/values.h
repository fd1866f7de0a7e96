/* SPDX-License-Identifier: MIT
 *
 * Values as the image has them (values.c), and constants (constants.c).
 *
 * A value of LLVM, of whatever type, is a run of register slots: its scalar leaves in order (flatten()).  A vector is
 * nothing but a struct of equal leaves, and vector instructions are lowered lane by lane.
 */
#ifndef BITSPIN_TRANSLATOR_VALUES_H
#define BITSPIN_TRANSLATOR_VALUES_H

#include "../base/translation.h"

/* A scalar part of a value. */
struct leaf {
	unsigned bits;   /* 1..128; pointers 64, x86_fp80 80 */
	unsigned slot;   /* first slot within the value */
	uint64_t offset; /* bytes from the start of the value in memory */
};

struct leaves {
	struct leaf *items;
	unsigned count, slots;
};

/* Return the leaves of `type`, which the caller owns.  A type that fits into no register gives a message about `where` and no
 * leaves. */
struct leaves flatten(struct translation *t, LLVMTypeRef type, LLVMValueRef where);
/* Return how many slots a scalar of so many bits takes. */
unsigned slots_of_bits(unsigned bits);
/* Return how many slots `insn` writes, from `dst` on. */
unsigned slots_defined(struct builder *b, const struct image_insn *insn);
/* Call `visit` with each instruction of a function that control may go to after its instruction number `at`, which is `insn`. */
void visit_successors(struct builder *b, const struct image_insn *insn, uint32_t at, void (*visit)(uint32_t target, void *data),
		      void *data);
/* Return the number whose `bits` low bits are ones; `bits`: 1 to 64. */
uint64_t low_ones(unsigned bits);
/* Return the opcode of an instruction or a constant expression; 0 if `value` is none. */
LLVMOpcode opcode_of(LLVMValueRef value);
/* Step over operand number `i`, from 1 on, of a GEP: put the type that it leads to into *type.  Return the index, and in *bytes the
 * size of what it counts; or, if it names a member of a struct, NULL, and in *bytes where that member lies. */
LLVMValueRef gep_index(LLVMTargetDataRef layout, LLVMValueRef gep, unsigned i, LLVMTypeRef *type, uint64_t *bytes);
/* Return the value of `phi` when control comes from the block `from`; NULL if it cannot. */
LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from);
/* Return the bits of a scalar type; 0 if `type` is none that the translator knows. */
unsigned bits_of_type(LLVMTypeRef type);
bool is_float_type(LLVMTypeRef type);
/* Is `type` an integer of more than 128 bits?  See lower/wide_integers.c. */
bool is_wide(LLVMTypeRef type);

/* ---- constants (constants.c) ---------------------------------------------------------------------------------------- */

/* A scalar constant. */
struct constant {
	uint64_t low, high;
	uint32_t tls;          /* the thread-local global whose address is to be added, or IMAGE_NONE */
	bool undefined;        /* undef or poison; `low` and `high` are 0 */
	LLVMValueRef computed; /* an expression that each thread has to compute, all other fields being void; or NULL */
};

/* Write the leaves of a constant to `out`, which has room for `count`, in the order of flatten().  Return false, with a message
 * about `where`, if the constant is not supported. */
bool constant_leaves(struct translation *t, LLVMValueRef constant, struct constant *out, unsigned count, LLVMValueRef where);
/* Call `visit` with each part of the constant that lies at byte `at` and is more than zeros: a text, or what is neither a struct
 * nor an array nor a vector.  Return false as soon as `visit` does. */
typedef bool constant_visitor(LLVMValueRef leaf, uint64_t at, void *data);
bool constant_walk(struct translation *t, LLVMValueRef constant, uint64_t at, constant_visitor *visit, void *data);
/* Does the address of a global, of a function or of a block stand in `constant`, which is no aggregate? */
bool names_address(LLVMValueRef constant);
/* Write the bytes of a constant as they lie in memory.  Return false, with a message about `where`, if it is not supported. */
bool constant_bytes(struct translation *t, LLVMValueRef constant, uint8_t *bytes, LLVMValueRef where);
/* Return the address of a block (GNU C's &&label): a number in the range of `function`. */
uint64_t block_number(struct translation *t, LLVMValueRef function, LLVMBasicBlockRef block);
/* Return element `index` of an aggregate constant. */
LLVMValueRef constant_element(LLVMValueRef constant, unsigned index);

/* Return the name of the function that `call` calls directly; "" if `call` is no such call. */
const char *name_of_called(LLVMValueRef call);

#endif
