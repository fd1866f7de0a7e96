/* SPDX-License-Identifier: MIT
 *
 * The memory of the checked program, what may be done with it, and what a step depends on.
 */
#ifndef BITSPIN_MEMORY_H
#define BITSPIN_MEMORY_H

#include "../trace/trace.h"

/* The host memory of `size` bytes at `address` for the running thread, checked for bounds, life time and races, recorded
 * in its open segment, and ready to be changed when the access writes.  No pointer may be written through it: vm_write()
 * and vm_store64() share what a pointer leads to.
 * A violation if a byte that is read is not set (shadow.h); ACCESS_WRITE is about to write them all, ACCESS_SYNC_WRITE reads
 * them, too. */
uint8_t *vm_access(uint64_t address, uint64_t size, enum vm_access access);

/* The same; of what is read nothing more is needed than this level has (state/levels.h). */
uint8_t *vm_access_least(uint64_t address, uint64_t size, enum vm_access access, enum image_level least);

/* The same of an object of pthread.h that must be set up by `init` first. */
uint8_t *vm_access_initialised(uint64_t address, uint64_t size, enum vm_access access, const char *init);

/* The same without regard to what is set: for who copies values with their shadows. */
struct vm_bytes {
	uint8_t *bytes;
	uint8_t *shadow; /* NULL: all are set */
};
struct vm_bytes vm_access_bits(uint64_t address, uint64_t size, enum vm_access access);

/* Write bytes and, unless NULL, their shadows. */
void vm_write(uint64_t address, const void *bytes, const void *shadow, uint64_t size, enum vm_access access);
/* The same, from where offsets are less by `shift`, modulo 8, so that words may have been taken apart (hidden.h). */
void vm_write_moved(uint64_t address, const void *bytes, const void *shadow, uint64_t size, enum vm_access access, uint64_t shift);

/* Bytes from `address` to the end of its object; a violation if there is none. */
uint64_t vm_room(uint64_t address, enum vm_access access);

/* Mark what `address` points to as reachable by other threads. */
void vm_share(uint64_t address);

/* Is it the address of an object that no other thread can have yet? */
bool vm_is_private(uint64_t address);

/* The NUL-terminated string at an address, checked and recorded as read; its length in *length unless NULL.  Reads at
 * most `limit` bytes. */
const char *vm_string(uint64_t address, uint64_t limit, uint64_t *length);
/* The same of wide characters, in which `limit` and `length` count; they may not be aligned. */
const uint8_t *vm_wide_string(uint64_t address, uint64_t limit, uint64_t *length);

uint64_t vm_load64(uint64_t address, unsigned bytes, enum vm_access access);
void vm_store64(uint64_t address, unsigned bytes, uint64_t value, enum vm_access access);

/* New heap or stack object of the running thread; its address.  Its bytes are not set, unless they are to be `zeroed`. */
uint64_t vm_allocate_heap(uint64_t size, bool zeroed);
uint64_t vm_allocate_stack(uint64_t size, bool escapes);
void vm_free(uint64_t address);

/* Forget which numbers were free and unnamed earlier in the step. */
void vm_look_again(void);

/* The block of a variable of the running thread's top frame, the `order`-th one, is entered or left. */
void vm_begin_local(uint32_t order);
void vm_end_local(uint32_t order);

/* End of life of the stack objects of the frame `depth` of a thread whose order is at least `order`. */
void vm_release_stack(struct vm_thread *thread, uint32_t depth, uint32_t order);
uint32_t vm_stack_order(struct vm_thread *thread);
void vm_release_locals(struct vm_thread *thread); /* and of its thread-local variables: it ends */

/* The running thread has recursed so deep that variables of its older frames have been given up, to see whether its stack
 * will be full (memory.c).  Before anything else that could need them: the step is inconclusive if there are such. */
void vm_check_remembered(void);

/* Clear the stack objects of a thread that has come to rest which it cannot read again. */
void vm_forget_dead(struct vm_thread *thread);

/* At the end of the program, whose state is not needed any more: report heap objects that nothing refers to (leak.c). */
void vm_check_leaks(void);

/* In replay, for the report of a leak: a pointer has been overwritten; those in an object are about to go with it. */
void vm_note_overwritten(uint64_t where, uint64_t pointer);
void vm_note_bytes_gone(const struct vm_object *object, const char *how);

/* The program depends on an uninitialised value, which is a violation: `what` it is that depends on it, for people.  Returns where
 * the user has suppressed it; then such bits are 0. */
void vm_refuse_unset(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Remember, for a replay's message, where the running thread got an uninitialised value: from memory, or (address 0) from the
 * variable `symbol`, or IMAGE_NONE. */
void vm_shadow_note(uint64_t address, uint32_t symbol);

/* Are these bytes equal, for a compare-and-exchange?  Of structures with padding, the bits that are set on both sides
 * decide; a side of which nothing is set is an error. */
bool vm_equal(struct vm_bytes a, struct vm_bytes b, uint64_t size);

/* The violation when a thread needs more stack than it has. */
_Noreturn void vm_stack_overflow(const struct vm_thread *thread);

/* ---- what properties read ------------------------------------------------------------------------------------------- */

/* Properties may read these bytes of a global variable in some state; `object` IMAGE_NONE: or any memory that threads share. */
void vm_property_reads_range(const struct vm_range *range);

/* A property reads these bytes of shared memory in the state at hand; and does one read any of these? */
void vm_watch(uint32_t object, uint32_t low, uint32_t high);
bool vm_watches(uint32_t object, uint64_t low, uint64_t high);

/* May a property read any of these bytes, in whatever state; and does any property read memory at all (proposition.c)? */
bool vm_property_may_read(uint64_t address, uint64_t size);
bool vm_property_may_read_bytes(uint32_t object, uint64_t low, uint64_t high); /* the same, of an object that threads share */
bool vm_property_reads(void);

/* Does any property ask whether this thread is in the function, at the label (NULL: any), or done?  Then it must see when that
 * changes. */
bool vm_asks_in(uint32_t function, unsigned slot);
bool vm_asks_at(const char *label, unsigned slot);
bool vm_asks_done(unsigned slot);

/* ---- what a step depends on (footprint.c) -------------------------------------------------------------------------- */

/* Things that are no bytes of memory but that steps can depend on, as object numbers. */
enum {
	FOOTPRINT_THREAD = IMAGE_END_DYNAMIC,      /* + slot: its life and end */
	FOOTPRINT_SLOTS = IMAGE_END_DYNAMIC + 512, /* which slots are free, a byte each */
	FOOTPRINT_PROPOSITIONS,                    /* what properties may read */
};

/* The step under way touches bytes [low, high) of an object, or one of the things above. */
void vm_footprint_add(uint32_t object, uint32_t low, uint32_t high, bool write);
void vm_footprint_add_thread(unsigned slot);
/* ... may change what a property says: writes to what it has read (which is all that could change what it will read); and,
 * when it is about threads, where they are.  Such steps depend on one another; the former on all writes to shared memory. */
void vm_footprint_add_proposition(void);
void vm_footprint_add_written(bool watched); /* shared memory; do properties read it? */

/* ---- races (race.c) ------------------------------------------------------------------------------------------------ */

/* The running thread accesses bytes [low, high) of an object: report a race with another thread's open segment, and add
 * plain accesses to its own. */
void vm_race_access(uint32_t object, uint32_t low, uint32_t high, enum vm_access access);

/* The running thread ends a variable of so many bytes: a race with accesses of other threads that are not ordered before.  `stays`:
 * the object will be that of the variable when its block is entered again, so that who accesses it later does not find it gone; it
 * counts as written then. */
void vm_race_end(uint32_t object, uint32_t size, bool stays);

/* The running thread synchronises: its segment closes. */
void vm_race_synchronise(struct vm_thread *thread);

#endif
