/* SPDX-License-Identifier: MIT
 *
 * The parts of names and values, for who tells them together.
 */
#ifndef BITSPIN_DESCRIBE_H
#define BITSPIN_DESCRIBE_H

#include "path.h"

/* Write what is at an address, and how it was found; "" for a pointer to nothing that has a name. */
struct vm_way vm_describe_target(char *text, uint64_t address, const struct vm_target *target);

/* What so many bytes, which the running thread accesses now, are called, and their type (0: no one scalar). */
const char *vm_describe_bytes(uint64_t address, unsigned bytes, uint32_t *type);

/* What begins at an address and has so many bytes, or more. */
const char *vm_describe_area(uint64_t address, uint64_t bytes);

/* Append a value of up to 64 bits, as its type has it; one of up to 16 bytes, from memory (NULL: it is gone). */
void vm_add_scalar(char *text, uint32_t type, unsigned bits, uint64_t value);
void vm_add_wide(char *text, uint32_t type, unsigned bytes, const uint8_t *memory);

#endif
