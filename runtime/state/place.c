/* SPDX-License-Identifier: MIT
 *
 * From an address to its object.
 */
#include "reads.h"
#include "whole.h"

#include <assert.h>
#include <string.h>

static struct vm_map *dynamic_map(uint32_t number, uint32_t *index)
{
	uint32_t slot = (number - IMAGE_FIRST_DYNAMIC) / vm_this.span;
	if (slot > vm_this.max_threads)
		return NULL;
	struct vm_thread *thread = &vm_this.threads[slot];
	struct vm_map *map = number < thread->heap.first ? &thread->locals : &thread->heap;
	*index = number - map->first;
	return map;
}

/* Fill in the object with a number. */
static void find(struct vm_place *place, uint64_t number)
{
	struct vm *vm = &vm_this;
	if (number >= IMAGE_END_DYNAMIC)
		return;
	place->number = (uint32_t)number;
	if (number >= IMAGE_FIRST_DYNAMIC) {
		uint32_t index;
		place->map = dynamic_map(place->number, &index);
		place->object = place->map ? vm_map_find(place->map, index) : NULL;
		place->heap = place->map && (place->number - IMAGE_FIRST_DYNAMIC) % vm->span >= vm->locals;
	} else if (number >= 1 && number - 1 < vm->image.counts[IMAGE_GLOBALS]) {
		uint32_t global = place->number - 1;
		if (vm->constants[global].present) {
			place->object = &vm->constants[global];
		} else if (vm->global_index[global] != IMAGE_NONE) {
			place->map = &vm->globals;
			place->object = vm_map_find(&vm->globals, vm->global_index[global]);
			assert(!place->object || place->object->number == place->number);
		}
	}
}

struct vm_place vm_place_look(uint64_t address)
{
	uint64_t number = image_number(address);
	struct vm_place place = { .offset = (int64_t)(address - (number << IMAGE_OFFSET_BITS)) };
	find(&place, number);
	if (place.offset < 0 && place.number > 1) { /* in the upper half of a part? */
		struct vm_place before = { .offset = place.offset + (int64_t)IMAGE_PART };
		find(&before, number - 1);
		vm_reads_note(&before, 0, 0, false);
		if (before.object && vm_has_next_part(before.object))
			return before;
	}
	return place;
}

struct vm_whole vm_whole_of(uint64_t address)
{
	struct vm_place first = vm_place_look(address), last = first;
	vm_reads_note(&first, 0, 0, false);
	if (!first.object)
		return (struct vm_whole){ 0 };
	while (vm_is_later_part(first.object)) {
		find(&first, first.number - 1);
		assert(first.object && vm_has_next_part(first.object));
		vm_reads_note(&first, 0, 0, false);
	}
	struct vm_whole whole = { .first = first.number, .parts = 1, .size = first.object->header.size };
	for (last = first; vm_has_next_part(last.object); whole.parts++) {
		find(&last, last.number + 1);
		assert(last.object && vm_is_later_part(last.object));
		vm_reads_note(&last, 0, 0, false);
		whole.size += last.object->header.size;
	}
	whole.offset = (int64_t)(address - image_address(whole.first, 0));
	return whole;
}

uint64_t vm_piece(uint64_t address, uint64_t size)
{
	struct vm_place place = vm_place_look(address);
	vm_reads_note(&place, 0, 0, false);
	if (!place.object || !vm_has_next_part(place.object) || place.offset < 0 ||
	    (uint64_t)place.offset >= place.object->header.size)
		return size;
	uint64_t room = place.object->header.size - (uint64_t)place.offset;
	return size < room ? size : room;
}

struct vm_place vm_place_of(uint64_t address)
{
	struct vm_place place = vm_place_look(address);
	if (vm_reads.on)
		vm_reads_add(&place, 0, place.object ? place.object->header.size : 0, false);
	return place;
}

/* Return the place of an address where only the object's header matters. */
static struct vm_place place_noted(uint64_t address)
{
	struct vm_place place = vm_place_look(address);
	vm_reads_note(&place, 0, 0, false);
	return place;
}

bool vm_is_zero(const uint8_t *bytes, uint64_t size)
{
	return !bytes || size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

bool vm_is_set(uint64_t address, uint64_t size)
{
	struct vm_place place = place_noted(address);
	if (!place.object || place.offset < 0 || (uint64_t)place.offset + size > place.object->header.size)
		return false;
	return !place.object->shadow || vm_is_zero(place.object->shadow + place.offset, size);
}

bool vm_is_others(const struct vm_place *place)
{
	return place->map && place->map != &vm_this.current->locals && place->map != &vm_this.current->heap;
}

bool vm_is_shared(uint64_t address)
{
	uint64_t number = image_number(address);
	if (number < IMAGE_FIRST_DYNAMIC || number >= IMAGE_END_DYNAMIC) {
		struct vm_place place = place_noted(address);
		return place.object && !(place.object->header.flags & OBJECT_CONSTANT);
	}
	struct vm_place place = place_noted(address);
	return place.object && ((place.object->header.flags & OBJECT_SHARED) || vm_is_others(&place));
}
