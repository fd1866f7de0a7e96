/* SPDX-License-Identifier: MIT
 *
 * Objects and their maps, loaded and stored; and the scratch memory that loaded ones live in.  Loading is lazy: a map forgets
 * its objects by changing its epoch, and only when its ref differs from what is loaded already, which is rare between
 * neighbours of a depth-first search.
 */
#include "large.h"
#include "levels.h"
#include "limit.h"
#include "parts.h"
#include "reads.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static VM_OWN uint64_t last_epoch;

/* ---- scratch memory ------------------------------------------------------------------------------------------------ */

#define SCRATCH_CHUNK (UINT64_C(256) << 10)
#define SCRATCH_KEPT  (UINT64_C(64) << 20) /* more than this is given back when a step is over */

struct scratch {
	struct scratch *next;
	uint64_t used, size;
	_Alignas(16) uint8_t bytes[];
};

static VM_OWN struct scratch *scratch_first, *scratch_last;
static VM_OWN uint64_t scratch_bytes; /* of all chunks */

_Noreturn void vm_refuse_scratch(void)
{
	if (!vm_this.stepping)
		vm_inconclusive(LIMIT_MEMORY, "the memory limit is reached");
	vm_inconclusive(LIMIT_WORKING_MEMORY, /* which goes with the step */
			"the objects that one step changes take more memory than is left; allow more with --max-memory");
}

static struct scratch *scratch_new(uint64_t bytes)
{
	uint64_t size = bytes > SCRATCH_CHUNK ? bytes : SCRATCH_CHUNK;
	struct scratch *s = vm_limit_allows(size) ? malloc(sizeof *s + size) : NULL;
	if (s == NULL)
		vm_refuse_scratch();
	*s = (struct scratch){ .size = size };
	scratch_bytes += size;
	return s;
}

void *vm_scratch(uint64_t bytes)
{
	bytes = (bytes + 15) & ~UINT64_C(15);
	if (scratch_last == NULL)
		scratch_first = scratch_last = scratch_new(bytes);
	while (scratch_last->size - scratch_last->used < bytes) {
		if (scratch_last->next == NULL)
			scratch_last->next = scratch_new(bytes);
		scratch_last = scratch_last->next;
		scratch_last->used = 0;
	}
	void *p = scratch_last->bytes + scratch_last->used;
	scratch_last->used += bytes;
	return p;
}

static VM_OWN uint64_t scratch_generation; /* counts resets */

void vm_scratch_reset(void)
{
	scratch_generation++;
	while (scratch_first && scratch_bytes > SCRATCH_KEPT) {
		struct scratch *next = scratch_first->next;
		scratch_bytes -= scratch_first->size;
		free(scratch_first);
		scratch_first = next;
	}
	scratch_last = scratch_first;
	if (scratch_first)
		scratch_first->used = 0;
}

void vm_scratch_free(void)
{
	while (scratch_first) {
		struct scratch *next = scratch_first->next;
		free(scratch_first);
		scratch_first = next;
	}
	scratch_last = NULL;
	scratch_bytes = 0;
}

vm_ref vm_state_put(const void *bytes, uint64_t size)
{
	vm_ref ref = size <= UINT32_MAX ? vm_table_put(bytes, (uint32_t)size) : 0;
	if (ref == 0)
		vm_inconclusive(LIMIT_MEMORY, "the memory limit is reached");
	return ref;
}

vm_ref vm_state_put_words(const uint32_t *words)
{
	vm_ref ref = vm_words_put(words);
	if (ref == 0)
		vm_inconclusive(LIMIT_MEMORY, "the memory limit is reached");
	return ref;
}

void *vm_grow(void *array, uint32_t *capacity, uint64_t need, size_t element)
{
	if (need <= *capacity)
		return array;
	uint64_t size = *capacity ? *capacity : 16;
	while (size < need)
		size *= 2;
	assert(size <= UINT32_MAX);
	bool allowed = size * element < SCRATCH_CHUNK || vm_limit_allows(size * element);
	char *bigger = allowed ? realloc(array, size * element) : NULL;
	if (bigger == NULL)
		vm_inconclusive(LIMIT_MEMORY, "the memory limit is reached");
	memset(bigger + *capacity * element, 0, (size - *capacity) * element);
	*capacity = (uint32_t)size;
	return bigger;
}

/* ---- maps and objects ---------------------------------------------------------------------------------------------- */

void vm_map_load(struct vm_map *map, vm_ref ref)
{
	if (!map->dirty && map->ref == ref)
		return;
	map->ref = ref;
	map->dirty = false;
	map->epoch = ++last_epoch;
	map->count = ref ? vm_table_size(ref) / sizeof(vm_ref) : 0;
	map->bounded = false;
	map->objects = vm_grow(map->objects, &map->capacity, map->count, sizeof *map->objects);
	map->taken[0] = map->taken[1] = map->passed[0] = map->passed[1] = 0;
}

/* Is the object in areas?  One without a number is on its way from the image to the table. */
static bool is_large(const struct vm_object *object)
{
	return object->header.size > OBJECT_SMALL && object->number;
}

static uint8_t *load_pages(const struct vm_object *object, enum vm_area which, const vm_ref *pages)
{
	uint32_t size = object->header.size, page = vm_object_page(size);
	if (object->blank >> which & 1)
		return (uint8_t *)vm_large_blank(which);
	if (is_large(object))
		return vm_large_load(object->number, which, size, pages);
	uint8_t *bytes = vm_scratch(size);
	for (uint32_t i = 0; i < vm_page_count(size); i++)
		memcpy(bytes + i * page, vm_table_get(pages[i]), vm_page_size(size, i));
	return bytes;
}

static void object_load(struct vm_object *object)
{
	const struct vm_object_header *header = vm_table_get(object->ref);
	bool shadowed = header->flags & OBJECT_SHADOWED;
	uint32_t size = header->size;
	object->header = *header;
	if (size <= OBJECT_WHOLE) {
		object->bytes = (uint8_t *)(header + 1);
		object->shadow = shadowed ? object->bytes + size : NULL;
		return;
	}
	const vm_ref *pages = (const vm_ref *)(header + 1);
	object->blank = 0;
	if (size > LARGE_BLANK && vm_large_pages_are_blank(AREA_BYTES, size, pages))
		object->blank |= 1 << AREA_BYTES;
	if (size > LARGE_BLANK && shadowed && vm_large_pages_are_blank(AREA_SHADOW, size, pages + vm_page_count(size)))
		object->blank |= 1 << AREA_SHADOW;
	object->bytes = load_pages(object, AREA_BYTES, pages);
	object->shadow = shadowed ? load_pages(object, AREA_SHADOW, pages + vm_page_count(size)) : NULL;
	object->generation = is_large(object) ? 0 : scratch_generation;
}

/* Return the object number of an index of `map`. */
static uint32_t number_of(const struct vm_map *map, uint32_t index)
{
	return map == &vm_this.globals ? vm_this.global_number[index] : map->first + index;
}

struct vm_object *vm_map_look(struct vm_map *map, uint32_t index)
{
	assert(index < map->count);
	struct vm_object *object = &map->objects[index];
	if (object->epoch == map->epoch && object->generation && !object->dirty && object->generation != scratch_generation)
		object_load(object);
	if (object->epoch != map->epoch) {
		uint32_t stored = map->ref ? vm_table_size(map->ref) / sizeof(vm_ref) : 0;
		vm_ref ref = index < stored ? ((const vm_ref *)vm_table_get(map->ref))[index] : 0;
		*object = (struct vm_object){
			.epoch = map->epoch, .ref = ref, .number = number_of(map, index), .present = ref != 0
		};
		if (ref)
			object_load(object);
		object->buried = object->header.flags & OBJECT_BURIED;
		object->present = object->present && !object->buried;
	}
	return object->present ? object : NULL;
}

/* Refuse a summary of the step if an object comes or goes in `map`, unless that has the running thread's locals: summaries know
 * no other objects that come and go. */
static void refuse_unless_own(const struct vm_map *map)
{
	if (vm_reads.on && map != &vm_this.current->locals)
		vm_reads_refuse();
}

static uint8_t *filled(const struct vm_object *object, enum vm_area which, uint8_t byte)
{
	uint32_t size = object->header.size;
	return is_large(object) ? vm_large_fill(object->number, which, size, byte) : memset(vm_scratch(size), byte, size);
}

uint8_t *vm_object_shadow(struct vm_object *object, uint8_t byte)
{
	assert(object->dirty);
	object->blank &= (uint8_t) ~(1 << AREA_SHADOW);
	return object->shadow = filled(object, AREA_SHADOW, byte);
}

uint32_t vm_map_bound(struct vm_map *map)
{
	if (!map->bounded) {
		const vm_ref *refs = map->ref ? vm_table_get(map->ref) : NULL;
		uint32_t stored = map->ref ? vm_table_size(map->ref) / sizeof *refs : 0, at = map->count;
		vm_ref buried = 0;
		for (; at > 0 && at <= stored; at--) {
			vm_ref ref = refs[at - 1];
			if (ref && ref != buried && !(((const struct vm_object_header *)vm_table_get(ref))->flags & OBJECT_BURIED))
				break;
			buried = ref ? ref : buried;
		}
		map->bound = at;
		map->bounded = true;
	}
	return map->bound < map->count ? map->bound : map->count;
}

struct vm_object *vm_map_add(struct vm_map *map, uint32_t index, const struct vm_object_header *header)
{
	assert(map == &vm_this.globals || (index < map->numbers && !vm_map_find(map, index))); /* an argument is made anew */
	refuse_unless_own(map);
	map->objects = vm_grow(map->objects, &map->capacity, (uint64_t)index + 1, sizeof *map->objects);
	if (vm_map_bound(map) <= index)
		map->bound = index + 1;
	if (index >= map->count)
		map->count = index + 1;
	struct vm_object *object = &map->objects[index];
	*object = (struct vm_object){
		.header = *header,
		.epoch = map->epoch,
		.number = number_of(map, index),
		.present = true,
		.dirty = true,
	};
	if (header->size > LARGE_BLANK && object->number) {
		object->blank = 1 << AREA_BYTES | 1 << AREA_SHADOW;
		object->bytes = (uint8_t *)vm_large_blank(AREA_BYTES);
		object->shadow = header->flags & OBJECT_SHADOWED ? (uint8_t *)vm_large_blank(AREA_SHADOW) : NULL;
	} else {
		object->bytes = filled(object, AREA_BYTES, 0);
		if (header->flags & OBJECT_SHADOWED)
			vm_object_shadow(object, 0xff);
	}
	map->dirty = true;
	return object;
}

void vm_map_bury(struct vm_map *map, uint32_t index)
{
	assert(index < map->numbers); /* no global is buried */
	const struct vm_object_header header = { .flags = OBJECT_BURIED };
	refuse_unless_own(map);
	map->objects = vm_grow(map->objects, &map->capacity, (uint64_t)index + 1, sizeof *map->objects);
	map->objects[index] = (struct vm_object){
		.header = header,
		.epoch = map->epoch,
		.number = number_of(map, index),
		.buried = true,
		.ref = vm_state_put(&header, sizeof header),
	};
	map->count = map->count > index ? map->count : index + 1;
	map->dirty = true;
}

bool vm_map_is_taken(struct vm_map *map, uint32_t index)
{
	return vm_map_find(map, index) || (index < map->count && map->objects[index].buried);
}

void vm_map_remove(struct vm_map *map, uint32_t index)
{
	assert(index < map->count);
	refuse_unless_own(map);
	if (map->objects[index].header.flags & OBJECT_HIDDEN) {
		vm_map_bury(map, index);
		return;
	}
	map->objects[index] = (struct vm_object){ .epoch = map->epoch, .number = number_of(map, index) };
	map->dirty = true;
	for (int i = 0; i < 2; i++) {
		map->taken[i] = index < map->taken[i] ? index : map->taken[i];
		map->passed[i] = index < map->passed[i] ? index : map->passed[i];
	}
}

static uint8_t *copy_of(const uint8_t *bytes, uint32_t size)
{
	return memcpy(vm_scratch(size), bytes, size);
}

/* Give an object that is blank areas, in which it can be written. */
static void make_areas(struct vm_object *object)
{
	assert(is_large(object));
	if (object->blank & 1 << AREA_BYTES)
		object->bytes = filled(object, AREA_BYTES, 0);
	if (object->shadow && object->blank & 1 << AREA_SHADOW)
		object->shadow = filled(object, AREA_SHADOW, 0xff);
	object->blank = 0;
}

void vm_object_change(struct vm_map *map, struct vm_object *object, uint32_t low, uint32_t high)
{
	assert(object->epoch == map->epoch && low <= high && high <= object->header.size);
	assert(object->present && !(object->header.flags & OBJECT_CONSTANT));
	map->dirty = true;
	if (object->blank && low < high)
		make_areas(object);
	if (is_large(object))
		vm_large_touch(object->number, object->header.size, low, high);
	if (object->dirty)
		return;
	if (!is_large(object)) {
		object->bytes = copy_of(object->bytes, object->header.size);
		object->shadow = object->shadow ? copy_of(object->shadow, object->header.size) : NULL;
	}
	object->dirty = true;
}

uint64_t vm_object_used(const struct vm_object *object, uint64_t at)
{
	uint32_t size = object->header.size, page = vm_object_page(size);
	if (object->blank & 1 << AREA_BYTES)
		return size;
	while (is_large(object) && at < size && vm_large_page_is_zero(object->number, size, at))
		at = (at / page + 1) * page;
	return at < size ? at : size;
}

/* Store bytes of `object`, or its shadow, in pages.  Pages that did not change are taken from `known`, those of the object as it
 * was; NULL: none. */
static void store_pages(const struct vm_object *object, enum vm_area which, vm_ref *pages, const vm_ref *known)
{
	uint32_t size = object->header.size, page = vm_object_page(size);
	const uint8_t *bytes = which == AREA_BYTES ? object->bytes : object->shadow;
	if (object->blank >> which & 1) {
		for (uint32_t i = 0; i < size / page; i++)
			pages[i] = vm_large_blank_page(which);
		if (size % page)
			pages[size / page] = vm_state_put(vm_large_blank(which), size % page);
		return;
	}
	if (is_large(object)) {
		vm_large_store(object->number, which, size, pages);
		return;
	}
	for (uint32_t i = 0; i < vm_page_count(size); i++, bytes += page) {
		uint32_t length = vm_page_size(size, i);
		bool same = known && memcmp(vm_table_get(known[i]), bytes, length) == 0;
		pages[i] = same ? known[i] : vm_state_put(bytes, length);
	}
}

static vm_ref put_pages(const struct vm_object *object, vm_ref old)
{
	uint32_t bytes = object->header.size, count = vm_page_count(bytes);
	const struct vm_object_header *before = old ? vm_table_get(old) : NULL;
	const vm_ref *known = before && before->size == bytes ? (const vm_ref *)(before + 1) : NULL;
	uint64_t size = sizeof object->header + (object->shadow ? 2 : 1) * count * sizeof(vm_ref);
	uint8_t *blob = vm_scratch(size);
	vm_ref *pages = (vm_ref *)(blob + sizeof object->header);
	store_pages(object, AREA_BYTES, pages, known);
	if (object->shadow)
		store_pages(object, AREA_SHADOW, pages + count, known && (before->flags & OBJECT_SHADOWED) ? known + count : NULL);
	memcpy(blob, &object->header, sizeof object->header);
	return vm_state_put(blob, size);
}

static vm_ref put_object(const struct vm_object *object, vm_ref old)
{
	uint32_t bytes = object->header.size;
	if (bytes > OBJECT_WHOLE)
		return put_pages(object, old);
	uint64_t size = sizeof object->header + (object->shadow ? 2 : 1) * bytes;
	uint8_t *blob = vm_scratch(size);
	memcpy(blob, &object->header, sizeof object->header);
	memcpy(blob + sizeof object->header, object->bytes, bytes);
	if (object->shadow)
		memcpy(blob + sizeof object->header + bytes, object->shadow, bytes);
	return vm_state_put(blob, size);
}

/* Drop the shadow of `object` if all its bits are initialized, and let the flag say whether there is one. */
static void settle_shadow(struct vm_object *object)
{
	uint32_t size = object->header.size;
	if (object->shadow && !(object->blank & 1 << AREA_SHADOW) &&
	    (is_large(object) ? vm_large_is_zero(object->number, AREA_SHADOW, size) : vm_is_zero(object->shadow, size)))
		object->shadow = NULL;
	object->header.flags &= ~(uint32_t)OBJECT_SHADOWED;
	if (object->shadow)
		object->header.flags |= OBJECT_SHADOWED;
}

static void object_store(struct vm_object *object)
{
	settle_shadow(object);
	object->ref = put_object(object, object->ref);
	if (object->header.size <= OBJECT_WHOLE) {
		object->bytes = (uint8_t *)vm_table_get(object->ref) + sizeof object->header;
		object->shadow = object->shadow ? object->bytes + object->header.size : NULL;
	} else {
		object->generation = is_large(object) ? 0 : scratch_generation;
	}
	object->dirty = false;
}

vm_ref vm_map_store(struct vm_map *map)
{
	if (!map->dirty)
		return map->ref;
	uint32_t stored = map->ref ? vm_table_size(map->ref) / sizeof(vm_ref) : 0, count = 0;
	const vm_ref *old = map->ref ? vm_table_get(map->ref) : NULL;
	vm_ref *refs = vm_scratch(map->count * sizeof *refs);
	for (uint32_t i = 0; i < map->count; i++) {
		struct vm_object *object = &map->objects[i];
		if (object->epoch != map->epoch) {
			refs[i] = i < stored ? old[i] : 0;
		} else {
			if (object->dirty)
				object_store(object);
			refs[i] = object->ref;
		}
		if (refs[i])
			count = i + 1;
	}
	map->count = count;
	map->ref = count ? vm_state_put(refs, count * sizeof *refs) : 0;
	map->dirty = false;
	return map->ref;
}

void vm_map_begin(struct vm_map *map, uint32_t first, uint32_t numbers)
{
	map->first = first;
	map->numbers = numbers;
	map->epoch = ++last_epoch;
}

vm_ref vm_global_store(const struct image_global *global)
{
	uint32_t levels = vm_levels_of_global((uint32_t)(global - vm_this.image.globals));
	struct vm_object object = {
		.header = { .size = (uint32_t)global->size, .flags = OBJECT_SHARED | levels },
		.bytes = (uint8_t *)vm_this.image.data + global->data,
	};
	return put_object(&object, 0);
}

/* ---- what is transient, kept ---------------------------------------------------------------------------------------- */

/* Store a copy of a blob of words, in which keep() replaces the `count` refs from `first` on, and return its ref. */
static vm_ref keep_words(vm_ref ref, uint32_t first, uint32_t count, vm_ref (*keep)(vm_ref))
{
	uint32_t size = vm_table_size(ref);
	uint32_t *words = vm_scratch(size);
	memcpy(words, vm_table_get(ref), size);
	for (uint32_t i = first; i < first + count; i++)
		words[i] = keep(words[i]);
	return vm_state_put(words, size);
}

vm_ref vm_blob_keep(vm_ref ref)
{
	return vm_is_transient(ref) ? vm_state_put(vm_table_get(ref), vm_table_size(ref)) : ref;
}

uint32_t vm_object_refs(const struct vm_object_header *header)
{
	if (header->size <= OBJECT_WHOLE)
		return 0;
	return vm_page_count(header->size) * (header->flags & OBJECT_SHADOWED ? 2 : 1);
}

static vm_ref keep_object(vm_ref ref)
{
	if (!vm_is_transient(ref))
		return ref;
	const struct vm_object_header *header = vm_table_get(ref);
	uint32_t pages = vm_object_refs(header);
	if (pages == 0)
		return vm_blob_keep(ref);
	return keep_words(ref, sizeof *header / sizeof(vm_ref), pages, vm_blob_keep);
}

vm_ref vm_map_keep(vm_ref ref)
{
	return vm_is_transient(ref) ? keep_words(ref, 0, vm_table_size(ref) / sizeof(vm_ref), keep_object) : ref;
}
