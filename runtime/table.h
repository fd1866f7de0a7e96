/* SPDX-License-Identifier: MIT
 *
 * The table: every part of every program state, stored once.
 *
 * A blob is a run of bytes that never changes; blobs with equal bytes have equal refs, so comparing states is comparing
 * numbers (hash-consing).  A state is a blob of refs to blobs.  Nothing is ever removed.
 *
 * The memory is shared between processes that fork after vm_table_open(), and insertion takes no locks: a blob is written
 * first and published by one compare-and-swap on its bucket's chain.
 */
#ifndef BITSPIN_TABLE_H
#define BITSPIN_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t vm_ref; /* 0: none */

/* Set up an empty table that may grow to `bytes` (0: a default that suits the machine).  False when memory is refused. */
bool vm_table_open(uint64_t bytes);

/* The ref of the blob with these bytes; 0 when the table is full. */
vm_ref vm_table_put(const void *bytes, uint32_t size);

/* The bytes of a blob, and their number.  Aligned to 4 bytes. */
const void *vm_table_get(vm_ref ref);
uint32_t vm_table_size(vm_ref ref);

/* Memory that blobs take, bytes; the array of buckets, whose size is fixed, is not counted. */
uint64_t vm_table_bytes(void);

#endif
