/* SPDX-License-Identifier: MIT
 *
 * See naming.h.
 */
#include "naming.h"
#include "messages.h"
#include "../state/reads.h"

#include <string.h>

void vm_naming_note_number(const struct naming *naming, uint64_t number)
{
	uint64_t index = number - naming->map->first;
	if (index < naming->map->numbers)
		naming->named[index / 8] |= (uint8_t)(1u << index % 8);
}

void vm_naming_note_words(const struct naming *naming, const void *words, uint64_t count)
{
	const uint8_t *p = words;
	for (uint64_t i = 0; i < count; i++, p += 8) {
		uint64_t word;
		memcpy(&word, p, sizeof word);
		word &= IMAGE_POINTER_MASK;
		if (word - naming->low < naming->high - naming->low)
			vm_naming_note_number(naming, image_number(word));
	}
}

void vm_naming_note_object(const struct naming *naming, const struct vm_object *object)
{
	uint64_t size = object->header.size, page = vm_object_stride(object);
	for (uint64_t at = 0; (at = vm_object_used(object, at)) < size; at += page)
		vm_naming_note_words(naming, object->bytes + at, (size - at < page ? size - at : page) / 8);
}

static void vm_naming_note_kept(uint64_t word, void *naming)
{
	vm_naming_note_words(naming, &word, 1);
}

void vm_naming_note_messages(const struct naming *naming)
{
	vm_messages_words(0, vm_naming_note_kept, (void *)naming);
}

void vm_naming_note_map(const struct naming *naming, struct vm_map *map)
{
	for (uint32_t i = 0, end = vm_map_bound(map); i < end; i++) {
		const struct vm_object *object = vm_map_find(map, i);
		if (object)
			vm_naming_note_object(naming, object);
	}
}

void vm_naming_note_registers(const struct naming *naming, struct vm_thread *thread)
{
	vm_naming_note_map(naming, &thread->heap);
	if (thread->header.status == THREAD_UNUSED && thread->loaded)
		return;
	vm_thread_load(thread->slot);
	const uint64_t words[] = { thread->header.address, thread->header.other, thread->header.result, thread->header.cleanup };
	vm_naming_note_words(naming, words, 4);
	for (uint32_t i = 0; i < thread->header.ranges; i++)
		vm_naming_note_number(naming, thread->ranges[i].object);
	for (uint32_t i = thread == vm_this.current ? vm_this.forgotten : 0; i < thread->header.frames; i++) {
		const struct vm_frame *frame = &thread->frames[i];
		const uint32_t *live = vm_frame_live(frame);
		for (uint32_t k = 1; k <= live[0]; k++)
			vm_naming_note_words(naming, &thread->registers[frame->base + live[k]], 1);
	}
}

void vm_naming_note_thread(const struct naming *naming, struct vm_thread *thread)
{
	vm_naming_note_map(naming, &thread->locals);
	vm_naming_note_registers(naming, thread);
}

bool vm_naming_has(const struct naming *naming, uint32_t index)
{
	return naming->named[index / 8] >> index % 8 & 1;
}

struct naming vm_naming_of(const struct vm_map *map, uint8_t *named)
{
	vm_reads_refuse(); /* names are looked for everywhere */
	memset(named, 0, map->numbers / 8 + 1);
	return (struct naming){
		.map = map,
		.named = named,
		.low = image_address(map->first, 0) - IMAGE_MAX_SIZE,
		.high = image_address(map->first + map->numbers, 0) - IMAGE_MAX_SIZE,
	};
}
