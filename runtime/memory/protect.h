/* SPDX-License-Identifier: MIT
 *
 * mprotect(): which memory must not be read or written.  See protect.c.
 */
#ifndef BITSPIN_PROTECT_H
#define BITSPIN_PROTECT_H

#include "memory.h"

enum vm_protection { PROTECTED_NOT, PROTECTED_FROM_WRITES, PROTECTED_FROM_ALL };

/* Can the program protect any memory at all? */
bool vm_protects(void);

/* Report a violation if the access is forbidden.  Call it only if vm_protects(). */
void vm_check_protection(uint64_t address, uint64_t size, bool writes);

/* Protect `size` bytes, at least one, which exist, from now on. */
void vm_protect(uint64_t address, uint64_t size, enum vm_protection protection);

/* Check memory that is about to be freed: the step is inconclusive if some of it is protected. */
void vm_refuse_protected(uint64_t address, uint64_t size);

#endif
