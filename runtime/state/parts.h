/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share: the parts of a state, loaded and stored.
 */
#ifndef BITSPIN_STATE_PARTS_H
#define BITSPIN_STATE_PARTS_H

#include "state.h"

/* objects.c: make an empty map of the object numbers [first, first + numbers); load a map; store one. */
void vm_map_begin(struct vm_map *map, uint32_t first, uint32_t numbers);
void vm_map_load(struct vm_map *map, vm_ref ref);
vm_ref vm_map_store(struct vm_map *map);

/* End the path, or the search if no step is under way: there is no memory for what a step changes. */
_Noreturn void vm_refuse_scratch(void);

/* Store a global variable as it is before the program starts. */
vm_ref vm_global_store(const struct image_global *global);

/* Copy to the table proper what may be transient, and return the ref there. */
vm_ref vm_map_keep(vm_ref ref);
vm_ref vm_blob_keep(vm_ref ref);

/* words.c: begin, before any state is stored; end. */
void vm_words_open(void);
void vm_words_close(void);

/* words.c: forget what was looked at, when the table has been renewed.  vm_words_old: return the words of a state of the old table,
 * which stay until another state is asked for or stored. */
void vm_words_forget(void);
const uint32_t *vm_words_old(vm_ref ref);

/* objects.c: return how many refs of pages an object blob with this header has; 0 if it has the bytes themselves. */
uint32_t vm_object_refs(const struct vm_object_header *header);

/* frames.c: load a thread from the words of its slot in a state blob; NULL: there is no thread. */
void vm_thread_load_slot(struct vm_thread *thread, const uint32_t *words);
vm_ref vm_thread_store(struct vm_thread *thread);

#endif
