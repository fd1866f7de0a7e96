/* SPDX-License-Identifier: MIT
 *
 * Slicing, checked.  What translator/analyse/relevance.c leaves out follows from where pointers may point.  The VM does not take
 * that on trust: an object knows the levels of its bytes, and each access is looked at.
 *
 *  - A load, or another operation that reads, must find bytes of at least the level that its result has.
 *  - A store that leaves something out must find bytes of at most the level that the image says, and must leave out no address.
 *  - Bytes that are copied must have at least the level of those that they become.
 *  - Of which of the bits of a result is set, if only that is asked, nothing may depend on the values of operands: as it does not
 *    if they are set as a whole, or are only moved.
 *  - An indirect call, and a call by the runtime, must be one that is in the image.
 *
 * Otherwise the search ends as inconclusive, and begins again without slicing.
 *
 * Why that is enough: registers depend on each other by what instructions say, and so do levels.  So let a run of the program be
 * one in which nothing of this has failed up to some step.  Then each value of level VALUE is the true one: by induction, as it was
 * computed of such values, read from bytes of that level, or passed in a call; and such bytes were written by stores that leave
 * nothing out, which have operands of that level; and the argument there holds up to there.  A failure is an error of the
 * marked program as others are, that ends a step and depends on all.  If a run can come to one, the search, which keeps errors,
 * comes to it, or to another.
 *
 * The levels of an object are a number in its flags, so that equal states have equal levels.
 */
#ifndef BITSPIN_LEVELS_H
#define BITSPIN_LEVELS_H

#include "state.h"

/* Return the flags with the levels of a new object: of a global variable, or of what the running thread's instruction makes. */
uint32_t vm_levels_of_global(uint32_t global);
uint32_t vm_levels_of_new(void);

/* What the last access has touched. */
extern struct vm_levels_accessed {
	uint32_t levels; /* number from 1; 0: all have LEVEL_VALUE, or there is no slicing */
	uint64_t offset;
} vm_levels_accessed;

static inline void vm_levels_note(const struct vm_object *object, uint64_t offset)
{
	vm_levels_accessed.levels = vm_this.slices ? object->header.flags >> OBJECT_LEVELS : 0;
	vm_levels_accessed.offset = offset;
}

/* End the search unless `size` bytes that the last access has touched have level `least` at least, or `most` at most. */
void vm_levels_refuse_lower(uint64_t size, enum image_level least);
void vm_levels_refuse_higher(uint64_t size, enum image_level most);

static inline void vm_levels_read(uint64_t size, enum image_level least)
{
	if (vm_levels_accessed.levels && least != LEVEL_NOTHING)
		vm_levels_refuse_lower(size, least);
}

/* End the search: which bits are set in a result of LEVEL_SET depends on values of operands, because these are not wholly set. */
void vm_levels_refuse_unset(void);

/* Return the level that the running thread's call, which prints, needs of its arguments. */
enum image_level vm_levels_printed(void);

/* Check that bytes at `from` have at least the levels of those at `to`, to which they are copied; both places exist. */
void vm_levels_copied(uint64_t to, uint64_t from, uint64_t size);

/* Check that a word that is left out is no address. */
void vm_levels_left_out(uint64_t word);

/* Check that an indirect call, or a call by the runtime, of a function is one that the image foresees. */
void vm_levels_called(const struct image_insn *insn, uint32_t function);
void vm_levels_invoked(uint32_t function);

#endif
