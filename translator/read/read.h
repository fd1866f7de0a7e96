/* SPDX-License-Identifier: MIT
 *
 * Reading a program: bitcode files to one valid module, prepared for lowering.
 */
#ifndef BITSPIN_TRANSLATOR_READ_H
#define BITSPIN_TRANSLATOR_READ_H

#include "../base/translation.h"

/* Read the files of the request and link them to one module, t->module.  Return 0, or -1 after a message. */
int load_program(struct translation *t);
void unload_program(struct translation *t);

/* Is `function` one of the C library in C (libc/)? */
bool is_library(LLVMValueRef function);

/* Are all seeds of random numbers constants? */
bool seeds_itself(const struct translation *t);

#endif
