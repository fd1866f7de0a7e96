/* SPDX-License-Identifier: MIT
 *
 * What race.c and records.c share: which accesses conflict, and the report of two that do.
 */
#ifndef BITSPIN_RACE_H
#define BITSPIN_RACE_H

#include "memory.h"

/* One of them writes, and one of them is plain. */
static inline bool vm_accesses_conflict(enum vm_access a, enum vm_access b)
{
	bool writes = a == ACCESS_WRITE || a == ACCESS_SYNC_WRITE || b == ACCESS_WRITE || b == ACCESS_SYNC_WRITE;
	return writes && (a == ACCESS_READ || a == ACCESS_WRITE || b == ACCESS_READ || b == ACCESS_WRITE);
}

/* Accesses of the one kind conflict with all that those of the other conflict with. */
static inline bool vm_access_covers(enum vm_access access, enum vm_access other)
{
	return access == other || access == ACCESS_WRITE || other == ACCESS_SYNC_READ;
}

/* The running thread accesses bytes that `other` has accessed: a race.  `slot`: of the other thread, or max_threads. */
_Noreturn void vm_race_report(enum vm_access access, const struct vm_range *other, unsigned slot);

#endif
