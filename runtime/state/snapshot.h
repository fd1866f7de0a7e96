/* SPDX-License-Identifier: MIT
 *
 * Files with all that a search has, from which another process goes on: who writes one calls the same functions, in the same order,
 * as who reads it.  A sum at the end tells files that are whole.
 */
#ifndef BITSPIN_SNAPSHOT_H
#define BITSPIN_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

struct snapshot {
	void *file;  /* FILE * */
	void *sum;   /* XXH3_state_t *; of what was written */
	bool writes; /* it is being written, not read */
	bool good;   /* so far */
	int error;   /* errno of what went wrong first; EBADMSG: the file is not whole */
};

/* Begin to write a file; or to read one that is whole.  False: that cannot be, and `error` says why. */
bool vm_snapshot_create(struct snapshot *snapshot, const char *path);
bool vm_snapshot_open(struct snapshot *snapshot, const char *path);

/* Write bytes, or read as many to the same place.  The result is snapshot->good. */
bool vm_snapshot_bytes(struct snapshot *snapshot, void *bytes, uint64_t size);

/* The end: is the file that was written complete, was all read that is in the other?  It is closed; `error` stays. */
bool vm_snapshot_close(struct snapshot *snapshot);

#endif
