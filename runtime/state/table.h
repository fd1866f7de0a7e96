/* SPDX-License-Identifier: MIT
 *
 * The table: every part of every program state, stored once.
 *
 * A blob is a run of bytes that never changes; blobs with equal bytes have equal refs, so comparing states is comparing
 * numbers (hash-consing).  A state is a tree of nodes (nodes.h), whose leaves are refs of blobs.  Nothing is ever removed, but
 * a search that needs few of its states may copy these to a new table (renew.h).
 *
 * The memory is shared between processes that fork after vm_table_open(), and insertion takes no locks: a blob is written
 * first and published by one compare-and-swap on its bucket's chain.
 */
#ifndef BITSPIN_TABLE_H
#define BITSPIN_TABLE_H

#include "own.h"
#include "snapshot.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t vm_ref; /* 0: none */

/* Set up an empty table that may grow to `bytes` (0: a default that suits the machine).  Return false when memory is refused. */
bool vm_table_open(uint64_t bytes);
void vm_table_close(void);

/* States that are only passed through are not stored for ever.  Between vm_transient_begin() and vm_transient_end(), blobs
 * that are not in the table go to a second table of this process.  Their refs have TRANSIENT set, work like others, and mean
 * nothing any more after vm_transient_clear(). */
#define TRANSIENT 0x80000000u
void vm_transient_begin(void);
void vm_transient_end(void);
void vm_transient_clear(void);
bool vm_transient_is_on(void);
/* Return a number that grows when refs of the second table become invalid; and whether that table is half full, so that it is time
 * to clear it. */
uint64_t vm_transient_epoch(void);
bool vm_transient_is_crowded(void);
static inline bool vm_is_transient(vm_ref ref)
{
	return ref & TRANSIENT;
}

/* Store a blob in the table, or in the second one, and return its ref; 0 when the table is full. */
vm_ref vm_table_put(const void *bytes, uint32_t size);
vm_ref vm_transient_put(const void *bytes, uint32_t size);

/* Return the bytes of a blob, which are aligned to 4 bytes; and how many there are. */
const void *vm_table_get(vm_ref ref);
uint32_t vm_table_size(vm_ref ref);

/* Write all blobs, or read blobs in the place of the present ones, which must be among them with the same refs.  For one process,
 * while nothing is transient.  Return false if there is no memory or the file is damaged; then the table may be spoilt. */
bool vm_table_snapshot(struct snapshot *snapshot);
/* Return the memory that a process needs for the blobs and nodes of such a file, in bytes. */
uint64_t vm_table_snapshot_bytes(void);

/* Return the memory that blobs and nodes take, in bytes, without the array of buckets, whose size is fixed.  vm_table_peak: the
 * most that any table so far took, with what was copied to it from an old one. */
uint64_t vm_table_bytes(void);
uint64_t vm_table_peak(void);

/* Put an empty table in the place of this one, with no nodes (nodes.h) and no notes (notes.h), while nothing is transient.  Old
 * refs find what is in the old table until vm_table_drop_old().  For one process.  Return false if there is no memory; then there
 * is no table. */
bool vm_table_renew(void);
const void *vm_table_old(vm_ref ref, uint32_t *size);
void vm_table_drop_old(void);

#endif
