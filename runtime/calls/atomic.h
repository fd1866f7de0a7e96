/* SPDX-License-Identifier: MIT
 *
 * The atomic access that a thread is at, where that has several outcomes (memory/messages.h).
 */
#ifndef BITSPIN_ATOMIC_H
#define BITSPIN_ATOMIC_H

#include "../memory/buffers.h"
#include "../memory/messages.h"

/* Return what the atomic access `insn` of the thread's current function does. */
struct vm_atomic vm_atomic_of(const struct vm_thread *thread, const struct image_insn *insn);

/* Return what the access `insn` of the thread's current function does to buffers of stores; whether it is a store that can wait. */
struct vm_buffered vm_buffered_of(const struct vm_thread *thread, const struct image_insn *insn);
bool vm_may_wait(const struct image_insn *insn);

/* Return what a drain before `insn` does: a call, or a copy of a block, may access all memory. */
struct vm_buffered vm_drain_of(const struct vm_thread *thread, const struct image_insn *insn);

/* Note what it depends on how many outcomes there are, where the thread rests before an access or a drain. */
void vm_atomic_note(const struct vm_thread *thread);

/* Return how many outcomes the access has at which the thread rests (WAIT_ACCESS, WAIT_DRAIN). */
unsigned vm_atomic_outcomes(const struct vm_thread *thread);

#endif
