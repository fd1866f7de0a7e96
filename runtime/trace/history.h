/* SPDX-License-Identifier: MIT
 *
 * What is remembered while a trail is replayed, so that the report of a violation can say what led to it.  A search forgets it
 * at once: nothing here is part of a state, and no verdict depends on it.
 */
#ifndef BITSPIN_HISTORY_H
#define BITSPIN_HISTORY_H

#include "trace.h"

struct vm_stack_frame {
	uint32_t function, location;
};

/* Where a thread has left a function. */
struct vm_left {
	bool known;
	uint32_t function; /* IMAGE_NONE: the thread has ended */
	uint32_t location; /* 0: unknown */
	unsigned slot, step;
	uint64_t event; /* vm_events_taken() then */
};

/* What is remembered of a dynamic object. */
struct vm_past {
	uint32_t symbol;                 /* stack: the variable, or IMAGE_NONE */
	uint32_t type;                   /* heap: the type by a pointer of the program, 0 if no pointer has told yet */
	uint32_t allocated_at, freed_at; /* heap: locations, 0 if unknown */
	unsigned allocated_by, freed_by; /* threads */
	uint32_t unit;                   /* heap: bytes of each element, if calloc() has made several; else 0 */
	uint32_t nth;                    /* heap: number among the objects allocated at this place, from 1 */
	struct vm_stack_frame *stack;    /* heap: the stack of the allocating thread at that time */
	uint32_t frames;                 /* heap: frames of that stack */
	uint32_t lost_at;                /* heap: where the last pointer to the object in memory was lost, 0: none was */
	unsigned lost_by;                /* heap: the thread that lost that pointer */
	char *lost;                      /* heap: how that pointer was lost, as in "`list` is overwritten" */
	char *name;                      /* heap: the name, after the first variable that held the address; NULL: none has */
	bool weak;                       /* heap: that variable was no typed pointer, so a better name may replace this one */
	bool told;                       /* heap: the name has been shown, so that it stays */
	struct vm_left left;             /* stack: where the function returned that had the variable */
};

/* Return what is remembered of the object with this number, which may be gone; NULL in a search. */
struct vm_past *vm_past_of(uint32_t number);

/* Return what became of an object that is gone, as " (...)", or "" if that is not known. */
const char *vm_fate(uint32_t number);

/* Note that the running thread has freed an object; that it accesses bytes of one that are not those of a lock or an atomic
 * variable. */
void vm_note_free(uint32_t number);
void vm_note_left(uint32_t number); /* its function returns */
void vm_note_access(const struct vm_range *range);

/* Where an access was made. */
struct vm_noted {
	uint32_t location; /* 0: unknown */
	unsigned slot;
	bool is_volatile;                   /* the access was volatile and not atomic */
	const struct vm_stack_frame *stack; /* the thread's stack at that time, innermost frame first */
	uint32_t frames;
	unsigned step;
	uint64_t event; /* vm_events_taken() then */
};

/* Return the latest access of a thread to bytes of `range`, a write or a read as `range` says, made at `location` if that is not
 * 0. */
struct vm_noted vm_noted_access(unsigned slot, const struct vm_range *range, uint32_t location);

/* Set *address to the next lock that a thread holds; *next is 0 at first.  Return false if there are no more. */
bool vm_next_lock_of(unsigned slot, unsigned *next, uint64_t *address);

/* Return the stack of a thread, innermost frame first, for the caller to free; NULL if it has none. */
struct vm_stack_frame *vm_stack(const struct vm_thread *thread, uint32_t *frames);

/* Note that nothing in memory points to an object any more, because the running thread has just overwritten, freed or left the
 * pointer. */
void vm_note_lost(uint32_t number, const char *place, const char *how);

/* Note which object's leak is being reported.  vm_noted_leak: return what is remembered of the object, NULL if nothing is. */
void vm_note_leak(uint32_t number);
const struct vm_past *vm_noted_leak(void);

/* Note that an access to a variable of a function that has returned is being reported.  vm_noted_left: return where it has; NULL if
 * nothing is known of it. */
void vm_note_dead(uint32_t number);
const struct vm_past *vm_noted_dead(void);

/* Note the other access of the race that is being reported.  vm_noted_race: return it; NULL if there is none. */
void vm_note_race(const struct vm_noted *other);
const struct vm_noted *vm_noted_race(void);

/* Return the instruction that the running thread is at; NULL if there is none. */
const struct image_insn *vm_instruction(void);

/* Is the access that the running thread is about to make volatile, and not atomic? */
bool vm_is_volatile(void);

/* Name memory from malloc after the first variable or member of a pointer type that its address was stored to (not void * or
 * char *, if there is another): pool#1, pool#2, ...; list.head#1; slots[]#1 is the first that an element of the array `slots` held.
 *
 * vm_note_pointer: its address gets into a variable of this name and type; vm_note_stored: it is stored somewhere in memory.
 * vm_name_of_block: the name; without one "the block allocated at FILE:LINE". */
void vm_note_pointer(uint64_t address, uint32_t type, const char *holder);
void vm_note_stored(uint64_t where, uint64_t address);
const char *vm_name_of_block(uint32_t number);

/* Return a location as "FILE:LINE", without directories. */
const char *vm_place_name(uint32_t location);

/* Return a size as text: "8 bytes", or if it looks negative, "-1 bytes (18446744073709551615 unsigned)". */
const char *vm_byte_count(uint64_t size);

/* Return a static buffer of VM_TEXT bytes, which is used again after 64 calls. */
#define VM_TEXT 200
char *vm_text(void);

#endif
