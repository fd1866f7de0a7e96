/* SPDX-License-Identifier: MIT
 *
 * Large objects, such as mappings and arenas of allocators: their bytes stay in memory from state to state, in an area of the
 * object, and the area knows which stored page each of its pages is equal to.  So to load, change and store a state costs what the
 * program has touched.
 *
 * An area has the bytes of an object, or its shadow.  A page of it is known if it is equal to a stored one, whose ref the area has;
 * refs of transient pages are not kept, as they become those of others.  A step that ends early has made pages unknown, and the
 * next load brings them back.
 *
 * The largest objects begin blank: all bytes are 0, or all bits of the shadow 1.  What is blank has no area, but shares one piece
 * of memory with all that is; its stored form is that of others, with one page again and again.  An area of such an object begins
 * as pages of the system that nobody has touched.  So a mapping of gigabytes costs what the program writes there.
 */
#ifndef BITSPIN_LARGE_H
#define BITSPIN_LARGE_H

#include "state.h"

enum vm_area { AREA_BYTES, AREA_SHADOW, VM_AREAS };

#define LARGE_BLANK (UINT32_C(64) << 20) /* objects with more bytes may be blank, and their pages have OBJECT_MOST bytes */

/* Return the area of object `number`, of `size` bytes, after the pages that the area does not have are loaded. */
uint8_t *vm_large_load(uint32_t number, enum vm_area which, uint32_t size, const vm_ref *pages);
/* Return the area after all its bytes have been set to `byte`. */
uint8_t *vm_large_fill(uint32_t number, enum vm_area which, uint32_t size, uint8_t byte);
/* Note that bytes [low, high) of the object are about to be written. */
void vm_large_touch(uint32_t number, uint32_t size, uint32_t low, uint32_t high);
/* Store the pages of the area that are not known, and put the refs of all into `pages`. */
void vm_large_store(uint32_t number, enum vm_area which, uint32_t size, vm_ref *pages);
/* Are the bytes all zero? */
bool vm_large_is_zero(uint32_t number, enum vm_area which, uint32_t size);
/* Is the page at `offset` of the object's bytes known to be zero? */
bool vm_large_page_is_zero(uint32_t number, uint32_t size, uint64_t offset);

/* Return memory with the bytes of what is blank; the page that they are stored in; whether `pages` are those of something blank. */
const uint8_t *vm_large_blank(enum vm_area which);
vm_ref vm_large_blank_page(enum vm_area which);
bool vm_large_pages_are_blank(enum vm_area which, uint32_t size, const vm_ref *pages);

/* Forget which pages are known, because the table has been renewed; free all areas. */
void vm_large_forget(void);
void vm_large_free(void);

#endif
