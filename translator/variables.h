/* SPDX-License-Identifier: MIT
 *
 * Local variables (variables.c).
 */
#ifndef BITSPIN_TRANSLATOR_VARIABLES_H
#define BITSPIN_TRANSLATOR_VARIABLES_H

#include "translation.h"

/* Before mem2reg, a store of a value of its own into each local variable that mem2reg will remove; for what LLVM
 * says of such variables, undef, passes may fold into anything else.  is_undefined: is a function the source of such
 * values?  is_keeper: ... the one that takes the addresses of those that must stay in memory? */
void mark_variables(LLVMModuleRef module, bool stay); /* stay: mem2reg will not run */

/* The place of the variable that a declaration in debug information describes, and the variable; NULL if it is none. */
LLVMValueRef declared_place(LLVMValueRef insn, LLVMValueRef *variable);

/* Does mem2reg leave a variable in memory? */
bool stays_in_memory(LLVMValueRef alloca);

bool is_undefined(LLVMValueRef function);
bool is_keeper(LLVMValueRef function);

/* The variable that such a value, or memory that a call has allocated, was made for; IMAGE_NONE if it is not known. */
uint32_t variable_symbol(struct translation *t, LLVMValueRef value);

#endif
