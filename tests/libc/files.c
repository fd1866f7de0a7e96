/* SPDX-License-Identifier: MIT
 *
 * Files: run in tests/libc/files natively, with --fs in the VM.  Compared with the same program run natively, see
 * tests/libc.sh.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void missing(void)
{
	errno = 0;
	printf("%d", fopen("absent.txt", "r") == NULL);
	printf(" %d", errno);
	printf(" %d", open("absent.txt", O_RDONLY));
	printf(" %d", errno);
	printf(" %d", fopen("text.txt", "?") == NULL);
	printf(" %d", errno);
	errno = 0;
	printf(" %d", close(50));
	printf(" %d", errno);
	char byte;
	errno = 0;
	printf(" %zd", read(50, &byte, 1));
	printf(" %d", errno);
	printf(" %d %d\n", access("absent.txt", R_OK), access("text.txt", R_OK));
}

static void streams(void)
{
	char line[40], *whole = NULL;
	size_t room = 0;
	FILE *file = fopen("text.txt", "r");
	fpos_t place;
	printf("%s", fgets(line, sizeof line, file));
	fgetpos(file, &place);
	printf("%ld %c", ftell(file), fgetc(file));
	printf(" %d\n", fseek(file, -2, SEEK_END));
	printf("%d %d %d", getc_unlocked(file), fgetc_unlocked(file), fgetc(file));
	printf(" %d %d\n", feof(file) != 0, ferror(file));
	fsetpos(file, &place);
	printf("%zd %s", getline(&whole, &room, file), whole);
	printf("%zd\n", getdelim(&whole, &room, 't', file));
	printf("%zd %s\n", getdelim(&whole, &room, 't', file), whole);
	free(whole);
	rewind(file);
	memset(line, 0, sizeof line);
	printf("%zu %.4s\n", fread(line, 4, 2, file), line);
	printf("%zu\n", fread_unlocked(line, 1, 1, file));
	printf("%d %ld\n", fseeko(file, 5, SEEK_SET), (long)ftello(file));
	ungetc('Z', file);
	printf("%ld %c%c\n", ftell(file), fgetc(file), fgetc(file));
	printf("%d %d\n", fread(line, 1, 40, file) > 20, feof(file) != 0);
	printf("%zu\n", fread(line, 1, 40, file));
	printf("%d %d\n", fseek(file, -5, SEEK_SET), fseek(file, 0, 77));
	printf("%d\n", fclose(file));
	file = fdopen(open("./sub/small.txt", O_RDONLY), "r");
	printf("%d", fscanf(file, "%2s", line));
	printf(" %s %d\n", line, fclose(file));
}

static void descriptors(void)
{
	char bytes[8] = "";
	struct stat st;
	int fd = open("sub/small.txt", O_RDONLY);
	printf("%d %zd %s\n", fd, read(fd, bytes, 2), bytes);
	printf("%ld", (long)lseek(fd, 0, SEEK_CUR));
	printf(" %ld", (long)lseek(fd, -1, SEEK_END));
	printf(" %zd", read(fd, bytes, 8));
	printf(" %zd", read(fd, bytes, 8));
	errno = 0;
	printf(" %ld", (long)lseek(fd, -9, SEEK_SET));
	printf(" %d", errno);
	printf(" %zd %c\n", pread(fd, bytes, 1, 1), bytes[0]);
	printf("%d %ld %d\n", fstat(fd, &st), (long)st.st_size, S_ISREG(st.st_mode));
	printf("%d %d %d\n", stat("sub", &st), S_ISDIR(st.st_mode), lstat("absent", &st));
	printf("%d %ld\n", stat("sub/empty", &st), (long)st.st_size);
	errno = 0;
	printf("%d %d ", (int)readlink("sub", bytes, sizeof bytes), errno);
	printf("%d %d\n", (int)readlink("absent", bytes, sizeof bytes), errno);
	printf("%d %d\n", close(fd), close(fd));
	printf("%d\n", isatty(fd));
	fsync(1);
	posix_fadvise(0, 0, 0, 0);
	printf("%d %d\n", open("sub", O_WRONLY), errno);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void directories(void)
{
	char names[10][20];
	int n = 0;
	struct dirent *entry;
	DIR *directory = opendir(".");
	while ((entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			snprintf(names[n++], 20, "%s %d", entry->d_name, entry->d_type == DT_DIR);
	printf("%d\n", closedir(directory));
	directory = opendir("sub/");
	while ((entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			snprintf(names[n++], 20, "sub/%s", entry->d_name);
	closedir(directory);
	qsort(names, (size_t)n, 20, by_name);
	for (int i = 0; i < n; i++)
		puts(names[i]);
	errno = 0;
	printf("%d", opendir("absent") == NULL);
	printf(" %d", errno);
	printf(" %d", opendir("text.txt") == NULL);
	printf(" %d\n", errno);
	printf("%d %d %d\n", unlink("absent"), remove("absent"), rename("absent", "other"));
	printf("%d %d\n", mkdir("sub", 0777), errno);
}

int main(void)
{
	missing();
	streams();
	descriptors();
	directories();
	return 0;
}
