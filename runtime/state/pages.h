/* SPDX-License-Identifier: MIT
 *
 * Memory that tables reserve: address space, which takes memory where it is written.
 */
#ifndef BITSPIN_PAGES_H
#define BITSPIN_PAGES_H

#include <stdint.h>

/* Reserve `bytes` bytes of zeros, for munmap() to end.  Processes that fork later share them, if the driver has several
 * (driver.h).  Return NULL if there is not so much address space. */
void *vm_pages_reserve(uint64_t bytes);

/* Give back the memory of bytes that are needed no more, until they are written again. */
void vm_pages_give_back(void *at, uint64_t bytes);

#endif
