/* SPDX-License-Identifier: MIT
 *
 * Where a thread has to rest so that signals can interrupt it.
 *
 * A signal that another thread has sent is pending until its thread takes it, which it may do wherever it rests
 * (sync/interrupt.c).  Plain accesses are no scheduling points, as no other thread can tell how they are interleaved.  A handler
 * can: it runs in the midst of its own thread, and what it reads there is no race.  So there are more places to rest, as few as
 * will do:
 *
 *   INTERRUPTS_PLACES.  Take a run in which a handler h interrupts a thread t within a segment, between two rests.  Let h run at
 *     the rest behind the segment instead.  (It can: a signal may be late.  No other thread sees a difference, as none has
 *     synchronized with t in between, or there is a race.)  If h has no access in conflict with one of the segment's, and neither
 *     synchronizes nor stays, the two orders lead to the same state.  If it has, the search comes to both accesses, for h does
 *     the same up to its first such access.  So all accesses are noted, by thread, by bytes, and by how many handlers they are
 *     in; where two conflict, the lines of those that can be interrupted are told, and the check begins again with a rest before
 *     each access there.
 *   INTERRUPTS_SHARED.  Once a handler synchronizes, by sem_post() or an atomic store, others can see what of the segment
 *     has been done by then: a thread rests before each access to shared memory.
 *   INTERRUPTS_ALL.  Once a handler is left by longjmp() or pthread_exit(), what comes then sees it, too, in any memory.
 *
 * A call of the C library is not interrupted where it does not wait, and a thread in an atomic section is not.  What a
 * function of the C library does counts as done on the line that calls it.
 */
#ifndef BITSPIN_INTERRUPTS_H
#define BITSPIN_INTERRUPTS_H

#include "../state/state.h"

static inline bool vm_has_interrupts(void)
{
	return vm_this.image.options->interrupts != INTERRUPTS_NONE;
}

/* May a request to end be acted upon wherever the thread rests (sync/cancel.c)? */
static inline bool vm_cancel_may_strike(const struct vm_thread *thread)
{
	return vm_has_interrupts() &&
		(thread->header.cancel & (CANCEL_AT_ONCE | CANCEL_DISABLED | CANCEL_ENDING)) == CANCEL_AT_ONCE;
}

/* Is `function` the one that runs handlers (__bitspin_interrupted() in libc/signal.c)? */
bool vm_is_interrupt(uint32_t function);

/* Does the running thread rest before a plain access here, so that it can be interrupted or cancelled?  Before a call of the C
 * library? */
bool vm_interrupts_rest(uint64_t address, bool writes);
bool vm_interrupts_rest_here(void);

/* Does the running thread rest before a call that accesses no memory and is not async-signal-safe? */
bool vm_interrupts_rest_unsafe(void);

/* Note that the running thread accesses these bytes; `own` is the depth of the frame whose variable they are, 0 if they are
 * none. */
void vm_interrupts_note(uint64_t address, uint64_t size, uint32_t own, bool writes);

/* Note that the running thread calls a function of the C library that is not async-signal-safe (calls/safety.h). */
void vm_interrupts_note_call(void);

/* Note that a thread synchronizes; that a handler is left in another way than by return. */
void vm_interrupts_synchronise(const struct vm_thread *thread);
void vm_interrupts_escape(void);

/* Return the locations of the lines whose accesses turned out to need a rest, and in *count how many there are. */
const uint32_t *vm_interrupts_found(unsigned *count);

#endif
