/* SPDX-License-Identifier: MIT
 *
 * Translating instructions of LLVM, a file for each kind, and noting what the report needs (uses.c, nondet.c).
 */
#ifndef BITSPIN_TRANSLATOR_INSTRUCTIONS_H
#define BITSPIN_TRANSLATOR_INSTRUCTIONS_H

#include "emit.h"

/* bounded_waits.c: note which registers count the rounds of the loop with the head `head`, if the loop may be a bounded wait. */
void find_spins(struct emitter *e, LLVMBasicBlockRef head);
/* Return what decides how many rounds these loops have: struct image_waits in the pool, or 0. */
uint32_t add_waits(struct emitter *e);

/* Translate an instruction of one kind.  lower_wide, lower_arithmetic, lower_memory: return whether the instruction was of that
 * kind. */
bool lower_wide(struct emitter *e, LLVMValueRef instruction);
bool lower_arithmetic(struct emitter *e, LLVMValueRef instruction);
uint32_t lower_constant(struct emitter *e, LLVMValueRef expression); /* `compute` of struct emitter */
/* address_orders.c: emit a note before an instruction whose result depends on the order of addresses. */
void note_address(struct emitter *e, LLVMValueRef instruction);
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
/* machine.c: emit an intrinsic of this processor; return false if it is none that is known. */
bool lower_machine(struct emitter *e, LLVMValueRef call, const char *name);
/* Emit lfence (`orders`: IMAGE_ACQUIRES), sfence (IMAGE_RELEASES) or mfence (both). */
void emit_machine_fence(struct emitter *e, unsigned orders);
/* Return a register with the address of the thread's control block, or of its control register of floating point (32 bits). */
uint32_t thread_pointer(struct emitter *e);
uint32_t float_control(struct emitter *e);
/* Emit a call of abort(), for a trap. */
void call_abort(struct emitter *e);

/* uses.c: note a use of something that is not C of the program. */
void add_use(struct emitter *e, enum translator_use_kind kind, const char *name, LLVMValueRef where, bool supported);

/* Note that `where` is not supported, as `text` says, unless add_use() has just noted it. */
void note_refusal(struct emitter *e, const char *text, LLVMValueRef where);

/* Add an assumption to the result, if it is not there yet: that a counter of cycles stands still; `text`. */
void note_counter(struct translation *t);
void add_note_once(struct translation *t, const char *text);
/* Note that the program may ask what the processor can do. */
void note_processor(struct translation *t);

/* nondet.c: note the result of `call` if it is an input.  choose_variables: emit code of _start that
 * chooses the values of undefined variables. */
void note_input(struct emitter *e, LLVMValueRef call, LLVMValueRef function);
void choose_variables(struct emitter *e);

/* start_inputs.c: make argv, an array of the addresses of strings and NULL, and return its address.  choose_input,
 * choose_environment: emit code that chooses standard input, and the variables of the environment that are inputs. */
uint64_t make_arguments(struct emitter *e);
void choose_input(struct emitter *e);
void choose_environment(struct emitter *e);

#endif
