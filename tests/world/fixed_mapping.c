/* SPDX-License-Identifier: MIT
 *
 * What allocators ask of Linux: pages mapped again, where they are; the end of the data, which stays where it is; files, by number
 * of the system call; links, of which there are none.
 *
 * RUN: check
 * EXPECT: verified without the file /absent
 *
 * RUN: check -DKEEPS
 * EXPECT: violated assertion
 *
 * RUN: check -DPROTECTED
 * EXPECT: violated out-of-bounds
 *
 * RUN: check -DRACES
 * EXPECT: violated data-race
 *
 * RUN: check -DNOWHERE
 * EXPECT: inconclusive: mmap at a fixed address is modelled only where there is memory
 *
 * RUN: check -DGROWS
 * EXPECT: inconclusive: sbrk of more memory is not modelled; allocate with malloc or mmap
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096 };
static char *pages;

static void *again(char *at, int protection)
{
	return mmap(at, PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void *map_again(void *unused)
{
	again(pages + PAGE, PROT_READ | PROT_WRITE);
	return unused;
}

int main(void)
{
	char to[8];
	pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pages[PAGE - 1] = pages[PAGE] = pages[2 * PAGE - 1] = pages[2 * PAGE] = 1;
	assert(again(pages + PAGE, PROT_READ | PROT_WRITE) == pages + PAGE);
	assert(pages[PAGE - 1] == 1 && pages[PAGE] == 0 && pages[2 * PAGE] == 1);
#ifdef KEEPS
	assert(pages[2 * PAGE - 1] == 1); /* ERROR */
#endif
	assert(again(pages + PAGE, PROT_READ) == pages + PAGE && pages[PAGE] == 0);
#ifdef PROTECTED
	pages[PAGE] = 2; /* ERROR */
#endif
	assert(again(pages + PAGE, PROT_READ | PROT_WRITE) == pages + PAGE);
	pages[PAGE] = 2;
	assert(again(pages + 1, PROT_READ) == MAP_FAILED && errno == EINVAL);
#ifdef RACES
	pthread_t thread;
	pthread_create(&thread, NULL, map_again, NULL);
	pages[PAGE] = 3; /* ERROR */
	pthread_join(thread, NULL);
#endif
#ifdef NOWHERE
	again((char *)(1l << 40), PROT_READ);
#endif
	assert(munmap(pages, 3 * PAGE) == 0);
	char *end = sbrk(0);
	assert(end != (void *)-1 && sbrk(0) == end);
#ifdef GROWS
	sbrk(1);
#endif
	assert(syscall(SYS_open, "/absent", O_RDONLY | O_CLOEXEC) == -1 && errno == ENOENT);
	assert(readlink("/absent", to, sizeof to) == -1 && errno == ENOENT);
	return 0;
}
