/* SPDX-License-Identifier: MIT
 *
 * Symmetric threads (search/reduce/sort_threads.c has the argument): while the reduction is on, the VM does not know which of
 * main's threads is which.  What could tell it calls these functions; then the search is over, and begins again without the
 * reduction.
 */
#ifndef BITSPIN_SYMMETRY_H
#define BITSPIN_SYMMETRY_H

#include "state.h"

enum { SYMMETRIC_SLOTS = 64 }; /* a word is a set of slots, so there are no more */

static inline bool vm_is_symmetric(void)
{
	return vm_reduces(REDUCTION_SYMMETRY);
}

/* Begin or end steps of the program as it is, with threads that are not sorted, along a path of sorted states.
 * vm_symmetry_joins_all: does main join all threads that it has created, one after the other, if it joins one? */
void vm_symmetry_retraces(bool on);
bool vm_symmetry_joins_all(void);

/* Return the slot of the thread whose object, dead or alive, a word names, with a tag or without; 0 if the object is main's, or if
 * the word names none.  Many numbers look like addresses, so a word counts only near existing objects. */
unsigned vm_symmetry_named(uint64_t word);

/* Does sorting threads rename `address`? */
static inline bool vm_symmetry_renames(uint64_t address)
{
	return vm_is_symmetric() && vm_symmetry_named(address);
}

/* Note what a thread rests with for the first time. */
void vm_symmetry_born(const struct vm_thread *thread);

/* Have two slots had threads that first rested alike, so that exchanges may make states equal? */
bool vm_symmetry_is_of_use(void);

/* End the search, because the step tells threads apart. */
_Noreturn void vm_symmetry_ends(const char *why);

/* Does the object hold nothing but handles of threads? */
bool vm_keeps_handles(uint32_t object);

/* Check an access of the running thread to an object that threads share: only main may access one that holds handles. */
static inline void vm_symmetry_touches(uint32_t object)
{
	if (vm_is_symmetric() && vm_this.current->slot != 0 && vm_keeps_handles(object))
		vm_symmetry_ends("a thread other than main accesses what keeps handles");
}

/* Are addresses of such objects followed through memory?  Not where properties look at it. */
static inline bool vm_symmetry_follows(void)
{
	return vm_this.image.counts[IMAGE_PROPERTIES] == 0;
}

/* Check a word that goes where sorting threads could not rename it: it must name no such object. */
static inline void vm_symmetry_hides(uint64_t word)
{
	if (vm_symmetry_renames(word))
		vm_symmetry_ends("the address of a variable or of memory of a thread is stored or computed with");
}

/* Note that a thread holds the lock at `address`, which then names the slot of the thread.  vm_symmetry_reads: check bytes that the
 * program reads other than by calls for locks: no such slot may be in them. */
void vm_symmetry_locks(uint64_t address, uint32_t size);
void vm_symmetry_reads(uint32_t object, uint64_t low, uint64_t high);

/* Forget the locks that were noted.  In a replay, steps are taken twice, and the second begins where the first began. */
void vm_symmetry_forget_locks(void);

/* Begin to take steps that have been taken before, or end that: they tell nothing new, and may come before what made a lock. */
void vm_symmetry_repeats(bool on);

/* Check bytes [low, high) of an object that are accessed: a word that names an object of a thread is accessed as a whole. */
void vm_symmetry_ends_of(const struct vm_object *object, uint64_t low, uint64_t high);
static inline void vm_symmetry_parts(const struct vm_object *object, uint64_t low, uint64_t high)
{
	if (vm_is_symmetric() && (low | high) % 8)
		vm_symmetry_ends_of(object, low, high);
}

/* Check bytes that have been written, and come from where offsets are less by `shift`, modulo 8: a word that names an object of a
 * thread must be aligned, where it comes from and where it is now. */
void vm_symmetry_written(const struct vm_object *object, uint64_t low, uint64_t high, uint64_t shift);

/* Check `size` bytes at `address` that a function of the library looks at, and does not only copy: none may be of such a word. */
void vm_symmetry_looked_at(uint64_t address, const uint8_t *bytes, uint64_t size);

/* Check what main does when it is about to create a thread: nothing may name objects of a thread that has been joined, since the
 * new one may come to have objects of the same names.  vm_symmetry_keeps: check one word that is kept elsewhere. */
void vm_symmetry_creates(void);
void vm_symmetry_keeps(uint64_t word, void *unused);

#endif
