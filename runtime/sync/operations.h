/* SPDX-License-Identifier: MIT
 *
 * What others ask about the operations of `bitspin linearize`; see operations.c.
 */
#ifndef BITSPIN_SYNC_OPERATIONS_H
#define BITSPIN_SYNC_OPERATIONS_H

#include "../state/state.h"

/* Is this phase 1? */
bool vm_operations_are_noted(void);

/* Look, in phase 1, at the stored state if an operation begins with the step that the thread is about to take. */
void vm_operation_look(const struct vm_thread *thread, vm_ref state);

/* In the working state, no thread can go on.  Are operations under way?  Then is each of them stuck where it would be stuck in one
 * piece, too?  If not, say so in `message`.  In phase 1, note that the operation under way is stuck. */
enum vm_operations_blocked {
	OPERATIONS_NONE,
	OPERATIONS_STUCK,
	OPERATIONS_UNEXPLAINED,
};
enum vm_operations_blocked vm_operations_blocked(char *message, size_t size);

#endif
