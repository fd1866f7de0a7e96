/* SPDX-License-Identifier: MIT
 *
 * Cancellation and the end of a thread before its time.
 *
 * pthread_cancel only marks its target; the target ends when it comes by a cancellation point of ours: waits on condition
 * variables, semaphores, signals and descriptors, joins, sleeps, pthread_testcancel.
 *
 * A target of the asynchronous type ends anywhere, as if a signal had interrupted it whose handler never returns (interrupt.c): to
 * be struck by the request is one more outcome of each of its steps.  What it has done by then is seen by its cleanup handlers and
 * by all that comes later, so it rests before each write, also to memory of its own, and before each call that has an effect.
 * Between two rests it only reads and computes: a strike there is one at the rest behind.  A request need not be pending when the
 * thread comes to such a rest.  Whoever asks may do so while the thread rests there: its next accesses are no synchronization, so
 * they commute with all that others do until then, or there is a race.  At a cancellation point, and in calls of the C library that
 * are under way, the request is acted upon as if it were deferred; a call counts as one operation.
 *
 * What comes before pthread_cancel happens before what the target does when it has noticed: POSIX does not say so, but the request
 * is a word that one writes and the other reads, in any library.  Here, it happens before what the target does next; what it
 * could have done before the request, it has done before it in another schedule.
 *
 * A thread that ends runs its cleanup handlers.  pthread_cleanup_push is, in C, a setjmp() into a buffer on the stack, which
 * then joins a chain; unwinding returns from that setjmp() a second time, which runs the handler and asks for the next.
 */
#include "../memory/interrupts.h"
#include "../memory/records.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>

/* in a buffer, which begins as a jmp_buf: the buffer before, and the type of pthread_cleanup_push_defer_np */
enum { OFFSET_PREVIOUS = offsetof(__pthread_unwind_buf_t, __pad), OFFSET_TYPE = OFFSET_PREVIOUS + 8 };

bool vm_cancel_pending(const struct vm_thread *thread)
{
	return (thread->header.cancel & ~CANCEL_AT_ONCE) == CANCEL_PENDING; /* not disabled, not ending */
}

static bool is_cancel(const struct builtin *builtin)
{
	return builtin->run == run_cancel;
}

bool vm_program_cancels(void)
{
	static VM_OWN bool known, cancels;
	cancels = known ? cancels : builtin_is_used(is_cancel);
	known = true;
	return cancels;
}

/* Does the thread rest before a call that ends it if that is due, or in the midst of a call? */
static bool rests_in_call(const struct vm_thread *thread)
{
	const struct vm_thread_header *header = &thread->header;
	const struct builtin *builtin = vm_resting_call(thread);
	bool point = vm_wait_is_cancellable((enum vm_wait)header->wait) && !(builtin && builtin->flags & BUILTIN_TRIES);
	assert(header->frames > 0);
	uint32_t function = thread->frames[header->frames - 1].function;
	return point || header->woken != WOKEN_NOT || vm_this.image.functions[function].flags & FUNCTION_LIBRARY;
}

bool vm_cancel_strikes(const struct vm_thread *thread)
{
	const struct vm_thread_header *header = &thread->header;
	return vm_cancel_may_strike(thread) && vm_cancel_pending(thread) && header->status == THREAD_RUNNING && !header->atomic &&
		header->wait != WAIT_EXIT && header->wait != WAIT_DEATH && !rests_in_call(thread);
}

/* Do what happens at once where a request is pending: the type has become the asynchronous one, it is enabled, or the thread
 * asks itself. */
static enum vm_outcome act_at_once(struct vm_thread *thread)
{
	if (!vm_cancel_may_strike(thread) || !vm_cancel_due(thread))
		return CALL_DONE;
	return vm_unwind(thread, (uint64_t)PTHREAD_CANCELED);
}

bool vm_cancel_strike(struct vm_thread *thread)
{
	struct vm_thread_header *header = &thread->header;
	assert(vm_cancel_strikes(thread));
	if (header->wait == WAIT_BARRIER)
		vm_inconclusive(LIMIT_CANCELLATION, "a thread is cancelled while it waits at a barrier");
	header->wait = WAIT_NONE;
	header->timed = 0;
	header->address = header->other = 0;
	header->low = header->count = 0;
	vm_event(ACTION_CALL, "interrupted by a request to end");
	return vm_unwind(thread, (uint64_t)PTHREAD_CANCELED) == CALL_ENTERED;
}

bool vm_cancel_due(const struct vm_thread *thread)
{
	vm_footprint_add(FOOTPRINT_THREAD + thread->slot, 0, 1, false);
	return vm_cancel_pending(thread);
}

enum vm_outcome run_cancel(struct vm_call *call)
{
	assert(call->builtin->flags & BUILTIN_ARRANGES);
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
	return target == call->thread ? act_at_once(target) : CALL_DONE;
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
	return act_at_once(call->thread);
}

static void set_type(struct vm_thread *thread, bool at_once)
{
	thread->header.cancel &= (uint8_t)~CANCEL_AT_ONCE;
	if (at_once && vm_program_cancels() && !vm_has_interrupts())
		vm_inconclusive(LIMIT_INTERRUPTS, "a thread asks for asynchronous cancellation");
	if (at_once)
		thread->header.cancel |= CANCEL_AT_ONCE;
}

enum vm_outcome run_setcanceltype(struct vm_call *call)
{
	struct vm_thread *thread = call->thread;
	uint32_t type = (uint32_t)call->arguments[0];
	if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) {
		call->results[0] = EINVAL;
		return CALL_DONE;
	}
	bool before = thread->header.cancel & CANCEL_AT_ONCE;
	if (call->arguments[1])
		vm_store64(call->arguments[1], sizeof(int), before ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED,
			   ACCESS_WRITE);
	set_type(thread, type == PTHREAD_CANCEL_ASYNCHRONOUS);
	return act_at_once(thread);
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

/* Is it pthread_cleanup_push_defer_np, or the pop that belongs to it? */
static bool is_deferring(const struct vm_call *call)
{
	return *call->builtin->data == 'd';
}

enum vm_outcome run_cleanup_push(struct vm_call *call)
{
	struct vm_thread *thread = call->thread;
	vm_store64(call->arguments[0] + OFFSET_PREVIOUS, 8, thread->header.cleanup, ACCESS_WRITE);
	thread->header.cleanup = call->arguments[0];
	if (!is_deferring(call))
		return CALL_DONE;
	vm_store64(call->arguments[0] + OFFSET_TYPE, 8, thread->header.cancel & CANCEL_AT_ONCE, ACCESS_WRITE);
	set_type(thread, false);
	return CALL_DONE;
}

enum vm_outcome run_cleanup_pop(struct vm_call *call)
{
	struct vm_thread *thread = call->thread;
	thread->header.cleanup = vm_load64(call->arguments[0] + OFFSET_PREVIOUS, 8, ACCESS_READ);
	if (!is_deferring(call))
		return CALL_DONE;
	set_type(thread, vm_load64(call->arguments[0] + OFFSET_TYPE, 8, ACCESS_READ) != 0);
	return act_at_once(thread);
}
