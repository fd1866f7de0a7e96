/* SPDX-License-Identifier: MIT
 *
 * The atomic access that a thread is at, where that has several outcomes (memory/messages.h).
 */
#ifndef BITSPIN_ATOMIC_H
#define BITSPIN_ATOMIC_H

#include "../memory/messages.h"

/* Return what the atomic access `insn` of the thread's current function does. */
struct vm_atomic vm_atomic_of(const struct vm_thread *thread, const struct image_insn *insn);

/* Return how many outcomes the access has at which the thread rests (WAIT_ACCESS). */
unsigned vm_atomic_outcomes(const struct vm_thread *thread);

#endif
