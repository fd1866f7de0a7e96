/* SPDX-License-Identifier: MIT
 *
 * An arena allocator: blocks of a few size classes are carved from chunks under a lock, and each thread keeps a cache of free
 * blocks, which a destructor of thread-specific data gives back when the thread ends.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DROUNDS=1 -DLARGE
 * EXPECT: verified
 * RUN: check -DBUG_CARVE_UNLOCKED
 * EXPECT: violated data-race
 * RUN: check -DBUG_ERROR_PATH -DCHUNKS=1 -DTHREADS=2 -DLARGE
 * EXPECT: violated deadlock
 * RUN: check -DBUG_DESTROY_TWICE
 * EXPECT: violated use-after-free
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef CHUNKS
#define CHUNKS 8
#endif
#ifdef LARGE
#define SIZE 100
#else
#define SIZE 20
#endif
#define CHUNK_BYTES 256
#define CACHE_BLOCKS 2
#define CONTAINER_OF(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

enum { CLASSES = 3 };

static const uint16_t class_bytes[CLASSES] = { 16, 48, 112 };

struct block {
	struct {
		unsigned class : 4;
		unsigned in_use : 1;
		unsigned owner : 8;
	} header;
	union {
		struct block *next_free;
		max_align_t align;
		unsigned char bytes[1];
	} body;
};

struct chunk {
	struct chunk *next;
	size_t used;
	_Alignas(16) unsigned char data[CHUNK_BYTES];
};

struct cache {
	struct block *free[CLASSES];
	uint8_t count[CLASSES];
	unsigned id;
};

struct arena {
	pthread_mutex_t mutex;
	struct chunk *chunks;
	unsigned chunk_count;
	struct block *free[CLASSES];
	unsigned live_caches;
};

static struct arena arena = { .mutex = PTHREAD_MUTEX_INITIALIZER };
static pthread_key_t cache_key;
static pthread_once_t cache_once = PTHREAD_ONCE_INIT;
static _Thread_local unsigned allocations;

static int class_of(size_t size)
{
	for (int i = 0; i < CLASSES; i++)
		if (size <= class_bytes[i])
			return i;
	return -1;
}

static void cache_destroy(void *pointer)
{
	struct cache *cache = pointer;
	pthread_mutex_lock(&arena.mutex); /* ERROR */
	for (int class = 0; class < CLASSES; class++) {
		while (cache->free[class] != NULL) { /* ERROR */
			struct block *block = cache->free[class];
			cache->free[class] = block->body.next_free;
			block->body.next_free = arena.free[class];
			arena.free[class] = block; /* ERROR */
		}
	}
	arena.live_caches--;
	pthread_mutex_unlock(&arena.mutex);
	free(cache);
}

static void cache_key_create(void)
{
	if (pthread_key_create(&cache_key, cache_destroy) != 0)
		abort();
}

static struct cache *cache_get(void)
{
	pthread_once(&cache_once, cache_key_create);
	struct cache *cache = pthread_getspecific(cache_key);
	if (cache != NULL)
		return cache;
	cache = calloc(1, sizeof *cache);
	if (cache == NULL)
		return NULL;
	pthread_mutex_lock(&arena.mutex);
	cache->id = ++arena.live_caches;
	pthread_mutex_unlock(&arena.mutex);
	if (pthread_setspecific(cache_key, cache) != 0) {
		free(cache);
		return NULL;
	}
	return cache;
}

static struct chunk *chunk_add(struct arena *arena)
{
	if (arena->chunk_count == CHUNKS)
		return NULL;
	struct chunk *chunk = malloc(sizeof *chunk);
	if (chunk == NULL)
		return NULL;
	memset(chunk, 0, sizeof *chunk); /* blocks are born with a header that says they are free */
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	arena->chunk_count++;
	return chunk;
}

/* A new block of a class from the chunks; NULL when there is no memory. */
static struct block *arena_carve(struct arena *arena, int class)
{
	const size_t bytes = (offsetof(struct block, body) + class_bytes[class] + 15) & ~(size_t)15;
#ifndef BUG_CARVE_UNLOCKED
	pthread_mutex_lock(&arena->mutex); /* ERROR */
#endif
	struct block *block = arena->free[class]; /* ERROR */
	if (block != NULL) {
		arena->free[class] = block->body.next_free;
	} else {
		struct chunk *chunk = arena->chunks; /* ERROR */
		if (chunk == NULL || CHUNK_BYTES - chunk->used < bytes)
			chunk = chunk_add(arena);
		if (chunk == NULL) {
#ifndef BUG_ERROR_PATH
			pthread_mutex_unlock(&arena->mutex);
#endif
			return NULL;
		}
		block = (struct block *)(void *)&chunk->data[chunk->used];
		chunk->used += bytes; /* ERROR */
		block->header.class = (unsigned)class;
	}
#ifndef BUG_CARVE_UNLOCKED
	pthread_mutex_unlock(&arena->mutex);
#endif
	return block;
}

static void *arena_alloc(size_t size)
{
	const int class = class_of(size);
	struct cache *cache = cache_get();
	if (class < 0 || cache == NULL)
		return NULL;
	struct block *block = cache->free[class];
	if (block != NULL) {
		cache->free[class] = block->body.next_free;
		cache->count[class]--;
	} else {
		block = arena_carve(&arena, class);
		if (block == NULL)
			return NULL;
	}
	assert(!block->header.in_use);
	block->header.in_use = true;
	block->header.owner = cache->id;
	allocations++;
	return block->body.bytes;
}

static void arena_free(void *pointer)
{
	if (pointer == NULL)
		return;
	struct block *block = CONTAINER_OF(pointer, struct block, body);
	struct cache *cache = pthread_getspecific(cache_key);
	const unsigned class = block->header.class;
	assert(block->header.in_use);
	block->header.in_use = false;
	if (cache != NULL && cache->count[class] < CACHE_BLOCKS) {
		block->body.next_free = cache->free[class];
		cache->free[class] = block;
		cache->count[class]++;
		return;
	}
	pthread_mutex_lock(&arena.mutex);
	block->body.next_free = arena.free[class];
	arena.free[class] = block;
	pthread_mutex_unlock(&arena.mutex);
}

static void *work(void *argument)
{
	const int id = (int)(intptr_t)argument;
	unsigned failed = 0;
	for (int round = 0; round < ROUNDS; round++) {
		char *text = arena_alloc(SIZE), *other = arena_alloc(SIZE / 2);
		if (text != NULL) {
			snprintf(text, SIZE, "thread %d", id);
			if (other != NULL)
				memset(other, 0xff, SIZE / 2);
			assert(text[7] == '0' + id && text[8] == '\0');
		} else {
			failed++;
		}
		arena_free(other);
		arena_free(text);
	}
	assert(allocations + failed <= 2 * ROUNDS);
#ifdef BUG_DESTROY_TWICE
	cache_destroy(pthread_getspecific(cache_key)); /* the library will do it again when the thread ends */
#endif
	return NULL;
}

static unsigned arena_release(struct arena *arena)
{
	unsigned count = 0;
	for (struct chunk *chunk = arena->chunks, *next; chunk != NULL; chunk = next, count++) {
		next = chunk->next;
		free(chunk);
	}
	*arena = (struct arena){ .mutex = PTHREAD_MUTEX_INITIALIZER };
	return count;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i) != 0)
			return EXIT_FAILURE;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert(arena.live_caches == 0);
	const unsigned chunks = arena_release(&arena);
	assert(chunks >= 1 && chunks <= CHUNKS);
	printf("%u chunks\n", chunks);
	return EXIT_SUCCESS;
}
