/* SPDX-License-Identifier: MIT
 *
 * Mutexes, for those who build on them: condition variables and C11's mtx_t.
 */
#ifndef BITSPIN_MUTEX_H
#define BITSPIN_MUTEX_H

#include "sync.h"

/* Make the bytes at `address` a free mutex of this type (PTHREAD_MUTEX_NORMAL and so on). */
void vm_mutex_init(uint64_t address, uint32_t type, bool robust);

/* Do these bytes of a mutex make the thread in a slot wait, and for whom?  If it is `robust`, not when that one has ended. */
bool vm_mutex_keeps_out(const uint8_t *bytes, unsigned slot, unsigned *holder, bool *robust);

/* Lock; 0 or the error that pthread_mutex_lock returns, EBUSY if it must wait. */
int vm_mutex_acquire(uint64_t address, const struct vm_thread *thread);

/* Unlock for a wait on a condition variable; 0 or the error that pthread_cond_wait returns. */
int vm_mutex_yield(uint64_t address, const struct vm_thread *thread, uint64_t condition);

#endif
