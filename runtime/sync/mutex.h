/* SPDX-License-Identifier: MIT
 *
 * Mutexes, for those who build on them: condition variables and C11's mtx_t.
 */
#ifndef BITSPIN_MUTEX_H
#define BITSPIN_MUTEX_H

#include "sync.h"

/* Make the bytes at `address` a free mutex of this type (PTHREAD_MUTEX_NORMAL and so on). */
void vm_mutex_init(uint64_t address, uint32_t type, bool robust);

/* Put into *mutex the bytes of the mutex that a thread waits for, however long that takes.  Return false if it waits for none. */
bool vm_mutex_awaited(const vm_stored_header *header, struct vm_range *mutex);

/* Does a mutex with these bytes make the thread in `slot` wait?  Then *holder is whom it waits for, and *robust says whether the
 * wait ends with that thread. */
bool vm_mutex_keeps_out(const uint8_t *bytes, unsigned slot, unsigned *holder, bool *robust);

/* Lock a mutex.  Return 0, the error of pthread_mutex_lock(), or EBUSY if the thread must wait. */
int vm_mutex_acquire(uint64_t address, const struct vm_thread *thread);

/* Unlock a mutex for a wait on the condition variable `condition`.  Return 0 or the error of pthread_cond_wait(). */
int vm_mutex_yield(uint64_t address, const struct vm_thread *thread, uint64_t condition);

#endif
