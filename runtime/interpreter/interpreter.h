/* SPDX-License-Identifier: MIT
 *
 * The interpreter: runs a thread from one scheduling point to the next.
 */
#ifndef BITSPIN_INTERPRETER_H
#define BITSPIN_INTERPRETER_H

#include "../externals/externals.h"

/* Run a thread: its next operation, then on until it rests before another visible one.  With `start`, the thread has just
 * been made and comes to rest before its first visible operation. */
void vm_run(struct vm_thread *thread, bool start);

/* Return the value, an int or a word, of a property's function in the working state, which stays as it is. */
uint64_t vm_evaluate(const struct image_property *property);
uint64_t vm_evaluate_word(const struct image_property *property);

#endif
