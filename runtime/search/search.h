/* SPDX-License-Identifier: MIT
 *
 * What the files of the search share beside their own headers.
 */
#ifndef BITSPIN_SEARCH_H
#define BITSPIN_SEARCH_H

#include "../interpreter/interpreter.h"

/* The program begins: resolves its functions, and stores the state before its first step (vm_this.initial) and the one that
 * stands for paths that are cut.  The image must be loaded, and the table be open. */
void vm_begin(void);

/* Store the working state, whose running thread has come to a scheduling point; its ref. */
vm_ref vm_rest(void);

/* step.c: the state of a handle; and can no thread go on in a state, but by a spurious wakeup? */
vm_ref vm_ref_of(int handle);
bool vm_nothing_enabled(vm_ref state);

#endif
