/* SPDX-License-Identifier: MIT
 *
 * Globals and functions, which have numbers in the image, and what their names and types tell.
 */
#ifndef BITSPIN_TRANSLATOR_SYMBOLS_H
#define BITSPIN_TRANSLATOR_SYMBOLS_H

#include "../base/translation.h"

/* globals.c, functions.c: return the index of a global, a function, or an external function, which is reachable from then on. */
uint32_t global_index(struct translation *t, LLVMValueRef global);
uint32_t function_index(struct translation *t, LLVMValueRef function);
uint32_t extern_index(struct translation *t, const char *name, unsigned parameters, unsigned results);
/* Append a global that the program does not have, or a function.  Return the index. */
uint32_t make_global(struct translation *t, const char *name, const void *bytes, uint64_t size, uint32_t flags);
/* Append a constant that the program does not have.  Return its address. */
uint64_t make_constant(struct translation *t, const char *name, const void *bytes, uint64_t size);
uint32_t add_function(struct translation *t, const struct image_function *f, LLVMValueRef function);
/* Is `global` a weak symbol that nothing defines, so that its address is 0? */
bool is_missing(const struct translation *t, LLVMValueRef global);

/* externs.c: functions that the user describes, and faults that may happen (--extern, --faults).  is_told: is `name` described?
 * declare_as_told: fill in `f` as described, or return false.  check_told: complain about functions that are described and missing.
 * is_unsupported: is `name` of the C library, but neither described nor provided?  make_budgets: make the globals that count
 * faults. */
bool is_told(const struct translation *t, const char *name);
bool is_unsupported(const struct translation *t, const char *name);
bool declare_as_told(struct translation *t, LLVMValueRef function, const char *name, struct image_function *f);
void check_told(struct translation *t);
void make_budgets(struct translation *t);

/* provided.c: is `name` a function of the C library that hands out an address, which lower_provided() writes? */
bool is_provided(const char *name);

/* Make the memory that `function` of the runtime needs, if it needs any. */
void provide_memory(struct translation *t, const char *function);

/* Return the index of the variable that the program does not have and that is known by `key`, an address of ours, which no value of
 * LLVM has.  Make the variable when it is first asked for; with GLOBAL_THREAD_LOCAL, each thread has one. */
uint32_t provide(struct translation *t, const void *key, const char *name, const void *bytes, uint64_t size, uint32_t flags);

/* initial_values.c: fill in the initial value of `global`, which has the number `index`. */
void fill_global(struct translation *t, uint32_t index, LLVMValueRef global);

/* library_tables.c: make the bytes of the table `name` of the library, which the translator fills in.  Return false if it is no
 * such table.  The caller frees the bytes. */
bool library_table(struct translation *t, const char *name, void **bytes, uint64_t *size);
/* ... Return the address of variable number `i` of the environment, NAME=VALUE. */
uint64_t environment_text(struct translation *t, size_t i);

/* signatures.c: return the type of a call or a function as a string of the image; see runtime/calls/signature.h. */
uint32_t signature_of_call(struct translation *t, LLVMValueRef call);
uint32_t signature_of_function(struct translation *t, LLVMValueRef function);

/* debug_types.c: return the index of a debug type in IMAGE_TYPES, 0 if it is unknown. */
uint32_t debug_type(struct translation *t, LLVMMetadataRef type);
/* Read the name and the type of a global, or of a DILocalVariable given as a value.  Return false if there is none. */
bool debug_global(struct translation *t, LLVMValueRef global, uint32_t *name, uint32_t *type);
bool debug_local(struct translation *t, LLVMValueRef variable, uint32_t *name, uint32_t *type);

/* local_variables.c: return the symbol of the variable for which the undefined value `value` was made, or that gets the memory
 * which the call `value` allocates; IMAGE_NONE if it is not known. */
uint32_t variable_symbol(struct translation *t, LLVMValueRef value);
/* Return the symbol of the variable, or of the parameter passed by value, that lies at `place` in `function`; IMAGE_NONE if there
 * is no debug information. */
uint32_t symbol_of(struct translation *t, LLVMValueRef function, LLVMValueRef place);

/* access_orders.c: return the memory order of a load or store: its own, or the one that accesses through volatile are to have. */
LLVMAtomicOrdering order_of(const struct translation *t, LLVMValueRef access);
/* Return the flags of an atomic access that does not acquire, does not release, or is not in the total order (sequential
 * consistency), as each argument says. */
unsigned flags_of_order(bool acquires, bool releases, bool total);

#endif
