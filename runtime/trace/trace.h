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

extern bool vm_tracing; /* a replay is under way, so that events are wanted */

/* Tell an event of the step under way.  The arguments are not evaluated unless events are wanted. */
#define vm_event(action, ...) vm_event_about(action, NULL, __VA_ARGS__)

/* What an event is about, for programs that read the report (bitspin_vm.h).  Fields that are 0 are not told. */
struct vm_about {
	uint64_t address; /* of the object */
	const char *name; /* of the object; NULL: as vm_describe() has it */
	uint64_t bytes;   /* how many bytes of the object are accessed */
	const char *value;
	bool reads, writes;     /* writes: the object is changed, a lock is taken */
	bool stale;             /* another value of the object is newer (memory/messages.h) */
	const uint32_t *stores; /* of an atomic access: the steps of stores in modification order (memory/causes.h) */
	uint32_t nstores;
	const uint32_t
		*waiting; /* the steps of stores that wait in buffers and are not seen, or of the one that leaves its buffer */
	uint32_t nwaiting;
	bool input;             /* it chooses an input of the program, of which all values count */
	uint64_t releases;      /* address of a mutex that a wait gives back */
	const uint8_t *threads; /* slots of threads that are created, joined or woken */
	unsigned nthreads;
};
#define VM_ABOUT(...)    (&(const struct vm_about){ __VA_ARGS__ })
#define VM_ABOUT_SLOT(n) .threads = (const uint8_t[]){ (uint8_t)(n) }, .nthreads = 1

#define vm_event_about(...) (vm_tracing ? vm_event_tell(__VA_ARGS__) : (void)0)
void vm_event_tell(enum vm_action action, const struct vm_about *about, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Tell an access to `bytes` of shared memory, or if that is 0, to `value` bytes.  `old` is what was there before a write, NULL if
 * that is not known. */
void vm_event_access(enum vm_action action, uint64_t address, unsigned bytes, uint64_t value, const uint64_t *old);
/* The same of an atomic access, with the stores of struct vm_about. */
void vm_event_met(enum vm_action action, uint64_t address, unsigned bytes, uint64_t value, const uint64_t *old,
		  const uint32_t *stores, uint32_t nstores);
void vm_event_allocate(uint64_t address, uint64_t size);
/* Return how many events there were so far, with an allocation that waits for its name. */
uint64_t vm_events_taken(void);
/* Tell an event that happens elsewhere than where the running thread is. */
void vm_event_of(enum vm_action action, uint32_t location, const struct vm_thread *thread, const struct vm_about *about,
		 const char *detail);
void vm_output(const char *text, size_t length);
/* Report, once, an assumption on which what happens here rests; the report names it with the place. */
void vm_report_assumption(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Remember in a replay which variable a stack object is; where a heap object comes from; that a heap object has elements of `unit`
 * bytes. */
void vm_name_stack(uint64_t address, uint32_t symbol);
void vm_name_heap(uint64_t address);
void vm_note_unit(uint64_t address, uint64_t unit);

/* Remember in a replay that a lock is locked here, and the function that tells whether a thread still holds it.  vm_locked_at:
 * return the location where the lock was locked, 0 if unknown. */
typedef bool vm_held_by(uint64_t address, unsigned slot);
void vm_note_lock(uint64_t address, vm_held_by *holds);
uint32_t vm_locked_at(uint64_t address);

/* Return the name of what is at an address, as in "name.field[3]", or what is known of it, in a buffer of vm_text(). */
const char *vm_describe(uint64_t address);
/* Return the name of the object in which an address lies.  vm_describe_whole: with the address, if it is not that of the object. */
const char *vm_describe_object(uint64_t address);
const char *vm_describe_whole(uint64_t address);

/* Return the bytes of the scalar at an address, at most 8; 0 if its type is not known. */
unsigned vm_scalar_size(uint64_t address);

/* Return a value of up to 8 bytes as text, as the type of what lies at the address shows it. */
const char *vm_describe_value(uint64_t address, unsigned bytes, uint64_t value);

/* Return "x = 5": the name of what is at an address, and the value read or written there; more than 8 bytes are read from
 * memory. */
const char *vm_describe_access(uint64_t address, unsigned bytes, uint64_t value, const uint64_t *old, bool writes);

#endif
