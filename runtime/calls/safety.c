/* SPDX-License-Identifier: MIT
 *
 * See safety.h.
 */
#include "safety.h"

#include "../memory/interrupts.h"
#include "../trace/history.h"
#include "builtin.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const safe[] = {
#define SAFE(...) __VA_ARGS__,
#include "signal_safe.def"
#undef SAFE
};

/* ---- functions ------------------------------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Is `name` the name `of`, or that of a variant of the function? */
static bool is_variant(const char *name, const char *of)
{
	size_t length = strlen(of), size = strlen(name);
	bool checked = begins(name, "__") && size > 6 && strcmp(name + size - 4, "_chk") == 0;
	if (checked)
		return size == length + 6 && strncmp(name + 2, of, length) == 0;
	return strncmp(name, of, length) == 0 && (!name[length] || strcmp(name + length, "64") == 0);
}

static bool is_unsafe(const char *name)
{
	static const char *const own[] = { "bitspin_", "__bitspin_", "__VERIFIER_", "__atomic_" };
	enum builtin_policy policy = builtin_policy(name);
	if (policy != POLICY_VM && policy != POLICY_LIBRARY)
		return false;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (begins(name, own[i]))
			return false;
	for (size_t i = 0; i < sizeof safe / sizeof *safe; i++)
		if (is_variant(name, safe[i]))
			return false;
	return true;
}

bool vm_is_signal_unsafe(uint32_t function)
{
	assert(function < vm_this.image.counts[IMAGE_FUNCTIONS]);
	static VM_OWN signed char *known; /* by function: 0 not yet, 1 it is, -1 it is not */
	const struct image *image = &vm_this.image;
	const struct image_function *f = &image->functions[function];
	if (!(f->flags & (FUNCTION_EXTERN | FUNCTION_LIBRARY)) || (f->flags & (FUNCTION_DECLARED | FUNCTION_HAVOC)))
		return false;
	if (!known && !(known = calloc(image->counts[IMAGE_FUNCTIONS], 1)))
		VM_BUG("out of memory");
	if (!known[function])
		known[function] = is_unsafe(image_string(image, f->name)) ? 1 : -1;
	return known[function] > 0;
}

/* ---- what was interrupted ---------------------------------------------------------------------------------------------- */

static bool is_library(const struct vm_frame *frame)
{
	return vm_this.image.functions[frame->function].flags & FUNCTION_LIBRARY;
}

/* Return the number, plus one, of the program's innermost frame under frame number `frame`, which runs a handler; 0 if there is
 * none. */
static uint32_t interrupted_frame(const struct vm_thread *thread, uint32_t frame)
{
	while (frame > 0 && is_library(&thread->frames[frame - 1]) && !vm_is_interrupt(thread->frames[frame - 1].function))
		frame--;
	return frame > 0 && !is_library(&thread->frames[frame - 1]) ? frame : 0;
}

/* Return the function of the C library that the program was in, or before, when the handler of frame number `frame` began;
 * IMAGE_NONE if there is none. */
static uint32_t interrupted_function(const struct vm_thread *thread, uint32_t frame)
{
	uint32_t program = interrupted_frame(thread, frame);
	if (program == 0)
		return IMAGE_NONE;
	if (program < frame)
		return thread->frames[program].function;
	return vm_called_by(thread, &thread->frames[program - 1]);
}

bool vm_interrupts_unsafe_call(const struct vm_thread *thread, uint32_t frame)
{
	if (!vm_is_interrupt(thread->frames[frame].function))
		return false;
	uint32_t function = interrupted_function(thread, frame);
	return function != IMAGE_NONE && vm_is_signal_unsafe(function);
}

/* ---- unsafe calls ------------------------------------------------------------------------------------------------------ */

/* Is a function of the C library called as a handler itself, as exit() may be? */
static bool is_handler(const struct vm_thread *thread)
{
	uint32_t frame = thread->header.frames;
	while (frame > 0 && is_library(&thread->frames[frame - 1]) && !vm_is_interrupt(thread->frames[frame - 1].function))
		frame--;
	return frame > 0 && vm_is_interrupt(thread->frames[frame - 1].function);
}

static const char *name_of(uint32_t function)
{
	return image_string(&vm_this.image, vm_this.image.functions[function].name);
}

static void refuse(const struct vm_thread *thread, uint32_t frame, uint32_t function)
{
	assert(interrupted_frame(thread, frame) > 0);
	const struct vm_frame *caller = &thread->frames[interrupted_frame(thread, frame) - 1];
	const char *interrupted = name_of(interrupted_function(thread, frame));
	uint32_t handler = frame + 1;
	char place[VM_TEXT];
	bool returned = strcmp(name_of(caller->function), "_start") == 0; /* main has, and so exit is called */
	snprintf(place, sizeof place, "%s", returned ? "the end of main" : vm_place_name(vm_insn_at(caller)->location));
	while (handler < thread->header.frames && is_library(&thread->frames[handler]))
		handler++;
	if (handler < thread->header.frames)
		vm_fault(VIOLATION_SIGNAL_UNSAFE_CALL, "the signal handler %s calls %s, and has interrupted %s at %s",
			 name_of(thread->frames[handler].function), name_of(function), interrupted, place);
	else
		vm_fault(VIOLATION_SIGNAL_UNSAFE_CALL, "%s is called as a signal handler, and has interrupted %s at %s",
			 name_of(function), interrupted, place);
}

void vm_check_signal_safety(uint32_t function, bool by_pointer)
{
	const struct vm_thread *thread = vm_this.current;
	if (!vm_has_interrupts() || vm_this.evaluating || !vm_is_signal_unsafe(function))
		return;
	if (vm_this.in_library && !(by_pointer && is_handler(thread)))
		return;
	if (thread->header.escaped)
		vm_fault(VIOLATION_SIGNAL_UNSAFE_CALL,
			 "%s is called, after a signal handler has interrupted a function that is not "
			 "async-signal-safe and has left by a jump",
			 name_of(function));
	for (uint32_t i = thread->header.frames; i > 0; i--)
		if (vm_interrupts_unsafe_call(thread, i - 1)) {
			refuse(thread, i - 1, function);
			break;
		}
	vm_interrupts_note_call();
}
