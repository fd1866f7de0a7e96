/* SPDX-License-Identifier: MIT
 *
 * Objects of several parts.  An object of IMAGE_MAX_SIZE bytes or more has consecutive numbers: part i has the bytes from i times
 * IMAGE_PART on, and all parts have IMAGE_PART bytes but the last two.  So the address of a byte is what it would be in one object,
 * and arithmetic goes from part to part.  A part of IMAGE_MAX_SIZE bytes or more is followed by another, which may be empty.  So as
 * behind other objects, the IMAGE_MAX_SIZE addresses behind the last byte belong to no other object.
 *
 * Each part is an object: what steps depend on, races, records, states and canonical numbers know parts only, and none of them
 * asks which objects are one.  That is right, as two accesses conflict if they do so in a part.  Only an address in the upper
 * half of a part differs: image_number() rounds it to the part behind, which names that number.  Names are taken number by number:
 * a number that a pointer names is not used again, and the part behind is not used again without its own number.
 *
 * What asks for the whole is: bounds, the end of its life, leaks, hidden pointers (a pointer that moves from part to part is no new
 * name), and texts.  The whole counts as shared from the beginning, which only makes a search visit more.  An access that crosses
 * from one part to the next is done in pieces, or is refused.
 */
#ifndef BITSPIN_WHOLE_H
#define BITSPIN_WHOLE_H

#include "state.h"

struct vm_whole {
	uint32_t first, parts; /* number of the first part; how many there are.  0: there is no object */
	uint64_t size;         /* bytes of all parts */
	int64_t offset;        /* of the address, from the first byte */
};

/* Return the object that an address lies in, or just before or behind. */
struct vm_whole vm_whole_of(uint64_t address);

/* Is `object` a part that another follows, or one that follows another? */
static inline bool vm_has_next_part(const struct vm_object *object)
{
	return object->header.size >= IMAGE_MAX_SIZE;
}

static inline bool vm_is_later_part(const struct vm_object *object)
{
	return object->header.depth == 0 && object->header.order > 0;
}

/* Return the number of the object that an address lies in, or just before or behind: of its first part. */
static inline uint64_t vm_whole_number(uint64_t address)
{
	struct vm_place place = vm_place_look(address);
	if (!place.object || (!vm_has_next_part(place.object) && !vm_is_later_part(place.object)))
		return image_number(address);
	return vm_whole_of(address).first;
}

/* Return how many of `size` bytes from `address` on lie in one part. */
uint64_t vm_piece(uint64_t address, uint64_t size);

#endif
