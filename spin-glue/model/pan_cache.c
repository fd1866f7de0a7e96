/* SPDX-License-Identifier: MIT
 *
 * See pan_cache.h.  Beside each pan there is a file "KEY.sum" with its size, so that a pan that was cut short is not taken for a
 * whole one.  The time of that file is when the pan was used last.
 */
#include "pan_cache.h"
#include "../base/base.h"

#include <assert.h>
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

enum {
	USUAL_MB = 1024,
	RECENT = 3600, /* seconds: a search may still need a pan that it could not link */
};

/* a pan in the cache */
struct entry {
	char *twin, *pan; /* paths of the file beside it, and its own */
	time_t used;
	uint64_t bytes;
};

static char *path_of(const char *key)
{
	char *cache = cache_directory(), *path = cache ? text("%s/%s", cache, key) : NULL;
	free(cache);
	return path;
}

static char *sum_of(const char *pan)
{
	struct stat st;
	return stat(pan, &st) == 0 ? text("%llu bytes\n", (unsigned long long)st.st_size) : NULL;
}

/* Is the pan whole?  Then it is used now. */
static bool use(const char *pan)
{
	char *twin = text("%s.sum", pan), *said = read_file(twin, NULL);
	char *sum = access(pan, X_OK) == 0 ? sum_of(pan) : NULL;
	bool good = said && sum && strcmp(said, sum) == 0;
	if (good)
		utime(twin, NULL);
	free(twin);
	free(said);
	free(sum);
	return good;
}

char *pan_cache_find(const char *key, const char *directory)
{
	char *pan = path_of(key), *here = text("%s/pan", directory);
	if (pan && !use(pan)) {
		free(pan);
		pan = NULL;
	}
	if (pan && try_directories(directory) && link(pan, here) == 0) {
		free(pan);
		return here;
	}
	free(here);
	return pan;
}

/* ---- what is not used any more ------------------------------------------------------------------------------------------- */

static uint64_t most_bytes(void)
{
	const char *given = getenv("BITSPIN_CACHE_MB");
	char *end;
	unsigned long long megabytes = given ? strtoull(given, &end, 10) : USUAL_MB;
	if (given && (!*given || *end))
		megabytes = USUAL_MB;
	return megabytes << 20;
}

/* Is this the name of the file beside a pan? */
static int is_sum(const struct dirent *file)
{
	const char *name = file->d_name;
	size_t length = strlen(name);
	return strncmp(name, "pan-", 4) == 0 && length > 8 && strcmp(name + length - 4, ".sum") == 0;
}

static int by_use(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	return x->used < y->used ? -1 : x->used > y->used;
}

/* Return all pans in the cache, those that were used last at the end; `*count` of them. */
static struct entry *entries_of(const char *cache, size_t *count)
{
	struct dirent **files = NULL;
	int found = scandir(cache, &files, is_sum, NULL);
	struct entry *entries = calloc(found > 0 ? (size_t)found : 1, sizeof *entries);
	if (!entries)
		BUG("out of memory");
	*count = 0;
	for (int i = 0; i < found; i++) {
		struct stat sum, pan;
		const char *name = files[i]->d_name;
		char *twin = text("%s/%s", cache, name), *path = text("%s/%.*s", cache, (int)strlen(name) - 4, name);
		if (stat(twin, &sum) == 0 && stat(path, &pan) == 0)
			entries[(*count)++] = (struct entry){ twin, path, sum.st_mtime, (uint64_t)pan.st_size };
		else
			free(twin), free(path);
		free(files[i]);
	}
	free(files);
	qsort(entries, *count, sizeof *entries, by_use);
	return entries;
}

/* Remove the pans that were used longest ago, until the others have room. */
static void make_room(const char *cache)
{
	size_t count;
	uint64_t bytes = 0, most = most_bytes();
	struct entry *entries = entries_of(cache, &count);
	for (size_t i = 0; i < count; i++)
		bytes += entries[i].bytes;
	for (size_t i = 0; i < count; i++) {
		if (bytes > most && entries[i].used + RECENT < time(NULL)) {
			unlink(entries[i].twin); /* first, so that no process takes half of a pair */
			unlink(entries[i].pan);
			bytes -= entries[i].bytes;
		}
		free(entries[i].twin);
		free(entries[i].pan);
	}
	free(entries);
}

void pan_cache_add(const char *key, const char *pan)
{
	char *cache = cache_directory(), *cached = path_of(key);
	if (!cache)
		return;
	assert(cached);
	char *part = text("%s.%d", cached, (int)getpid()), *twin = text("%s.sum", cached), *sum = sum_of(pan);
	if (!sum || !try_directories(cache) || !copy_file(pan, part) || rename(part, cached) < 0 ||
	    !write_file(twin, sum, strlen(sum)))
		unlink(part);
	make_room(cache);
	free(cache);
	free(cached);
	free(part);
	free(twin);
	free(sum);
}
