/* SPDX-License-Identifier: MIT
 *
 * Translating functions of LLVM to instructions (lower.c and its kin), and noting what the report needs (uses.c, nondet.c,
 * orders.c).
 */
#ifndef BITSPIN_TRANSLATOR_LOWER_H
#define BITSPIN_TRANSLATOR_LOWER_H

#include "emit.h"

/* Translate `function` to the function `f` of the image. */
void lower_function(struct translation *t, LLVMValueRef function, struct image_function *f);
/* Write the code of a function that is_provided(). */
void lower_provided(struct translation *t, const char *name, struct image_function *f);

/* spins.c: note which registers count the rounds of the loop with the head `head`, if the loop may be a bounded wait. */
void find_spins(struct emitter *e, LLVMBasicBlockRef head);
/* What decides how many rounds these loops have: struct image_waits in the pool, or 0. */
uint32_t add_waits(struct emitter *e);

/* Translate an instruction of one kind.  lower_wide, lower_arithmetic, lower_memory: return whether the instruction was of that
 * kind. */
bool lower_wide(struct emitter *e, LLVMValueRef instruction);
bool lower_arithmetic(struct emitter *e, LLVMValueRef instruction);
uint32_t lower_constant(struct emitter *e, LLVMValueRef expression); /* `compute` of struct emitter */
/* addresses.c: emit a note before an instruction whose result depends on the order of addresses. */
void note_address(struct emitter *e, LLVMValueRef instruction);
/* Return the symbol of the variable, or of the parameter passed by value, that lies at `place`; IMAGE_NONE if there is no debug
 * information. */
uint32_t symbol_of(struct emitter *e, LLVMValueRef function, LLVMValueRef place);
bool lower_memory(struct emitter *e, LLVMValueRef instruction);
void lower_call(struct emitter *e, LLVMValueRef call);
void lower_assembly(struct emitter *e, LLVMValueRef call);
bool lower_atomic(struct emitter *e, LLVMValueRef call, const char *name);
/* promises.c: emit checks of what llvm.assume() promises, of what `call` passes as nonnull and gets as assume_aligned, and of a
 * `value` that is returned as returns_nonnull. */
void lower_promise(struct emitter *e, LLVMValueRef call);
void lower_given(struct emitter *e, LLVMValueRef call, LLVMValueRef function);
void lower_entered(struct emitter *e); /* at the start of its function */
void lower_given_back(struct emitter *e, LLVMValueRef call, LLVMValueRef function);
void lower_returned(struct emitter *e, LLVMValueRef value);

bool lower_intrinsic(struct emitter *e, LLVMValueRef call, const char *name);
/* Emit a call of abort(), for a trap. */
void call_abort(struct emitter *e);

/* uses.c: note a use of something that is not C of the program.  finish_uses: complain about the uses that are not supported, and
 * put the others into the result. */
void add_use(struct emitter *e, enum translator_use_kind kind, const char *name, LLVMValueRef where, bool supported);
void finish_uses(struct translation *t);

/* Add an assumption to the result, if it is not there yet: that weak compare-exchanges fail as the budget says; that a counter of
 * cycles stands still; `text`. */
void note_atomics(struct translation *t);
void note_counter(struct translation *t);
void add_note_once(struct translation *t, const char *text);

/* suppress.c: put the faults that are not to be reported into the image, and switch off in `options` the reductions that do not go
 * with them. */
void add_suppressions(struct translation *t, struct image_options *options);

/* nondet.c: note inputs under the SV-COMP profile: the result of `call`, if it is an input, and inputs whose function's address is
 * taken.  choose_variables: emit code of _start that chooses the values of undefined variables. */
void note_input(struct emitter *e, LLVMValueRef call, LLVMValueRef function);
void note_passed_inputs(struct translation *t);
void choose_variables(struct emitter *e);

/* handles.c: are handles of threads used for nothing but joins?  Mark the global variables that hold them. */
bool note_handles(struct translation *t);

/* orders.c: return which memory orders the program uses, a set of enum image_order, and count into the result the accesses that are
 * weaker than sequential consistency. */
uint32_t find_order(struct translation *t);

/* Return the flags of an atomic access that does not acquire, does not release, or is not in the total order (sequential
 * consistency), as each argument says. */
unsigned flags_of_order(bool acquires, bool releases, bool total);

#endif
