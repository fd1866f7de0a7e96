/* SPDX-License-Identifier: MIT
 *
 * See target.h.
 */
#include "target.h"
#include "base.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *what, *begins, *has;
} forms[] = {
#define FORM(name, what, begins, has) { what, begins, has },
#include "form.def"
};

/* ---- names --------------------------------------------------------------------------------------------------------- */

bool target_is_source(const char *path)
{
	static const char *const endings[] = { "c",   "h",   "i",   "bc", "ll",  "o",   "a",   "so",  "s",  "S",   "asm",
					       "inc", "def", "cc",  "cp", "cpp", "cxx", "c++", "C",   "ii", "hh",  "hpp",
					       "hxx", "H",   "inl", "y",  "l",   "m",   "mm",  "lo",  "la", "obj", "d",
					       "ko",  "pml", "py",  "sh", "rs",  "go",  "f",   "f90", "ld" };
	char *copy = text("%s", path);
	const char *name = basename(copy), *dot = strrchr(name, '.');
	bool is = strstr(name, ".so.") != NULL;
	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		is = is || strcmp(dot + 1, endings[i]) == 0;
	free(copy);
	return is;
}

static char *directory_of(const char *path)
{
	char *copy = text("%s", path), *directory = text("%s", dirname(copy));
	free(copy);
	return directory;
}

char *target_of(const char *path)
{
	enum { MOST = 40 };
	char *at = text("%s", path), to[4096];
	for (int i = 0; i < MOST; i++) {
		ssize_t n = readlink(at, to, sizeof to - 1);
		if (n < 0)
			break;
		to[n] = '\0';
		char *directory = directory_of(at), *next = *to == '/' ? text("%s", to) : text("%s/%s", directory, to);
		free(directory);
		free(at);
		at = next;
	}
	return at;
}

/* Return the number of the descriptor that `path` names, as "/dev/stdout" does; -1 if it names none. */
static int descriptor_of(const char *path)
{
	static const char *const names[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
	static const char *const directories[] = { "/dev/fd/", "/proc/self/fd/" };
	for (int i = 0; i < 3; i++)
		if (strcmp(path, names[i]) == 0)
			return i;
	for (size_t i = 0; i < 2; i++) {
		size_t n = strlen(directories[i]);
		if (strncmp(path, directories[i], n) == 0 && path[n] && strspn(path + n, "0123456789") == strlen(path + n))
			return atoi(path + n);
	}
	return -1;
}

bool target_is_descriptor(const char *path, int fd)
{
	return descriptor_of(path) == fd;
}

bool target_goes_to(const char *path, int fd)
{
	struct stat named, open;
	return stat(path, &named) == 0 && fstat(fd, &open) == 0 && S_ISREG(open.st_mode) && named.st_dev == open.st_dev &&
		named.st_ino == open.st_ino;
}

/* Return an absolute name of `path`, with no links in its directory, malloc'ed.  The file need not exist. */
static char *whole_name(const char *path)
{
	char *end = target_of(path), *directory = directory_of(end), *real = realpath(directory, NULL);
	char *copy = text("%s", end), *whole = text("%s/%s", real ? real : directory, basename(copy));
	free(copy);
	free(real);
	free(directory);
	free(end);
	return whole;
}

static bool is_null(const struct stat *st)
{
	struct stat null;
	return S_ISCHR(st->st_mode) && stat("/dev/null", &null) == 0 && null.st_rdev == st->st_rdev;
}

bool target_is_same(const char *a, const char *b)
{
	struct stat first, second;
	bool here = stat(a, &first) == 0, there = stat(b, &second) == 0;
	if (here || there) /* what goes nowhere does no harm */
		return here && there && first.st_dev == second.st_dev && first.st_ino == second.st_ino && !is_null(&first);
	char *one = whole_name(a), *other = whole_name(b);
	bool same = strcmp(one, other) == 0;
	free(one);
	free(other);
	return same;
}

/* ---- what is there ------------------------------------------------------------------------------------------------- */

static bool is_of_form(const char *path, enum form form)
{
	assert(form != FORM_NONE && (!forms[form].begins || forms[form].has));
	assert((size_t)form < sizeof forms / sizeof *forms);
	if (form == FORM_PRINTED)
		return target_was_printed(path);
	size_t size = 0, n = forms[form].begins ? strlen(forms[form].begins) : 0;
	char *bytes = n ? read_file(path, &size) : NULL;
	bool is = bytes && size >= n && memcmp(bytes, forms[form].begins, n) == 0 &&
		memmem(bytes, size, forms[form].has, strlen(forms[form].has));
	free(bytes);
	return is;
}

/* Return why no file can be made at `path`, malloc'ed; NULL if one can be. */
static char *refusal_of_new(const char *path)
{
	struct stat st;
	char *directory = directory_of(path), *why = NULL;
	if (stat(directory, &st) < 0)
		why = text("cannot write '%s': %s", path, strerror(errno));
	else if (!S_ISDIR(st.st_mode) || access(directory, W_OK | X_OK) < 0)
		why = text("cannot write '%s': %s", path, strerror(S_ISDIR(st.st_mode) ? errno : ENOTDIR));
	free(directory);
	return why;
}

/* Return why the plain file at `path`, whose status is `st`, must not be replaced by one of this `form`, malloc'ed; NULL if it
 * may be. */
static char *refusal_of_old(const char *path, const struct stat *st, enum form form)
{
	if (access(path, W_OK) < 0)
		return text("cannot write '%s': %s", path, strerror(errno));
	if (st->st_size == 0 || is_of_form(path, form))
		return NULL;
	return forms[form].what ? text("'%s' is there, and is not %s; remove it, or name another file", path, forms[form].what) :
				  text("'%s' is there, and is not as bitspin has left it; remove it, or name another file", path);
}

char *target_refusal(const char *path, enum form form)
{
	assert((size_t)form < sizeof forms / sizeof *forms);
	struct stat st;
	if (strcmp(path, "-") == 0 || descriptor_of(path) >= 0)
		return NULL;
	if (*path == '-' || !*path)
		return text("'%s' looks like an option, not like a file; write ./%s to write to a file of this name", path, path);
	char *end = target_of(path), *why = NULL;
	if (target_is_source(path) || target_is_source(end))
		why = text("'%s' has the name of a source or an object", path);
	else if (stat(end, &st) < 0)
		why = errno == ENOENT ? refusal_of_new(end) : text("cannot write '%s': %s", path, strerror(errno));
	else if (S_ISDIR(st.st_mode) || S_ISBLK(st.st_mode) || S_ISSOCK(st.st_mode))
		why = text("cannot write '%s': it is a %s", path,
			   S_ISDIR(st.st_mode)         ? "directory" :
				   S_ISBLK(st.st_mode) ? "device" :
							 "socket");
	else if (S_ISREG(st.st_mode))
		why = refusal_of_old(end, &st, form);
	free(end);
	return why;
}

/* ---- writing ------------------------------------------------------------------------------------------------------- */

static bool write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, bytes, size);
		if (n < 0 && errno != EINTR)
			return false;
		bytes += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

int target_open_beside(const char *path, char **name)
{
	struct stat st;
	char *directory = directory_of(path);
	*name = text("%s/.bitspin-XXXXXX", directory);
	free(directory);
	int fd = mkostemp(*name, O_CLOEXEC), error = errno;
	mode_t mask = umask(0);
	umask(mask);
	bool there = stat(path, &st) == 0;
	if (fd >= 0 &&
	    (fchmod(fd, there ? st.st_mode & 07777 : 0666 & ~mask) < 0 || (there && fchown(fd, st.st_uid, st.st_gid) < 0)))
		error = errno; /* only root can give files away; it is ours then */
	if (fd < 0) {
		free(*name);
		*name = NULL;
	}
	errno = error;
	return fd;
}

/* Write to `path` itself: to a stream, or over a report of ours in a directory where no file can be made. */
static bool write_in_place(const char *path, const char *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
	bool good = fd >= 0 && write_all(fd, bytes, size);
	int error = errno;
	if (fd >= 0 && close(fd) < 0 && good) {
		error = errno;
		good = false;
	}
	errno = error;
	return good;
}

static bool replace(const char *path, const char *bytes, size_t size)
{
	struct stat st;
	char *fresh;
	int fd = target_open_beside(path, &fresh);
	if (fd < 0)
		return stat(path, &st) == 0 && write_in_place(path, bytes, size);
	bool good = write_all(fd, bytes, size);
	int error = errno;
	if (close(fd) < 0 && good) {
		error = errno;
		good = false;
	}
	if (good && rename(fresh, path) < 0) {
		error = errno;
		good = false;
	}
	if (!good)
		unlink(fresh);
	free(fresh);
	errno = error;
	return good;
}

/* Write the file at `path`.  If that fails, remove what an earlier run has left there: it would be taken for the result of this
 * one. */
static bool put(const char *path, const char *bytes, size_t size)
{
	struct stat st;
	bool stream = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
	bool good = stream ? write_in_place(path, bytes, size) : replace(path, bytes, size);
	int error = errno;
	if (!good && !stream)
		unlink(path);
	errno = error;
	return good;
}

bool target_write(const char *path, enum form form, const char *bytes, size_t size)
{
	int fd = descriptor_of(path);
	char *why = target_refusal(path, form), *end = target_of(path);
	bool good = !why;
	fflush(NULL);
	if (good)
		good = fd >= 0 ? write_all(fd, bytes, size) : put(end, bytes, size);
	if (good && fd < 0 && form == FORM_PRINTED && size > 0)
		target_note_printed(end, bytes, size);
	if (why)
		fprintf(stderr, "bitspin: nothing is written: %s\n", why);
	else if (!good && errno != EPIPE) /* who has closed a pipe knows */
		fprintf(stderr, "bitspin: cannot write '%s': %s\n", path, strerror(errno));
	free(why);
	free(end);
	return good;
}

void target_remove(const char *path, enum form form)
{
	struct stat st;
	char *why = target_refusal(path, form), *end = target_of(path);
	if (!why && descriptor_of(path) < 0 && stat(end, &st) == 0 && S_ISREG(st.st_mode))
		unlink(end);
	free(why);
	free(end);
}
