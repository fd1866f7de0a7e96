/* SPDX-License-Identifier: MIT
 *
 * Faults that the user has suppressed.  The thread goes on as it would on a machine; where the process would die, or nobody knows
 * what it would do, the thread is *doomed*: it does nothing more, and its next step ends the program.  So all that it did before
 * the fault is seen by the others, as on a machine.
 *
 * Whether a fault is suppressed depends on its kind and the thread's stack, which are part of the state.  Data races are not
 * suppressed here: that needs both sides, which only a replay knows (spin-glue/pan/races.c).
 */
#ifndef BITSPIN_STATE_SUPPRESS_H
#define BITSPIN_STATE_SUPPRESS_H

#include "state.h"

/* Return the number of the suppression that covers a fault of a thread at a location, or IMAGE_NONE. */
uint32_t vm_suppression_of(enum vm_violation_kind kind, const struct vm_thread *thread, uint32_t location);

/* Tell of a fault that was suppressed, whose message is in vm_this.ending.  `ends`: the thread is doomed. */
void vm_suppressed(enum vm_violation_kind kind, uint32_t suppression, const struct vm_thread *thread, uint32_t location, bool ends);

/* What vm_suppressed() calls, unless it is NULL. */
extern void (*vm_tell_suppressed)(enum vm_violation_kind kind, uint32_t suppression, const struct vm_thread *thread,
				  uint32_t location, bool ends);

#endif
