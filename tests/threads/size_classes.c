/* SPDX-License-Identifier: MIT
 *
 * An allocator with size classes over one large mapping: each class has a list of free blocks under a lock, and takes spans from
 * the mapping without one.  Two threads allocate, fill, give back and hand on.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check -DUNLOCKED
 * EXPECT: violated data-race
 * RUN: check -DTWICE
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum { ARENA = 96 << 20, SPAN = 4096, CLASSES = 2 };

struct block {
	struct block *next;
};
static struct class {
	pthread_mutex_t lock;
	struct block *free;
	char *fresh, *end; /* of the span that is carved up */
	size_t size;
} classes[CLASSES] = { { PTHREAD_MUTEX_INITIALIZER, .size = 16 }, { PTHREAD_MUTEX_INITIALIZER, .size = 256 } };

static char *arena;
static _Atomic size_t used;

static char *new_span(void)
{
	size_t at = atomic_fetch_add(&used, SPAN);
	return at <= ARENA - SPAN ? arena + at : NULL;
}

static void lock(struct class *c)
{
#ifndef UNLOCKED
	pthread_mutex_lock(&c->lock);
#endif
}

static void unlock(struct class *c)
{
#ifndef UNLOCKED
	pthread_mutex_unlock(&c->lock);
#endif
}

static void *allocate(size_t size)
{
	struct class *c = &classes[size > 16];
	lock(c);
	struct block *found = c->free; /* ERROR */
	if (found) {
		c->free = found->next; /* ERROR */
	} else {
		if (c->fresh == c->end) { /* ERROR */
			c->fresh = new_span(); /* ERROR */
			c->end = c->fresh + SPAN; /* ERROR */
		}
		found = (struct block *)c->fresh;
		c->fresh += c->size; /* ERROR */
	}
	unlock(c);
	return found;
}

static void release(void *block, size_t size)
{
	struct class *c = &classes[size > 16];
	lock(c);
	((struct block *)block)->next = c->free; /* ERROR */
	c->free = block; /* ERROR */
	unlock(c);
}

static void *_Atomic handed;

static void *work(void *number)
{
	char *small = allocate(16), *large = allocate(200), *again;
	memset(small, *(char *)number, 16);
	memset(large, *(char *)number, 200);
	assert(small[15] == *(char *)number && large[0] == small[0]); /* ERROR */
	release(large, 200);
	again = atomic_exchange(&handed, small);
	if (again)
		release(again, 16);
#ifdef TWICE
	release(small, 16);
#endif
	again = allocate(16);
	again[0] = *(char *)number;
	assert(again != atomic_load(&handed)); /* ERROR */
	return NULL;
}

int main(void)
{
	static char numbers[2] = { 1, 2 };
	pthread_t thread;
	arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(arena != MAP_FAILED);
	pthread_create(&thread, NULL, work, &numbers[0]);
	work(&numbers[1]);
	pthread_join(thread, NULL);
	munmap(arena, ARENA);
	return 0;
}
