/* SPDX-License-Identifier: MIT
 *
 * A directory that the user names for several files of ours.  What we have written there is in a list, `.bitspin`, with a hash of
 * each; a file that has one of our names and is not as the list says is the user's.
 */
#include "base.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char head[] = "# what bitspin has written here\n";

static char *list_of(const char *directory)
{
	char *path = text("%s/.bitspin", directory), *list = read_file(path, NULL);
	if (list && strncmp(list, head, strlen(head)) != 0)
		fail("'%s' was not written by bitspin; name another directory", path);
	free(path);
	return list;
}

/* Return the line of the list for the file `name` of `directory`, malloc'ed; NULL if it is no plain file, or cannot be read. */
static char *line_of(const char *directory, const char *name)
{
	char *path = text("%s/%s", directory, name);
	struct stat st;
	size_t size;
	char *bytes = lstat(path, &st) == 0 && S_ISREG(st.st_mode) ? read_file(path, &size) : NULL;
	char *line = bytes ? text("\n%016llx %s\n", (unsigned long long)XXH3_64bits(bytes, size), name) : NULL;
	free(bytes);
	free(path);
	return line;
}

void directory_check(const char *directory, directory_name *is_ours)
{
	struct stat st;
	if (stat(directory, &st) < 0 && errno == ENOENT)
		return;
	DIR *entries = opendir(directory);
	if (!entries)
		fail("cannot write to the directory '%s': %s", directory, strerror(errno));
	char *list = list_of(directory);
	for (struct dirent *entry; (entry = readdir(entries));) {
		enum directory_use use = is_ours(entry->d_name);
		char *line = use == DIRECTORY_WRITTEN ? line_of(directory, entry->d_name) : NULL;
		if (use != DIRECTORY_OTHERS && !(list && (use == DIRECTORY_REMOVED || (line && strstr(list, line)))))
			fail("'%s/%s' is not as bitspin has left it; remove it, or name another directory", directory,
			     entry->d_name);
		free(line);
	}
	free(list);
	closedir(entries);
}

/* Write to `out` the lines of `list` that are about other names than `is_ours` accepts: those stay as they are. */
static void put_others(FILE *out, char *list, directory_name *is_ours)
{
	char *rest = list, *line;
	while ((line = strsep(&rest, "\n"))) {
		const char *blank = strchr(line, ' ');
		if (*line && *line != '#' && blank && is_ours(blank + 1) == DIRECTORY_OTHERS)
			fprintf(out, "%s\n", line);
	}
}

bool directory_note(const char *directory, directory_name *is_ours)
{
	char *bytes = NULL, *before = list_of(directory), *path = text("%s/.bitspin", directory);
	size_t size;
	DIR *entries = opendir(directory);
	FILE *out = open_memstream(&bytes, &size);
	if (!out)
		BUG("out of memory");
	fputs(head, out);
	if (before)
		put_others(out, before, is_ours);
	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		char *line = is_ours(entry->d_name) == DIRECTORY_WRITTEN ? line_of(directory, entry->d_name) : NULL;
		if (line)
			fputs(line + 1, out);
		free(line);
	}
	if (fclose(out) != 0)
		BUG("out of memory");
	bool good = entries && write_file(path, bytes, size);
	if (entries)
		closedir(entries);
	free(bytes);
	free(before);
	free(path);
	return good;
}
