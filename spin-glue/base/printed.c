/* SPDX-License-Identifier: MIT
 *
 * What a checked program has printed may be any text, so that its content does not show who wrote the file.  The cache has a list
 * instead: a hash of the name and the content of each such file that we wrote.  What is not as the list says is the user's.
 */
#include "target.h"
#include "base.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_LINES = 1000 };

static char *list_path(void)
{
	char *cache = cache_directory(), *path = cache ? text("%s/printed", cache) : NULL;
	free(cache);
	return path;
}

/* Return the line of the list for the file `path` with this content, malloc'ed. */
static char *line_of(const char *path, const char *bytes, size_t size)
{
	char *name = realpath(path, NULL);
	XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, size, name ? XXH3_64bits(name, strlen(name)) : 0);
	free(name);
	return text("%016llx%016llx\n", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

bool target_was_printed(const char *path)
{
	size_t size;
	char *bytes = read_file(path, &size), *at = list_path(), *list = at ? read_file(at, NULL) : NULL;
	char *line = bytes && list ? line_of(path, bytes, size) : NULL;
	bool ours = line && strstr(list, line);
	free(line);
	free(list);
	free(at);
	free(bytes);
	return ours;
}

void target_note_printed(const char *path, const char *bytes, size_t size)
{
	char *at = list_path(), *cache = cache_directory(), *list = at ? read_file(at, NULL) : NULL;
	char *line = line_of(path, bytes, size);
	const char *from = list ? list : "";
	size_t n = strlen(line), lines = strlen(from) / n;
	if (lines >= MOST_LINES) /* all are as long; the oldest ones go */
		from += (lines - MOST_LINES + 1) * n;
	char *new = text("%s%s", from, line), *beside = at ? text("%s.%ld", at, (long)getpid()) : NULL;
	if (at && try_directories(cache) && !(write_file(beside, new, strlen(new)) && rename(beside, at) == 0))
		unlink(beside); /* then the file is taken for the user's */
	free(beside);
	free(new);
	free(line);
	free(list);
	free(cache);
	free(at);
}
