/* SPDX-License-Identifier: MIT
 *
 * Files: descriptors.  The files of --fs are constants that the translator puts into the image; a descriptor is a file's number
 * and a position.  Without --fs-write there is nothing to write to but standard output and standard error; with it, a file that is
 * written is a node of the disk (disk.h).
 */
#include "disk.h"
#include "ducts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DESCRIPTORS = 64, STANDARD = 3 };

#define DUCT ((size_t)1 << 32) /* and above: the end of a duct, see ducts.h */

static struct {
	size_t file; /* its number plus one; 0: not open; DUCT + an end.  Standard input is always open */
	size_t position; /* of a duct: is it to be closed on exec?  Of standard output and error: is it closed? */
	int flags;       /* of open(): access mode, O_APPEND */
} descriptors[DESCRIPTORS] = { [0] = { 1, 0, 0 } };

/* ---- names ----------------------------------------------------------------------------------------------------------- */

const char *__bitspin_plain_name(const char *path)
{
	while (*path == '/' || (path[0] == '.' && (path[1] == '/' || !path[1])))
		path++;
	return path;
}

/* Of the files of --fs. */
static size_t find_given(const char *name)
{
	for (size_t i = 1; i < __bitspin_nfiles; i++)
		if (strcmp(__bitspin_files[i].name, name) == 0)
			return i;
	return 0;
}

size_t __bitspin_find_file(const char *path)
{
	const char *name = __bitspin_plain_name(path);
	struct node *node = __bitspin_fs_write ? __bitspin_node_of(name) : NULL;
	if (node)
		return node->kind == NODE_FILE ? NODE + __bitspin_node_number(node) : 0;
	return find_given(name);
}

static int is_given_directory(const char *name, size_t length)
{
	for (size_t i = 1; i < __bitspin_nfiles; i++)
		if (strncmp(__bitspin_files[i].name, name, length) == 0 && __bitspin_files[i].name[length] == '/')
			return 1;
	return 0;
}

int __bitspin_is_directory(const char *path)
{
	const char *name = __bitspin_plain_name(path);
	size_t length = strlen(name);
	while (length && name[length - 1] == '/')
		length--;
	if (length == 0)
		return *path != '\0' && (__bitspin_nfiles > 1 || __bitspin_fs_write);
	if (__bitspin_fs_write) {
		char plain[length + 1];
		memcpy(plain, name, length);
		plain[length] = '\0';
		struct node *node = __bitspin_node_of(plain);
		if (node)
			return node->kind == NODE_DIRECTORY;
	}
	return is_given_directory(name, length);
}

/* ---- what is in files ------------------------------------------------------------------------------------------------ */

static struct node *node_of(size_t file)
{
	return file >= NODE && file < DUCT ? __bitspin_node(file - NODE) : NULL;
}

size_t __bitspin_size_of(size_t file)
{
	return file >= NODE ? __bitspin_node(file - NODE)->size : __bitspin_files[file].size;
}

static const unsigned char *bytes_of(size_t file)
{
	return file >= NODE ? __bitspin_node_bytes(__bitspin_node(file - NODE)) : __bitspin_files[file].bytes;
}

/* The node of a file that is about to be written; who reads it sees that. */
struct node *__bitspin_writable(size_t file)
{
	if (file >= NODE)
		return __bitspin_node(file - NODE);
	struct node *node = __bitspin_new_node(__bitspin_files[file].name, NODE_FILE);
	__bitspin_node_resize(node, __bitspin_files[file].size);
	if (node->size)
		memcpy(__bitspin_node_bytes(node), __bitspin_files[file].bytes, node->size);
	for (int fd = STANDARD; fd < DESCRIPTORS; fd++)
		if (descriptors[fd].file == file + 1) {
			descriptors[fd].file = 1 + NODE + __bitspin_node_number(node);
			node->refs++;
		}
	return node;
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

long __bitspin_file_of(int fd)
{
	return is_readable(fd) ? (long)descriptors[fd].file - 1 : -1;
}

int __bitspin_is_open(int fd)
{
	return is_readable(fd) || fd == 1 || fd == 2 || __bitspin_end_of(fd) >= 0;
}

/* The least free number of a descriptor. */
static int free_number(int least)
{
	int fd = least < STANDARD ? STANDARD : least;
	if (least < STANDARD && (!descriptors[0].file || descriptors[1].position || descriptors[2].position))
		__bitspin_refuse("a descriptor in place of standard input or output, which was closed, is not modelled");
	while (fd < DESCRIPTORS && descriptors[fd].file)
		fd++;
	return fd;
}

int __bitspin_name_end(int end, int least, int cloexec)
{
	int fd = free_number(least);
	if (fd >= DESCRIPTORS)
		return fail(EMFILE);
	descriptors[fd].file = DUCT + (size_t)end;
	descriptors[fd].position = (size_t)cloexec;
	return fd;
}

/* The number of a file that is opened with --fs-write, or minus an error number. */
static long find_or_make(const char *path, int flags)
{
	size_t file = __bitspin_find_file(path);
	int writes = (flags & O_ACCMODE) != O_RDONLY;
	if (!file && __bitspin_is_directory(path))
		return -EISDIR;
	if (file && (flags & O_CREAT) && (flags & O_EXCL))
		return -EEXIST;
	if (!file && !(flags & O_CREAT))
		return -ENOENT;
	if (!file) {
		int error = __bitspin_no_new_name(path);
		return error ? -error : (long)(NODE + __bitspin_node_number(__bitspin_name_node(path, NODE_FILE)));
	}
	if (!writes)
		return (long)file;
	struct node *node = __bitspin_writable(file);
	if (flags & O_TRUNC)
		__bitspin_node_resize(node, 0);
	return (long)(NODE + __bitspin_node_number(node));
}

static int open_to_write(const char *path, int flags)
{
	LOCKED;
	__bitspin_order_disk();
	int fd = free_number(0);
	long file = fd < DESCRIPTORS ? find_or_make(path, flags) : -EMFILE;
	if (file >= 0) {
		descriptors[fd].file = (size_t)file + 1;
		descriptors[fd].position = 0;
		descriptors[fd].flags = flags & (O_ACCMODE | O_APPEND);
		if (node_of((size_t)file))
			node_of((size_t)file)->refs++;
	}
	UNLOCKED;
	return file < 0 ? fail((int)-file) : fd;
}

static int open_to_read(const char *path, int flags)
{
	size_t file = __bitspin_find_file(path);
	if ((flags & O_ACCMODE) != O_RDONLY)
		return fail(file || (flags & O_CREAT) ? EROFS : __bitspin_is_directory(path) ? EISDIR : ENOENT);
	if (!file)
		return fail(__bitspin_is_directory(path) ? EISDIR : flags & O_CREAT ? EROFS : ENOENT);
	LOCKED;
	int fd = free_number(0);
	if (fd < DESCRIPTORS) {
		descriptors[fd].file = file + 1;
		descriptors[fd].position = 0;
	}
	UNLOCKED;
	return fd < DESCRIPTORS ? fd : fail(EMFILE);
}

int __bitspin_open(const char *path, int flags)
{
	int fd = __bitspin_fs_write ? open_to_write(path, flags) : open_to_read(path, flags);
	if (fd < 0 && errno == ENOENT)
		__bitspin_untried(UNTRIED_FILE, path);
	return fd;
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
		struct node *node = end < 0 ? node_of(descriptors[fd].file - 1) : NULL;
		if (node)
			__bitspin_node_close(node);
		descriptors[fd].file = descriptors[fd].position = 0;
		descriptors[fd].flags = 0;
		failed = 0;
	}
	if (end >= 0) {
		__bitspin_told(TOLD_CLOSE, __bitspin_told_end(fd, end), 0);
		__bitspin_release(end);
	}
	if (fd == 1 || fd == 2) {
		failed = -(int)descriptors[fd].position;
		descriptors[fd].position = 1;
	}
	UNLOCKED;
	return failed ? fail(EBADF) : 0;
}

/* Where the next bytes of a descriptor are, and how many of `size` there are; they are passed.  NULL if it cannot be read. */
static const unsigned char *take(int fd, size_t size, size_t *taken)
{
	*taken = 0;
	if (!is_readable(fd) || (descriptors[fd].flags & O_ACCMODE) == O_WRONLY)
		return NULL;
	size_t file = descriptors[fd].file - 1, at = descriptors[fd].position, end = __bitspin_size_of(file);
	size_t left = at < end ? end - at : 0;
	*taken = size < left ? size : left;
	if (node_of(file))
		__bitspin_order_node(node_of(file));
	descriptors[fd].position = at + *taken;
	return bytes_of(file) + (at < end ? at : end);
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
	if (bytes && size && descriptors[fd].file == 1 && __bitspin_size_of(0) == 0)
		__bitspin_untried(UNTRIED_INPUT, "");
	if (bytes && node_of(descriptors[fd].file - 1) && taken) { /* it may be changed as soon as the section is left */
		unsigned char copy[taken];
		memcpy(copy, bytes, taken);
		UNLOCKED;
		memcpy(to, copy, taken);
		return (long)taken;
	}
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

static long read_at(int fd, void *to, size_t size, size_t offset)
{
	size_t file = descriptors[fd].file - 1, end = __bitspin_size_of(file);
	size_t left = offset < end ? end - offset : 0, taken = size < left ? size : left;
	if (node_of(file))
		__bitspin_order_node(node_of(file));
	if (taken)
		memcpy(to, bytes_of(file) + offset, taken);
	return (long)taken;
}

ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
	if (__bitspin_fs_write)
		LOCKED;
	int bad = !is_readable(fd) || (descriptors[fd].flags & O_ACCMODE) == O_WRONLY ? EBADF : offset < 0 ? EINVAL : 0;
	if (bad || !__bitspin_fs_write) {
		if (__bitspin_fs_write)
			UNLOCKED;
		return bad ? fail(bad) : read_at(fd, to, size, (size_t)offset);
	}
	unsigned char copy[(size < NODE_BYTES ? size : NODE_BYTES) + 1];
	long taken = read_at(fd, copy, sizeof copy - 1, (size_t)offset);
	UNLOCKED;
	if (taken)
		memcpy(to, copy, (size_t)taken);
	return taken;
}

/* The caller's bytes are its access, which may race, and is none of the section: they are copied before. */
static long write_node(int fd, const unsigned char *copy, size_t size, const off_t *offset)
{
	size_t at = offset ? (size_t)*offset : descriptors[fd].position;
	struct node *node = node_of(descriptors[fd].file - 1);
	__bitspin_order_node(node);
	if (descriptors[fd].flags & O_APPEND)
		at = node->size;
	if (size > NODE_BYTES || at > NODE_BYTES - size)
		__bitspin_node_resize(node, NODE_BYTES + 1);
	if (size && at + size > node->size)
		__bitspin_node_resize(node, at + size);
	if (size)
		memcpy(__bitspin_node_bytes(node) + at, copy, size);
	if (!offset)
		descriptors[fd].position = at + size;
	return (long)size;
}

/* Can it be written to as a file?  The error if it is none of that, else 0; -1: it is the end of a duct. */
static int not_writable(int fd)
{
	if (__bitspin_end_of(fd) >= 0)
		return -1;
	return !is_readable(fd) || (descriptors[fd].flags & O_ACCMODE) == O_RDONLY ? EBADF : 0;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	long result = -EINVAL;
	if (offset < 0)
		return fail(EINVAL);
	if (size > NODE_BYTES)
		size = NODE_BYTES + 1;
	unsigned char copy[size + 1];
	if (size)
		memcpy(copy, bytes, size);
	LOCKED;
	int error = not_writable(fd);
	if (!error)
		result = write_node(fd, copy, size, &offset);
	UNLOCKED;
	return error ? fail(error < 0 ? ESPIPE : EBADF) : result;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset)
{
	return pwrite(fd, bytes, size, offset);
}

int ftruncate(int fd, off_t size)
{
	if (size < 0)
		return fail(EINVAL);
	LOCKED;
	int error = not_writable(fd);
	if (!error)
		__bitspin_order_node(node_of(descriptors[fd].file - 1));
	if (!error)
		__bitspin_node_resize(node_of(descriptors[fd].file - 1), size > NODE_BYTES ? NODE_BYTES + 1 : (size_t)size);
	else if (__bitspin_is_open(fd))
		error = EINVAL;
	UNLOCKED;
	return error ? fail(error) : 0;
}

int ftruncate64(int fd, off64_t size)
{
	return ftruncate(fd, size);
}

static long write_any(int fd, const void *bytes, size_t size, int flags)
{
	if (fd == 1 || fd == 2)
		return (long)__bitspin_write(fd, bytes, size);
	if (fd < STANDARD)
		return fail(EBADF);
	if (size > NODE_BYTES)
		__bitspin_refuse("more than 16384 bytes are written at once");
	unsigned char copy[size + 8]; /* the caller's access, which may race, and is none of the section */
	if (size)
		memcpy(copy, bytes, size);
	LOCKED;
	int end = __bitspin_end_of(fd);
	if (end < 0) {
		int error = not_writable(fd);
		long result = error ? 0 : write_node(fd, copy, size, NULL);
		UNLOCKED;
		return error ? fail(EBADF) : result;
	}
	if (size > DUCT_BYTES)
		__bitspin_refuse("more than 4096 bytes are written at once to a pipe or socket");
	int told = __bitspin_told_end(fd, end);
	long result = __bitspin_duct_write(end, copy, size, flags);
	if (result >= 0)
		__bitspin_told(TOLD_WRITE, told, result);
	return or_fail(result);
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

enum { MOST_IN_PARTS = 1 << 16 };

static size_t size_of_parts(const struct iovec *parts, size_t count)
{
	size_t size = 0;
	for (size_t i = 0; i < count; i++)
		size += parts[i].iov_len;
	if (size > MOST_IN_PARTS)
		__bitspin_refuse("more than 65536 bytes are read or written in parts");
	return size;
}

/* In one piece: what goes into a pipe stays together. */
static ssize_t write_parts(int fd, const struct iovec *parts, size_t count, int flags)
{
	unsigned char copy[size_of_parts(parts, count) + 1];
	size_t size = 0;
	for (size_t i = 0; i < count; size += parts[i++].iov_len)
		if (parts[i].iov_len)
			memcpy(copy + size, parts[i].iov_base, parts[i].iov_len);
	return write_any(fd, copy, size, flags);
}

static ssize_t read_parts(int fd, const struct iovec *parts, size_t count, int flags)
{
	size_t size = size_of_parts(parts, count), given = 0;
	unsigned char copy[size + 1];
	long result = read_any(fd, copy, size, flags);
	for (size_t i = 0; i < count && result > 0 && given < (size_t)result; i++) {
		size_t left = (size_t)result - given, part = parts[i].iov_len < left ? parts[i].iov_len : left;
		memcpy(parts[i].iov_base, copy + given, part);
		given += part;
	}
	return result;
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
	return write_parts(fd, parts, (size_t)count, 0);
}

ssize_t readv(int fd, const struct iovec *parts, int count)
{
	return read_parts(fd, parts, (size_t)count, 0);
}

/* Through a pair of sockets, without descriptors or addresses. */
ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	int error = no_socket(fd);
	if (!error && (flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL)))
		__bitspin_refuse("sendmsg with other flags than MSG_DONTWAIT and MSG_NOSIGNAL");
	if (!error && (message->msg_controllen || message->msg_name))
		__bitspin_refuse("sendmsg with ancillary data, such as descriptors, or with an address");
	return error ? fail(error) : write_parts(fd, message->msg_iov, message->msg_iovlen, flags);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	int error = no_socket(fd);
	if (!error && (flags & ~(MSG_DONTWAIT | MSG_CMSG_CLOEXEC)))
		__bitspin_refuse("recvmsg with other flags than MSG_DONTWAIT and MSG_CMSG_CLOEXEC");
	ssize_t result = error ? fail(error) : read_parts(fd, message->msg_iov, message->msg_iovlen, flags & MSG_DONTWAIT);
	if (result >= 0) {
		message->msg_namelen = 0;
		message->msg_controllen = 0;
		message->msg_flags = 0;
	}
	return result;
}

off_t lseek(int fd, off_t offset, int whence)
{
	long result = -EBADF;
	LOCKED;
	if (is_readable(fd)) {
		long size = (long)__bitspin_size_of(descriptors[fd].file - 1);
		long base = whence == SEEK_CUR ? (long)descriptors[fd].position : whence == SEEK_END ? size : 0;
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
		return fd == 1 || fd == 2 ? O_WRONLY : descriptors[fd].flags;
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
