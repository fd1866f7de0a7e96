/* SPDX-License-Identifier: MIT
 *
 * Files: descriptors and streams.  The files of --fs are constants that the translator puts into the image; a descriptor is
 * a file's number and a position.  There is nothing to write to but standard output and standard error.
 */
#include "ducts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DESCRIPTORS = 64, STANDARD = 3 };

#define DUCT ((size_t)1 << 32) /* and above: the end of a duct, see ducts.h */

static struct {
	size_t file; /* its number plus one; 0: not open; DUCT + an end.  Standard input is always open */
	size_t position; /* of a duct: is it to be closed on exec? */
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
	return fd >= 0 && fd < DESCRIPTORS && descriptors[fd].file && descriptors[fd].file < DUCT;
}

int __bitspin_end_of(int fd)
{
	return fd >= 0 && fd < DESCRIPTORS && descriptors[fd].file >= DUCT ? (int)(descriptors[fd].file - DUCT) : -1;
}

int __bitspin_is_open(int fd)
{
	return is_readable(fd) || fd == 1 || fd == 2 || __bitspin_end_of(fd) >= 0;
}

int __bitspin_name_end(int end, int least, int cloexec)
{
	int fd = least < STANDARD ? STANDARD : least;
	while (fd < DESCRIPTORS && descriptors[fd].file)
		fd++;
	if (fd >= DESCRIPTORS)
		return fail(EMFILE);
	descriptors[fd].file = DUCT + (size_t)end;
	descriptors[fd].position = (size_t)cloexec;
	return fd;
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
	int end = __bitspin_end_of(fd);
	if (end >= 0 || is_readable(fd)) {
		descriptors[fd].file = descriptors[fd].position = 0;
		failed = 0;
	}
	if (end >= 0)
		__bitspin_release(end);
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

static long or_fail(long result)
{
	return result < 0 ? fail((int)-result) : result;
}

/* `flags`: of recv().  The copy is made outside of the atomic section: it is the caller's access, and may race. */
static long read_any(int fd, void *to, size_t size, int flags)
{
	size_t taken;
	LOCKED;
	int end = __bitspin_end_of(fd);
	if (end >= 0)
		return or_fail(__bitspin_duct_read(end, fd, to, size, flags));
	const unsigned char *bytes = take(fd, size, &taken);
	UNLOCKED;
	if (!bytes)
		return fail(EBADF);
	if (taken)
		memcpy(to, bytes, taken);
	return (long)taken;
}

long __bitspin_read(int fd, void *to, size_t size)
{
	return read_any(fd, to, size, 0);
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

static long write_any(int fd, const void *bytes, size_t size, int flags)
{
	if (fd == 1 || fd == 2)
		return (long)__bitspin_write(fd, bytes, size);
	if (fd < STANDARD)
		return fail(EBADF);
	if (size > DUCT_BYTES)
		__bitspin_refuse("more than 4096 bytes are written at once to a pipe or socket");
	unsigned char copy[size + 8]; /* the caller's access, which may race, and is none of the section */
	if (size)
		memcpy(copy, bytes, size);
	LOCKED;
	int end = __bitspin_end_of(fd);
	if (end < 0) {
		UNLOCKED;
		return fail(EBADF);
	}
	return or_fail(__bitspin_duct_write(end, copy, size, flags));
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	return write_any(fd, bytes, size, 0);
}

/* The error of a descriptor that is no socket, or 0. */
static int no_socket(int fd)
{
	LOCKED;
	int end = __bitspin_end_of(fd), open = __bitspin_is_open(fd);
	int error = !open ? EBADF : end < 0 || __bitspin_ends[end].kind != END_OF_SOCKETS ? ENOTSOCK : 0;
	UNLOCKED;
	return error;
}

ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
	int error = no_socket(fd);
	if (!error && (flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL)))
		__bitspin_refuse("send with other flags than MSG_DONTWAIT and MSG_NOSIGNAL");
	return error ? fail(error) : write_any(fd, bytes, size, flags);
}

ssize_t recv(int fd, void *to, size_t size, int flags)
{
	int error = no_socket(fd);
	if (!error && (flags & ~MSG_DONTWAIT))
		__bitspin_refuse("recv with other flags than MSG_DONTWAIT");
	return error ? fail(error) : read_any(fd, to, size, flags);
}

/* In one piece: what goes into a pipe stays together. */
ssize_t writev(int fd, const struct iovec *parts, int count)
{
	size_t size = 0;
	for (int i = 0; i < count; i++)
		size += parts[i].iov_len;
	if (size > 1 << 16)
		__bitspin_refuse("writev of more than 65536 bytes");
	unsigned char copy[size + 1];
	size = 0;
	for (int i = 0; i < count; size += parts[i++].iov_len)
		if (parts[i].iov_len)
			memcpy(copy + size, parts[i].iov_base, parts[i].iov_len);
	return write_any(fd, copy, size, 0);
}

ssize_t readv(int fd, const struct iovec *parts, int count)
{
	size_t size = 0, given = 0;
	for (int i = 0; i < count; i++)
		size += parts[i].iov_len;
	if (size > 1 << 16)
		__bitspin_refuse("readv of more than 65536 bytes");
	unsigned char copy[size + 1];
	long result = read_any(fd, copy, size, 0);
	for (int i = 0; i < count && result > 0 && given < (size_t)result; i++) {
		size_t left = (size_t)result - given, part = parts[i].iov_len < left ? parts[i].iov_len : left;
		memcpy(parts[i].iov_base, copy + given, part);
		given += part;
	}
	return result;
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
	return result < 0 ? fail(__bitspin_end_of(fd) >= 0 ? ESPIPE : (int)-result) : result;
}

int isatty(int fd)
{
	LOCKED;
	int open = __bitspin_is_open(fd);
	UNLOCKED;
	return fail(open ? ENOTTY : EBADF) + 1;
}

/* ---- other names, and flags ------------------------------------------------------------------------------------------ */

/* Another name of an end; `exactly`: this number, which is closed first if it is open. */
static int name_again(int fd, int least, int exactly, int cloexec)
{
	int new = -1, released = -1;
	LOCKED;
	int end = __bitspin_end_of(fd);
	if (end < 0 && __bitspin_is_open(fd))
		__bitspin_refuse("dup of a file, which would share its position, is not modelled");
	if (exactly && (least < STANDARD || is_readable(least)))
		__bitspin_refuse("dup2 onto standard input or output, or onto a file, is not modelled");
	if (end >= 0 && exactly && least < DESCRIPTORS) {
		released = __bitspin_end_of(least);
		descriptors[least].file = 0;
	}
	if (end >= 0 && least < DESCRIPTORS)
		new = __bitspin_name_end(end, least, cloexec);
	if (new >= 0)
		__bitspin_ends[end].refs++;
	if (released >= 0)
		__bitspin_release(released);
	UNLOCKED;
	return new >= 0 ? new : fail(end < 0 || exactly ? EBADF : EMFILE);
}

int dup(int fd)
{
	return name_again(fd, 0, 0, 0);
}

int dup2(int fd, int to)
{
	return fd == to && __bitspin_is_open(fd) ? fd : to < 0 ? fail(EBADF) : name_again(fd, to, 1, 0);
}

int dup3(int fd, int to, int flags)
{
	return fd == to || (flags & ~O_CLOEXEC) ? fail(EINVAL) : to < 0 ? fail(EBADF) : name_again(fd, to, 1, !!flags);
}

static int status_flags(int fd)
{
	int end = __bitspin_end_of(fd);
	if (end < 0)
		return fd == 1 || fd == 2 ? O_WRONLY : O_RDONLY;
	int kind = __bitspin_ends[end].kind;
	return (kind == END_OF_PIPE ? O_RDONLY : kind == START_OF_PIPE ? O_WRONLY : O_RDWR) | (__bitspin_ends[end].flags & O_NONBLOCK);
}

static void set_status(int fd, int flags)
{
	int end = __bitspin_end_of(fd);
	if (end >= 0)
		__bitspin_ends[end].flags = (__bitspin_ends[end].flags & ~O_NONBLOCK) | (flags & O_NONBLOCK);
}

static int control(int fd, int command, long argument)
{
	int result = 0;
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		return argument < 0 ? fail(EINVAL) : name_again(fd, (int)argument, 0, command == F_DUPFD_CLOEXEC);
	LOCKED;
	if (!__bitspin_is_open(fd)) {
		UNLOCKED;
		return fail(EBADF);
	}
	int duct = __bitspin_end_of(fd) >= 0;
	switch (command) {
	case F_GETFD: result = duct ? (int)descriptors[fd].position : 0; break;
	case F_SETFD:
		if (duct)
			descriptors[fd].position = argument & FD_CLOEXEC;
		break;
	case F_GETFL: result = status_flags(fd); break;
	case F_SETFL: set_status(fd, (int)argument); break;
	default: __bitspin_refuse("fcntl: only the flags of a descriptor and F_DUPFD are modelled");
	}
	UNLOCKED;
	return result;
}

/* Other commands take none. */
static long argument_of(int command, va_list list)
{
	if (command == F_SETFD || command == F_SETFL || command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		return va_arg(list, int);
	return 0;
}

int fcntl(int fd, int command, ...)
{
	va_list list;
	va_start(list, command);
	long argument = argument_of(command, list);
	va_end(list);
	return control(fd, command, argument);
}

int fcntl64(int fd, int command, ...)
{
	va_list list;
	va_start(list, command);
	long argument = argument_of(command, list);
	va_end(list);
	return control(fd, command, argument);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	int on = 0;
	if (request != FIONBIO && request != FIOCLEX)
		return fail(ENOTTY);
	va_start(list, request);
	if (request == FIONBIO)
		on = *va_arg(list, int *);
	va_end(list);
	return request == FIONBIO ? control(fd, F_SETFL, on ? O_NONBLOCK : 0) : control(fd, F_SETFD, FD_CLOEXEC);
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
	LOCKED;
	int end = __bitspin_end_of(fd), open = is_readable(fd), kind = end >= 0 ? __bitspin_ends[end].kind : END_FREE;
	size_t file = open ? descriptors[fd].file - 1 : 0;
	UNLOCKED;
	if (end >= 0) {
		memset(st, 0, sizeof *st);
		st->st_mode = (kind == END_OF_SOCKETS ? S_IFSOCK : S_IFIFO) | 0600;
		st->st_nlink = 1;
		st->st_blksize = 4096;
		return 0;
	}
	return open ? fill_stat(st, file, 0) : fail(EBADF);
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
