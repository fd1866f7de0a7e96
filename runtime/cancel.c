/* SPDX-License-Identifier: MIT
 *
 * Cancellation and the end of a thread before its time.
 *
 * pthread_cancel only marks its target; the target ends when it comes by a cancellation point of ours: waits on condition
 * variables and semaphores, joins, sleeps, pthread_testcancel.  So POSIX's deferred type is the only one; a program that
 * asks for the asynchronous one makes the search inconclusive.
 *
 * A thread that ends runs its cleanup handlers.  pthread_cleanup_push is, in C, a setjmp() into a buffer on the stack, which
 * then joins a chain; unwinding returns from that setjmp() a second time, which runs the handler and asks for the next.
 */
#include "sync.h"

#include <errno.h>
#include <pthread.h>

enum { OFFSET_DEPTH = 0, OFFSET_PC = 4, OFFSET_PREVIOUS = offsetof(__pthread_unwind_buf_t, __pad) }; /* in a buffer */

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
		vm_fault(FAULT_THREAD_MISUSE, "cancel of a thread that does not exist, or has been joined or detached");
	vm_footprint_add_thread(slot);
	struct vm_thread *target = vm_thread_change(slot);
	if (target->header.status == THREAD_RUNNING && !(target->header.cancel & CANCEL_ENDING))
		target->header.cancel |= CANCEL_PENDING;
	vm_event(ACTION_CALL, "thread %u is asked to end", slot);
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
		vm_store64(call->arguments[1], sizeof(int), *cancel & CANCEL_DISABLED ? PTHREAD_CANCEL_DISABLE :
			   PTHREAD_CANCEL_ENABLE, ACCESS_WRITE);
	*cancel &= (uint8_t)~CANCEL_DISABLED;
	if (state == PTHREAD_CANCEL_DISABLE)
		*cancel |= CANCEL_DISABLED;
	return CALL_DONE;
}

enum vm_outcome run_setcanceltype(struct vm_call *call)
{
	uint32_t type = (uint32_t)call->arguments[0];
	if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
		vm_inconclusive("cancellation", "a thread asks for asynchronous cancellation, which the checker does not model");
	if (type != PTHREAD_CANCEL_DEFERRED)
		call->results[0] = EINVAL;
	else if (call->arguments[1])
		vm_store64(call->arguments[1], sizeof(int), PTHREAD_CANCEL_DEFERRED, ACCESS_WRITE);
	return CALL_DONE;
}

/* ---- unwinding ----------------------------------------------------------------------------------------------------- */

static void drop_frames(struct vm_thread *thread, uint32_t keep)
{
	vm_footprint_add_control(); /* a proposition may ask who is in these functions */
	for (struct vm_thread_header *header = &thread->header; header->frames > keep; header->frames--) {
		const struct vm_frame *top = &thread->frames[header->frames - 1];
		vm_once_abandon(thread);
		vm_release_stack(thread, header->frames, 0);
		if (vm_this.image.functions[top->function].flags & FUNCTION_ATOMIC)
			header->atomic--;
	}
}

/* Return from the setjmp() of the innermost buffer a second time. */
static enum vm_outcome jump_to_cleanup(struct vm_thread *thread)
{
	uint64_t buffer = thread->header.cleanup;
	uint32_t depth = (uint32_t)vm_load64(buffer + OFFSET_DEPTH, 4, ACCESS_READ);
	uint32_t pc = (uint32_t)vm_load64(buffer + OFFSET_PC, 4, ACCESS_READ);
	thread->header.cleanup = vm_load64(buffer + OFFSET_PREVIOUS, 8, ACCESS_READ);
	if (depth == 0 || depth > thread->header.frames)
		vm_fault(FAULT_THREAD_MISUSE, "a cleanup handler belongs to a function that has returned");
	drop_frames(thread, depth);
	struct vm_frame *frame = &thread->frames[depth - 1];
	const struct image_insn *insn = &vm_this.image.code[vm_this.image.functions[frame->function].code + pc];
	if (insn->dst != IMAGE_NONE)
		thread->registers[frame->base + insn->dst] = 1;
	frame->pc = pc + 1;
	return CALL_ENTERED;
}

enum vm_outcome vm_unwind(struct vm_thread *thread, uint64_t result)
{
	struct vm_thread_header *header = &thread->header;
	header->cancel |= CANCEL_ENDING;
	header->result = result;
	vm_event(ACTION_EXIT, "thread %u ends%s", thread->slot, result == (uint64_t)PTHREAD_CANCELED ? ", cancelled" : "");
	if (header->cleanup)
		return jump_to_cleanup(thread);
	drop_frames(thread, 0);
	if (vm_push_destructor(thread))
		return CALL_ENTERED;
	vm_thread_finish(thread, header->result);
	return CALL_GONE;
}

/* A cleanup handler has run. */
enum vm_outcome run_unwind_next(struct vm_call *call)
{
	if (call->thread->header.cleanup)
		return jump_to_cleanup(call->thread);
	drop_frames(call->thread, 0);
	call->thread->header.wait = WAIT_EXIT;
	return CALL_GONE;
}

enum vm_outcome run_cleanup_mark(struct vm_call *call)
{
	const struct vm_thread_header *header = &call->thread->header;
	vm_store64(call->arguments[0] + OFFSET_DEPTH, 4, header->frames, ACCESS_WRITE);
	vm_store64(call->arguments[0] + OFFSET_PC, 4, call->thread->frames[header->frames - 1].pc, ACCESS_WRITE);
	return CALL_DONE;
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
