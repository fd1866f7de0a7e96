/* SPDX-License-Identifier: MIT
 *
 * The memory of the checked program, what may be done with it, and what a step depends on.
 */
#ifndef BITSPIN_MEMORY_H
#define BITSPIN_MEMORY_H

#include "../trace/trace.h"

/* Return the host memory of `size` bytes at `address`, for an access of the running thread: checked for bounds, life time and
 * races, recorded in the open segment, and ready to be changed when the access writes.  No pointer may be written through it:
 * vm_write() and vm_store64() share what a pointer leads to.  It is a violation if a byte that is read is not initialized
 * (shadow.h). ACCESS_WRITE is about to write all bytes, ACCESS_SYNC_WRITE reads them, too. */
uint8_t *vm_access(uint64_t address, uint64_t size, enum vm_access access);

/* Do what vm_access() does, for a caller that needs no more than level `least` of what it reads (state/levels.h). */
uint8_t *vm_access_least(uint64_t address, uint64_t size, enum vm_access access, enum image_level least);

/* Do what vm_access() does to an object of pthread.h, which the function `init` must have initialized. */
uint8_t *vm_access_initialised(uint64_t address, uint64_t size, enum vm_access access, const char *init);

/* Do what vm_access() does, but let bytes be uninitialized: for copying values with their shadows. */
struct vm_bytes {
	uint8_t *bytes;
	uint8_t *shadow; /* NULL: all are set */
};
struct vm_bytes vm_access_bits(uint64_t address, uint64_t size, enum vm_access access);

/* Write bytes and, unless NULL, their shadows. */
void vm_write(uint64_t address, const void *bytes, const void *shadow, uint64_t size, enum vm_access access);
/* Write bytes that come from where offsets are less by `shift`, modulo 8, so that words may have been taken apart (hidden.h). */
void vm_write_moved(uint64_t address, const void *bytes, const void *shadow, uint64_t size, enum vm_access access, uint64_t shift);

/* Check and note an access to memory that it leaves as it is; the bytes may lie in several parts of an object (state/whole.h). */
void vm_access_all(uint64_t address, uint64_t size, enum vm_access access);
/* Set bytes of one part to zero, those that are not known to be zero. */
void vm_set_zero(uint64_t address, uint64_t size);

/* Return the number of bytes from `address` to the end of its object.  It is a violation if there is no object. */
uint64_t vm_room(uint64_t address, enum vm_access access);

/* Mark what `address` points to as reachable by other threads. */
void vm_share(uint64_t address);

/* Does `address` point to an object whose address no other thread can have yet? */
bool vm_is_private(uint64_t address);

/* Return the NUL-terminated string at an address, checked and recorded as read, of which at most `limit` bytes are read.  Its
 * length goes to *length unless `length` is NULL. */
const char *vm_string(uint64_t address, uint64_t limit, uint64_t *length);

/* Do what vm_string() does where the text is only shown: in a search, there may be another character for one that is an input. */
const char *vm_string_shown(uint64_t address, uint64_t limit, uint64_t *length);

/* Do the same with `size` bytes, as vm_access() reads them. */
const uint8_t *vm_bytes_shown(uint64_t address, uint64_t size);

/* Return a string of wide characters, in which `limit` and `length` count; they may not be aligned. */
const uint8_t *vm_wide_string(uint64_t address, uint64_t limit, uint64_t *length);

uint64_t vm_load64(uint64_t address, unsigned bytes, enum vm_access access);
void vm_store64(uint64_t address, unsigned bytes, uint64_t value, enum vm_access access);

/* Make a heap or stack object of the running thread, and return its address.  Its bytes are uninitialized unless `zeroed`. */
uint64_t vm_allocate_heap(uint64_t size, bool zeroed);
uint64_t vm_allocate_stack(uint64_t size, bool escapes);
void vm_free(uint64_t address);

/* Forget which numbers were free and unnamed earlier in the step. */
void vm_look_again(void);

/* Let the block of the `order`-th variable of the running thread's top frame be entered, or be left. */
void vm_begin_local(uint32_t order);
void vm_end_local(uint32_t order);

/* End the life of those stack objects of the frame `depth` of a thread whose order is at least `order`.  vm_release_locals: end the
 * life of all stack objects and thread-local variables of a thread that ends. */
void vm_release_stack(struct vm_thread *thread, uint32_t depth, uint32_t order);
uint32_t vm_stack_order(struct vm_thread *thread);
void vm_release_locals(struct vm_thread *thread);

/* Let the step be inconclusive if variables of older frames have been given up: the running thread has recursed so deep that only
 * whether its stack overflows can still be found out (memory.c).  Call this before anything else that could need them. */
void vm_check_remembered(void);

/* Clear those stack objects of a thread that has come to rest which the thread cannot read again. */
void vm_forget_dead(struct vm_thread *thread);

/* Report heap objects that nothing refers to (leak.c), at the end of the program, whose state is not needed any more. */
void vm_check_leaks(void);

/* Note in a replay, for the report of a leak, that a pointer has been overwritten; that those in an object are about to go with
 * it. */
void vm_note_overwritten(uint64_t where, uint64_t pointer);
void vm_note_bytes_gone(const struct vm_object *object, const char *how);

/* Report the violation that the program depends on an uninitialized value; the text says for people what depends on it.  Return if
 * the user has suppressed the violation; then such bits are 0. */
void vm_refuse_unset(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Remember, for the message of a replay, where the running thread got an uninitialized value: from memory at `address`, or, if that
 * is 0, from the variable `symbol`, which may be IMAGE_NONE. */
void vm_shadow_note(uint64_t address, uint32_t symbol);

/* Are the bytes of `a` and `b` equal, for a compare-and-exchange?  The bits that are initialized on both sides decide, because
 * structures have padding; a side of which nothing is initialized is an error. */
bool vm_equal(struct vm_bytes a, struct vm_bytes b, uint64_t size);

/* Report the violation that a thread needs more stack than it has. */
_Noreturn void vm_stack_overflow(const struct vm_thread *thread);

/* ---- what properties read ------------------------------------------------------------------------------------------- */

/* Note that properties may read these bytes of a global variable in some state; object IMAGE_NONE: any memory that threads
 * share. */
void vm_property_reads_range(const struct vm_range *range);

/* Note that a property reads these bytes of shared memory in the working state.  vm_watches: does a property read any of these
 * bytes? */
void vm_watch(uint32_t object, uint32_t low, uint32_t high);
bool vm_watches(uint32_t object, uint64_t low, uint64_t high);

/* May a property read any of these bytes in some state?  vm_property_may_read_bytes: of an object that threads share.
 * vm_property_reads: does any property read memory at all (proposition.c)? */
bool vm_property_may_read(uint64_t address, uint64_t size);
bool vm_property_may_read_bytes(uint32_t object, uint64_t low, uint64_t high);
bool vm_property_reads(void);

/* Does any property ask whether the thread in `slot` is in `function`, at `label` (NULL: any), or done, so that a change must be
 * visible? */
bool vm_asks_in(uint32_t function, unsigned slot);
bool vm_asks_at(const char *label, unsigned slot);
bool vm_asks_done(unsigned slot);

/* ---- what a step depends on (footprint.c) -------------------------------------------------------------------------- */

/* Things that are no bytes of memory but that steps can depend on, as object numbers. */
enum {
	FOOTPRINT_THREAD = IMAGE_END_DYNAMIC,      /* + slot: its life and end; in byte 1, who joins it, or that nobody does */
	FOOTPRINT_SLOTS = IMAGE_END_DYNAMIC + 512, /* which slots are free, a byte each */
	FOOTPRINT_TOTAL,                           /* the order of seq_cst fences and accesses (messages.h) */
	FOOTPRINT_BUFFERS,                         /* which stores wait in buffers (buffers.h), a byte for each thread */
	FOOTPRINT_PROPOSITIONS,                    /* what properties may read */
};

/* Note that the step under way touches bytes [low, high) of an object, or one of the things above. */
void vm_footprint_add(uint32_t object, uint32_t low, uint32_t high, bool write);
void vm_footprint_add_thread(unsigned slot);
/* Note that the step under way creates, joins or detaches the thread in `slot`; without `life`, it only detaches the thread, which
 * nobody notices but who joins it. */
void vm_footprint_add_handle(unsigned slot, bool life);
/* Note that the step under way may change what a property says: it writes to what the property has read, or changes where a thread
 * is that the property is about.  Such steps depend on one another. */
void vm_footprint_add_proposition(void);
/* Note that the step under way writes shared memory.  A write to memory that properties read (`watched`) depends on all such
 * writes, because it may change what they will read. */
void vm_footprint_add_written(bool watched);

/* ---- races (race.c) ------------------------------------------------------------------------------------------------ */

/* Does no other thread run? */
bool vm_race_alone(void);

/* Check the running thread's access to bytes [low, high) of an object: report a race with another thread's open segment, and add a
 * plain access to the own segment. */
void vm_race_access(uint32_t object, uint32_t low, uint32_t high, enum vm_access access);
/* Note an access to private memory, in a program with records. */
void vm_race_private(uint32_t object, uint32_t low, uint32_t high, enum vm_access access);

/* Report a race of accesses of other threads with the end of a variable of `size` bytes in the running thread, if they are not
 * ordered before it.  `stays`: the object will be that of the variable when its block is entered again, so a later access does not
 * find it gone; then the end counts as a write. */
void vm_race_end(uint32_t object, uint32_t size, bool stays);

/* Close the open segment of the running thread, because it synchronizes. */
void vm_race_synchronise(struct vm_thread *thread);

#endif
