/* SPDX-License-Identifier: MIT
 *
 * Lowering: functions of LLVM to instructions of the image, the functions that the translator makes up, and what a program uses
 * that is not C of its own.
 */
#ifndef BITSPIN_TRANSLATOR_LOWER_H
#define BITSPIN_TRANSLATOR_LOWER_H

#include "../base/translation.h"

/* Translate `function` to the function `f` of the image. */
void lower_function(struct translation *t, LLVMValueRef function, struct image_function *f);
/* Write the code of a function that is_provided(). */
void lower_provided(struct translation *t, const char *name, struct image_function *f);

/* start.c: complain about an entry function that cannot be one, and return false; make _fini, if exit() is to call it; make _start,
 * and return its index. */
bool check_entry(struct translation *t, LLVMValueRef entry);
void make_destructors(struct translation *t);
uint32_t make_start(struct translation *t, LLVMValueRef entry);
/* Make, when all functions are known, a function for each external one whose address is taken, which calls that one. */
void make_stand_ins(struct translation *t);

/* uses.c: complain about the uses that are not supported, and put the others into the result. */
void finish_uses(struct translation *t);
/* Add the assumption to the result that weak compare-exchanges fail as the budget says, if there are any. */
void note_atomics(struct translation *t);

/* nondet.c: note inputs whose function's address is taken. */
void note_passed_inputs(struct translation *t);
/* Is the external function `name` an input under that profile? */
bool is_input(const char *name);

#endif
