/* SPDX-License-Identifier: MIT
 *
 * Leaks (--leaks): memory from malloc that nothing refers to when the program ends.
 *
 * What is reachable is found as a garbage collector does it (Boehm and Weiser, Garbage Collection in an Uncooperative
 * Environment, 1988): from globals, and from the thread-local and stack objects, the live registers and the result of each
 * thread there is, on through the heap.  A pointer is an aligned word that names the object or its surroundings, tags or not;
 * at other places, as in packed structures, only the very address that malloc returned.
 *
 * What is unreachable once remains so.  Therefore the reductions need not know that the end of the program looks at all memory.
 */
#include "memory.h"
#include "../state/whole.h"
#include "../trace/history.h"

#include <assert.h>
#include <string.h>

struct search {
	uint8_t *reached;         /* a bit for each dynamic object; not in the objects, as loaded ones may be used again */
	struct vm_object **found; /* reached, what they refer to not yet */
	uint32_t count;
};

static bool is_reached(const struct search *search, uint32_t number)
{
	assert(number >= IMAGE_FIRST_DYNAMIC && number < IMAGE_END_DYNAMIC);
	uint32_t index = number - IMAGE_FIRST_DYNAMIC;
	return search->reached[index / 8] >> index % 8 & 1;
}

static void reach(struct search *search, uint64_t word, bool exact)
{
	struct vm_place place = vm_place_of(exact ? word : word & IMAGE_POINTER_MASK);
	if (!place.object || !(place.object->header.flags & OBJECT_HEAP) || is_reached(search, place.number) ||
	    (exact && (place.offset || vm_is_later_part(place.object))))
		return;
	struct vm_whole whole = vm_whole_of(exact ? word : word & IMAGE_POINTER_MASK);
	for (uint32_t i = 0; i < whole.parts; i++) {
		uint32_t index = whole.first + i - IMAGE_FIRST_DYNAMIC;
		search->reached[index / 8] |= (uint8_t)(1u << index % 8);
		search->found[search->count++] = vm_place_of(image_address(whole.first + i, 0)).object;
	}
}

static void reach_from_bytes(struct search *search, const uint8_t *bytes, uint64_t size)
{
	for (uint64_t at = 0; at + 8 <= size; at++) {
		uint64_t word;
		memcpy(&word, bytes + at, sizeof word);
		if (word)
			reach(search, word, at % 8 != 0);
	}
}

static void reach_from_object(struct search *search, const struct vm_object *object)
{
	uint64_t size = object->header.size, page = vm_object_stride(object), word = sizeof(uint64_t);
	for (uint64_t at = 0; (at = vm_object_used(object, at)) < size; at += page) {
		uint64_t low = at ? at - word : 0; /* a pointer may begin in the page before, or end in the one behind */
		reach_from_bytes(search, object->bytes + low, (at + page + word < size ? at + page + word : size) - low);
	}
}

static void reach_from_map(struct search *search, struct vm_map *map)
{
	for (uint32_t i = 0; i < map->count; i++) {
		const struct vm_object *object = vm_map_find(map, i);
		if (object)
			reach_from_object(search, object);
	}
}

static void reach_from_thread(struct search *search, struct vm_thread *thread)
{
	const struct vm_thread_header *header = &vm_thread_load(thread->slot)->header;
	const uint64_t words[] = { header->address, header->other, header->result, header->cleanup };
	reach_from_map(search, &thread->locals);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		reach(search, words[i], false);
	for (uint32_t i = 0; i < header->frames; i++) {
		const struct vm_frame *frame = &thread->frames[i];
		const uint32_t *live = vm_frame_live(frame);
		for (uint32_t k = 1; k <= live[0]; k++)
			reach(search, thread->registers[frame->base + live[k]], false);
	}
}

/* ---- where the last pointer went, for reports ---------------------------------------------------------------------- */

/* Does an object of `map`, other than the objects `number` and `except`, name the object `number`? */
static bool map_points_to(struct vm_map *map, uint32_t number, uint32_t except)
{
	for (uint32_t i = 0; i < map->count; i++) {
		const struct vm_object *object = vm_map_find(map, i);
		bool other = object && object->number != number && object->number != except;
		for (uint64_t at = 0; other && at + 8 <= object->header.size; at++) {
			if (at % vm_object_stride(object) == 0)
				at = vm_object_used(object, at);
			if (at + 8 > object->header.size)
				break;
			uint64_t word;
			memcpy(&word, object->bytes + at, sizeof word);
			if (word && (image_number(word) == number || image_number(word & IMAGE_POINTER_MASK) == number))
				return true;
		}
	}
	return false;
}

static void note_gone(uint64_t pointer, uint64_t where, uint32_t except, const char *how)
{
	uint32_t number = (uint32_t)image_number(pointer & IMAGE_POINTER_MASK);
	if (!vm_tracing || !vm_this.image.options->leaks || number < IMAGE_FIRST_DYNAMIC || number >= IMAGE_END_DYNAMIC)
		return;
	const struct vm_place place = vm_place_of(pointer & IMAGE_POINTER_MASK);
	if (!place.object || !place.heap || map_points_to(&vm_this.globals, number, except))
		return;
	for (unsigned t = 0; t < vm_this.slots; t++) {
		struct vm_thread *thread = vm_thread_load(t);
		if (map_points_to(&thread->locals, number, except) || map_points_to(&thread->heap, number, except))
			return;
	}
	vm_note_lost(number, vm_describe(where), how);
}

void vm_note_overwritten(uint64_t where, uint64_t pointer)
{
	note_gone(pointer, where, 0, "overwritten");
}

void vm_note_bytes_gone(const struct vm_object *object, const char *how)
{
	for (uint64_t at = 0; vm_tracing && vm_this.image.options->leaks && at + 8 <= object->header.size; at += 8) {
		at = at % vm_object_stride(object) ? at : vm_object_used(object, at);
		uint64_t word = vm_object_word(object, at);
		if (word)
			note_gone(word, image_address(object->number, (int64_t)at), object->number, how);
	}
}

/* ---- what is reachable --------------------------------------------------------------------------------------------- */

static void report(const struct vm_object *object)
{
	const char *name = vm_describe_object(image_address(object->number, 0));
	unsigned long long size = vm_whole_of(image_address(object->number, 0)).size;
	vm_note_leak(object->number);
	const struct vm_past *past = vm_tracing ? vm_noted_leak() : NULL;
	if (past && past->lost && past->lost_at)
		vm_fault(
			VIOLATION_MEMORY_LEAK,
			"%s of %llu byte%s is never freed, and nothing points to it when the program ends; the last that did in memory was "
			"%s by thread %u at %s",
			name, size, size == 1 ? "" : "s", past->lost, past->lost_by, vm_place_name(past->lost_at));
	else
		vm_fault(VIOLATION_MEMORY_LEAK, "%s of %llu byte%s is never freed, and nothing points to it when the program ends",
			 name, size, size == 1 ? "" : "s");
}

static uint32_t heap_objects(void)
{
	uint32_t count = 0;
	for (unsigned t = 0; t < vm_this.slots; t++)
		count += vm_this.threads[t].heap.count;
	return count;
}

void vm_check_leaks(void)
{
	assert(vm_this.stepping && !vm_this.evaluating);
	struct vm *vm = &vm_this;
	uint64_t bytes = (uint64_t)(vm->max_threads + 1) * vm->span / 8 + 1;
	struct search search = {
		.reached = memset(vm_scratch(bytes), 0, bytes),
		.found = vm_scratch((heap_objects() + 1) * sizeof *search.found),
	};
	if (vm->location == 0) /* the last thread has ended, after its function */
		vm->location = vm->image.functions[vm->image.options->start].location;
	reach_from_map(&search, &vm->globals);
	for (unsigned t = 0; t < vm->slots; t++)
		reach_from_thread(&search, &vm->threads[t]);
	while (search.count) {
		const struct vm_object *object = search.found[--search.count];
		assert(is_reached(&search, object->number));
		reach_from_object(&search, object);
	}
	for (unsigned t = 0; t < vm->slots; t++)
		for (uint32_t i = 0; i < vm->threads[t].heap.count; i++) {
			const struct vm_object *object = vm_map_find(&vm->threads[t].heap, i);
			if (object && !is_reached(&search, object->number) && !vm_is_later_part(object))
				report(object);
		}
}
