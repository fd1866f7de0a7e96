/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

long __sysconf(int);

static void memory(void)
{
	char *map = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *more = mmap64(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	printf("%d %d %d\n", map != MAP_FAILED, map[0], map[8191]);
	map[0] = 1;
	map[4999] = 2;
	more[0] = map[0];
	printf("%d\n", (unsigned long)map % 4096 == 0);
	printf("%d %d\n", madvise(map, 5000, MADV_WILLNEED), map[0]);
	printf("%d %d\n", madvise(map, 8192, MADV_DONTNEED), map[0]);
	printf("%d\n", mprotect(more, 4096, PROT_READ | PROT_WRITE));
	printf("%d %d\n", munmap(map, 5000), munmap(more, 4096));
	printf("%d\n", mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
	mlock(&map, 8);
	munlock(&map, 8);
	mlockall(0);
}

static void machine(void)
{
	cpu_set_t set;
	struct rlimit limit;
	struct rlimit64 large;
	struct sysinfo info;
	char bytes[8];
	printf("%d %d\n", sched_getaffinity(0, sizeof set, &set), CPU_COUNT(&set) >= 1);
	printf("%d\n", pthread_getaffinity_np(pthread_self(), sizeof set, &set));
	printf("%d %d\n", getrlimit(RLIMIT_STACK, &limit), limit.rlim_cur > 4096);
	printf("%d\n", getrlimit64(RLIMIT_NOFILE, &large));
	printf("%d\n", (int)__sysconf(_SC_PAGESIZE));
	printf("%d %d\n", sysinfo(&info), info.totalram > 0);
	printf("%d\n", gnu_get_libc_version()[0]);
	char name[17];
	printf("%d\n", prctl(PR_SET_NAME, "name", 0, 0, 0));
	memset(name, 'x', sizeof name);
	printf("%d %s\n", prctl(PR_GET_NAME, (unsigned long)name, 0, 0, 0), name);
	printf("%d\n", prctl(PR_SET_NAME, "a longer name than sixteen", 0, 0, 0));
	printf("%d %s %c\n", prctl(PR_GET_NAME, (unsigned long)name, 0, 0, 0), name, name[16]);
	printf("%d\n", getpriority(PRIO_PROCESS, 0));
	setpriority(PRIO_PROCESS, 0, 0);
	setrlimit(RLIMIT_STACK, &limit);
	fdatasync(1);
}

static void files(void)
{
	struct stat64 a, b, c;
	int fd = open("numbers.txt", O_RDONLY), absent = stat64("absent", &a);
	DIR *directory = opendir(".");
	struct dirent64 *entry = directory ? readdir64(directory) : NULL;
	printf("%d %d\n", absent, entry != NULL);
	closedir(directory);
	printf("%d %d %d\n", stat64(".", &a), lstat64(".", &b), fstat64(0, &c));
	printf("%d\n", a.st_mode == b.st_mode);
	if (fd >= 0) {
		char bytes[4];
		printf("%d %d\n", (int)lseek64(fd, 2, SEEK_SET), (int)pread64(fd, bytes, 2, 0));
		close(fd);
	}
	FILE *file = fdopen(0, "r");
	printf("%d %d\n", fseeko64(file, 1, SEEK_SET), (int)ftello64(file));
}

int main(void)
{
	memory();
	machine();
	files();
	return 0;
}
