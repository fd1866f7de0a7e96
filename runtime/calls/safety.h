/* SPDX-License-Identifier: MIT
 *
 * Calls in signal handlers that are not async-signal-safe.
 *
 * POSIX.1-2017, 2.4.3: where a signal interrupts an unsafe function and its handler calls an unsafe function, the behaviour is
 * undefined; so it is where the handler leaves by siglongjmp() and an unsafe function is called then.  A thread that rests before a
 * call may as well be in it: what its handler does is the same.  So no more has to be kept of an interrupted call than where the
 * thread was when the handler began, which its frames say; only a handler that has jumped needs a bit in the thread's header.
 *
 * Threads rest before unsafe calls as they do before accesses that a handler could notice (memory/interrupts.h): all unsafe calls
 * count as writes to one word of the thread, that of the state of its C library.
 */
#ifndef BITSPIN_SAFETY_H
#define BITSPIN_SAFETY_H

#include "../state/state.h"

/* Is the function of the image one of the C library that is not async-signal-safe? */
bool vm_is_signal_unsafe(uint32_t function);

/* Report the running thread's call of an unsafe function, by a pointer or by name, where the handler that calls it has interrupted
 * an unsafe call. */
void vm_check_signal_safety(uint32_t function, bool by_pointer);

/* Does this frame run a handler that has interrupted an unsafe call? */
bool vm_interrupts_unsafe_call(const struct vm_thread *thread, uint32_t frame);

#endif
