/* SPDX-License-Identifier: MIT
 *
 * What a program asks its system for, beyond time.c: processors, limits, memory that is mapped; and the names that functions have
 * in programs with large files.
 */
#include "ducts.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { PROCESSORS = 4, PAGE = 4096 };
#define MOST_MAPPED ((size_t)4 << 40)

static int fail(int error)
{
	errno = error;
	return -1;
}

/* ---- processors ------------------------------------------------------------------------------------------------------ */

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
	(void)process;
	if (size < sizeof(unsigned long) || size % sizeof(unsigned long))
		return fail(EINVAL);
	__bitspin_untried(UNTRIED_PROCESSORS, "");
	memset(set, 0, size);
	*(unsigned char *)set = (1 << PROCESSORS) - 1;
	return 0;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
	(void)thread;
	return sched_getaffinity(0, size, set) < 0 ? EINVAL : 0;
}

int __sched_cpucount(size_t size, const cpu_set_t *set)
{
	int count = 0;
	for (size_t i = 0; i < size / sizeof(unsigned long); i++)
		count += __builtin_popcountl(((const unsigned long *)set)[i]);
	return count;
}

int sched_getcpu(void)
{
	return bitspin_choose(0, PROCESSORS - 1);
}

int sched_get_priority_min(int policy)
{
	if (policy == SCHED_FIFO || policy == SCHED_RR)
		return 1;
	return policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE ? 0 : fail(EINVAL);
}

int sched_get_priority_max(int policy)
{
	return policy == SCHED_FIFO || policy == SCHED_RR ? 99 : sched_get_priority_min(policy);
}

/* ---- limits ---------------------------------------------------------------------------------------------------------- */

int getrlimit(__rlimit_resource_t resource, struct rlimit *limit)
{
	limit->rlim_cur = limit->rlim_max = RLIM_INFINITY;
	if (resource == RLIMIT_STACK)
		limit->rlim_cur = 8 << 20;
	else if (resource == RLIMIT_NOFILE)
		limit->rlim_cur = limit->rlim_max = 64;
	return 0;
}

int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *limit)
{
	return getrlimit(resource, (struct rlimit *)limit);
}

long __sysconf(int name)
{
	return sysconf(name);
}

int sysinfo(struct sysinfo *info)
{
	memset(info, 0, sizeof *info);
	info->totalram = info->freeram = (unsigned long)4 << 30;
	info->procs = 1;
	info->mem_unit = 1;
	return 0;
}

const char *gnu_get_libc_version(void)
{
	return "2.36";
}

/* Set the name of a thread, of which 15 bytes count, or get it. */
int prctl(int what, ...)
{
	enum { SIZE = 16 };
	char short_name[SIZE] = { 0 };
	va_list list;
	va_start(list, what);
	char *name = (char *)va_arg(list, unsigned long);
	va_end(list);
	if (what == PR_SET_NAME) {
		strncpy(short_name, name, SIZE - 1);
		pthread_setname_np(pthread_self(), short_name);
	} else if (what == PR_GET_NAME) {
		pthread_getname_np(pthread_self(), name, SIZE);
	} else {
		__bitspin_refuse("prctl does more than to name a thread");
	}
	return 0;
}

/* Every thread of the process passes a barrier: a fence of the calling one. */
int membarrier(int command, unsigned flags)
{
	enum { QUERY = 0, COMMANDS = 0x7f };
	if (flags || command < 0 || (command & ~COMMANDS) || (command & (command - 1)))
		return fail(EINVAL);
	if (command == QUERY)
		return COMMANDS;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return 0;
}

/* A few of all the values there are, which differ where programs often look. */
static void fill_randomly(void *to, size_t size)
{
	static const unsigned char values[] = { 0x5a, 0, 0xff };
	__bitspin_untried(UNTRIED_BYTES, "");
	if (size)
		memset(to, values[bitspin_choose(0, sizeof values - 1)], size);
}

ssize_t getrandom(void *to, size_t size, unsigned flags)
{
	(void)flags;
	fill_randomly(to, size);
	return (ssize_t)size;
}

int getentropy(void *to, size_t size)
{
	if (size > 256)
		return fail(EIO);
	fill_randomly(to, size);
	return 0;
}

/* ---- memory ---------------------------------------------------------------------------------------------------------- */

/* Done by the VM: 0: these bytes may be read and written, 1: only read, 2: neither.  False: there are no such bytes.  3: are they
 * all of an object? */
int __bitspin_protect(void *memory, size_t size, int how);

static size_t whole_pages(size_t size)
{
	return (size + PAGE - 1) / PAGE * PAGE;
}

/* What can be written or executed can be read, on x86-64. */
static int protect(void *memory, size_t size, int protection)
{
	int how = protection & PROT_WRITE ? 0 : protection & (PROT_READ | PROT_EXEC) ? 1 : 2;
	return __bitspin_protect(memory, whole_pages(size), how);
}

int mprotect(void *memory, size_t size, int protection)
{
	if ((unsigned long)memory % PAGE || (protection & ~(PROT_READ | PROT_WRITE | PROT_EXEC)))
		return fail(EINVAL);
	return size == 0 || protect(memory, size, protection) ? 0 : fail(ENOMEM);
}

/* Map pages where there is memory already: its bytes are gone. */
static void *map_again(void *memory, size_t size, int protection)
{
	if (!protect(memory, size, PROT_READ | PROT_WRITE))
		__bitspin_refuse("mmap at a fixed address is modelled only where there is memory");
	memset(memory, 0, whole_pages(size));
	if (!(protection & PROT_WRITE))
		protect(memory, size, protection);
	return memory;
}

/* A mapping is memory as from calloc; it is unmapped as a whole. */
void *mmap(void *wanted, size_t size, int protection, int flags, int fd, off_t offset)
{
	(void)fd;
	(void)offset;
	if (size == 0) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	if (!(flags & MAP_ANONYMOUS))
		__bitspin_refuse("mmap of a file is not modelled");
	if (flags & (MAP_FIXED_NOREPLACE | MAP_GROWSDOWN))
		__bitspin_refuse("mmap at a fixed address is modelled only where there is memory");
	if (flags & MAP_FIXED && (unsigned long)wanted % PAGE) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	if (flags & MAP_FIXED)
		return map_again(wanted, size, protection);
	if (size > MOST_MAPPED) { /* there are not many more addresses; on a small machine, the call fails */
		__bitspin_untried(UNTRIED_MAPPING, "");
		errno = ENOMEM;
		return MAP_FAILED;
	}
	void *memory = __bitspin_map(1, whole_pages(size)); /* each object begins at a multiple of a page */
	if (!memory)
		return MAP_FAILED;
	if (!(protection & PROT_WRITE))
		protect(memory, size, protection);
	return memory;
}

void *mmap64(void *wanted, size_t size, int protection, int flags, int fd, off64_t offset)
{
	return mmap(wanted, size, protection, flags, fd, offset);
}

int munmap(void *memory, size_t size)
{
	if (size == 0 || (unsigned long)memory % PAGE)
		return fail(EINVAL);
	if (__bitspin_protect(memory, whole_pages(size), 3)) {
		protect(memory, size, PROT_READ | PROT_WRITE);
		__bitspin_unmap(memory);
	} else if (!protect(memory, size, PROT_NONE)) { /* a part is not accessed again, and nobody else gets it */
		__bitspin_refuse("munmap of what mmap has not returned is not modelled");
	}
	return 0;
}

int madvise(void *memory, size_t size, int advice)
{
	if (advice == MADV_DONTNEED)
		memset(memory, 0, (size + PAGE - 1) / PAGE * PAGE);
	return 0;
}

/* The end of the data, which stays where it is: behind this byte. */
static const char last_of_data;

void *sbrk(intptr_t increment)
{
	if (increment)
		__bitspin_refuse("sbrk of more memory is not modelled; allocate with malloc or mmap");
	return (void *)(&last_of_data + 1);
}

/* ---- large files ----------------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "they are the same");
_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "they are the same");

int stat64(const char *path, struct stat64 *st)
{
	return stat(path, (struct stat *)st);
}

int lstat64(const char *path, struct stat64 *st)
{
	return lstat(path, (struct stat *)st);
}

int fstat64(int fd, struct stat64 *st)
{
	return fstat(fd, (struct stat *)st);
}

off64_t lseek64(int fd, off64_t offset, int whence)
{
	return lseek(fd, offset, whence);
}

ssize_t pread64(int fd, void *to, size_t size, off64_t offset)
{
	return pread(fd, to, size, offset);
}

struct dirent64 *readdir64(DIR *directory)
{
	return (struct dirent64 *)readdir(directory);
}

int fseeko64(FILE *file, off64_t offset, int whence)
{
	return fseeko(file, offset, whence);
}

off64_t ftello64(FILE *file)
{
	return ftello(file);
}
