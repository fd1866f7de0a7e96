/* SPDX-License-Identifier: MIT
 *
 * The phases of a translation.
 */
#ifndef BITSPIN_TRANSLATOR_PROGRAM_H
#define BITSPIN_TRANSLATOR_PROGRAM_H

#include "emit.h"

/* load.c: read the files of the request and link them to one module.  Return 0, or -1 after a message. */
int load_program(struct translation *t);
void unload_program(struct translation *t);

/* given.c: note what `module` lacks, which was read from the file `path` and was not compiled by bitspin. */
void inspect_given(struct translation *t, LLVMModuleRef module, const char *path);

/* syscalls.c: replace calls of syscall() by calls of the function that does the system call, or that only has its name. */
void name_system_calls(struct translation *t);

/* itself.c: make a process id constant where the program only uses it to send a signal to itself. */
void name_itself(struct translation *t);
/* itself.c: are all seeds of random numbers constants? */
bool seeds_itself(const struct translation *t);

/* sections.c: make a variable of each linker set. */
void join_sections(struct translation *t);

/* valid.c: keep LLVM's readers from ending the process on an invalid module.  make_valid: make `module` valid; or complain, and
 * return false. */
void keep_readers_alive(void);
bool make_valid(struct translation *t, LLVMModuleRef module, const char *path);

/* start.c: complain about an entry function that cannot be one, and return false; make _fini, if exit() is to call it; make _start,
 * and return its index. */
bool check_entry(struct translation *t, LLVMValueRef entry);
void make_destructors(struct translation *t);
uint32_t make_start(struct translation *t, LLVMValueRef entry);
/* When all functions are known: for each external one whose address is taken, one that calls it. */
void make_stand_ins(struct translation *t);

/* inputs.c: make argv, an array of the addresses of strings and NULL, and return its address.  choose_input: emit code that chooses
 * the arguments and standard input. */
uint64_t make_arguments(struct emitter *e);
void choose_input(struct emitter *e);

/* property.c: add the propositions and invariants of the request to the image. */
void add_properties(struct translation *t);

/* relevance.c: mark stores and registers on which nothing that is checked depends.  Return false if there are none, or if it is not
 * known. */
bool find_relevance(struct translation *t);

/* relevance.c: mark calls that ask the world for something on which no outcome depends (IMAGE_SHOWN_ONLY). */
void find_decisions(struct translation *t);

/* reads.c: put what `function`, which computes `property`, may read into `reads` and `nreads` of the property. */
void property_reads(struct translation *t, LLVMValueRef function, struct image_property *property);

#endif
