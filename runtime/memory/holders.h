/* SPDX-License-Identifier: MIT
 *
 * Sets K of holders (records.h), as sorted arrays, and what operations do to one.
 */
#ifndef BITSPIN_HOLDERS_H
#define BITSPIN_HOLDERS_H

#include "records.h"

/* Those from HOLDER_MESSAGE on are there where messages are (messages.h). */
enum holder_class {
	HOLDER_THREAD,
	HOLDER_FENCE,
	HOLDER_PENDING,
	HOLDER_PLACE,
	HOLDER_MESSAGE,
	HOLDER_MARK, /* marks of messages (total.h): of accesses; of fences, by those that read or wrote it */
	HOLDER_READ_MARK,
	HOLDER_WRITTEN_MARK,
	HOLDER_PLACE_MARK, /* of the oldest ones */
	HOLDER_PLACE_READ_MARK,
	HOLDER_PLACE_WRITTEN_MARK,
	HOLDER_FENCES,
};

/* Return the holder of a class that a thread is; or the one that is a location. */
uint64_t vm_holder(enum holder_class class, unsigned slot);
uint64_t vm_place_holder(uint32_t object, uint32_t offset);

/* Return where the holder `wanted` is in a set, or would be; whether it is there. */
uint32_t vm_holders_find(const struct vm_holders *set, uint64_t wanted);
bool vm_holders_has(const struct vm_holders *set, uint64_t wanted);

/* Put a holder in, or take it out; vm_this.records is dirty if that changes the set. */
void vm_holders_add(struct vm_holders *set, uint64_t new);
void vm_holders_take_out(struct vm_holders *set, uint64_t old);

/* Return <0, 0 or >0, as for qsort(): sets in some order; and whether a set is part of another. */
int vm_holders_compare(const struct vm_holders *a, const struct vm_holders *b);
bool vm_holders_subset(const struct vm_holders *small, const struct vm_holders *large);

/* Apply an operation that is no access, by the rules of records.h. */
void vm_holders_change(struct vm_holders *set, const struct vm_order_op *op);

/* Let the thread of each slot be in slot to[slot], and the store of each number have number numbers[number]; NULL: there are none.
 * vm_object_moved: return the number that an object then has, as the objects of a thread's own are numbered by its slot. */
void vm_holders_move(struct vm_holders *set, const uint8_t *to, const uint32_t *numbers);
uint32_t vm_object_moved(uint32_t object, const uint8_t *to);

/* Does each of the threads whose bits are in `running` belong to the set?  NULL: no. */
bool vm_holders_all_know(const struct vm_holders *set, const uint64_t *running);

/* Return the records of the working state, loaded; add a set with room for `count` holders, which the caller fills in. */
struct vm_records *vm_records_loaded(void);
struct vm_holders *vm_records_new_set(struct vm_records *records, uint32_t count);

/* Stored records, as they lie in the table. */
struct vm_records_view {
	uint32_t count, sets, message_count;
	const struct vm_record *items;
	const uint8_t *messages; /* struct vm_message, not aligned */
	struct vm_holders *holders;
};
struct vm_records_view vm_records_view(vm_ref ref);

/* Make loaded records canonical; `running` has a bit for each thread that runs, or is NULL. */
void vm_records_canonical(struct vm_records *records, const uint64_t *running);

#endif
