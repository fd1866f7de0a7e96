/* SPDX-License-Identifier: MIT
 *
 * Files and paths.
 */
#include "base.h"

#include <assert.h>
#include <errno.h>
#include <ftw.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

char *find_program(const char *name)
{
	assert(*name);
	if (strchr(name, '/'))
		return access(name, X_OK) == 0 ? text("%s", name) : NULL;
	char *path = text("%s", getenv("PATH") ? getenv("PATH") : ""), *rest = path, *directory, *found = NULL;
	while (!found && (directory = strsep(&rest, ":"))) {
		char *file = text("%s/%s", *directory ? directory : ".", name);
		if (access(file, X_OK) == 0)
			found = file;
		else
			free(file);
	}
	free(path);
	return found;
}

char *read_file(const char *path, size_t *size)
{
	FILE *in = fopen(path, "rbe");
	char *bytes = NULL;
	size_t used = 0, room = 0;
	if (!in)
		return NULL;
	for (;;) {
		if (room - used < 4096) {
			room = room ? 2 * room : 65536;
			bytes = realloc(bytes, room + 1);
			if (!bytes)
				BUG("out of memory");
		}
		size_t n = fread(bytes + used, 1, room - used, in);
		used += n;
		if (n == 0)
			break;
	}
	bool good = !ferror(in);
	fclose(in);
	assert(used <= room);
	bytes[used] = '\0';
	if (size)
		*size = used;
	if (good)
		return bytes;
	free(bytes);
	return NULL;
}

bool write_file(const char *path, const char *bytes, size_t size)
{
	FILE *out = fopen(path, "wbe");
	if (!out)
		return false;
	bool good = fwrite(bytes, 1, size, out) == size;
	return fclose(out) == 0 && good;
}

bool copy_file(const char *from, const char *to)
{
	size_t size;
	char *bytes = read_file(from, &size);
	bool good = bytes && write_file(to, bytes, size);
	struct stat st;
	if (good && stat(from, &st) == 0)
		good = chmod(to, st.st_mode & 0777) == 0;
	free(bytes);
	return good;
}

bool try_directories(const char *path)
{
	assert(*path); /* the first slash that matters is behind the first byte */
	char *copy = text("%s", path);
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(copy, 0777);
		*slash = '/';
	}
	bool made = mkdir(copy, 0777) == 0 || errno == EEXIST;
	free(copy);
	return made;
}

void make_directories(const char *path)
{
	if (!try_directories(path))
		fail("cannot make the directory '%s': %s", path, strerror(errno));
}

char *cache_directory(void)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (base && *base)
		return text("%s/bitspin", base);
	return home && *home ? text("%s/.cache/bitspin", home) : NULL;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

void remove_tree(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

char *absolute_path(const char *path)
{
	char here[4096];
	return path[0] != '/' && getcwd(here, sizeof here) ? text("%s/%s", here, path) : text("%s", path);
}

/* Return the shortest name of `path` from the current directory. */
const char *from_here(const char *path)
{
	char here[4096];
	size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
	const char *work = work_name(path);
	if (work)
		return work;
	return n > 1 && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* ---- our own files ------------------------------------------------------------------------------------------------- */

/* Return the path of a data file, malloc'ed; NULL if there is none.  *directory: where the executable is. */
static char *find_data_file(const char *name, const char **directory)
{
	static char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	exe[n < 0 ? 0 : n] = '\0';
	*directory = dirname(exe);
	/* In the build tree all lie beside the executable; installed, the libraries lie in ../lib, the rest in ../share. */
	static const char *const places[] = { "%s/%s", "%s/../share/bitspin/%s", "%s/../lib/bitspin/%s" };
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		char *path = text(places[i], *directory, name);
		char *whole = realpath(path, NULL);
		free(path);
		if (whole)
			return whole;
	}
	return NULL;
}

void offer_solver(void)
{
	const char *directory;
	char *path = find_data_file("libbitspin-sat.so", &directory);
	if (path)
		setenv("BITSPIN_SOLVER", path, 0);
	free(path);
}

char *data_file(const char *name)
{
	const char *directory;
	char *whole = find_data_file(name, &directory);
	if (!whole)
		fail("the file '%s' is missing beside '%s'; install bitspin again", name, directory);
	return whole;
}

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}
