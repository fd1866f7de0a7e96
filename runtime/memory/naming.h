/* SPDX-License-Identifier: MIT
 *
 * Which objects are named: by memory, by registers, by values that are kept (messages.h).  The number of one that is not can
 * be used again.
 */
#ifndef BITSPIN_NAMING_H
#define BITSPIN_NAMING_H

#include "memory.h"

/* which indices of a map are named by some pointer */
struct naming {
	const struct vm_map *map;
	uint64_t low, high; /* addresses that belong to it */
	uint8_t *named;     /* a bit for each index it can have: freed objects beyond its last one may be named too */
};

/* Return a naming of the indices of `map`, of which none is marked; `named` has room for a bit for each. */
struct naming vm_naming_of(const struct vm_map *map, uint8_t *named);

bool vm_naming_has(const struct naming *naming, uint32_t index);

/* Mark the object with this number; what an object names, or these words; what the objects of a map name, or all of a thread;
 * what is named by all of a thread but its variables in memory; what values name that are kept. */
void vm_naming_note_number(const struct naming *naming, uint64_t number);
void vm_naming_note_object(const struct naming *naming, const struct vm_object *object);
void vm_naming_note_words(const struct naming *naming, const void *words, uint64_t count);
void vm_naming_note_map(const struct naming *naming, struct vm_map *map);
void vm_naming_note_thread(const struct naming *naming, struct vm_thread *thread);
void vm_naming_note_registers(const struct naming *naming, struct vm_thread *thread);
void vm_naming_note_messages(const struct naming *naming);

#endif
