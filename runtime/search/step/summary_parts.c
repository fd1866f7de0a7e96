/* SPDX-License-Identifier: MIT
 *
 * See summary_parts.h.
 */
#include "summary_parts.h"
#include "../../state/limit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MOST_MEMORY (UINT64_C(32) << 20) /* bytes for all; when they are full, all are forgotten */
#define SHARE       16u                  /* ... and no more than this part of what the user allows */
#define CHUNK       (UINT64_C(256) << 10)
#define BUCKETS     (1u << 14)
#define MOST_LOCALS 4096u /* bytes of the locals of a thread */

/* ---- memory -------------------------------------------------------------------------------------------------------- */

struct chunk {
	struct chunk *next;
	uint64_t used;
	_Alignas(16) uint8_t bytes[];
};

static VM_OWN struct {
	struct chunk *chunks;
	uint64_t memory; /* of all chunks */
	bool full;
	struct part *buckets[BUCKETS];
	struct {
		vm_ref ref;
		uint64_t epoch;
		struct part *part;
	} found[1u << 12]; /* which part a ref stands for */
	uint64_t age;
} parts;

void vm_parts_forget(void)
{
	parts.age++;
	while (parts.chunks) {
		struct chunk *next = parts.chunks->next;
		free(parts.chunks);
		parts.chunks = next;
	}
	parts.memory = 0;
	parts.full = false;
	memset(parts.buckets, 0, sizeof parts.buckets);
	memset(parts.found, 0, sizeof parts.found);
}

uint64_t vm_parts_age(void)
{
	return parts.age;
}

void vm_parts_displace(void)
{
	parts.age++;
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct part *part = parts.buckets[i]; part; part = part->next)
			part->ref = 0;
	memset(parts.found, 0, sizeof parts.found);
}

bool vm_parts_are_full(void)
{
	return parts.full;
}

static bool may_grow(void)
{
	uint64_t allowed = vm_this.image.options->max_memory, most = MOST_MEMORY;
	if (allowed && allowed / SHARE < most)
		most = allowed / SHARE;
	return parts.memory + CHUNK <= most && vm_limit_allows(CHUNK);
}

void *vm_part_allocate(uint64_t size)
{
	size = (size + 15) & ~UINT64_C(15);
	if (size > CHUNK)
		return NULL;
	if (parts.chunks == NULL || parts.chunks->used + size > CHUNK) {
		struct chunk *chunk = may_grow() ? malloc(sizeof *chunk + CHUNK) : NULL;
		parts.full = chunk == NULL;
		if (parts.full)
			return NULL;
		chunk->next = parts.chunks;
		chunk->used = 0;
		parts.memory += CHUNK;
		parts.chunks = chunk;
	}
	void *p = parts.chunks->bytes + parts.chunks->used;
	parts.chunks->used += size;
	assert(parts.chunks->used <= CHUNK);
	return p;
}

/* ---- parts --------------------------------------------------------------------------------------------------------- */

/* Write a map as bytes: how many objects, then the size of each blob and its bytes, with those of its pages in place of their
 * refs.  Return how many bytes there are; 0 if too many. */
static uint32_t unfold(vm_ref map, uint8_t *to)
{
	uint32_t count = map ? vm_table_size(map) / (uint32_t)sizeof(vm_ref) : 0, used = sizeof count;
	const vm_ref *refs = map ? vm_table_get(map) : NULL;
	memcpy(to, &count, sizeof count);
	for (uint32_t i = 0; i < count; i++) {
		const struct vm_object_header *header = refs[i] ? vm_table_get(refs[i]) : NULL;
		uint32_t whole = header ? vm_table_size(refs[i]) : 0;
		if (used + sizeof whole + whole > MOST_LOCALS || (header && header->size > OBJECT_WHOLE))
			return 0;
		memcpy(to + used, &whole, sizeof whole);
		used += sizeof whole;
		if (whole)
			memcpy(to + used, header, whole);
		used += whole;
	}
	assert(used <= MOST_LOCALS);
	return used;
}

/* Make a map of bytes that unfold() has written.  Return 0 if there is no room, or the map has no objects. */
static vm_ref fold(const struct part *part)
{
	assert(part->is_map && part->size >= sizeof(uint32_t));
	vm_ref refs[MOST_LOCALS / sizeof(uint32_t)];
	const uint8_t *p = part->bytes;
	uint32_t count;
	memcpy(&count, p, sizeof count);
	p += sizeof count;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t size;
		memcpy(&size, p, sizeof size);
		p += sizeof size;
		refs[i] = size ? vm_table_put(p, size) : 0;
		p += size;
		if (size && !refs[i])
			return 0;
	}
	assert(p == part->bytes + part->size);
	return count ? vm_table_put(refs, count * (uint32_t)sizeof *refs) : 0;
}

bool vm_part_is_empty_map(const struct part *part)
{
	return part->is_map && part->size == sizeof(uint32_t);
}

/* Return where the part is stored; 0 if there is no room, or the map is empty. */
vm_ref vm_part_store(struct part *part)
{
	assert(part->size > 0);
	bool known = part->ref && (!vm_is_transient(part->ref) || part->epoch == vm_transient_epoch());
	if (known || vm_part_is_empty_map(part))
		return part->ref;
	part->ref = part->is_map ? fold(part) : vm_table_put(part->bytes, part->size);
	part->epoch = vm_transient_epoch();
	return part->ref;
}

static struct part *look_up(const uint8_t *bytes, uint32_t size, bool is_map, bool make)
{
	uint64_t hash = XXH3_64bits(bytes, size);
	struct part **bucket = &parts.buckets[hash % BUCKETS];
	for (struct part *part = *bucket; part; part = part->next)
		if (part->hash == hash && part->size == size && part->is_map == is_map && memcmp(part->bytes, bytes, size) == 0)
			return part;
	struct part *part = make ? vm_part_allocate(sizeof *part + size) : NULL;
	if (part == NULL)
		return NULL;
	*part = (struct part){ .next = *bucket, .hash = hash, .is_map = is_map, .size = size };
	memcpy(part->bytes, bytes, size);
	return *bucket = part;
}

/* Return the part with this ref; NULL if the part is not known, and `make` is false or it cannot be made. */
struct part *vm_part_of(vm_ref ref, bool is_map, bool make)
{
	assert(ref || is_map);
	unsigned at = (ref * 2654435761u >> 12) % (sizeof parts.found / sizeof *parts.found);
	bool valid = !vm_is_transient(ref) || parts.found[at].epoch == vm_transient_epoch();
	if (ref && valid && parts.found[at].ref == ref && parts.found[at].part->is_map == is_map)
		return parts.found[at].part;
	uint8_t unfolded[MOST_LOCALS];
	const uint8_t *bytes = is_map ? unfolded : vm_table_get(ref);
	uint32_t size = is_map ? unfold(ref, unfolded) : vm_table_size(ref);
	struct part *part = size ? look_up(bytes, size, is_map, make) : NULL;
	if (part == NULL)
		return NULL;
	parts.found[at].ref = ref;
	parts.found[at].epoch = vm_transient_epoch();
	parts.found[at].part = part;
	return part;
}
