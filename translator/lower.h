/* SPDX-License-Identifier: MIT
 *
 * Functions of LLVM to instructions (lower.c and its kin), and what is noted on the way (uses.c, nondet.c, orders.c).
 */
#ifndef BITSPIN_TRANSLATOR_LOWER_H
#define BITSPIN_TRANSLATOR_LOWER_H

#include "emit.h"

void lower_function(struct translation *t, LLVMValueRef function, struct image_function *f);
/* Of a function that is_provided(). */
void lower_provided(struct translation *t, const char *name, struct image_function *f);

/* spins.c: if the loop with this head may be a bounded wait, note what counts its rounds. */
void find_spins(struct emitter *e, LLVMBasicBlockRef head);

/* Each true if it took the instruction. */
bool lower_wide(struct emitter *e, LLVMValueRef instruction);
bool lower_arithmetic(struct emitter *e, LLVMValueRef instruction);
uint32_t lower_constant(struct emitter *e, LLVMValueRef expression); /* see emit.h */
/* addresses.c: before an instruction that looks at where things lie, say so. */
void note_address(struct emitter *e, LLVMValueRef instruction);
/* The variable that a place is, or a parameter passed by value; IMAGE_NONE if there is no debug information. */
uint32_t symbol_of(struct emitter *e, LLVMValueRef function, LLVMValueRef place);
bool lower_memory(struct emitter *e, LLVMValueRef instruction);
void lower_call(struct emitter *e, LLVMValueRef call);
void lower_assembly(struct emitter *e, LLVMValueRef call);
bool lower_atomic(struct emitter *e, LLVMValueRef call, const char *name);
/* promises.c: check what a call of llvm.assume promises, what a call passes as nonnull, what is returned as returns_nonnull. */
void lower_promise(struct emitter *e, LLVMValueRef call);
void lower_given(struct emitter *e, LLVMValueRef call, LLVMValueRef function);
void lower_returned(struct emitter *e, LLVMValueRef value);

bool lower_intrinsic(struct emitter *e, LLVMValueRef call, const char *name);
void call_abort(struct emitter *e); /* a trap */

/* uses.c: note a use of what is not the program's own; and when all are known, complain about those that are not
 * supported, and put the others into the result. */
void add_use(struct emitter *e, enum translator_use_kind kind, const char *name, LLVMValueRef where, bool supported);
void finish_uses(struct translation *t);

void note_atomics(struct translation *t);
void note_counter(struct translation *t); /* of cycles, which stands still */
void add_note_once(struct translation *t, const char *text);

/* suppress.c: the faults that are not to be reported; what that means for the search. */
void add_suppressions(struct translation *t, struct image_options *options);

/* nondet.c: inputs under the SV-COMP profile: the result of a call, if it is one; functions whose address is taken; undefined
 * variables, for which code of _start chooses. */
void note_input(struct emitter *e, LLVMValueRef call, LLVMValueRef function);
void note_passed_inputs(struct translation *t);
void choose_variables(struct emitter *e);

/* handles.c: is nothing done with handles of threads but to join these?  Marks global variables where they are kept. */
bool note_handles(struct translation *t);

/* orders.c: a set of enum image_order; and counts the accesses weaker than sequential consistency into the result. */
uint32_t find_order(struct translation *t);

/* The flags of an atomic access for what its order lacks. */
unsigned flags_of_order(bool acquires, bool releases, bool total);

#endif
