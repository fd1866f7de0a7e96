/* SPDX-License-Identifier: MIT
 *
 * The phases of a translation.
 */
#ifndef BITSPIN_TRANSLATOR_PROGRAM_H
#define BITSPIN_TRANSLATOR_PROGRAM_H

#include "emit.h"

/* load.c: files to a module.  0, or -1 and a message. */
int load_program(struct translation *t);
void unload_program(struct translation *t);

/* given.c: note what bitcode that we have not made ourselves lacks. */
void inspect_given(struct translation *t, LLVMModuleRef module, const char *path);

/* syscalls.c: calls of syscall() become calls of a function that does the system call, or that is named like it. */
void name_system_calls(struct translation *t);

/* itself.c: a process id that only says which process a signal is for is a constant. */
void name_itself(struct translation *t);

/* sections.c: linker sets become variables. */
void join_sections(struct translation *t);

/* valid.c: tell LLVM's readers not to end the process on a module that is not valid; and make one valid, or complain. */
void keep_readers_alive(void);
bool make_valid(struct translation *t, LLVMModuleRef module, const char *path);

/* start.c: refuse an entry function that cannot be one, or make _fini, if exit() is to call it, and then _start, whose index it
 * is. */
bool check_entry(struct translation *t, LLVMValueRef entry);
void make_destructors(struct translation *t);
uint32_t make_start(struct translation *t, LLVMValueRef entry);

/* inputs.c: make argv, an array of addresses of strings and NULL, and choose what arguments are and what standard input is. */
uint64_t make_arguments(struct emitter *e);
void choose_input(struct emitter *e);

/* property.c: the propositions and invariants of the request. */
void add_properties(struct translation *t);

/* relevance.c: mark stores and registers on which nothing that is checked depends.  False: there are none, or it is not known. */
bool find_relevance(struct translation *t);

/* relevance.c: mark calls that ask the world for something on which no outcome depends (IMAGE_SHOWN_ONLY). */
void find_decisions(struct translation *t);

/* reads.c: what the property's function may read, into `reads` and `nreads` of the property. */
void property_reads(struct translation *t, LLVMValueRef function, struct image_property *property);

#endif
