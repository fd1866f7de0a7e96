/* SPDX-License-Identifier: MIT
 *
 * Globals and functions, which have numbers in the image, and what their names and types tell.
 */
#ifndef BITSPIN_TRANSLATOR_SYMBOLS_H
#define BITSPIN_TRANSLATOR_SYMBOLS_H

#include "translation.h"

/* globals.c, functions.c: return the index of a global, a function, or an external function, which is reachable from then on. */
uint32_t global_index(struct translation *t, LLVMValueRef global);
uint32_t function_index(struct translation *t, LLVMValueRef function);
uint32_t extern_index(struct translation *t, const char *name, unsigned parameters, unsigned results);
/* Append a global that the program does not have, or a function.  Return the index. */
uint32_t make_global(struct translation *t, const char *name, const void *bytes, uint64_t size, uint32_t flags);
uint32_t add_function(struct translation *t, const struct image_function *f, LLVMValueRef function);
/* Is `global` a weak symbol that nothing defines, so that its address is 0? */
bool is_missing(const struct translation *t, LLVMValueRef global);

/* extern.c: functions that the user describes, and faults that may happen (--extern, --faults).  is_told: is `name` described?
 * declare_as_told: fill in `f` as described, or return false.  check_told: complain about functions that are described and missing.
 * make_budgets: make the globals that count faults. */
bool is_told(const struct translation *t, const char *name);
bool declare_as_told(struct translation *t, LLVMValueRef function, const char *name, struct image_function *f);
void check_told(struct translation *t);
void make_budgets(struct translation *t);

/* provided.c: is `name` a function of the C library that hands out an address, which lower_provided() writes? */
bool is_provided(const char *name);

/* Make the memory that `function` of the runtime needs, if it needs any. */
void provide_memory(struct translation *t, const char *function);

/* library.c: does the program name something that only `library`, the C library written in C, defines? */
bool needs_library(LLVMModuleRef program, LLVMModuleRef library);
/* Does the program use streams in memory, or streams of wide characters?  May it print to a pipe or socket of its own? */
bool uses_memory_streams(LLVMModuleRef program);
bool uses_wide_streams(LLVMModuleRef program);
bool prints_to_ducts(LLVMModuleRef program);
/* Let functions of libc/stdio.c do what `module` writes to streams and descriptors that it names, and with `output`, to standard
 * output, too. */
void write_in_c(LLVMModuleRef module, bool output);
/* Does the program give buffers of its own to streams? */
bool gives_buffers(LLVMModuleRef program);
/* Let calls on streams take the locks of these (libc/streams.c) if the program could notice; return whether it could.  `both`: a
 * stream may be for input and for output.  `buffers`: the program gives buffers to streams. */
bool lock_streams(LLVMModuleRef program, bool both, bool buffers);
/* Mark the functions of `library`, and let definitions of the program win over those of the library.  is_library: is `function`
 * marked? */
void mark_library(struct translation *t, LLVMModuleRef library);
bool is_library(LLVMValueRef function);

/* Make the bytes of the table `name` of the library, which the translator fills in.  Return false if it is no such table.  The
 * caller frees the bytes. */
bool library_table(struct translation *t, const char *name, void **bytes, uint64_t *size);

/* signature.c: return the type of a call or a function as a string of the image; see runtime/calls/signature.h. */
uint32_t signature_of_call(struct translation *t, LLVMValueRef call);
uint32_t signature_of_function(struct translation *t, LLVMValueRef function);

/* types.c: return the index of a debug type in IMAGE_TYPES, 0 if it is unknown. */
uint32_t debug_type(struct translation *t, LLVMMetadataRef type);
/* Read the name and the type of a global, or of a DILocalVariable given as a value.  Return false if there is none. */
bool debug_global(struct translation *t, LLVMValueRef global, uint32_t *name, uint32_t *type);
bool debug_local(struct translation *t, LLVMValueRef variable, uint32_t *name, uint32_t *type);

#endif
