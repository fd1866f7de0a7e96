/* SPDX-License-Identifier: MIT
 *
 * Ways through types: which member or element lies at an offset, in C.
 *
 * A name that is wrong is worse than none.  So a way ends at a scalar of the very size of the access, and where several members of
 * a union fit there is no way.
 */
#ifndef BITSPIN_PATH_H
#define BITSPIN_PATH_H

#include "../state/state.h"

/* What is looked for. */
struct vm_target {
	unsigned bytes;                                              /* of the access; 0: not known */
	enum { NUMBER_ANY, NUMBER_INTEGER, NUMBER_FLOATING } number; /* what it accesses, as far as is known */
	bool field;                                                  /* the access is one to a member of a struct */
	uint64_t area;                                               /* no access: something of so many bytes, in `pointer` */
	bool pointer;                                                /* no access: what a pointer points to */
	uint32_t points;                                             /* the type to which that pointer points; 0: unknown */
};

struct vm_way {
	enum {
		WAY_NONE,
		WAY_SCALAR,
		WAY_FIELDS, /* bit-fields share the bytes: those of the struct `type`, `offset` bytes into it */
		WAY_WHOLE,  /* something larger that begins there, or whose inside is nobody's business, as of a lock */
	} end;
	uint32_t type;
	uint64_t offset;
};

/* Append ".member" and "[index]" for what lies at `offset` of an object of the type with `room` bytes, of which a flexible array
 * takes all there are.  If there is no way, the text is as it was. */
struct vm_way vm_path_add(char *text, uint32_t type, uint64_t offset, uint64_t room, const struct vm_target *target);

/* Does a struct of this type end in a flexible array? */
bool vm_is_flexible(uint32_t type);

/* Are two types the same to C, except for names of typedefs? */
bool vm_is_same_type(uint32_t a, uint32_t b);

/* Append to a text of VM_TEXT bytes. */
void vm_add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
