/* SPDX-License-Identifier: MIT
 *
 * What has a number in the image: globals and functions; and what is known of them by name and type.
 */
#ifndef BITSPIN_TRANSLATOR_SYMBOLS_H
#define BITSPIN_TRANSLATOR_SYMBOLS_H

#include "translation.h"

/* globals.c, functions.c: the index of a global or function, which becomes reachable. */
uint32_t global_index(struct translation *t, LLVMValueRef global);
uint32_t function_index(struct translation *t, LLVMValueRef function);
uint32_t extern_index(struct translation *t, const char *name, unsigned parameters, unsigned results);
/* Append a global that the program does not have, or a function; its index. */
uint32_t make_global(struct translation *t, const char *name, const void *bytes, uint64_t size, uint32_t flags);
uint32_t add_function(struct translation *t, const struct image_function *f, LLVMValueRef function);
/* Is it a weak symbol that nothing defines?  Its address is 0. */
bool is_missing(const struct translation *t, LLVMValueRef global);

/* extern.c: functions of which the user says what they do, and faults that may happen (--extern, --faults).
 * declare_as_told: false if nothing is said of this one. */
bool is_told(const struct translation *t, const char *name);
bool declare_as_told(struct translation *t, LLVMValueRef function, const char *name, struct image_function *f);
void check_told(struct translation *t);
void make_budgets(struct translation *t);

/* provided.c: is it a function of the C library that hands out an address, written by lower_provided()? */
bool is_provided(const char *name);

/* Make the memory that a function of the runtime needs, if any. */
void provide_memory(struct translation *t, const char *function);

/* library.c: does the program name something that the C library in C defines and it does not?  Mark the library's functions, and
 * make its definitions weaker than the program's; is a function marked? */
bool needs_library(LLVMModuleRef program, LLVMModuleRef library);
bool uses_memory_streams(LLVMModuleRef program);
bool uses_wide_streams(LLVMModuleRef program);
void write_in_c(LLVMModuleRef module, bool output);
void lock_streams(LLVMModuleRef program);
bool prints_to_ducts(LLVMModuleRef program);
void mark_library(struct translation *t, LLVMModuleRef library);
bool is_library(LLVMValueRef function);

/* The tables that the library wants filled in.  False if it is none of them; the bytes are to be freed. */
bool library_table(struct translation *t, const char *name, void **bytes, uint64_t *size);

/* signature.c: the type of a call, and of a function, as strings of the image; see runtime/calls/signature.h. */
uint32_t signature_of_call(struct translation *t, LLVMValueRef call);
uint32_t signature_of_function(struct translation *t, LLVMValueRef function);

/* Debug types (types.c): index in IMAGE_TYPES, 0 if unknown. */
uint32_t debug_type(struct translation *t, LLVMMetadataRef type);
/* Name and type of a global from its debug information; false if it has none. */
bool debug_global(struct translation *t, LLVMValueRef global, uint32_t *name, uint32_t *type);
/* The same of a DILocalVariable given as a value. */
bool debug_local(struct translation *t, LLVMValueRef variable, uint32_t *name, uint32_t *type);

#endif
