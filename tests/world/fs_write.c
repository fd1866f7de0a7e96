/* SPDX-License-Identifier: MIT
 *
 * Files that the program writes (--fs-write): a copy of --fs that is part of the state.  What a name means after each operation is
 * what a real directory shows: KIND 1 to 6 hold natively, too.
 *
 * RUN: check -DKIND=1 --fs-write --fs tests/programs/tree
 * EXPECT: verified
 * RUN: check -DKIND=1 --fs-write
 * EXPECT: verified
 * RUN: check -DKIND=2 --fs-write
 * EXPECT: verified
 * RUN: check -DKIND=3 --fs-write
 * EXPECT: verified
 * RUN: check -DKIND=4 --fs-write
 * EXPECT: verified
 * RUN: check -DKIND=5 --fs-write --faults malloc:1
 * EXPECT: verified
 * RUN: check -DKIND=6 --fs-write
 * EXPECT: verified
 * RUN: check -DKIND=7 --fs-write
 * EXPECT: violated assertion
 * RUN: check -DKIND=8 --fs-write
 * EXPECT: verified
 * RUN: check -DKIND=9 --fs-write
 * EXPECT: violated data-race
 * RUN: check -DKIND=10 --fs-write
 * EXPECT: inconclusive: a file that is written has more than 16384 bytes, which is all that --fs-write has room for
 * RUN: check -DKIND=11 --fs-write
 * EXPECT: inconclusive: the program writes or removes more than 16 files, which is all that --fs-write has room for
 * RUN: check -DKIND=12 --fs-write --fs tests/libc/files
 * EXPECT: verified
 * RUN: check -DKIND=13
 * EXPECT: verified
 * RUN: check -DKIND=14 --fs-write
 * EXPECT: violated uninitialized-read
 */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef KIND
#define KIND 1
#endif

static int holds(const char *path, const char *text)
{
	char bytes[200] = "";
	int fd = open(path, O_RDONLY);
	if (fd < 0)
		return 0;
	ssize_t n = read(fd, bytes, sizeof bytes - 1);
	close(fd);
	return n == (ssize_t)strlen(text) && memcmp(bytes, text, (size_t)n) == 0;
}

static void *add(void *unused)
{
	int fd = open("log", O_WRONLY | O_APPEND | O_CREAT, 0644);
	assert(write(fd, "ab", 2) == 2);
	close(fd);
	return unused;
}

/* Read the number in a file, add one, write it back: not atomic. */
static void *count(void *unused)
{
	int fd = open("count", O_RDWR);
	char digit;
	assert(pread(fd, &digit, 1, 0) == 1);
	digit++;
	assert(pwrite(fd, &digit, 1, 0) == 1);
	close(fd);
	return unused;
}

static char shared;

static void *scribble(void *unused)
{
	shared = 'x'; /* ERROR */
	return unused;
}

static void in_parallel(void *(*f)(void *), void *(*g)(void *))
{
	pthread_t t;
	pthread_create(&t, NULL, f, NULL);
	g(NULL);
	pthread_join(t, NULL);
}

static void *write_shared(void *unused)
{
	int fd = open("x", O_WRONLY | O_CREAT, 0600);
	assert(write(fd, &shared, 1) == 1); /* ERROR */
	close(fd);
	return unused;
}

/* descriptors */
static void descriptors(void)
{
	char bytes[100] = "";
	struct stat st;
	int fd;
	errno = 0;
	assert(open("new", O_RDWR) == -1 && errno == ENOENT);
	fd = open("new", O_RDWR | O_CREAT | O_EXCL, 0644);
	assert(fd >= 0 && open("new", O_RDWR | O_CREAT | O_EXCL, 0644) == -1 && errno == EEXIST);
	assert(write(fd, "hello, world", 12) == 12);
	assert(read(fd, bytes, 5) == 0 && lseek(fd, 7, SEEK_SET) == 7);
	assert(read(fd, bytes, 99) == 5 && strcmp(bytes, "world") == 0);
	assert(pwrite(fd, "W", 1, 7) == 1 && lseek(fd, 0, SEEK_CUR) == 12);
	assert(holds("./new", "hello, World"));
	assert(ftruncate(fd, 5) == 0 && holds("new", "hello") && lseek(fd, 0, SEEK_END) == 5);
	assert(lseek(fd, 2, SEEK_CUR) == 7 && write(fd, "!", 1) == 1);
	assert(fstat(fd, &st) == 0 && st.st_size == 8 && S_ISREG(st.st_mode));
	assert(pread(fd, bytes, 99, 4) == 4 && memcmp(bytes, "o\0\0!", 4) == 0);
	assert(write(fd, "", 0) == 0 && fdatasync(fd) == 0);
	assert(close(fd) == 0 && write(fd, "x", 1) == -1 && errno == EBADF);
	fd = open("new", O_RDONLY);
	assert(write(fd, "x", 1) == -1 && errno == EBADF && ftruncate(fd, 0) == -1);
	close(fd);
	fd = open("new", O_WRONLY | O_TRUNC);
	assert(read(fd, bytes, 1) == -1 && errno == EBADF && pread(fd, bytes, 1, 0) == -1 && errno == EBADF);
	assert(stat("new", &st) == 0 && st.st_size == 0 && access("new", W_OK) == 0);
	assert((fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY);
	struct iovec parts[] = { { "ab", 2 }, { "c", 1 } };
	assert(writev(fd, parts, 2) == 3 && holds("new", "abc"));
	close(fd);
}

/* names */
static void names(void)
{
	int fd;
	assert(mkdir("d", 0755) == 0 && mkdir("d/", 0755) == -1 && errno == EEXIST);
	assert(open("e/f", O_CREAT | O_WRONLY, 0644) == -1 && errno == ENOENT);
	fd = creat("d/f", 0644);
	assert(fd >= 0 && write(fd, "one", 3) == 3 && close(fd) == 0);
	assert(open("d/f/g", O_CREAT | O_WRONLY, 0644) == -1 && errno == ENOTDIR);
	assert(open("d", O_WRONLY) == -1 && errno == EISDIR && unlink("d") == -1 && errno == EISDIR);
	assert(rmdir("d") == -1 && errno == ENOTEMPTY && rmdir("d/f") == -1 && errno == ENOTDIR);
	assert(rename("d/f", "g") == 0 && access("d/f", F_OK) == -1 && holds("g", "one"));
	assert(rename("d/f", "h") == -1 && errno == ENOENT && rename("g", "e/x") == -1 && errno == ENOENT);
	assert(rename("g", "d") == -1 && errno == EISDIR && rename("g", "g") == 0);
	fd = creat("h", 0644);
	assert(write(fd, "two", 3) == 3);
	assert(rename("g", "h") == 0 && holds("h", "one")); /* the old h is still open */
	assert(write(fd, "!", 1) == 1 && lseek(fd, 0, SEEK_END) == 4 && close(fd) == 0 && holds("h", "one"));
	assert(truncate("h", 2) == 0 && holds("h", "on") && truncate("d", 0) == -1 && errno == EISDIR);
	assert(remove("h") == 0 && remove("h") == -1 && errno == ENOENT && remove("d") == 0 && rmdir("d") == -1);
}

/* what is unlinked lives while it is open */
static void unlinked(void)
{
	char bytes[100] = "";
	struct stat st;
	int fd;
	fd = open("t", O_RDWR | O_CREAT, 0600);
	assert(unlink("t") == 0 && unlink("t") == -1 && errno == ENOENT && access("t", F_OK) == -1);
	assert(write(fd, "abc", 3) == 3 && pread(fd, bytes, 9, 1) == 2 && strcmp(bytes, "bc") == 0);
	int other = open("t", O_RDWR | O_CREAT, 0600);
	assert(fstat(other, &st) == 0 && st.st_size == 0 && write(other, "z", 1) == 1);
	assert(fstat(fd, &st) == 0 && st.st_size == 3);
	close(fd);
	assert(holds("t", "z") && close(other) == 0 && unlink("t") == 0);
	for (int i = 0; i < 20; i++) { /* there are nodes for 16 */
		fd = open("t", O_RDWR | O_CREAT, 0600);
		assert(write(fd, "q", 1) == 1 && unlink("t") == 0 && close(fd) == 0);
	}
}

/* streams */
static void streams(void)
{
	char bytes[100] = "";
	FILE *f;
	f = fopen("s", "w");
	fprintf(f, "%d %s\n", 42, "lines");
	fputs("second", f);
	fputc('\n', f);
	putc('c', f);
	assert(fwrite("xyz", 1, 3, f) == 3 && ftell(f) == 20 && fflush(f) == 0 && fclose(f) == 0);
	assert(holds("s", "42 lines\nsecond\ncxyz"));
	f = fopen("s", "a");
	dprintf(fileno(f), "%c", '!');
	fclose(f);
	f = fopen("s", "r+");
	assert(fgets(bytes, 99, f) && strcmp(bytes, "42 lines\n") == 0);
	assert(fseek(f, -1, SEEK_END) == 0 && fgetc(f) == '!' && fgetc(f) == EOF && feof(f));
	assert(fputs("x", stderr) >= 0);
	rewind(f);
	assert(fputc('6', f) == '6' && fclose(f) == 0 && holds("s", "62 lines\nsecond\ncxyz!"));
	f = fopen("s", "r");
	assert(fputc('x', f) == EOF && ferror(f) && fclose(f) == 0);
	assert(fopen("s", "wx") == NULL && errno == EEXIST);
	f = fopen("s", "w+");
	assert(fgetc(f) == EOF && fclose(f) == 0 && holds("s", "") && unlink("s") == 0);
}

/* memory that fails leaves no descriptor open */
static void failing(void)
{
	struct stat st;
	FILE *f;
	for (int i = 0; i < 3; i++)
		if ((f = fopen("m", "a"))) {
			fputc('m', f);
			fclose(f);
		}
	assert(open("m", O_RDONLY) == 3);
	assert(stat("m", &st) == 0 && (st.st_size == 3 || st.st_size == 2));
}

/* each write goes to the end, whole */
static void appended(void)
{
	int fd;
	in_parallel(add, add);
	assert(holds("log", "abab") && unlink("log") == 0);
	char name[] = "tmpXXXXXX";
	fd = mkstemp(name);
	assert(fd >= 0 && truncate64(name, 0) == 0 && ftruncate64(fd, 0) == 0);
	assert(strncmp(name, "tmp", 3) == 0 && write(fd, "1", 1) == 1 && holds(name, "1"));
	assert(close(fd) == 0 && unlink(name) == 0);
	char large[] = "tmpXXXXXX", bad[] = "tmpXXXXX";
	fd = mkstemp64(large);
	assert(mkstemp(bad) == -1 && errno == EINVAL && pwrite64(fd, "2", 1, 0) == 1 && close(fd) == 0 && unlink(large) == 0);
	DIR *d = opendir(".");
	struct dirent *e;
	assert(mkdir("sub", 0700) == 0 && close(creat("sub/in", 0600)) == 0);
	int found = 0;
	while ((e = readdir(d)))
		found += strcmp(e->d_name, "sub") == 0 || strcmp(e->d_name, "in") == 0;
	closedir(d);
	d = opendir("sub");
	while ((e = readdir(d)))
		found += strcmp(e->d_name, "in") == 0;
	closedir(d);
	assert(found == 2 && unlink("sub/in") == 0 && rmdir("sub") == 0);
}

static void counted(void)
{
	int fd;
fd = creat("count", 0600);
	assert(write(fd, "0", 1) == 1 && close(fd) == 0);
	in_parallel(count, count);
	assert(holds("count", "2")); /* ERROR */
}

/* two that make the same file: one is first */
static void made_twice(void)
{
	struct stat st;
	in_parallel(add, add);
	assert(stat("log", &st) == 0 && st.st_size == 4);
}

static void scribbled(void)
{
in_parallel(scribble, write_shared);
}

/* more than there is room for is told */
static void large(void)
{
	char bytes[100] = "";
	int fd;
	fd = creat("large", 0600);
	for (int i = 0; i < 200; i++)
		if (write(fd, bytes, sizeof bytes) < 0)
			break;
}

static void many(void)
{
	char bytes[100] = "";
for (int i = 0; i < 17; i++) {
		snprintf(bytes, sizeof bytes, "file%d", i);
		close(creat(bytes, 0600));
	}
}

/* files of --fs: copied when they are written, and their names are free when they are gone */
static void of_fs(void)
{
	char bytes[100] = "";
	struct stat st;
	int fd;
	FILE *f;
	fd = open("text.txt", O_RDONLY);
	assert(read(fd, bytes, 2) == 2);
	assert(truncate("text.txt", 3) == 0 && read(fd, bytes, 9) == 1 && read(fd, bytes, 9) == 0 && close(fd) == 0);
	f = fopen("text.txt", "a");
	assert(fputs("end", f) >= 0 && fclose(f) == 0 && stat("text.txt", &st) == 0 && st.st_size == 6);
	assert(unlink("sub/small.txt") == 0 && open("sub/small.txt", O_RDONLY) == -1 && errno == ENOENT);
	fd = open("sub/small.txt", O_CREAT | O_EXCL | O_RDWR, 0600);
	assert(fd >= 0 && read(fd, bytes, 1) == 0 && close(fd) == 0);
	assert(rename("text.txt", "sub/small.txt") == 0 && access("text.txt", F_OK) == -1);
	assert(stat("sub/small.txt", &st) == 0 && st.st_size == 6);
	assert(rename("sub/small.txt", "text.txt") == 0 && access("sub/small.txt", F_OK) == -1);
}

/* without the option, nothing can be written */
static void read_only(void)
{
	assert(creat("new", 0600) == -1 && errno == EROFS && mkdir("d", 0700) == -1 && errno == EROFS);
	assert(fopen("new", "w") == NULL && errno == EROFS && truncate("new", 0) == -1 && errno == ENOENT);
	assert(pwrite(1, "x", 1, 0) == -1 && ftruncate(9, 1) == -1 && errno == EBADF);
}

static void unset(void)
{
	char bytes[100] = "";
	int fd;
	char unset[2];
	fd = open("u", O_RDWR | O_CREAT, 0600);
	write(fd, unset, 2);
	pread(fd, bytes, 1, 1);
	if (bytes[0]) /* ERROR */
		close(fd);
}

static void (*const kinds[])(void) = {
	descriptors, names, unlinked, streams, failing, appended, counted, made_twice, scribbled, large, many, of_fs, read_only, unset,
};

int main(void)
{
	kinds[KIND - 1]();
}
