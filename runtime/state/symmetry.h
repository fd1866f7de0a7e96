/* SPDX-License-Identifier: MIT
 *
 * Symmetric threads (search/symmetry.c has the argument): while the reduction is on, the VM does not know which of main's
 * threads is which.  What could tell it calls these functions; then the search is over, and begins again without the reduction.
 */
#ifndef BITSPIN_SYMMETRY_H
#define BITSPIN_SYMMETRY_H

#include "state.h"

enum { SYMMETRIC_SLOTS = 64 }; /* no more, so that a word is a set of them */

static inline bool vm_is_symmetric(void)
{
	return vm_this.reductions & REDUCTION_SYMMETRY;
}

/* The slot of the thread whose object a word names, dead or alive, with a tag or without; 0 if it is main's, or none.  Much
 * that is no address looks like one: it counts only near the objects that there are. */
unsigned vm_symmetry_named(uint64_t word);

/* Of threads that begin with this function and this argument; they are alike. */
static inline uint64_t vm_symmetry_start(uint32_t function, uint64_t argument)
{
	enum { OF_FUNCTION = 8 }; /* bits */
	return argument << OF_FUNCTION ^ function;
}

/* The step tells threads apart: the search is over. */
_Noreturn void vm_symmetry_ends(const char *why);

/* Does the object keep nothing but handles? */
bool vm_keeps_handles(uint32_t object);

/* The running thread accesses this object, which threads share: that is for main alone if it keeps handles. */
static inline void vm_symmetry_touches(uint32_t object)
{
	if (vm_is_symmetric() && vm_this.current->slot != 0 && vm_keeps_handles(object))
		vm_symmetry_ends("a thread other than main accesses what keeps handles");
}

/* The word goes where nobody would find it: into memory, or into a computation. */
static inline void vm_symmetry_hides(uint64_t word)
{
	if (vm_is_symmetric() && vm_symmetry_named(word))
		vm_symmetry_ends("the address of a variable or of memory of a thread is stored or computed with");
}

/* Somebody holds a lock, which is at this address; it names the slot of its holder.  And the program reads bytes of an object,
 * other than by calls for locks: it must not find a slot there. */
void vm_symmetry_locks(uint64_t address, uint32_t size);
void vm_symmetry_reads(uint32_t object, uint64_t low, uint64_t high);

/* In a replay, steps are taken twice: nobody holds a lock yet when the second begins that has been held in the first. */
void vm_symmetry_forget_locks(void);

/* Bytes of an object have been written: do words there, or words that reach into them, name such an object? */
void vm_symmetry_written(const struct vm_object *object, uint64_t low, uint64_t high);

#endif
