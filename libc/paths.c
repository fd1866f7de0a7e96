/* SPDX-License-Identifier: MIT
 *
 * Files and directories by their names: what there is, and with --fs-write making, removing and renaming them.
 */
#include "disk.h"
#include "ducts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is there never changes unless it can be written. */
#define LOOKED                                          \
	do {                                            \
		if (__bitspin_fs_write) {               \
			LOCKED;                         \
			__bitspin_order_disk();         \
		}                                       \
	} while (0)
#define SEEN                            \
	do {                            \
		if (__bitspin_fs_write) \
			UNLOCKED;       \
	} while (0)

static int fail(int error)
{
	errno = error;
	return -1;
}

static int or_fail(int error)
{
	return error ? fail(error) : 0;
}

static int exists(const char *path)
{
	return __bitspin_find_file(path) || __bitspin_is_directory(path);
}

/* ---- stat ------------------------------------------------------------------------------------------------------------ */

static void fill_stat(struct stat *st, size_t file, int directory)
{
	memset(st, 0, sizeof *st);
	st->st_ino = file + 2;
	st->st_nlink = 1;
	st->st_mode = (directory ? S_IFDIR | 0555 : S_IFREG | 0444) | (__bitspin_fs_write ? S_IWUSR : 0);
	st->st_size = directory ? 4096 : (off_t)__bitspin_size_of(file);
	st->st_blksize = 4096;
	st->st_blocks = (st->st_size + 511) / 512;
}

int fstat(int fd, struct stat *st)
{
	struct stat found;
	memset(&found, 0, sizeof found);
	LOCKED;
	int end = __bitspin_end_of(fd), kind = end >= 0 ? __bitspin_ends[end].kind : END_FREE;
	long file = end < 0 ? __bitspin_file_of(fd) : -1;
	if (file >= 0)
		fill_stat(&found, (size_t)file, 0);
	UNLOCKED;
	if (end >= 0) {
		found.st_mode = (kind == END_OF_SOCKETS ? S_IFSOCK : S_IFIFO) | 0600;
		found.st_nlink = 1;
		found.st_blksize = 4096;
	} else if (file < 0) {
		return fail(EBADF);
	}
	*st = found;
	return 0;
}

static int not_there(const char *path)
{
	__bitspin_untried(UNTRIED_FILE, path);
	return fail(ENOENT);
}

int stat(const char *path, struct stat *st)
{
	struct stat found;
	LOOKED;
	size_t file = __bitspin_find_file(path);
	int there = exists(path);
	if (there)
		fill_stat(&found, file, !file);
	SEEN;
	if (!there)
		return not_there(path);
	*st = found;
	return 0;
}

int lstat(const char *path, struct stat *st)
{
	return stat(path, st);
}

/* There are no symbolic links. */
ssize_t readlink(const char *path, char *to, size_t size)
{
	(void)to;
	(void)size;
	LOOKED;
	int there = exists(path);
	SEEN;
	return !there ? not_there(path) : fail(EINVAL);
}

int access(const char *path, int mode)
{
	LOOKED;
	int there = exists(path), file = __bitspin_find_file(path) != 0;
	SEEN;
	if (!there)
		return not_there(path);
	return mode & W_OK && !__bitspin_fs_write ? fail(EROFS) : file && mode & X_OK ? fail(EACCES) : 0;
}

/* ---- making and removing; in an atomic section ------------------------------------------------------------------------- */

/* The directory that a name is in: without the slash, "" if it is the root. */
static size_t directory_length(const char *name)
{
	const char *slash = strrchr(name, '/');
	return slash ? (size_t)(slash - name) : 0;
}

int __bitspin_no_new_name(const char *path)
{
	const char *name = __bitspin_plain_name(path);
	size_t length = directory_length(name);
	if (!*name || name[strlen(name) - 1] == '/')
		return *path ? EISDIR : ENOENT;
	char parent[length + 1];
	memcpy(parent, name, length);
	parent[length] = '\0';
	if (length == 0 || __bitspin_is_directory(parent))
		return 0;
	return __bitspin_find_file(parent) ? ENOTDIR : ENOENT;
}

struct node *__bitspin_name_node(const char *path, enum node_kind kind)
{
	const char *name = __bitspin_plain_name(path);
	struct node *node = __bitspin_node_of(name); /* at most one that says that a file of --fs is gone */
	if (!node)
		return __bitspin_new_node(name, kind);
	node->kind = kind;
	return node;
}

static int is_given(const char *name)
{
	for (size_t i = 1; i < __bitspin_nfiles; i++)
		if (strcmp(__bitspin_files[i].name, name) == 0)
			return 1;
	return 0;
}

static int remove_file(const char *path)
{
	const char *name = __bitspin_plain_name(path);
	if (!__bitspin_find_file(path))
		return __bitspin_is_directory(path) ? EISDIR : ENOENT;
	if (!__bitspin_fs_write)
		return EROFS;
	struct node *node = __bitspin_node_of(name);
	if (node)
		__bitspin_node_unlink(node, is_given(name));
	else
		__bitspin_new_node(name, NODE_GONE);
	return 0;
}

static int remove_directory(const char *path)
{
	const char *name = __bitspin_plain_name(path);
	if (!__bitspin_is_directory(path))
		return __bitspin_find_file(path) ? ENOTDIR : ENOENT;
	if (!__bitspin_fs_write)
		return EROFS;
	struct node *node = __bitspin_node_of(name);
	if (!*name)
		return EBUSY;
	if (!node)
		__bitspin_refuse("rmdir of a directory of --fs is not modelled");
	if (__bitspin_node_below(name))
		return ENOTEMPTY;
	__bitspin_node_unlink(node, 0);
	return 0;
}

static int move(const char *from, const char *to)
{
	const char *name = __bitspin_plain_name(from), *other = __bitspin_plain_name(to);
	size_t file = __bitspin_find_file(from);
	if (!exists(from))
		return ENOENT;
	if (!__bitspin_fs_write)
		return EROFS;
	if (!file)
		__bitspin_refuse("rename of a directory is not modelled");
	int error = __bitspin_is_directory(to) ? EISDIR : __bitspin_no_new_name(to);
	if (error || strcmp(name, other) == 0)
		return error;
	struct node *node = __bitspin_writable(file), *old = __bitspin_node_of(other);
	if (old)
		__bitspin_node_unlink(old, 0);
	if (strlen(other) >= NODE_NAME)
		__bitspin_refuse("rename to a name of more than 99 bytes, which is all that --fs-write has room for");
	memset(node->name, 0, sizeof node->name);
	strcpy(node->name, other);
	if (is_given(name))
		__bitspin_new_node(name, NODE_GONE);
	return 0;
}

static int make_directory(const char *path)
{
	size_t length = strlen(path);
	char plain[length + 1];
	memcpy(plain, path, length + 1);
	while (length > 1 && plain[length - 1] == '/')
		plain[--length] = '\0';
	if (exists(plain))
		return EEXIST;
	if (!__bitspin_fs_write)
		return EROFS;
	int error = __bitspin_no_new_name(plain);
	if (!error)
		__bitspin_name_node(plain, NODE_DIRECTORY);
	return error;
}

/* ---- the functions --------------------------------------------------------------------------------------------------- */

int unlink(const char *path)
{
	LOOKED;
	int error = remove_file(path);
	SEEN;
	return or_fail(error);
}

int rmdir(const char *path)
{
	LOOKED;
	int error = remove_directory(path);
	SEEN;
	return or_fail(error);
}

int remove(const char *path)
{
	LOOKED;
	int error = __bitspin_is_directory(path) ? remove_directory(path) : remove_file(path);
	SEEN;
	return or_fail(error);
}

int rename(const char *from, const char *to)
{
	LOOKED;
	int error = move(from, to);
	SEEN;
	return or_fail(error);
}

int mkdir(const char *path, mode_t mode)
{
	(void)mode;
	LOOKED;
	int error = make_directory(path);
	SEEN;
	return or_fail(error);
}

int truncate(const char *path, off_t size)
{
	if (size < 0)
		return fail(EINVAL);
	LOOKED;
	size_t file = __bitspin_find_file(path);
	int error = !exists(path) ? ENOENT : !file ? EISDIR : __bitspin_fs_write ? 0 : EROFS;
	if (!error)
		__bitspin_node_resize(__bitspin_writable(file), size > NODE_BYTES ? NODE_BYTES + 1 : (size_t)size);
	SEEN;
	return or_fail(error);
}

int truncate64(const char *path, off64_t size)
{
	return truncate(path, size);
}

int creat(const char *path, mode_t mode)
{
	(void)mode;
	return __bitspin_open(path, O_WRONLY | O_CREAT | O_TRUNC);
}

/* The first name that is free. */
int mkstemp(char *template)
{
	size_t length = strlen(template);
	if (length < 6 || strcmp(template + length - 6, "XXXXXX") != 0)
		return fail(EINVAL);
	for (char last = 'a'; last <= 'z'; last++) {
		memcpy(template + length - 6, "aaaaa", 5);
		template[length - 1] = last;
		int fd = __bitspin_open(template, O_RDWR | O_CREAT | O_EXCL);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return fail(EEXIST);
}

int mkstemp64(char *template)
{
	return mkstemp(template);
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
	const char *name = __bitspin_plain_name(path);
	size_t length = strlen(name);
	LOOKED;
	int error = __bitspin_is_directory(path) ? 0 : __bitspin_find_file(path) ? ENOTDIR : ENOENT;
	SEEN;
	if (error) {
		fail(error);
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

static struct dirent *fill_entry(struct directory *directory, size_t i, const char *name, size_t length, int type)
{
	memset(&directory->entry, 0, sizeof directory->entry);
	memcpy(directory->entry.d_name, name, length);
	directory->entry.d_ino = i + 2;
	directory->entry.d_type = (unsigned char)type;
	return &directory->entry;
}

/* An entry that is a node of the disk; the caller has seen those of --fs. */
static struct dirent *next_node(struct directory *directory)
{
	while (directory->next < __bitspin_nfiles + NODES) {
		const struct node *node = __bitspin_node(directory->next++ - __bitspin_nfiles);
		const char *rest = node->name + directory->length;
		int listed = node->kind == NODE_FILE || node->kind == NODE_DIRECTORY;
		if (listed && strncmp(node->name, directory->name, directory->length) == 0 && !strchr(rest, '/'))
			return fill_entry(directory, NODE + __bitspin_node_number(node), rest, strlen(rest),
					  node->kind == NODE_FILE ? DT_REG : DT_DIR);
	}
	return NULL;
}

/* The stream of a directory is no more thread-safe than POSIX promises: who shares it races.  So only the disk is looked at in the
 * section. */
struct dirent *readdir(DIR *handle)
{
	struct directory *shared = (struct directory *)handle;
	size_t room = sizeof *shared + shared->length + 1;
	char bytes[room] __attribute__((aligned(_Alignof(struct directory))));
	struct directory *directory = memcpy(bytes, shared, room);
	struct dirent *entry = NULL;
	LOOKED;
	while (!entry && directory->next < __bitspin_nfiles) {
		size_t i = directory->next++, length;
		if (!begins_entry(directory, i, &length) || length >= sizeof directory->entry.d_name)
			continue;
		const char *rest = __bitspin_files[i].name + directory->length;
		if (__bitspin_fs_write && !rest[length] && __bitspin_node_of(__bitspin_files[i].name))
			continue; /* it is gone, or comes later */
		entry = fill_entry(directory, i, rest, length, rest[length] ? DT_DIR : DT_REG);
	}
	if (!entry && __bitspin_fs_write)
		entry = next_node(directory);
	SEEN;
	memcpy(shared, directory, sizeof *shared);
	return entry ? &shared->entry : NULL;
}

int closedir(DIR *handle)
{
	free(handle);
	return 0;
}
