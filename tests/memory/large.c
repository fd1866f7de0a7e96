/* SPDX-License-Identifier: MIT
 *
 * Objects of several parts (runtime/state/whole.h): what is near the boundary between two parts, at the end and behind it; and that
 * a mapping costs what is touched.  Verdicts by hand.
 *
 * RUN: check -DTOUCH --max-memory 400
 * EXPECT: verified
 * RUN: check -DTERABYTE --max-memory 400
 * EXPECT: verified
 * RUN: check -DDISTANCE
 * EXPECT: verified
 * RUN: check -DBLOCKS
 * EXPECT: verified
 * RUN: check -DEND
 * EXPECT: violated out-of-bounds
 * RUN: check -DBEHIND
 * EXPECT: violated out-of-bounds
 * RUN: check -DBEFORE
 * EXPECT: violated out-of-bounds
 * RUN: check -DHALF
 * EXPECT: violated out-of-bounds
 * RUN: check -DINNER
 * EXPECT: violated invalid-free
 * RUN: check -DTWICE
 * EXPECT: violated double-free
 * RUN: check -DLATE
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DUNSET
 * EXPECT: violated uninitialized-read
 * RUN: check -DOVERLAP
 * EXPECT: violated overlap
 * RUN: check -DREACHED --leaks
 * EXPECT: verified
 * RUN: check -O0 -DLEAKED --leaks
 * EXPECT: violated memory-leak
 * RUN: check -DFORBIDDEN
 * EXPECT: violated out-of-bounds
 * RUN: check -DMIDDLE
 * EXPECT: verified
 * RUN: check -DHOLE
 * EXPECT: violated out-of-bounds
 * RUN: check -DBOTH
 * EXPECT: inconclusive: munmap of what mmap has not returned is not modelled
 * RUN: check -DACROSS
 * EXPECT: inconclusive: read of 8 bytes at once at offset 268435452 of
 * RUN: check -DSTRING
 * EXPECT: inconclusive: the string in
 * RUN: check -DAPART
 * EXPECT: verified
 * RUN: check -DTOGETHER
 * EXPECT: violated data-race
 * RUN: check -O0 -DOVER
 * EXPECT: violated data-race
 * RUN: check -DREUSE
 * EXPECT: verified
 * RUN: check -DLOCK
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PART  ((size_t)1 << 28)
#define GB    ((size_t)1 << 30)
#define LARGE (4 * GB)

static char *volatile memory;

static void *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert(p != MAP_FAILED);
	return p;
}

#if defined(TOUCH)
static void run(void)
{
	char *p = map(LARGE);
	p[0] = 1;
	p[2 * GB + 5] = 2;
	p[LARGE - 1] = 3;
	assert(p[0] + p[2 * GB + 5] + p[LARGE - 1] == 6 && p[1] == 0 && p[GB] == 0 && p[LARGE - 2] == 0);
	assert(munmap(p, LARGE) == 0);
}
#elif defined(TERABYTE)
static void run(void)
{
	enum { SOME = 1 << 16 };
	size_t half = (size_t)1 << 39;
	char *p = mmap(NULL, 2 * half, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert(p != MAP_FAILED && mprotect(p + half, SOME, PROT_READ | PROT_WRITE) == 0);
	p[half] = 5;
	assert(p[half] == 5 && p[half + 1] == 0);
	assert(madvise(p + half, SOME, MADV_DONTNEED) == 0 && p[half] == 0);
}
#elif defined(DISTANCE)
static void run(void)
{
	char *p = map(LARGE), *end = p + LARGE, *middle = p + 3 * PART - 1;
	assert(end - p == (long)LARGE && end > middle && middle > p && end - middle == (long)(LARGE - 3 * PART + 1));
	assert(middle + 1 == p + 3 * PART && (size_t)(middle - end) == -(LARGE - 3 * PART + 1));
	char *up = (char *)(((size_t)(p + 1) + GB - 1) & -GB); /* the next gigabyte */
	assert(up > p && up <= p + GB && (size_t)up % GB == 0);
	*up = 1;
	assert(p[up - p] == 1);
}
#elif defined(BLOCKS)
static void run(void)
{
	char *p = calloc(1, 2 * PART), few[16];
	memset(p + PART - 8, 7, 16);
	assert(p[PART - 9] == 0 && p[PART - 8] == 7 && p[PART + 7] == 7 && p[PART + 8] == 0);
	memcpy(few, p + PART - 4, 16);
	assert(few[0] == 7 && few[11] == 7 && few[12] == 0);
	few[15] = 9;
	memcpy(p + PART - 15, few, 16);
	assert(p[PART - 15] == 7 && p[PART] == 9 && p[PART + 1] == 7);
	memset(p, 0, 2 * PART);
	assert(p[PART - 8] == 0 && p[PART] == 0 && p[PART + 7] == 0);
	free(p);
}
#elif defined(END)
static void run(void)
{
	memory = map(LARGE);
	memory[LARGE - 1] = 1;
	memory[LARGE] = 1; /* ERROR */
}
#elif defined(BEHIND)
static void run(void)
{
	memory = map(LARGE - 4096);
	char *other = calloc(1, PART);
	assert(other != memory);
	memory[LARGE] = 1; /* ERROR */
}
#elif defined(BEFORE)
static void run(void)
{
	memory = map(LARGE);
	memory[-1] = 1; /* ERROR */
}
#elif defined(HALF)
static void run(void)
{
	memory = calloc(1, PART / 2);
	char *other = calloc(1, PART / 2);
	*other = 1;
	memory[PART / 2] = 1; /* ERROR */
}
#elif defined(INNER)
static void run(void)
{
	memory = calloc(1, LARGE);
	free(memory + PART); /* ERROR */
}
#elif defined(TWICE)
static void run(void)
{
	memory = calloc(1, LARGE);
	free(memory);
	free(memory); /* ERROR */
}
#elif defined(LATE)
static void run(void)
{
	memory = calloc(1, LARGE);
	char *p = memory + 3 * PART + PART / 2 + 1;
	free(memory);
	*p = 1; /* ERROR */
}
#elif defined(UNSET)
static void run(void)
{
	char *p = malloc(LARGE);
	p[GB] = 1;
	p[LARGE - 1] = 2;
	assert(p[GB] + p[LARGE - 1] == 3);
	if (p[GB + 1]) /* ERROR */
		p[GB] = 2;
}
#elif defined(OVERLAP)
static void run(void)
{
	memory = calloc(1, LARGE);
	memcpy(memory + PART - 8, memory + PART + 2, 16); /* ERROR */
}
#elif defined(REACHED) || defined(LEAKED)
static char *inner;

static void run(void)
{
	char *p = calloc(1, LARGE);
	char **in = (char **)(p + GB + PART / 2 + 8);
	*in = malloc(10); /* ERROR */
#ifdef REACHED
	inner = p + 3 * PART + PART - 1;
#else
	inner = p + 1;
	*in = NULL;
#endif
}
#elif defined(FORBIDDEN)
static void run(void)
{
	memory = map(LARGE);
	assert(mprotect(memory + PART - 4096, 8192, PROT_READ) == 0);
	memory[PART + 4096] = 1;
	memory[PART + 4095] = 1; /* ERROR */
}
#elif defined(MIDDLE) || defined(HOLE)
static void run(void)
{
	memory = map(LARGE);
	assert(munmap(memory + PART, PART) == 0 && munmap(memory + LARGE - PART, PART) == 0);
	memory[PART - 1] = memory[2 * PART] = 1;
	assert(memory[PART - 1] + memory[2 * PART] == 2);
#ifdef HOLE
	memory[2 * PART - 1] = 1;           /* ERROR */
#endif
	assert(munmap(memory, LARGE) == 0); /* with the holes */
}
#elif defined(BOTH)
static void run(void)
{
	memory = map(LARGE);
	munmap(memory + PART, LARGE);
}
#elif defined(ACROSS)
static void run(void)
{
	memory = map(LARGE);
	struct __attribute__((packed)) unaligned {
		long word;
	} *p = (struct unaligned *)(memory + PART - 4);
	assert(p->word == 0);
}
#elif defined(STRING)
static void run(void)
{
	memory = map(LARGE);
	memset(memory + PART - 4, 'a', 4);
	assert(strlen(memory + PART - 4) == 4);
}
#elif defined(REUSE)
static void run(void)
{
	for (int i = 0; i < 3; i++) {
		char *p = calloc(1, LARGE);
		memory = p;
		assert(p[PART] == 0 && p[GB] == 0);
		p[PART] = p[GB] = 1;
		free(p);
	}
}
#elif defined(LOCK)
static void *work(void *lock)
{
	pthread_mutex_lock(lock);
	memory[PART]++;
	pthread_mutex_unlock(lock);
	return NULL;
}

static void run(void)
{
	pthread_t threads[2];
	memory = map(LARGE);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, memory + 5 * PART);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(memory[PART] == 2);
}
#else
static void *work(void *p)
{
#ifdef OVER
	memset((char *)p - 1, 1, 2);
#else
	*(char *)p = 1;
#endif
	return NULL;
}

static void run(void)
{
	pthread_t thread;
	char *p = calloc(1, LARGE);
	pthread_create(&thread, NULL, work, p + PART);
#ifdef TOGETHER
	p[PART] = 2; /* ERROR */
#elif defined(OVER)
	p[PART - 1] = 2; /* ERROR */
#else
	p[PART - 1] = 2;
	p[PART + 1] = 2;
#endif
	pthread_join(thread, NULL);
	assert(p[PART - 1] == 2);
}
#endif

int main(void)
{
	run();
	return 0;
}
