/* SPDX-License-Identifier: MIT
 *
 * What summaries of steps are made of: threads and maps of locals by their bytes, since many have places only in the second table
 * (table.h), where another has their place soon.
 */
#ifndef BITSPIN_SUMMARY_PARTS_H
#define BITSPIN_SUMMARY_PARTS_H

#include "../../state/state.h"

/* A thread, or the map of a thread's locals, by its bytes. */
struct part {
	struct part *next; /* in its bucket */
	uint64_t hash;
	vm_ref ref; /* where the part is stored: in the table, or in this epoch in the second table; 0: nowhere */
	uint64_t epoch;
	struct summary *summaries; /* of steps from here; the last used comes first */
	bool is_map;
	uint32_t size;
	uint8_t bytes[];
};

/* Return the part with this ref, or if it is not known and `make`, make the part.  NULL: there is none. */
struct part *vm_part_of(vm_ref ref, bool is_map, bool make);

/* Store the part and return its ref; 0 if there is no room, or if the part is an empty map. */
vm_ref vm_part_store(struct part *part);
bool vm_part_is_empty_map(const struct part *part);

/* Return memory that lasts until vm_parts_forget(); NULL if there is no more, so that the caller should call that. */
void *vm_part_allocate(uint64_t size);
bool vm_parts_are_full(void);
void vm_parts_forget(void);

/* Forget where parts are stored, because the table has been renewed. */
void vm_parts_displace(void);

/* Return an age that grows when parts lose their places or are forgotten: refs and memory of an older age mean nothing. */
uint64_t vm_parts_age(void);

#endif
