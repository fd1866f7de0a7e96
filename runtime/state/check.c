/* SPDX-License-Identifier: MIT
 *
 * The invariants of state.h, as asserts: debug builds call these after every step.
 */
#include "parts.h"

#include <assert.h>
#include <string.h>

static void check_object(const struct vm_map *map, uint32_t index)
{
	const struct vm_object *object = &map->objects[index];
	if (object->epoch != map->epoch)
		return;
	assert(map == &vm_this.globals || object->number == map->first + index); /* those of globals go by the image */
	assert(!(object->present && object->buried));
	if (!object->present)
		return;
	assert(object->header.size == 0 || object->bytes);
	assert(object->dirty || object->ref);
	if (object->dirty)
		return;
	assert(!object->shadow == !(object->header.flags & OBJECT_SHADOWED));
	const struct vm_object_header *stored = vm_table_get(object->ref);
	assert(memcmp(stored, &object->header, sizeof *stored) == 0);
	assert(stored->size > OBJECT_WHOLE || (const void *)object->bytes == (const void *)(stored + 1));
}

static void check_map(struct vm_map *map)
{
	assert(map->count <= map->capacity);
	assert(map->numbers == 0 || map->count <= map->numbers);
	for (uint32_t i = vm_map_bound(map); i < map->count; i++)
		assert(!vm_map_find(map, i));
	for (uint32_t i = 0; i < map->count; i++)
		check_object(map, i);
}

static void check_frames(const struct vm_thread *thread)
{
	const struct image *image = &vm_this.image;
	uint32_t base = 0;
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		const struct vm_frame *frame = &thread->frames[i];
		assert(frame->function < image->counts[IMAGE_FUNCTIONS]);
		assert(frame->pc < image->functions[frame->function].ncode);
		assert(frame->base == base);
		base += image->functions[frame->function].registers;
	}
	assert(base <= thread->register_capacity);
	assert(!thread->shadowed || base <= thread->shadow_capacity);
}

/* Check that ranges are sorted by object, then kind, then bytes; not empty; and that those of a kind do not touch. */
static void check_ranges(const struct vm_thread *thread)
{
	for (uint32_t i = 0; i < thread->header.ranges; i++) {
		const struct vm_range *range = &thread->ranges[i], *before = range - 1;
		assert(range->low < range->high);
		if (i == 0 || before->object < range->object)
			continue;
		assert(before->object == range->object);
		assert(before->write < range->write || (before->write == range->write && before->high < range->low));
	}
}

static void check_thread(unsigned slot)
{
	struct vm_thread *thread = &vm_this.threads[slot];
	assert(thread->slot == slot);
	check_map(&thread->locals);
	check_map(&thread->heap);
	if (!thread->loaded)
		return;
	assert(thread->header.status <= THREAD_DEAD && thread->header.wait < VM_WAITS);
	assert(thread->header.status == THREAD_RUNNING || thread->header.frames == 0);
	check_frames(thread);
	check_ranges(thread);
}

void vm_state_check(void)
{
	assert(vm_this.slots <= vm_this.max_threads);
	check_map(&vm_this.globals);
	for (unsigned i = 0; i < vm_this.slots; i++)
		check_thread(i);
	for (uint32_t i = 0; i < vm_this.watch.count; i++)
		assert(vm_this.watch.ranges[i].low < vm_this.watch.ranges[i].high);
}

/* Check that a map has no trailing zeros. */
static void check_stored_map(vm_ref ref)
{
	const vm_ref *refs = ref ? vm_table_get(ref) : NULL;
	uint32_t size = ref ? vm_table_size(ref) : 0;
	assert(size % sizeof *refs == 0);
	assert(!ref || (size && refs[size / sizeof *refs - 1]));
}

void vm_state_check_stored(vm_ref ref)
{
	const uint32_t *words = vm_state_words(ref);
	unsigned slots = words[1];
	assert(slots <= vm_this.max_threads);
	check_stored_map(words[2]);
	if (words[0]) { /* a final state keeps only its globals */
		assert(slots == 0 && words[3] == 0 && words[STATE_RECORDS] == 0);
		return;
	}
	const uint32_t *last = words + STATE_WORDS + (slots - 1) * STATE_SLOT_WORDS;
	assert(slots == 0 || last[0] || last[1] || last[2]); /* slots at the end without thread, locals and heap are dropped */
	for (unsigned i = 0; i < slots; i++) {
		const uint32_t *slot = words + STATE_WORDS + i * STATE_SLOT_WORDS;
		assert(slot[0] || vm_state_outcomes(words)[i] == 0);
		check_stored_map(slot[1]);
		check_stored_map(slot[2]);
	}
}

/* ---- stored, forgotten, loaded, stored again ----------------------------------------------------------------------- */

static void change_map(struct vm_map *map)
{
	for (uint32_t i = 0; i < map->count; i++) {
		struct vm_object *object = vm_map_find(map, i);
		if (object)
			vm_object_change_all(map, object);
	}
	map->dirty = true;
}

void vm_state_reload(vm_ref ref)
{
	vm_state_forget();
	vm_state_load(ref);
	change_map(&vm_this.globals);
	for (unsigned i = 0; i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_change(i);
		change_map(&thread->locals);
		change_map(&thread->heap);
	}
}
