/* SPDX-License-Identifier: MIT
 *
 * Files with all that a search has, from which another process goes on.  The writer and the reader of a file call the same
 * functions in the same order.  A checksum at the end shows whether a file is whole.
 */
#ifndef BITSPIN_SNAPSHOT_H
#define BITSPIN_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

struct snapshot {
	void *file;  /* FILE * */
	void *sum;   /* XXH3_state_t *; of what was written */
	bool writes; /* the file is being written, not read */
	bool good;   /* nothing has gone wrong so far */
	int error;   /* errno of what went wrong first; EBADMSG: the file is not whole */
};

/* Begin to write a file, or to read one that is whole.  Return false if that fails; `error` says why. */
bool vm_snapshot_create(struct snapshot *snapshot, const char *path);
bool vm_snapshot_open(struct snapshot *snapshot, const char *path);

/* Write `size` bytes, or read as many to the same place.  Return snapshot->good. */
bool vm_snapshot_bytes(struct snapshot *snapshot, void *bytes, uint64_t size);

/* Close the file.  Return whether all was written, or all that is in the file was read; `error` stays. */
bool vm_snapshot_close(struct snapshot *snapshot);

#endif
