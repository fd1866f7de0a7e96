/* SPDX-License-Identifier: MIT
 *
 * What the other rooms ask about local variables (variables.c).
 */
#ifndef BITSPIN_TRANSLATOR_VARIABLES_H
#define BITSPIN_TRANSLATOR_VARIABLES_H

#include "../base/translation.h"

/* Store an *undefined value* of its own into each local variable that mem2reg will remove, unless mem2reg will not run (`stay`).
 * Without these stores, an uninitialized variable becomes undef, which later passes may fold into anything. */
void mark_variables(LLVMModuleRef module, bool stay);

/* Does `function` return the undefined values that mark_variables() stores? */
bool is_undefined(LLVMValueRef function);

/* Is `function` the one to which mark_variables() passes the addresses of variables that must stay in memory? */
bool is_keeper(LLVMValueRef function);

/* Return where the variable lies that the declaration `insn` of debug information describes, and put the variable into *variable;
 * NULL if `insn` is no such declaration. */
LLVMValueRef declared_place(LLVMValueRef insn, LLVMValueRef *variable);

/* Does mem2reg leave the variable of an alloca in memory? */
bool stays_in_memory(LLVMValueRef alloca);

/* Return the variable (a DILocalVariable) for which the undefined value `value` was made, or that gets the address of the memory
 * that the call `value` allocates; NULL if it is not known. */
LLVMValueRef named_variable(LLVMValueRef value);

#endif
