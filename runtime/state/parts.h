/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share: the parts of a state, loaded and stored.
 */
#ifndef BITSPIN_STATE_PARTS_H
#define BITSPIN_STATE_PARTS_H

#include "state.h"

/* objects.c: an empty map of the object numbers [first, first + numbers). */
void vm_map_begin(struct vm_map *map, uint32_t first, uint32_t numbers);
void vm_map_load(struct vm_map *map, vm_ref ref);
vm_ref vm_map_store(struct vm_map *map);

/* A global variable as it is before the program starts. */
vm_ref vm_global_store(const struct image_global *global);

/* Copies in the table proper of what may be transient. */
vm_ref vm_map_keep(vm_ref ref);
vm_ref vm_blob_keep(vm_ref ref);

/* What vm_scratch() has given is used again. */
void vm_scratch_reset(void);

/* words.c: before any state is stored, and at the end. */
void vm_words_open(void);
void vm_words_close(void);

/* ... when the table has been renewed: forget what was looked at; and the words of a state in the old one, which are there until
 * another state is asked for or stored. */
void vm_words_forget(void);
const uint32_t *vm_words_old(vm_ref ref);

/* objects.c: how many refs of pages an object blob with this header has; 0: it has the bytes themselves. */
uint32_t vm_object_refs(const struct vm_object_header *header);

/* frames.c: the words of a slot in a state blob; NULL: there is no thread. */
void vm_thread_load_slot(struct vm_thread *thread, const uint32_t *words);
vm_ref vm_thread_store(struct vm_thread *thread);

#endif
