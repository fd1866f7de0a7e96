/* SPDX-License-Identifier: MIT
 *
 * How a step ends before its time: the functions that leave through vm_this.escape and say why in vm_this.ending.
 */
#include "state.h"
#include "suppress.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note_end(enum vm_end end)
{
	vm_this.ending.end = end;
	vm_this.ending.location = vm_this.location;
	vm_this.ending.slot = vm_this.current ? vm_this.current->slot : 0;
}

static _Noreturn void escape(enum vm_end end)
{
	assert(vm_this.stepping); /* else vm_this.escape leads nowhere */
	note_end(end);
	longjmp(vm_this.escape, 1);
}

/* Say of the ending that the user's property cannot be evaluated.  The place is where the program is. */
static void blame_property(void)
{
	const struct image_property *property = vm_this.evaluating;
	char what[sizeof vm_this.ending.message];
	memcpy(what, vm_this.ending.message, sizeof what);
	vm_this.ending.kind = property->kind == PROPERTY_INVARIANT || property->part ? VIOLATION_INVARIANT : VIOLATION_LTL;
	if (property < vm_this.image.properties || property >= vm_this.image.properties + vm_this.image.counts[IMAGE_PROPERTIES])
		return; /* an abstraction, which is blamed where it fails (view.c) */
	vm_this.location = vm_this.watch.written;
	snprintf(vm_this.ending.message, sizeof vm_this.ending.message, "%s cannot be evaluated: %.400s",
		 image_string(&vm_this.image, property->text), what);
}

static _Noreturn void violate(enum vm_violation_kind kind)
{
	assert(kind < VM_VIOLATIONS);
	if (!vm_this.stepping)
		VM_BUG("%s outside of a step", vm_this.ending.message);
	vm_this.ending.kind = kind;
	if (vm_this.evaluating)
		blame_property();
	escape(END_VIOLATION);
}

/* Is the fault one that the user does not want to hear of?  A property that goes wrong is not the program's fault. */
static bool is_suppressed(enum vm_violation_kind kind, bool ends)
{
	if (vm_this.image.counts[IMAGE_SUPPRESSIONS] == 0 || vm_this.evaluating || !vm_this.stepping || !vm_this.current)
		return false;
	uint32_t suppression = vm_suppression_of(kind, vm_this.current, vm_this.location);
	if (suppression == IMAGE_NONE)
		return false;
	vm_suppressed(kind, suppression, vm_this.current, vm_this.location, ends);
	return true;
}

_Noreturn void vm_violation(enum vm_violation_kind kind, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(vm_this.ending.message, sizeof vm_this.ending.message, format, arguments);
	va_end(arguments);
	if (vm_this.doom && kind != VIOLATION_DATA_RACE && is_suppressed(kind, true)) {
		vm_this.ending.kind = kind;
		longjmp(*vm_this.doom, 1);
	}
	violate(kind);
}

void vm_fault(enum vm_violation_kind kind, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(vm_this.ending.message, sizeof vm_this.ending.message, format, arguments);
	va_end(arguments);
	if (!is_suppressed(kind, false))
		violate(kind);
}

_Noreturn void vm_die(void)
{
	escape(END_DEATH);
}

_Noreturn void vm_split(void)
{
	escape(END_SPLIT);
}

_Noreturn void vm_prune(void)
{
	escape(END_PRUNED);
}

_Noreturn void vm_exit(int status)
{
	vm_met_end(status);
	escape(END_PROGRAM);
}

static _Noreturn void say_and_exit(enum vm_limit limit, const char *reason, uint32_t location)
{
	(void)limit;
	(void)location;
	fprintf(stderr, "bitspin: %s\n", reason);
	exit(2);
}

VM_SHARED void (*vm_give_up)(enum vm_limit limit, const char *reason, uint32_t location) = say_and_exit;

_Noreturn void vm_inconclusive(enum vm_limit limit, const char *format, ...)
{
	assert(limit < VM_LIMITS);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(vm_this.ending.message, sizeof vm_this.ending.message, format, arguments);
	va_end(arguments);
	if (!vm_this.stepping) { /* nothing to go back to */
		vm_give_up(limit, vm_this.ending.message, 0);
		abort();
	}
	vm_this.ending.limit = limit;
	escape(END_INCONCLUSIVE);
}

void vm_cut_after(enum vm_limit limit, const char *reason)
{
	assert(limit < VM_LIMITS && !vm_this.stepping);
	snprintf(vm_this.ending.message, sizeof vm_this.ending.message, "%s", reason);
	vm_this.ending.limit = limit;
	note_end(END_INCONCLUSIVE);
}

_Noreturn void vm_bug(const char *file, int line, const char *format, ...)
{
	va_list arguments;
	fprintf(stderr, "bitspin: bug at %s:%d: ", file, line);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	abort();
}
