/* SPDX-License-Identifier: MIT
 *
 * What race.c and records.c share: which accesses conflict, and the report of two that do.
 */
#ifndef BITSPIN_RACE_H
#define BITSPIN_RACE_H

#include "memory.h"
#include "../image/suppress.h"

/* What kind of access a range of a segment or a record is, as a number: enum vm_access; whether it is made in a section of the C
 * library, which races with no other such access; and above it the place, if races there are tolerated (struct image_location).
 * Accesses at places are visible, as the search goes past their races. */
enum {
	KIND_ACCESS = 7, /* bits of the access */
	KIND_SECTION = 1 << 6,
	KIND_PLACE = 8 /* how many bits are below the place */
};

static inline enum vm_access vm_kind_access(uint32_t kind)
{
	return (enum vm_access)(kind & KIND_ACCESS);
}

/* Return the kind of the access that the running thread makes now. */
static inline uint32_t vm_kind_here(enum vm_access access)
{
	bool section = vm_this.current->header.atomic >= LIBRARY_SECTION;
	return access | (section ? KIND_SECTION : 0) | vm_this.image.locations[vm_this.location].place << KIND_PLACE;
}

static inline bool vm_kind_writes(uint32_t kind)
{
	return vm_kind_access(kind) == ACCESS_WRITE || vm_kind_access(kind) == ACCESS_SYNC_WRITE;
}

/* Do accesses of these kinds race: does one of them write, is one of them plain, and is their race not tolerated? */
static inline bool vm_accesses_conflict(uint32_t kind, uint32_t other)
{
	enum vm_access a = vm_kind_access(kind), b = vm_kind_access(other);
	return (vm_kind_writes(kind) || vm_kind_writes(other)) && !(kind & other & KIND_SECTION) &&
		(a == ACCESS_READ || a == ACCESS_WRITE || b == ACCESS_READ || b == ACCESS_WRITE) &&
		!image_tolerates(&vm_this.image, kind >> KIND_PLACE, other >> KIND_PLACE);
}

/* Do accesses of kind `kind` conflict with all that accesses of kind `other` conflict with? */
static inline bool vm_access_covers(uint32_t kind, uint32_t other)
{
	if (kind >> KIND_PLACE != other >> KIND_PLACE || (kind & KIND_SECTION & ~other))
		return false;
	return kind == other || vm_kind_access(kind) == ACCESS_WRITE || vm_kind_access(other) == ACCESS_SYNC_READ;
}

/* Report a race: the running thread makes an access of kind `kind` to bytes of the access `other`, made by the thread in `slot`, or
 * by an unknown one (max_threads). */
_Noreturn void vm_race_report(uint32_t kind, const struct vm_range *other, unsigned slot);

/* Sort the ranges of a segment, as they must be, after their objects have been renamed. */
void vm_race_sort(struct vm_range *ranges, uint32_t count);

#endif
