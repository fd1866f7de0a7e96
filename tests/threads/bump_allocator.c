/* SPDX-License-Identifier: MIT
 *
 * A bump allocator over a large mapping, in two threads: what is not touched costs nothing, and is zero.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DLOST
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { CHUNK = 64 };
static const size_t ROOM = (size_t)1 << 26;
static char *base;
static atomic_size_t used;

static void *bump(size_t size)
{
	size_t whole = (size + CHUNK - 1) / CHUNK * CHUNK;
#ifdef LOST
	size_t at = atomic_load(&used);
	atomic_store(&used, at + whole);
#else
	size_t at = atomic_fetch_add(&used, whole);
#endif
	return at + size <= ROOM ? base + at : NULL;
}

static void *run(void *name)
{
	char *a = bump(100), *b = bump(1 << 20);
#ifdef LOST
	return a;
#endif
	memset(a, (int)(intptr_t)name, 100);
	b[1 << 19] = *(char *)a;
	assert(a[99] == b[1 << 19] && b[5] == 0);
	return a;
}

int main(void)
{
	pthread_t t[2];
	void *a[2];
	base = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert(base != MAP_FAILED);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], &a[i]);
	assert(a[0] != a[1]); /* ERROR */
#ifndef LOST
	assert(*(char *)a[0] == 1 && *(char *)a[1] == 2);
#endif
	munmap(base, ROOM);
}
