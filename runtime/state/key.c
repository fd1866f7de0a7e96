/* SPDX-License-Identifier: MIT
 *
 * See key.h.  A state's key is the hash of its words, with the hash of each part in the place of its ref.  From one state to
 * the next few parts change, so the hashes of parts are remembered by their refs, as far as there is room.
 */
#include "key.h"
#include "parts.h"

#include <assert.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define REMEMBERED (1u << 15) /* hashes; a power of two */

/* What a blob holds, which tells where its refs are. */
enum content { BYTES, MAP, OBJECT };

static VM_OWN struct remembered {
	vm_ref ref; /* 0: nothing */
	enum content content;
	XXH128_hash_t hash;
} remembered[REMEMBERED];

static VM_OWN struct buffer {
	XXH128_hash_t *items;
	uint32_t capacity;
} map_buffer, page_buffer, state_buffer, without_buffer;

static XXH128_hash_t hash_of(vm_ref ref, enum content content);

/* Return the hash of `count` refs of blobs that hold `content`, behind `size` bytes that are hashed as they are. */
static XXH128_hash_t hash_refs(struct buffer *buffer, const void *bytes, uint32_t size, const vm_ref *refs, uint32_t count,
			       enum content content)
{
	buffer->items = vm_grow(buffer->items, &buffer->capacity, (uint64_t)count + 1, sizeof *buffer->items);
	buffer->items[0] = XXH3_128bits(bytes, size);
	for (uint32_t i = 0; i < count; i++)
		buffer->items[i + 1] = hash_of(refs[i], content);
	return XXH3_128bits(buffer->items, (count + 1) * sizeof *buffer->items);
}

static XXH128_hash_t compute(vm_ref ref, enum content content)
{
	const void *bytes = vm_table_get(ref);
	uint32_t size = vm_table_size(ref);
	assert(content != MAP || size % sizeof(vm_ref) == 0);
	const struct vm_object_header *header = bytes;
	if (content == MAP)
		return hash_refs(&map_buffer, &content, sizeof content, bytes, size / (uint32_t)sizeof(vm_ref), OBJECT);
	uint32_t pages = content == OBJECT ? vm_object_refs(header) : 0;
	if (pages)
		return hash_refs(&page_buffer, header, sizeof *header, (const vm_ref *)(header + 1), pages, BYTES);
	return XXH3_128bits(bytes, size);
}

static XXH128_hash_t hash_of(vm_ref ref, enum content content)
{
	struct remembered *place = &remembered[ref * 2654435761u >> 8 & (REMEMBERED - 1)];
	if (ref == 0)
		return (XXH128_hash_t){ 0 };
	if (vm_is_transient(ref)) /* it means something else later */
		return compute(ref, content);
	if (place->ref == ref && place->content == content)
		return place->hash;
	XXH128_hash_t hash = compute(ref, content); /* which may use the place */
	*place = (struct remembered){ .ref = ref, .content = content, .hash = hash };
	return hash;
}

/* Return the hash of a map without the object at `index`. */
static XXH128_hash_t hash_without(vm_ref map, uint32_t index)
{
	enum content content = MAP;
	uint32_t count = map ? vm_table_size(map) / (uint32_t)sizeof(vm_ref) : 0;
	struct buffer *refs = &without_buffer;
	refs->items = vm_grow(refs->items, &refs->capacity, (uint64_t)count + 1, sizeof *refs->items);
	vm_ref *items = (vm_ref *)(void *)refs->items;
	if (count)
		memcpy(items, vm_table_get(map), count * sizeof *items);
	if (index < count)
		items[index] = 0;
	return hash_refs(&map_buffer, &content, sizeof content, items, count, OBJECT);
}

/* Return the key of a state without the global at `index`; with all of them for UINT32_MAX. */
static struct vm_key key_of(vm_ref state, uint32_t index)
{
	const uint32_t *words = vm_state_words(state), *slot = words + STATE_WORDS;
	uint32_t slots = words[1], count = 0;
	struct buffer *all = &state_buffer;
	all->items = vm_grow(all->items, &all->capacity, STATE_WORDS + slots * STATE_SLOT_WORDS, sizeof *all->items);
	const uint8_t *rest = vm_state_outcomes(words);
	XXH128_hash_t behind = XXH3_128bits(rest, vm_words_size(words) - (size_t)(rest - (const uint8_t *)words));
	all->items[count++] = (XXH128_hash_t){ .low64 = words[0], .high64 = slots };
	all->items[count++] = behind;
	all->items[count++] = index == UINT32_MAX ? hash_of(words[2], MAP) : hash_without(words[2], index);
	all->items[count++] = hash_of(words[3], BYTES);
	all->items[count++] = hash_of(words[STATE_RECORDS], BYTES);
	for (uint32_t i = 0; i < slots; i++, slot += STATE_SLOT_WORDS) {
		all->items[count++] = hash_of(slot[0], BYTES);
		all->items[count++] = hash_of(slot[1], MAP);
		all->items[count++] = hash_of(slot[2], MAP);
	}
	assert(count == STATE_WORDS + slots * STATE_SLOT_WORDS); /* each word counts */
	XXH128_hash_t hash = XXH3_128bits(all->items, count * sizeof *all->items);
	struct vm_key key;
	_Static_assert(sizeof key == sizeof hash, "a key is a hash");
	memcpy(&key, &hash, sizeof key);
	return key;
}

struct vm_key vm_key_of(vm_ref state)
{
	assert(!vm_is_transient(state)); /* its key is never asked for twice */
	return key_of(state, UINT32_MAX);
}

struct vm_key vm_key_without(vm_ref state, uint32_t index)
{
	return key_of(state, index);
}

void vm_keys_forget(void)
{
	memset(remembered, 0, sizeof remembered);
}
