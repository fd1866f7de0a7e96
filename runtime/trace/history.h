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

/* of a dynamic object */
struct vm_past {
	uint32_t symbol;                 /* stack: its variable, or IMAGE_NONE */
	uint32_t type;                   /* heap: what a pointer of the program says it is, 0 if none has yet */
	uint32_t allocated_at, freed_at; /* heap: locations, 0 if unknown */
	unsigned allocated_by, freed_by; /* threads */
	uint32_t unit;                   /* heap: bytes of each element, if calloc() has made several; else 0 */
	uint32_t nth;                    /* heap: of those allocated at this place, from 1 */
	struct vm_stack_frame *stack;    /* heap: of the thread that allocated it, then */
	uint32_t frames;                 /* ... */
	uint32_t lost_at;                /* heap: where the last place in memory that pointed to it went, 0: none has */
	unsigned lost_by;                /* ... thread ... */
	char *lost;                      /* ... "`list` is overwritten" */
	char *name;                      /* heap: after the first variable that held its address; NULL: none has */
	bool weak;                       /* heap: that was no typed pointer, so that a better name may replace this one ... */
	bool told;                       /* ... until somebody has been told of it */
};

/* What is remembered of the object with this number, or was, if it is gone; NULL in a search. */
struct vm_past *vm_past_of(uint32_t number);

/* " (...)": what became of an object that is gone, if that is known; else "". */
const char *vm_fate(uint32_t number);

/* The running thread has freed an object, or accesses bytes [low, high) of one outside of any lock's or atomic's own. */
void vm_note_free(uint32_t number);
void vm_note_access(const struct vm_range *range);

/* Where an access was made. */
struct vm_noted {
	uint32_t location; /* 0: unknown */
	unsigned slot;
	bool is_volatile;                   /* and not atomic */
	const struct vm_stack_frame *stack; /* of the thread then, innermost first */
	uint32_t frames;
};

/* The latest of a thread's accesses that meet [low, high), to write or to read; if `location` is not 0, of those made there. */
struct vm_noted vm_noted_access(unsigned slot, const struct vm_range *range, uint32_t location);

/* The locks that a thread holds, one at a call; *next is 0 at first.  False: there are no more. */
bool vm_next_lock_of(unsigned slot, unsigned *next, uint64_t *address);

/* The stack of a thread, innermost frame first, to be freed; NULL if it has none. */
struct vm_stack_frame *vm_stack(const struct vm_thread *thread, uint32_t *frames);

/* Nothing in memory points to the object any more: the running thread has just overwritten, freed or left what did. */
void vm_note_lost(uint32_t number, const char *place, const char *how);

/* The object whose leak is being reported; what is remembered of it, NULL if nothing. */
void vm_note_leak(uint32_t number);
const struct vm_past *vm_noted_leak(void);

/* The other access of the race that is being reported; where it was. */
void vm_note_race(const struct vm_noted *other);
const struct vm_noted *vm_noted_race(void); /* NULL: there is none */

/* The instruction that the running thread is at; NULL if there is none. */
const struct image_insn *vm_instruction(void);

/* Is the access that the running thread is about to make volatile, and not atomic? */
bool vm_is_volatile(void);

/* Memory from malloc is called after the first variable or member of a pointer type that its address was stored to (not void * or
 * char *, if there is another): pool#1, pool#2, ...; list.head#1; slots[]#1 is the first that an element of the array `slots` held.
 *
 * vm_note_pointer: its address gets into a variable of this name and type; vm_note_stored: it is stored somewhere in memory.
 * vm_name_of_block: the name; without one "the block allocated at FILE:LINE". */
void vm_note_pointer(uint64_t address, uint32_t type, const char *holder);
void vm_note_stored(uint64_t where, uint64_t address);
const char *vm_name_of_block(uint32_t number);

/* "FILE:LINE", without directories. */
const char *vm_place_name(uint32_t location);

/* "8 bytes", and of a number that would be negative "-1 bytes (18446744073709551615 unsigned)". */
const char *vm_byte_count(uint64_t size);

/* A static buffer of VM_TEXT bytes, of its own for each of 64 calls. */
#define VM_TEXT 200
char *vm_text(void);

#endif
