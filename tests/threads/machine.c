/* SPDX-License-Identifier: MIT
 *
 * What belongs to the processor: pauses, fences, the counter of cycles, the number of the processor that a thread is on.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DNO_FENCE --all
 * EXPECT: violated data-race
 * RUN: check -DPROCESSOR
 * EXPECT: violated assertion
 * RUN: check -DOVERFLOWS -O2 -D_FORTIFY_SOURCE=2
 * EXPECT: violated out-of-bounds
 * RUN: check -DUNMAPPED
 * EXPECT: violated use-after-free
 */
#define _GNU_SOURCE
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <x86intrin.h>

int data;
static atomic_int flag;

static void *work(void *unused)
{
	data = 1; /* ERROR */
#ifndef NO_FENCE
	_mm_sfence();
#endif
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}

static unsigned long low_bit(unsigned long word)
{
	unsigned long index;
	__asm__("bsfq %1, %0" : "=r"(index) : "rm"(word) : "cc");
	return index;
}

static unsigned high_bit(unsigned word)
{
	unsigned index;
	__asm__("bsr %1, %0" : "=r"(index) : "r"(word) : "cc");
	return index;
}

static unsigned long cycles(void)
{
	unsigned low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (unsigned long)high << 32 | low;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	char small[4] = "";
	pthread_create(&thread, NULL, work, NULL);
	while (atomic_load_explicit(&flag, memory_order_relaxed) == 0)
		_mm_pause();
#ifndef NO_FENCE
	_mm_lfence();
#endif
	assert(data == 1); /* ERROR */
	_mm_mfence();
	_mm_clflush(&data);
	assert(low_bit(0x50) == 4 && high_bit(0x50) == 6 && high_bit(1) == 0);
	assert(cycles() == cycles() && __rdtsc() == 0);
	assert(__builtin_frame_address(0) != NULL);
	assert(sched_getcpu() < 4);
#ifdef PROCESSOR
	assert(sched_getcpu() != 2); /* ERROR */
#endif
#ifdef OVERFLOWS
	memset(small, 'x', (size_t)argc + 7); /* ERROR */
	assert(small[0] == 'x' && argv);
#endif
#ifdef UNMAPPED
	char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(map, 4096);
	map[0] = 1; /* ERROR */
#endif
	(void)argc;
	(void)argv;
	(void)small;
	return pthread_join(thread, NULL);
}
