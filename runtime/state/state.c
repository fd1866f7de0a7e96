/* SPDX-License-Identifier: MIT
 *
 * See state.h.  Loading is lazy: vm_state_load() looks only at the words of the state blob; a map forgets its objects by
 * changing its epoch, and only when its ref differs from what is loaded already, which is rare between neighbours of a
 * depth-first search.
 */
#include "state.h"
#include "limit.h"
#include "../interpreter/proposition.h"
#include "../memory/records.h"
#include "../interpreter/shadow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct vm vm_this;

static uint64_t last_epoch;

/* ---- scratch memory ------------------------------------------------------------------------------------------------ */

#define SCRATCH_CHUNK (UINT64_C(256) << 10)
#define SCRATCH_KEPT  (UINT64_C(64) << 20) /* more than this is given back when a step is over */

struct scratch {
	struct scratch *next;
	uint64_t used, size;
	_Alignas(16) uint8_t bytes[];
};

static struct scratch *scratch_first, *scratch_last;
static uint64_t scratch_bytes; /* of all chunks */

static struct scratch *scratch_new(uint64_t bytes)
{
	uint64_t size = bytes > SCRATCH_CHUNK ? bytes : SCRATCH_CHUNK;
	struct scratch *s = vm_limit_allows(size) ? malloc(sizeof *s + size) : NULL;
	if (s == NULL && !vm_this.stepping)
		vm_inconclusive("memory", "the memory limit is reached");
	if (s == NULL) /* which goes with the step */
		vm_inconclusive("working memory", "the objects that one step changes take more memory than is left; allow more with "
				"--max-memory");
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

static uint64_t scratch_generation = 1; /* counts resets */

static void scratch_reset(void)
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

vm_ref vm_state_put(const void *bytes, uint64_t size)
{
	vm_ref ref = size <= UINT32_MAX ? vm_table_put(bytes, (uint32_t)size) : 0;
	if (ref == 0)
		vm_inconclusive("memory", "the memory limit is reached");
	return ref;
}

void *vm_grow(void *array, uint32_t *capacity, uint64_t need, size_t element)
{
	if (need <= *capacity)
		return array;
	uint64_t size = *capacity ? *capacity : 16;
	while (size < need)
		size *= 2;
	bool allowed = size * element < SCRATCH_CHUNK || vm_limit_allows(size * element);
	char *bigger = allowed ? realloc(array, size * element) : NULL;
	if (bigger == NULL)
		vm_inconclusive("memory", "the memory limit is reached");
	memset(bigger + *capacity * element, 0, (size - *capacity) * element);
	*capacity = (uint32_t)size;
	return bigger;
}

/* ---- maps and objects ---------------------------------------------------------------------------------------------- */

static void map_load(struct vm_map *map, vm_ref ref)
{
	if (!map->dirty && map->ref == ref)
		return;
	map->ref = ref;
	map->dirty = false;
	map->epoch = ++last_epoch;
	map->count = ref ? vm_table_size(ref) / sizeof(vm_ref) : 0;
	map->objects = vm_grow(map->objects, &map->capacity, map->count, sizeof *map->objects);
	map->taken[0] = map->taken[1] = map->passed[0] = map->passed[1] = 0;
}

static uint32_t page_count(uint32_t size)
{
	return (size + OBJECT_PAGE - 1) / OBJECT_PAGE;
}

static uint32_t page_size(uint32_t size, uint32_t page)
{
	return size - page * OBJECT_PAGE < OBJECT_PAGE ? size - page * OBJECT_PAGE : OBJECT_PAGE;
}

static uint8_t *load_pages(const vm_ref *pages, uint32_t size)
{
	uint8_t *bytes = vm_scratch(size);
	for (uint32_t i = 0; i < page_count(size); i++)
		memcpy(bytes + i * OBJECT_PAGE, vm_table_get(pages[i]), page_size(size, i));
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
	object->bytes = load_pages(pages, size);
	object->shadow = shadowed ? load_pages(pages + page_count(size), size) : NULL;
	object->generation = scratch_generation;
}

struct vm_object *vm_map_find(struct vm_map *map, uint32_t index)
{
	if (index >= map->count)
		return NULL;
	struct vm_object *object = &map->objects[index];
	if (object->epoch == map->epoch && object->generation && !object->dirty && object->generation != scratch_generation)
		object_load(object);
	if (object->epoch != map->epoch) {
		uint32_t stored = map->ref ? vm_table_size(map->ref) / sizeof(vm_ref) : 0;
		vm_ref ref = index < stored ? ((const vm_ref *)vm_table_get(map->ref))[index] : 0;
		*object = (struct vm_object){ .epoch = map->epoch, .ref = ref, .number = map->first + index, .present = ref != 0 };
		if (ref)
			object_load(object);
		object->buried = object->header.flags & OBJECT_BURIED;
		object->present = object->present && !object->buried;
	}
	return object->present ? object : NULL;
}

struct vm_object *vm_map_add(struct vm_map *map, uint32_t index, const struct vm_object_header *header)
{
	map->objects = vm_grow(map->objects, &map->capacity, (uint64_t)index + 1, sizeof *map->objects);
	if (index >= map->count)
		map->count = index + 1;
	struct vm_object *object = &map->objects[index];
	*object = (struct vm_object){
		.header = *header, .epoch = map->epoch, .number = map->first + index, .present = true, .dirty = true,
		.bytes = vm_scratch(header->size),
	};
	memset(object->bytes, 0, header->size);
	if (header->flags & OBJECT_SHADOWED) {
		object->shadow = vm_scratch(header->size);
		memset(object->shadow, 0xff, header->size);
	}
	map->dirty = true;
	return object;
}

void vm_map_bury(struct vm_map *map, uint32_t index)
{
	const struct vm_object_header header = { .flags = OBJECT_BURIED };
	map->objects = vm_grow(map->objects, &map->capacity, (uint64_t)index + 1, sizeof *map->objects);
	map->objects[index] = (struct vm_object){
		.header = header, .epoch = map->epoch, .number = map->first + index, .buried = true,
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
	if (map->objects[index].header.flags & OBJECT_HIDDEN) {
		vm_map_bury(map, index);
		return;
	}
	map->objects[index] = (struct vm_object){ .epoch = map->epoch, .number = map->first + index };
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

void vm_object_change(struct vm_map *map, struct vm_object *object)
{
	map->dirty = true;
	if (object->dirty)
		return;
	object->bytes = copy_of(object->bytes, object->header.size);
	if (object->shadow)
		object->shadow = copy_of(object->shadow, object->header.size);
	object->dirty = true;
}

/* Store bytes in pages, those that did not change taken from the ones they were in (NULL: none). */
static void store_pages(vm_ref *pages, const uint8_t *bytes, uint32_t size, const vm_ref *known)
{
	for (uint32_t i = 0; i < page_count(size); i++, bytes += OBJECT_PAGE) {
		uint32_t length = page_size(size, i);
		bool same = known && memcmp(vm_table_get(known[i]), bytes, length) == 0;
		pages[i] = same ? known[i] : vm_state_put(bytes, length);
	}
}

static vm_ref put_pages(const struct vm_object *object, vm_ref old)
{
	uint32_t bytes = object->header.size, count = page_count(bytes);
	const struct vm_object_header *before = old ? vm_table_get(old) : NULL;
	const vm_ref *known = before && before->size == bytes ? (const vm_ref *)(before + 1) : NULL;
	uint64_t size = sizeof object->header + (object->shadow ? 2 : 1) * count * sizeof(vm_ref);
	uint8_t *blob = vm_scratch(size);
	vm_ref *pages = (vm_ref *)(blob + sizeof object->header);
	store_pages(pages, object->bytes, bytes, known);
	if (object->shadow)
		store_pages(pages + count, object->shadow, bytes, known && (before->flags & OBJECT_SHADOWED) ? known + count : NULL);
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

/* An object has a shadow while a bit of it is not set. */
static void settle_shadow(struct vm_object *object)
{
	uint32_t size = object->header.size;
	if (object->shadow && (size == 0 || (object->shadow[0] == 0 && memcmp(object->shadow, object->shadow + 1, size - 1) == 0)))
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
		object->generation = scratch_generation;
	}
	object->dirty = false;
}

static vm_ref map_store(struct vm_map *map)
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

/* ---- threads ------------------------------------------------------------------------------------------------------- */

static const uint32_t no_live_registers[] = { 0 };

const uint32_t *vm_frame_live(const struct vm_frame *frame)
{
	const struct image *image = &vm_this.image;
	uint32_t live = image->code[image->functions[frame->function].code + frame->pc].live;
	return live == IMAGE_NONE ? no_live_registers : image->pool + live;
}

/* Copy the live registers of all frames, or their shadows, from a blob or to it; where it ends. */
static const uint8_t *unpack_live(const struct vm_thread *thread, uint64_t *registers, const uint8_t *p)
{
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		const uint32_t *live = vm_frame_live(&thread->frames[i]);
		for (uint32_t k = 1; k <= live[0]; k++, p += sizeof(uint64_t))
			memcpy(&registers[thread->frames[i].base + live[k]], p, sizeof(uint64_t));
	}
	return p;
}

static uint8_t *pack_live(const struct vm_thread *thread, const uint64_t *registers, uint8_t *p)
{
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		const uint32_t *live = vm_frame_live(&thread->frames[i]);
		for (uint32_t k = 1; k <= live[0]; k++, p += sizeof(uint64_t))
			memcpy(p, &registers[thread->frames[i].base + live[k]], sizeof(uint64_t));
	}
	return p;
}

static bool is_live_unset(const struct vm_thread *thread)
{
	for (uint32_t i = 0; thread->shadowed && i < thread->header.frames; i++) {
		const uint32_t *live = vm_frame_live(&thread->frames[i]);
		for (uint32_t k = 1; k <= live[0]; k++)
			if (thread->shadows[thread->frames[i].base + live[k]])
				return true;
	}
	return false;
}

static void thread_unpack(struct vm_thread *thread)
{
	const uint8_t *p = vm_table_get(thread->ref), *end = p + vm_table_size(thread->ref);
	memcpy(&thread->header, p, sizeof thread->header);
	p += sizeof thread->header;
	uint32_t ranges = thread->header.ranges;
	thread->ranges = vm_grow(thread->ranges, &thread->range_capacity, ranges, sizeof *thread->ranges);
	if (ranges)
		memcpy(thread->ranges, p, ranges * sizeof *thread->ranges);
	p += ranges * sizeof *thread->ranges;
	thread->frames = vm_grow(thread->frames, &thread->frame_capacity, thread->header.frames, sizeof *thread->frames);
	uint32_t base = 0;
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		struct vm_frame *frame = &thread->frames[i];
		memcpy(&frame->function, p, sizeof(uint32_t));
		memcpy(&frame->pc, p + sizeof(uint32_t), sizeof(uint32_t));
		p += 2 * sizeof(uint32_t);
		frame->base = base;
		base += vm_this.image.functions[frame->function].registers;
	}
	thread->registers = vm_grow(thread->registers, &thread->register_capacity, base, sizeof *thread->registers);
	p = unpack_live(thread, thread->registers, p);
	vm_shadow_clear(thread);
	if (p < end) {
		vm_shadow_begin(thread);
		unpack_live(thread, thread->shadows, p);
	}
	thread->loaded = true;
}

struct vm_thread *vm_thread_load(unsigned slot)
{
	struct vm_thread *thread = &vm_this.threads[slot];
	if (!thread->loaded)
		thread_unpack(thread);
	return thread;
}

struct vm_thread *vm_thread_change(unsigned slot)
{
	struct vm_thread *thread = vm_thread_load(slot);
	thread->dirty = true;
	return thread;
}

uint64_t *vm_thread_push(struct vm_thread *thread, uint32_t function)
{
	uint32_t base = 0, top = thread->header.frames;
	if (top) {
		const struct vm_frame *caller = &thread->frames[top - 1];
		base = caller->base + vm_this.image.functions[caller->function].registers;
	}
	uint32_t count = vm_this.image.functions[function].registers;
	if (top >= vm_stack_bytes(thread) / VM_FRAME_BYTES)
		return NULL;
	if (base + count > VM_MAX_REGISTERS && vm_stack_bytes(thread) > VM_STACK_BYTES)
		vm_inconclusive("stack", "thread %u has more than %u MB of values on its stack", thread->slot, VM_MAX_REGISTERS >> 17);
	if (base + count > VM_MAX_REGISTERS)
		return NULL;
	thread->frames = vm_grow(thread->frames, &thread->frame_capacity, top + 1, sizeof *thread->frames);
	thread->registers = vm_grow(thread->registers, &thread->register_capacity, base + count + 1, sizeof *thread->registers);
	thread->frames[top] = (struct vm_frame){ .function = function, .base = base };
	thread->header.frames++;
	if (thread->shadowed) {
		vm_shadow_begin(thread); /* for so many registers */
		memset(thread->shadows + base, 0, count * sizeof *thread->shadows);
	}
	return thread->registers + base;
}

static vm_ref thread_store(struct vm_thread *thread)
{
	if (!thread->dirty)
		return thread->ref;
	if (thread->header.status == THREAD_UNUSED) {
		thread->dirty = false;
		return thread->ref = 0;
	}
	bool unset = is_live_unset(thread);
	uint64_t size = sizeof thread->header + thread->header.ranges * sizeof *thread->ranges, live = 0;
	for (uint32_t i = 0; i < thread->header.frames; i++)
		live += vm_frame_live(&thread->frames[i])[0];
	size += thread->header.frames * 2 * sizeof(uint32_t) + (unset ? 2 : 1) * live * sizeof(uint64_t);
	uint8_t *blob = vm_scratch(size), *p = blob;
	memcpy(p, &thread->header, sizeof thread->header);
	p += sizeof thread->header;
	if (thread->header.ranges)
		memcpy(p, thread->ranges, thread->header.ranges * sizeof *thread->ranges);
	p += thread->header.ranges * sizeof *thread->ranges;
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		const struct vm_frame *frame = &thread->frames[i];
		memcpy(p, &frame->function, sizeof(uint32_t));
		memcpy(p + sizeof(uint32_t), &frame->pc, sizeof(uint32_t));
		p += 2 * sizeof(uint32_t);
	}
	p = pack_live(thread, thread->registers, p);
	if (unset)
		p = pack_live(thread, thread->shadows, p);
	else
		vm_shadow_clear(thread);
	assert(p == blob + size);
	thread->ref = vm_state_put(blob, size);
	thread->dirty = false;
	return thread->ref;
}

static void thread_load_slot(struct vm_thread *thread, const uint32_t *words)
{
	static const uint32_t unused[STATE_SLOT_WORDS];
	if (words == NULL)
		words = unused;
	if (thread->dirty || thread->ref != words[0] || !thread->loaded) {
		thread->ref = words[0];
		thread->dirty = false;
		thread->loaded = words[0] == 0;
		if (words[0] == 0)
			memset(&thread->header, 0, sizeof thread->header);
	}
	map_load(&thread->locals, words[1]);
	map_load(&thread->heap, words[2]);
}

/* ---- states -------------------------------------------------------------------------------------------------------- */

const uint32_t *vm_state_words(vm_ref ref)
{
	return vm_table_get(ref);
}

static void watch_load(vm_ref ref)
{
	struct vm_watch *watch = &vm_this.watch;
	uint32_t size = ref ? vm_table_size(ref) : 0;
	watch->count = size / sizeof *watch->ranges;
	watch->ranges = vm_grow(watch->ranges, &watch->capacity, watch->count, sizeof *watch->ranges);
	if (size)
		memcpy(watch->ranges, vm_table_get(ref), size);
}

static size_t valuation_size(void)
{
	return vm_is_temporal() ? sizeof vm_this.valuation : 0;
}

void vm_state_load(vm_ref ref)
{
	struct vm *vm = &vm_this;
	if (vm->ref == ref)
		return;
	const uint32_t *words = vm_state_words(ref);
	unsigned slots = words[1];
	for (unsigned i = 0; i < slots || i < vm->slots; i++)
		thread_load_slot(&vm->threads[i], i < slots ? words + STATE_WORDS + i * STATE_SLOT_WORDS : NULL);
	map_load(&vm->globals, words[2]);
	watch_load(words[3]);
	vm_records_load(words[4]);
	if (vm->ends)
		memcpy(vm->started, vm_state_extra(words) + valuation_size(), sizeof vm->started);
	vm->slots = slots;
	vm->ref = ref;
	scratch_reset();
}

/* Who can go on in an atomic section keeps the others out.  One thread at most is in the midst of its section: it had no
 * need to wait when it came to rest, and goes on before all others.  Those that had to wait get their sections back as soon
 * as they can go on: if several can, any may be the first.  One that could time out keeps nobody out while it waits. */
static unsigned claim(struct vm_thread *thread)
{
	if (!thread->header.atomic || vm_thread_idles(thread))
		return 0;
	return thread->header.parted ? 1 : 2;
}

void vm_outcomes(uint8_t *outcomes)
{
	struct vm *vm = &vm_this;
	unsigned most = 0;
	for (unsigned i = 0; i < vm->slots; i++) {
		struct vm_thread *thread = vm_thread_load(i);
		unsigned n = vm_thread_outcomes(thread), claimed = n ? claim(thread) : 0;
		outcomes[i] = (uint8_t)(n > 255 ? 255 : n);
		most = claimed > most ? claimed : most;
	}
	vm->exclusive = most > 0;
	for (unsigned i = 0; most && i < vm->slots; i++)
		if (outcomes[i] && claim(vm_thread_load(i)) < most)
			outcomes[i] = 0;
}

vm_ref vm_state_store(unsigned flags)
{
	struct vm *vm = &vm_this;
	unsigned slots = flags ? 0 : vm->slots;
	for (unsigned i = 0; i < slots; i++)
		if (vm->threads[i].dirty && vm->threads[i].loaded)
			vm_forget_dead(&vm->threads[i]);
	while (slots) {
		struct vm_thread *last = &vm->threads[slots - 1];
		if (thread_store(last) || map_store(&last->locals) || map_store(&last->heap))
			break;
		slots--;
	}
	uint32_t nwords = STATE_WORDS + slots * STATE_SLOT_WORDS;
	uint64_t size = nwords * sizeof(uint32_t) + slots + valuation_size() + (vm->ends ? sizeof vm->started : 0);
	uint32_t *words = vm_scratch(size);
	words[0] = flags;
	words[1] = slots;
	words[2] = map_store(&vm->globals);
	words[3] = vm->watch.count && !flags ? vm_state_put(vm->watch.ranges, vm->watch.count * sizeof *vm->watch.ranges) : 0;
	words[4] = flags ? 0 : vm_records_store();
	for (unsigned i = 0; i < slots; i++) {
		uint32_t *slot = words + STATE_WORDS + i * STATE_SLOT_WORDS;
		slot[0] = thread_store(&vm->threads[i]);
		slot[1] = map_store(&vm->threads[i].locals);
		slot[2] = map_store(&vm->threads[i].heap);
	}
	if (!flags) {
		vm->slots = slots;
		vm_outcomes((uint8_t *)(words + nwords));
	}
	uint8_t *extra = (uint8_t *)(words + nwords) + slots;
	memcpy(extra, &vm->valuation, valuation_size());
	if (vm->ends)
		memcpy(extra + valuation_size(), vm->started, sizeof vm->started);
	vm_ref ref = vm_state_put(words, size);
	vm->ref = flags ? 0 : ref; /* a final state has forgotten what was loaded */
	return ref;
}

/* ---- transient states ---------------------------------------------------------------------------------------------- */

/* A copy of a blob of words, of which `count` from `first` on are refs. */
static vm_ref keep_words(vm_ref ref, uint32_t first, uint32_t count, vm_ref (*keep)(vm_ref))
{
	uint32_t size = vm_table_size(ref);
	uint32_t *words = vm_scratch(size);
	memcpy(words, vm_table_get(ref), size);
	for (uint32_t i = first; i < first + count; i++)
		words[i] = keep(words[i]);
	return vm_state_put(words, size);
}

static vm_ref keep_bytes(vm_ref ref)
{
	return vm_is_transient(ref) ? vm_state_put(vm_table_get(ref), vm_table_size(ref)) : ref;
}

static vm_ref keep_object(vm_ref ref)
{
	if (!vm_is_transient(ref))
		return ref;
	const struct vm_object_header *header = vm_table_get(ref);
	if (header->size <= OBJECT_WHOLE)
		return keep_bytes(ref);
	uint32_t pages = page_count(header->size) * (header->flags & OBJECT_SHADOWED ? 2 : 1);
	return keep_words(ref, sizeof *header / sizeof(vm_ref), pages, keep_bytes);
}

static vm_ref keep_map(vm_ref ref)
{
	return vm_is_transient(ref) ? keep_words(ref, 0, vm_table_size(ref) / sizeof(vm_ref), keep_object) : ref;
}

vm_ref vm_state_keep(vm_ref ref)
{
	if (!vm_is_transient(ref))
		return ref;
	uint32_t size = vm_table_size(ref);
	uint32_t *words = vm_scratch(size);
	memcpy(words, vm_table_get(ref), size);
	words[2] = keep_map(words[2]);
	words[3] = words[3] ? keep_bytes(words[3]) : 0;
	words[4] = words[4] ? keep_bytes(words[4]) : 0;
	for (uint32_t i = 0; i < words[1]; i++) {
		uint32_t *slot = words + STATE_WORDS + i * STATE_SLOT_WORDS;
		slot[0] = keep_bytes(slot[0]);
		slot[1] = keep_map(slot[1]);
		slot[2] = keep_map(slot[2]);
	}
	return vm_state_put(words, size);
}

void vm_state_forget(void)
{
	struct vm *vm = &vm_this;
	vm->ref = 0;
	vm->globals.dirty = vm->records.dirty = true;
	for (unsigned i = 0; i < vm->slots; i++) {
		struct vm_thread *thread = &vm->threads[i];
		thread->dirty = thread->locals.dirty = thread->heap.dirty = true;
	}
}

/* ---- the initial state --------------------------------------------------------------------------------------------- */

vm_ref vm_state_store_globals(void)
{
	return map_store(&vm_this.globals);
}

static vm_ref initial_object(const struct image_global *global)
{
	struct vm_object object = {
		.header = { .size = (uint32_t)global->size, .flags = OBJECT_SHARED },
		.bytes = (uint8_t *)vm_this.image.data + global->data,
	};
	return put_object(&object, 0);
}

static void init_globals(void)
{
	struct vm *vm = &vm_this;
	uint32_t count = 0, nglobals = (uint32_t)vm->image.counts[IMAGE_GLOBALS];
	vm->global_index = calloc(nglobals + 1, sizeof *vm->global_index);
	vm->tls_global = calloc(nglobals + 1, sizeof *vm->tls_global);
	vm->constants = calloc(nglobals + 1, sizeof *vm->constants);
	vm_ref *refs = calloc(nglobals + 1, sizeof *refs);
	if (!vm->global_index || !vm->tls_global || !vm->constants || !refs)
		vm_inconclusive("memory", "out of memory");
	for (uint32_t g = 0; g < nglobals; g++) {
		const struct image_global *global = &vm->image.globals[g];
		vm->global_index[g] = IMAGE_NONE;
		if (global->flags & GLOBAL_THREAD_LOCAL) {
			vm->tls_global[global->tls] = g;
			vm->tls_count++;
		} else if (global->flags & GLOBAL_CONSTANT) {
			vm->constants[g] = (struct vm_object){
				.header = { .size = (uint32_t)global->size, .flags = OBJECT_SHARED | OBJECT_CONSTANT },
				.bytes = (uint8_t *)vm->image.data + global->data, .number = 1 + g, .present = true,
			};
		} else {
			vm->global_index[g] = count;
			refs[count++] = initial_object(global);
		}
	}
	vm->globals.dirty = true; /* so that map_load() takes it */
	map_load(&vm->globals, count ? vm_state_put(refs, count * sizeof *refs) : 0);
	free(refs);
}

void vm_state_init(void)
{
	struct vm *vm = &vm_this;
	vm->max_threads = vm->image.options->max_threads;
	vm->span = (IMAGE_END_DYNAMIC - IMAGE_FIRST_DYNAMIC) / (vm->max_threads + 1) & ~1u;
	vm->locals = vm->image.options->many ? vm->span / 16 & ~1u : vm->span / 2;
	vm->threads = calloc(vm->max_threads + 1, sizeof *vm->threads);
	if (vm->threads == NULL)
		vm_inconclusive("memory", "out of memory");
	for (unsigned i = 0; i <= vm->max_threads; i++) {
		vm->threads[i].slot = i;
		vm->threads[i].loaded = true;
		vm->threads[i].locals.first = IMAGE_FIRST_DYNAMIC + i * vm->span;
		vm->threads[i].locals.numbers = vm->locals;
		vm->threads[i].heap.first = vm->threads[i].locals.first + vm->locals;
		vm->threads[i].heap.numbers = vm->span - vm->locals;
		vm->threads[i].locals.epoch = vm->threads[i].heap.epoch = ++last_epoch;
	}
	init_globals();
	vm->cut = vm_state_store(STATE_PRUNED);
	vm_thread_start(0, vm->image.options->start);
	vm->stepping = true;
	vm->initial_faulty = true;
	if (setjmp(vm->escape) == 0) { /* else the first step will meet the same violation */
		vm_properties_evaluate(false);
		vm->initial_faulty = false;
	}
	vm->stepping = false;
	vm->evaluating = NULL;
	vm->initial = vm_state_store(0);
	if (vm_is_temporal())
		vm_valuation_seen(vm->initial);
}

void vm_state_check(void)
{
	const struct vm *vm = &vm_this;
	for (unsigned i = 0; i < vm->slots; i++) {
		const struct vm_thread *thread = &vm->threads[i];
		for (uint32_t r = 0; thread->loaded && r < thread->header.ranges; r++) {
			const struct vm_range *range = &thread->ranges[r];
			assert(range->low < range->high);
			const struct vm_range *before = r ? range - 1 : NULL; /* sorted by object, then kind, then bytes */
			assert(!before || before->object < range->object ||
			       (before->object == range->object && (before->write < range->write ||
				(before->write == range->write && before->high < range->low))));
		}
	}
}
