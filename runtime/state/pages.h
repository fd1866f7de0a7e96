/* SPDX-License-Identifier: MIT
 *
 * Memory that tables reserve: address space, which takes memory where it is written.
 */
#ifndef BITSPIN_PAGES_H
#define BITSPIN_PAGES_H

#include <stdint.h>

/* So many bytes of zeros, which processes share that fork later, if vm_processes says that they search together; NULL: the address
 * space is not to be had.  munmap() ends it. */
void *vm_pages_reserve(uint64_t bytes);

/* What is there is needed no more: it takes no memory until it is written again. */
void vm_pages_give_back(void *at, uint64_t bytes);

#endif
