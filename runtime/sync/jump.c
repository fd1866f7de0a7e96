/* SPDX-License-Identifier: MIT
 *
 * setjmp and longjmp.  A jmp_buf holds the address of a marker, a stack object of size zero in the frame that called
 * setjmp, and the place of the call.  When the frame is gone, so is its marker, and no other object gets its number while
 * the jmp_buf names it: so a jump into a dead frame is seen, whatever has been called since.
 */
#include "../calls/safety.h"
#include "../memory/interrupts.h"
#include "sync.h"

#include <assert.h>

enum { MARKER_OFFSET = 0, PLACE_OFFSET = 8 }; /* in a jmp_buf */

/* Return the address of the marker of the thread's top frame; make one if there is none. */
static uint64_t marker(struct vm_thread *thread)
{
	assert(thread == vm_this.current && thread->header.frames > 0);
	for (uint32_t i = vm_this.tls_count; i < thread->locals.count; i++) {
		const struct vm_object *object = vm_map_find(&thread->locals, i);
		if (object && (object->header.flags & OBJECT_MARKER) && object->header.depth == thread->header.frames)
			return image_address(object->number, 0);
	}
	uint64_t address = vm_allocate_stack(0, true);
	struct vm_place place = vm_place_of(address);
	vm_object_change(place.map, place.object, 0, 0);
	place.object->header.flags |= OBJECT_MARKER;
	return address;
}

enum vm_outcome run_setjmp(struct vm_call *call)
{
	struct vm_thread *thread = call->thread;
	const struct vm_frame *frame = &thread->frames[thread->header.frames - 1];
	uint64_t place = (uint64_t)frame->function << 32 | frame->pc;
	vm_store64(call->arguments[0] + MARKER_OFFSET, 8, marker(thread), ACCESS_WRITE);
	vm_store64(call->arguments[0] + PLACE_OFFSET, 8, place, ACCESS_WRITE);
	return CALL_DONE;
}

void vm_drop_frames(struct vm_thread *thread, uint32_t keep)
{
	assert(keep <= thread->header.frames);
	for (struct vm_thread_header *header = &thread->header; header->frames > keep; header->frames--) {
		const struct vm_frame *frame = &thread->frames[header->frames - 1];
		vm_once_abandon(thread);
		if (vm_is_interrupt(frame->function)) {
			header->escaped |= vm_interrupts_unsafe_call(thread, header->frames - 1);
			vm_interrupts_escape();
		}
		if (vm_asks_in(frame->function, thread->slot))
			vm_footprint_add_proposition();
		if (vm_this.image.functions[frame->function].flags & FUNCTION_ATOMIC)
			vm_section_leave(header);
		vm_release_stack(thread, header->frames, 0);
	}
	if (keep)
		vm_once_abandon(thread); /* the frame that stays leaves the call that it is in */
}

/* Return the depth of the frame that the jmp_buf at `buffer` names, which has `place` as the place of the call. */
static uint32_t target_depth(const struct vm_thread *thread, uint64_t buffer, uint64_t place)
{
	uint64_t name = vm_load64(buffer + MARKER_OFFSET, 8, ACCESS_READ);
	if (name == 0)
		vm_violation(VIOLATION_UNREACHABLE, "longjmp to %s, which setjmp has not filled", vm_describe(buffer));
	struct vm_place at = vm_place_of(name);
	if (at.map && at.map != &thread->locals)
		vm_violation(VIOLATION_THREAD_MISUSE, "longjmp to a setjmp of another thread");
	if (!at.object || !(at.object->header.flags & OBJECT_MARKER))
		vm_violation(VIOLATION_USE_AFTER_FREE, "longjmp into a function that has returned since it called setjmp");
	uint32_t depth = at.object->header.depth;
	assert(depth > 0);
	const struct image_function *function = &vm_this.image.functions[thread->frames[depth - 1].function];
	if (depth > thread->header.frames || thread->frames[depth - 1].function != place >> 32 ||
	    (uint32_t)place >= function->ncode || vm_this.image.code[function->code + (uint32_t)place].op != IMAGE_CALL)
		vm_violation(VIOLATION_OUT_OF_BOUNDS, "longjmp to %s, which does not hold what setjmp has written",
			     vm_describe(buffer));
	return depth;
}

enum vm_outcome vm_jump(struct vm_thread *thread, uint64_t buffer, uint32_t value)
{
	uint64_t place = vm_load64(buffer + PLACE_OFFSET, 8, ACCESS_READ);
	uint32_t depth = target_depth(thread, buffer, place);
	vm_drop_frames(thread, depth);
	struct vm_frame *frame = &thread->frames[depth - 1];
	const struct image_insn *insn = vm_this.image.code + vm_this.image.functions[frame->function].code + (uint32_t)place;
	if (insn->dst != IMAGE_NONE)
		thread->registers[frame->base + insn->dst] = value;
	frame->pc = (uint32_t)place + 1;
	return CALL_ENTERED;
}

enum vm_outcome run_longjmp(struct vm_call *call)
{
	uint32_t value = (uint32_t)call->arguments[1] ? (uint32_t)call->arguments[1] : 1;
	enum vm_outcome outcome = vm_jump(call->thread, call->arguments[0], value);
	vm_event(ACTION_CALL, "longjmp, %u", value);
	return outcome;
}
