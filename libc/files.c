/* SPDX-License-Identifier: MIT
 *
 * Files: descriptors and streams.  The files of --fs are constants that the translator puts into the image; a descriptor is
 * a file's number and a position.  There is nothing to write to but standard output and standard error.
 */
#include "library.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DESCRIPTORS = 64, STANDARD = 3 };

static struct {
	size_t file; /* its number plus one; 0: not open.  Standard input is always open */
	size_t position;
} descriptors[DESCRIPTORS] = { [0] = { 1, 0 } };

/* ---- names ----------------------------------------------------------------------------------------------------------- */

static const char *plain_name(const char *path)
{
	while (*path == '/' || (path[0] == '.' && (path[1] == '/' || !path[1])))
		path++;
	return path;
}

/* Number of a file, from 1 (0 is standard input); 0 if there is none of this name. */
static size_t find_file(const char *path)
{
	const char *name = plain_name(path);
	for (size_t i = 1; i < __bitspin_nfiles; i++)
		if (strcmp(__bitspin_files[i].name, name) == 0)
			return i;
	return 0;
}

static int is_directory(const char *path)
{
	const char *name = plain_name(path);
	size_t length = strlen(name);
	while (length && name[length - 1] == '/')
		length--;
	if (length == 0)
		return *path != '\0' && __bitspin_nfiles > 1;
	for (size_t i = 1; i < __bitspin_nfiles; i++)
		if (strncmp(__bitspin_files[i].name, name, length) == 0 && __bitspin_files[i].name[length] == '/')
			return 1;
	return 0;
}

/* ---- descriptors ----------------------------------------------------------------------------------------------------- */

static int fail(int error)
{
	errno = error;
	return -1;
}

static int is_readable(int fd)
{
	return fd >= 0 && fd < DESCRIPTORS && descriptors[fd].file;
}

int __bitspin_open(const char *path, int flags)
{
	size_t file = find_file(path);
	if ((flags & O_ACCMODE) != O_RDONLY)
		return fail(file || (flags & O_CREAT) ? EROFS : is_directory(path) ? EISDIR : ENOENT);
	if (!file)
		return fail(is_directory(path) ? EISDIR : flags & O_CREAT ? EROFS : ENOENT);
	int fd = STANDARD;
	LOCKED;
	while (fd < DESCRIPTORS && descriptors[fd].file)
		fd++;
	if (fd < DESCRIPTORS) {
		descriptors[fd].file = file + 1;
		descriptors[fd].position = 0;
	}
	UNLOCKED;
	return fd < DESCRIPTORS ? fd : fail(EMFILE);
}

int open(const char *path, int flags, ...)
{
	return __bitspin_open(path, flags);
}

int open64(const char *path, int flags, ...)
{
	return __bitspin_open(path, flags);
}

int close(int fd)
{
	int failed = -1;
	LOCKED;
	if (is_readable(fd)) {
		descriptors[fd].file = descriptors[fd].position = 0;
		failed = 0;
	}
	UNLOCKED;
	return failed && fd != 1 && fd != 2 ? fail(EBADF) : 0;
}

/* Where the next bytes of a descriptor are, and how many of `size` there are; they are passed.  NULL if it is not open. */
static const unsigned char *take(int fd, size_t size, size_t *taken)
{
	const unsigned char *bytes = NULL;
	*taken = 0;
	LOCKED;
	if (is_readable(fd)) {
		const struct library_file *file = &__bitspin_files[descriptors[fd].file - 1];
		size_t at = descriptors[fd].position, left = at < file->size ? file->size - at : 0;
		*taken = size < left ? size : left;
		bytes = file->bytes + (at < file->size ? at : file->size);
		descriptors[fd].position = at + *taken;
	}
	UNLOCKED;
	return bytes;
}

/* The copy is made outside of the atomic section: it is the caller's access, and may race. */
long __bitspin_read(int fd, void *to, size_t size)
{
	size_t taken;
	const unsigned char *bytes = take(fd, size, &taken);
	if (!bytes)
		return fail(EBADF);
	if (taken)
		memcpy(to, bytes, taken);
	return (long)taken;
}

ssize_t read(int fd, void *to, size_t size)
{
	return __bitspin_read(fd, to, size);
}

ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
	if (!is_readable(fd))
		return fail(EBADF);
	if (offset < 0)
		return fail(EINVAL);
	const struct library_file *file = &__bitspin_files[descriptors[fd].file - 1];
	size_t left = (size_t)offset < file->size ? file->size - (size_t)offset : 0, taken = size < left ? size : left;
	if (taken)
		memcpy(to, file->bytes + offset, taken);
	return (ssize_t)taken;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	if (fd != 1 && fd != 2)
		return fail(EBADF);
	return (ssize_t)__bitspin_write(fd, bytes, size);
}

off_t lseek(int fd, off_t offset, int whence)
{
	long result = -EBADF;
	LOCKED;
	if (is_readable(fd)) {
		const struct library_file *file = &__bitspin_files[descriptors[fd].file - 1];
		long base = whence == SEEK_CUR ? (long)descriptors[fd].position : whence == SEEK_END ? (long)file->size : 0;
		int known = whence == SEEK_SET || whence == SEEK_CUR || whence == SEEK_END;
		result = known && base + offset >= 0 ? base + offset : -EINVAL;
		if (result >= 0)
			descriptors[fd].position = (size_t)result;
	}
	UNLOCKED;
	return result < 0 ? fail((int)-result) : result;
}

int isatty(int fd)
{
	return is_readable(fd) || fd == 1 || fd == 2 ? fail(ENOTTY) + 1 : fail(EBADF) + 1;
}

/* ---- stat ------------------------------------------------------------------------------------------------------------ */

static int fill_stat(struct stat *st, size_t file, int directory)
{
	memset(st, 0, sizeof *st);
	st->st_ino = file + 2;
	st->st_nlink = 1;
	st->st_mode = directory ? S_IFDIR | 0555 : S_IFREG | 0444;
	st->st_size = directory ? 4096 : (off_t)__bitspin_files[file].size;
	st->st_blksize = 4096;
	st->st_blocks = (st->st_size + 511) / 512;
	return 0;
}

int fstat(int fd, struct stat *st)
{
	if (!is_readable(fd))
		return fail(EBADF);
	return fill_stat(st, descriptors[fd].file - 1, 0);
}

int stat(const char *path, struct stat *st)
{
	size_t file = find_file(path);
	if (!file && !is_directory(path))
		return fail(ENOENT);
	return fill_stat(st, file, !file);
}

int lstat(const char *path, struct stat *st)
{
	return stat(path, st);
}

int access(const char *path, int mode)
{
	if (!find_file(path) && !is_directory(path))
		return fail(ENOENT);
	return mode & W_OK ? fail(EROFS) : find_file(path) && mode & X_OK ? fail(EACCES) : 0;
}

int unlink(const char *path)
{
	return fail(find_file(path) ? EROFS : ENOENT);
}

int remove(const char *path)
{
	return fail(find_file(path) || is_directory(path) ? EROFS : ENOENT);
}

int rename(const char *from, const char *to)
{
	(void)to;
	return fail(find_file(from) || is_directory(from) ? EROFS : ENOENT);
}

int mkdir(const char *path, mode_t mode)
{
	(void)mode;
	return fail(find_file(path) || is_directory(path) ? EEXIST : EROFS);
}

/* ---- directories ----------------------------------------------------------------------------------------------------- */

struct directory {
	size_t next;         /* number of the file to look at */
	size_t length;       /* of the name */
	struct dirent entry;
	char name[];         /* with a slash at its end, or empty */
};

DIR *opendir(const char *path)
{
	const char *name = plain_name(path);
	size_t length = strlen(name);
	if (!is_directory(path)) {
		fail(find_file(path) ? ENOTDIR : ENOENT);
		return NULL;
	}
	while (length && name[length - 1] == '/')
		length--;
	struct directory *directory = calloc(1, sizeof *directory + length + 2);
	if (!directory)
		return NULL;
	memcpy(directory->name, name, length);
	if (length)
		directory->name[length++] = '/';
	directory->length = length;
	directory->next = 1;
	return (DIR *)directory;
}

/* Files come in the order of their names, so the files of a subdirectory are together: it is named at the first. */
static int begins_entry(const struct directory *directory, size_t i, size_t *length)
{
	const char *name = __bitspin_files[i].name, *rest = name + directory->length;
	if (strncmp(name, directory->name, directory->length) != 0)
		return 0;
	*length = strcspn(rest, "/");
	if (!rest[*length] || i == 1)
		return 1;
	const char *before = __bitspin_files[i - 1].name;
	return strncmp(before, name, directory->length + *length + 1) != 0;
}

struct dirent *readdir(DIR *handle)
{
	struct directory *directory = (struct directory *)handle;
	while (directory->next < __bitspin_nfiles) {
		size_t i = directory->next++, length;
		if (!begins_entry(directory, i, &length) || length >= sizeof directory->entry.d_name)
			continue;
		const char *rest = __bitspin_files[i].name + directory->length;
		memset(&directory->entry, 0, sizeof directory->entry);
		memcpy(directory->entry.d_name, rest, length);
		directory->entry.d_ino = i + 2;
		directory->entry.d_type = rest[length] ? DT_DIR : DT_REG;
		return &directory->entry;
	}
	return NULL;
}

int closedir(DIR *handle)
{
	free(handle);
	return 0;
}
