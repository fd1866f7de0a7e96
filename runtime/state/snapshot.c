/* SPDX-License-Identifier: MIT
 *
 * See snapshot.h.
 */
#include "snapshot.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static bool begin(struct snapshot *snapshot, const char *path, bool writes)
{
	XXH3_state_t *sum = XXH3_createState();
	FILE *file = fopen(path, writes ? "wbe" : "rbe");
	*snapshot = (struct snapshot){ .file = file, .sum = sum, .writes = writes, .good = file && sum };
	snapshot->error = file ? sum ? 0 : ENOMEM : errno;
	if (sum)
		XXH3_64bits_reset(sum);
	return snapshot->good;
}

bool vm_snapshot_create(struct snapshot *snapshot, const char *path)
{
	if (begin(snapshot, path, true))
		return true;
	vm_snapshot_close(snapshot);
	return false;
}

/* Is the file whole: are its last 8 bytes the sum of those before? */
static bool is_whole(FILE *file)
{
	char bytes[1 << 16];
	uint64_t stored = 0;
	XXH3_state_t *sum = XXH3_createState();
	bool good = sum && fseeko(file, -(off_t)sizeof stored, SEEK_END) == 0;
	off_t left = good ? ftello(file) : 0;
	good = good && fread(&stored, sizeof stored, 1, file) == 1 && fseeko(file, 0, SEEK_SET) == 0;
	if (good)
		XXH3_64bits_reset(sum);
	while (good && left > 0) {
		size_t some = left < (off_t)sizeof bytes ? (size_t)left : sizeof bytes;
		good = fread(bytes, 1, some, file) == some;
		XXH3_64bits_update(sum, bytes, good ? some : 0);
		left -= (off_t)some;
	}
	good = good && XXH3_64bits_digest(sum) == stored && fseeko(file, 0, SEEK_SET) == 0;
	XXH3_freeState(sum);
	return good;
}

bool vm_snapshot_open(struct snapshot *snapshot, const char *path)
{
	if (begin(snapshot, path, false) && is_whole(snapshot->file))
		return true;
	if (snapshot->good)
		snapshot->error = ferror(snapshot->file) && errno ? errno : EBADMSG;
	snapshot->good = false;
	vm_snapshot_close(snapshot);
	return false;
}

bool vm_snapshot_bytes(struct snapshot *snapshot, void *bytes, uint64_t size)
{
	assert(!snapshot->good || (snapshot->file && snapshot->sum));
	if (snapshot->good && size && snapshot->writes)
		snapshot->good = fwrite(bytes, size, 1, snapshot->file) == 1;
	else if (snapshot->good && size)
		snapshot->good = fread(bytes, size, 1, snapshot->file) == 1;
	if (snapshot->good)
		XXH3_64bits_update(snapshot->sum, bytes, size);
	else if (!snapshot->error)
		snapshot->error = snapshot->writes && errno ? errno : EBADMSG;
	return snapshot->good;
}

bool vm_snapshot_close(struct snapshot *snapshot)
{
	uint64_t sum = snapshot->sum ? XXH3_64bits_digest(snapshot->sum) : 0, stored = sum;
	bool good = vm_snapshot_bytes(snapshot, &stored, sizeof stored) && stored == sum;
	if (snapshot->file && fclose(snapshot->file) != 0) {
		snapshot->error = snapshot->error ? snapshot->error : errno;
		good = false;
	}
	XXH3_freeState(snapshot->sum);
	*snapshot = (struct snapshot){ .error = snapshot->error };
	return good;
}
