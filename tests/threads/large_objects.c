/* SPDX-License-Identifier: MIT
 *
 * Objects of more than 16 KB, of all kinds: threads write to single pages of them, in every order, and what is there is what was
 * written last, or never.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check --reduction none
 * EXPECT: verified
 * RUN: check --search bfs
 * EXPECT: verified
 * RUN: check -DUNSET -O0
 * EXPECT: violated uninitialized-read
 * RUN: check -DLOST
 * EXPECT: violated assertion
 * RUN: check -DLEAK --leaks
 * EXPECT: violated memory-leak
 * RUN: check -DTHREAD_LOCAL
 * EXPECT: verified
 * RUN: check -DMAPPED
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BYTES = 100 * 1000, THREADS = 2, PLACES = 3 };

static _Atomic unsigned char global[BYTES];
static const int table[BYTES / sizeof(int)] = { [70] = 7, [BYTES / sizeof(int) - 1] = 9 };
static _Atomic unsigned char *block;
static char *zero, *volatile kept[20000];

#ifdef THREAD_LOCAL
static _Thread_local char own[BYTES] = "own";
#endif

static int place(int i)
{
	static const int places[PLACES] = { 0, 33333, BYTES - 1 };
	return places[i];
}

static void *work(void *argument)
{
	int me = (int)(long)argument;
	for (int i = 0; i < PLACES; i++)
		global[place(i)] += (unsigned char)me;
	block[place(me)]++;
#ifdef THREAD_LOCAL
	assert(strcmp(own, "own") == 0 && own[place(me)] == (me ? 0 : 'o'));
	own[place(me)] = 1;
#endif
	return 0;
}

/* A variable of which most is never set; copies of it are not set either. */
static int local(int n)
{
	struct large {
		char bytes[40000];
	} one, other;
	one.bytes[n] = 5;
	other = one;
#ifdef UNSET
	n++;
#endif
	if (other.bytes[n] == 5) /* ERROR */
		return 1;
	return 1 - 2 * (other.bytes[n] != 5);
}

int main(void)
{
	pthread_t threads[THREADS];
	block = calloc(1, BYTES);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], 0, work, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	for (int i = 0; i < PLACES; i++)
		assert(global[place(i)] == 3);
	assert(block[0] == 0 && block[33333] == 1 && block[BYTES - 1] == 1 && block[50000] == 0);
#ifdef LOST
	assert(global[33333] != 3); /* ERROR */
#endif
	assert(table[70] == 7 && table[71] == 0 && table[BYTES / sizeof(int) - 1] == 9);
	int read = local(17) + local(39998);
#ifndef UNSET
	assert(read == 2);
#endif
	free((void *)block);
	block = malloc(BYTES / 2); /* another size at the same place */
	memset((void *)block, 1, BYTES / 2);
	block = realloc((void *)block, BYTES);
	assert(block[BYTES / 2 - 1] == 1);
	free((void *)block);
	zero = calloc(BYTES, 1);
	for (int i = 0; i < BYTES; i += 9999)
		assert(zero[i] == 0);
	kept[19999] = malloc(1); /* ERROR */ // the only pointer to it lies in the last page
#ifdef LEAK
	kept[19999] = 0;
#endif
	kept[3] = malloc(1);
	assert(kept[3] != kept[19999]);
	free(zero);
#ifdef MAPPED
	char *mapped = mmap(0, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(mapped != MAP_FAILED && mapped[(64 << 20) - 1] == 0);
	mapped[32 << 20] = 1;
	madvise(mapped, 64 << 20, MADV_DONTNEED);
	assert(mapped[32 << 20] == 0);
	munmap(mapped, 64 << 20);
#endif
	return 0;
}
