/* SPDX-License-Identifier: MIT
 *
 * The parts from which names and values are put together.
 */
#ifndef BITSPIN_DESCRIBE_H
#define BITSPIN_DESCRIBE_H

#include "path.h"

/* Write the name of what is at an address to `text`, "" if that has no name, and return the way by which it was found. */
struct vm_way vm_describe_target(char *text, uint64_t address, const struct vm_target *target);

/* Return the name of `bytes` bytes that the running thread accesses now, and in *type their type (0: they are not one scalar). */
const char *vm_describe_bytes(uint64_t address, unsigned bytes, uint32_t *type);

/* Return the name of what begins at an address and has `bytes` bytes or more. */
const char *vm_describe_area(uint64_t address, uint64_t bytes);

/* Append to `text` a value of up to 64 bits as its type shows it; one of up to 16 bytes from memory (NULL: the memory is gone). */
void vm_add_scalar(char *text, uint32_t type, unsigned bits, uint64_t value);
void vm_add_wide(char *text, uint32_t type, unsigned bytes, const uint8_t *memory);

#endif
