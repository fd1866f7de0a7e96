/* SPDX-License-Identifier: MIT
 *
 * What summaries of steps are made of: threads and maps of locals by their bytes, since many have places only in the second table
 * (table.h), where another has their place soon; and objects in stored states, which are looked at without loading them.
 */
#ifndef BITSPIN_SUMMARY_PARTS_H
#define BITSPIN_SUMMARY_PARTS_H

#include "../state/state.h"

/* A thread, or the map of its locals, by its bytes. */
struct part {
	struct part *next; /* in its bucket */
	uint64_t hash;
	vm_ref ref; /* where it is stored: in the table, or in the second one, in this epoch; 0: nowhere */
	uint64_t epoch;
	struct summary *summaries; /* of steps from here; the last used comes first */
	bool is_map;
	uint32_t size;
	uint8_t bytes[];
};

/* The part with this ref; NULL: it is not known, and is not to be made or cannot be. */
struct part *vm_part_of(vm_ref ref, bool is_map, bool make);

/* Where the part is stored; 0: there is no room, or it is an empty map. */
vm_ref vm_part_store(struct part *part);
bool vm_part_is_empty_map(const struct part *part);

/* Memory that lasts until all is forgotten; NULL: there is no more, and all should be forgotten. */
void *vm_part_allocate(uint64_t size);
bool vm_parts_are_full(void);
void vm_parts_forget(void);

/* The table has been renewed: no part has its place any more. */
void vm_parts_displace(void);

/* Grows when parts lose their places, or all is forgotten: refs and memory of an older age say nothing. */
uint64_t vm_parts_age(void);

/* Where the object with a number is: in the map that a word of the state tells, and at which index.  False: at no place where
 * objects change. */
bool vm_object_locate(uint32_t number, const uint32_t *words, uint32_t *word, uint32_t *index);

/* The ref of an object; 0: it is not there.  Its bytes [low, high): copied, or compared. */
vm_ref vm_object_stored(const uint32_t *words, uint32_t word, uint32_t index);
void vm_object_read(vm_ref ref, uint32_t low, uint32_t high, uint8_t *to);
bool vm_object_has(vm_ref ref, uint32_t low, uint32_t high, const uint8_t *bytes);

#endif
