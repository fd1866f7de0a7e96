/* SPDX-License-Identifier: MIT
 *
 * What a story is made of: events, and the names of what they are about.  Events are wanted only while a trail is replayed.
 */
#ifndef BITSPIN_TRACE_H
#define BITSPIN_TRACE_H

#include "../state/state.h"

enum vm_action {
#define ACTION(name, text) ACTION_##name,
#include "action.def"
#undef ACTION
	VM_ACTIONS
};

extern bool vm_tracing; /* replay: events are wanted */

/* Something happens in the step under way.  What is said of it is not even made up unless it is wanted. */
#define vm_event(action, ...) vm_event_about(action, NULL, __VA_ARGS__)

/* What an event is about, for programs that read the report; see bitspin_vm.h.  What is 0 is not told. */
struct vm_about {
	uint64_t address; /* of the object */
	const char *name; /* what it is called; NULL: as vm_describe() has it */
	uint64_t bytes;   /* of it that are accessed */
	const char *value;
	bool reads, writes;     /* writes: the object is changed, a lock is taken */
	uint64_t releases;      /* address of a mutex that a wait gives back */
	const uint8_t *threads; /* slots of those that are created, joined, woken */
	unsigned nthreads;
};
#define VM_ABOUT(...)    (&(const struct vm_about){ __VA_ARGS__ })
#define VM_ABOUT_SLOT(n) .threads = (const uint8_t[]){ (uint8_t)(n) }, .nthreads = 1

#define vm_event_about(...) (vm_tracing ? vm_event_tell(__VA_ARGS__) : (void)0)
void vm_event_tell(enum vm_action action, const struct vm_about *about, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* An access to `bytes` of shared memory; `old`: what was there before a write, NULL if nobody knows.  `bytes` is 0: to `value` of
 * them. */
void vm_event_access(enum vm_action action, uint64_t address, unsigned bytes, uint64_t value, const uint64_t *old);
void vm_event_allocate(uint64_t address, uint64_t size);
/* ... elsewhere than where the running thread is. */
void vm_event_of(enum vm_action action, uint32_t location, const struct vm_thread *thread, const struct vm_about *about,
		 const char *detail);
void vm_output(const char *text, size_t length);
/* What happens here rests on an assumption, which the report must name with the place; it is reported once. */
void vm_report_assumption(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* In replay: remember which variable a stack object is. */
void vm_name_stack(uint64_t address, uint32_t symbol);
void vm_name_heap(uint64_t address);                /* ... and where a heap object comes from */
void vm_note_unit(uint64_t address, uint64_t unit); /* ... of elements of so many bytes */

/* In replay: remember that a lock is locked here, and who can say whether a thread still holds it; where it was, 0 if unknown. */
typedef bool vm_held_by(uint64_t address, unsigned slot);
void vm_note_lock(uint64_t address, vm_held_by *holds);
uint32_t vm_locked_at(uint64_t address);

/* "name.field[3]", or what is known of an address that has no name; in a static buffer of vm_text(). */
const char *vm_describe(uint64_t address);
/* What the object that an address lies in is called; and, if it is not the object's own, the address. */
const char *vm_describe_object(uint64_t address);
const char *vm_describe_whole(uint64_t address);

/* Bytes of the scalar at an address, at most 8; 0 if its type is not known. */
unsigned vm_scalar_size(uint64_t address);

/* A value of up to 8 bytes as the type of what lies at the address has it. */
const char *vm_describe_value(uint64_t address, unsigned bytes, uint64_t value);

/* "x = 5": what is at an address and the value read or written there; more than 8 bytes are read from memory. */
const char *vm_describe_access(uint64_t address, unsigned bytes, uint64_t value, const uint64_t *old, bool writes);

#endif
