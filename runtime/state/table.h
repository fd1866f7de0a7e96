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

/* Set up an empty table that may grow to `bytes` (0: a default that suits the machine).  False when memory is refused. */
bool vm_table_open(uint64_t bytes);
void vm_table_close(void);

/* States that are only passed through need no place for ever.  Between vm_transient_begin() and vm_transient_end(), blobs
 * that are not in the table go to a second one of this process.  Their refs have TRANSIENT set, work like others, and mean
 * nothing any more after vm_transient_clear(). */
#define TRANSIENT 0x80000000u
void vm_transient_begin(void);
void vm_transient_end(void);
void vm_transient_clear(void);
bool vm_transient_is_on(void);
uint64_t vm_transient_epoch(void); /* refs of the second table that were made in another one may no longer be those that are made */
bool vm_transient_is_crowded(void); /* half full: time to clear it */
static inline bool vm_is_transient(vm_ref ref)
{
	return ref & TRANSIENT;
}

/* The ref of the blob with these bytes; 0 when the table is full.  vm_transient_put: of the one in the second table. */
vm_ref vm_table_put(const void *bytes, uint32_t size);
vm_ref vm_transient_put(const void *bytes, uint32_t size);

/* The bytes of a blob, and their number.  Aligned to 4 bytes. */
const void *vm_table_get(vm_ref ref);
uint32_t vm_table_size(vm_ref ref);

/* Write all blobs; or read them in the place of those that there are, which must be among them, with the same refs.  For one
 * process; nothing is transient.  False: there is no memory, or the file is not as it should be, and the table may be spoilt. */
bool vm_table_snapshot(struct snapshot *snapshot);
uint64_t vm_table_snapshot_bytes(void); /* of memory that a process needs for blobs and nodes that it reads */

/* Memory that blobs and nodes take, bytes; the array of buckets, whose size is fixed, is not counted.  vm_table_peak: the most
 * that any table so far took, with what was copied to it from an old one. */
uint64_t vm_table_bytes(void);
uint64_t vm_table_peak(void);

/* An empty table takes the place of this one, with no nodes (nodes.h) and no notes (notes.h), and nothing is transient.  What
 * is in the old one can be had by refs of then until it is dropped.  For one process.  False: there is no memory, and no table
 * any more. */
bool vm_table_renew(void);
const void *vm_table_old(vm_ref ref, uint32_t *size);
void vm_table_drop_old(void);

#endif
