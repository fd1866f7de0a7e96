/* SPDX-License-Identifier: MIT
 *
 * What load.c does to modules: each file here has one of the passes.
 */
#ifndef BITSPIN_TRANSLATOR_PASSES_H
#define BITSPIN_TRANSLATOR_PASSES_H

#include "../base/translation.h"

/* valid.c: keep LLVM's readers from ending the process on an invalid module.  make_valid: make `module` valid; or complain, and
 * return false. */
void keep_readers_alive(void);
bool make_valid(struct translation *t, LLVMModuleRef module, const char *path);

/* given_bitcode.c: note what `module` lacks, which was read from the file `path` and was not compiled by bitspin. */
void inspect_given(struct translation *t, LLVMModuleRef module, const char *path);

/* described.c: take the bodies from the functions that the user describes. */
void drop_described_bodies(struct translation *t);

/* syscalls.c: replace calls of syscall() by calls of the function that does the system call, or that only has its name. */
void name_system_calls(struct translation *t);

/* known_answers.c: make a process id constant where the program only uses it to send a signal to itself. */
void name_itself(struct translation *t);

/* linker_sets.c: make a variable of each linker set. */
void join_sections(struct translation *t);

/* library.c: does `module` name the function `name`, and not define it? */
bool declares(LLVMModuleRef module, const char *name);
/* Does the program call a function that only the C library written in C defines?  declares_variables: does it declare a variable
 * that it does not define?  has_variables_of: one that `library` defines? */
bool calls_library(LLVMModuleRef program);
bool declares_variables(LLVMModuleRef program);
bool has_variables_of(LLVMModuleRef program, LLVMModuleRef library);
/* Mark the functions of `library`, and let definitions of the program win over those of the library. */
void mark_library(struct translation *t, LLVMModuleRef library);
/* Does the program use streams in memory, or streams of wide characters?  May it print to a pipe or socket of its own? */
bool uses_memory_streams(LLVMModuleRef program);
bool uses_wide_streams(LLVMModuleRef program);
bool prints_to_ducts(LLVMModuleRef program);
/* Let functions of libc/stdio.c do what `module` writes to streams and descriptors that it names, and with `output`, to standard
 * output, too. */
void write_in_c(LLVMModuleRef module, bool output);
bool has_any_text(const struct translator_request *request, LLVMModuleRef program); /* may characters be inputs of any value? */
void read_in_c(LLVMModuleRef module);
bool defines_malloc(LLVMModuleRef program); /* so that the C library uses it, too */
/* Does the program call something other than malloc() that returns memory from there?  Then let that be in C. */
bool calls_allocating(LLVMModuleRef program);
void allocate_in_c(LLVMModuleRef module);
/* Does the program give buffers of its own to streams, or close a standard stream? */
bool watches_streams(LLVMModuleRef program);
/* Let calls on streams take the locks of these (libc/streams.c) if the program could notice; return whether it could.  `both`: a
 * stream may be for input and for output.  `watched`: watches_streams(). */
bool lock_streams(LLVMModuleRef program, bool both, bool watched);

#endif
