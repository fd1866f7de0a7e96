/* SPDX-License-Identifier: MIT
 *
 * Cancellation and the end of a thread before its time.
 *
 * pthread_cancel only marks its target; the target ends when it comes by a cancellation point of ours: waits on condition
 * variables, semaphores, signals and descriptors, joins, sleeps, pthread_testcancel.  So POSIX's deferred type is the only
 * one; a program that asks for the asynchronous one makes the search inconclusive.
 *
 * What comes before pthread_cancel happens before what the target does when it has noticed: POSIX does not say so, but the request
 * is a word that one writes and the other reads, in any library.  Here, it happens before what the target does next; what it
 * could have done before the request, it has done before it in another schedule.
 *
 * A thread that ends runs its cleanup handlers.  pthread_cleanup_push is, in C, a setjmp() into a buffer on the stack, which
 * then joins a chain; unwinding returns from that setjmp() a second time, which runs the handler and asks for the next.
 */
#include "../memory/records.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>

enum { OFFSET_PREVIOUS = offsetof(__pthread_unwind_buf_t, __pad) }; /* in a buffer, which begins as a jmp_buf */

bool vm_cancel_pending(const struct vm_thread *thread)
{
	return thread->header.cancel == CANCEL_PENDING; /* not disabled, not ending */
}

bool vm_cancel_due(const struct vm_thread *thread)
{
	vm_footprint_add(FOOTPRINT_THREAD + thread->slot, 0, 1, false);
	return vm_cancel_pending(thread);
}

enum vm_outcome run_cancel(struct vm_call *call)
{
	unsigned slot = vm_thread_of(call->arguments[0]);
	if (slot == vm_this.max_threads)
		vm_violation(VIOLATION_THREAD_MISUSE, "cancel of a thread that does not exist, or has been joined or detached");
	vm_footprint_add_thread(slot);
	struct vm_thread *target = vm_thread_change(slot);
	if (target->header.status == THREAD_RUNNING && !(target->header.cancel & CANCEL_ENDING))
		target->header.cancel |= CANCEL_PENDING;
	if (slot != call->thread->slot)
		vm_order_follow(call->thread->slot, slot, "cancel");
	vm_event_about(ACTION_CALL, VM_ABOUT(VM_ABOUT_SLOT(slot)), "thread %u is asked to end", slot);
	return CALL_DONE;
}

enum vm_outcome run_testcancel(struct vm_call *call)
{
	return vm_cancel_due(call->thread) ? vm_unwind(call->thread, (uint64_t)PTHREAD_CANCELED) : CALL_DONE;
}

enum vm_outcome run_setcancelstate(struct vm_call *call)
{
	uint8_t *cancel = &call->thread->header.cancel;
	uint32_t state = (uint32_t)call->arguments[0];
	if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) {
		call->results[0] = EINVAL;
		return CALL_DONE;
	}
	if (call->arguments[1])
		vm_store64(call->arguments[1], sizeof(int),
			   *cancel & CANCEL_DISABLED ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE, ACCESS_WRITE);
	*cancel &= (uint8_t)~CANCEL_DISABLED;
	if (state == PTHREAD_CANCEL_DISABLE)
		*cancel |= CANCEL_DISABLED;
	return CALL_DONE;
}

enum vm_outcome run_setcanceltype(struct vm_call *call)
{
	uint32_t type = (uint32_t)call->arguments[0];
	if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
		vm_inconclusive(LIMIT_CANCELLATION, "a thread asks for asynchronous cancellation, which bitspin does not model");
	if (type != PTHREAD_CANCEL_DEFERRED)
		call->results[0] = EINVAL;
	else if (call->arguments[1])
		vm_store64(call->arguments[1], sizeof(int), PTHREAD_CANCEL_DEFERRED, ACCESS_WRITE);
	return CALL_DONE;
}

/* ---- unwinding ----------------------------------------------------------------------------------------------------- */

/* Return from the setjmp() of the innermost buffer a second time. */
static enum vm_outcome jump_to_cleanup(struct vm_thread *thread)
{
	assert(thread->header.cleanup && thread->header.cancel & CANCEL_ENDING);
	uint64_t buffer = thread->header.cleanup;
	thread->header.cleanup = vm_load64(buffer + OFFSET_PREVIOUS, 8, ACCESS_READ);
	return vm_jump(thread, buffer, 1);
}

enum vm_outcome vm_unwind(struct vm_thread *thread, uint64_t result)
{
	assert(thread == vm_this.current && thread->header.status == THREAD_RUNNING);
	struct vm_thread_header *header = &thread->header;
	header->cancel |= CANCEL_ENDING;
	header->result = result;
	vm_event(ACTION_EXIT, "thread %u ends%s", thread->slot, result == (uint64_t)PTHREAD_CANCELED ? ", cancelled" : "");
	if (header->cleanup)
		return jump_to_cleanup(thread);
	vm_drop_frames(thread, 0);
	return vm_thread_leave(thread, false) ? CALL_ENTERED : CALL_GONE;
}

/* Go on to the next cleanup handler, as one has run. */
enum vm_outcome run_unwind_next(struct vm_call *call)
{
	if (call->thread->header.cleanup)
		return jump_to_cleanup(call->thread);
	vm_drop_frames(call->thread, 0);
	call->thread->header.wait = WAIT_EXIT;
	return CALL_GONE;
}

enum vm_outcome run_cleanup_push(struct vm_call *call)
{
	vm_store64(call->arguments[0] + OFFSET_PREVIOUS, 8, call->thread->header.cleanup, ACCESS_WRITE);
	call->thread->header.cleanup = call->arguments[0];
	return CALL_DONE;
}

enum vm_outcome run_cleanup_pop(struct vm_call *call)
{
	call->thread->header.cleanup = vm_load64(call->arguments[0] + OFFSET_PREVIOUS, 8, ACCESS_READ);
	return CALL_DONE;
}
