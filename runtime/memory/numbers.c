/* SPDX-License-Identifier: MIT
 *
 * See numbers.h.
 */
#include "numbers.h"
#include "naming.h"

#include <assert.h>
#include <string.h>

void vm_check_stack(struct vm_thread *thread, uint64_t more)
{
	struct vm_map *map = &thread->locals;
	uint64_t bytes = (uint64_t)thread->header.frames * VM_FRAME_BYTES + vm_this.forgotten_bytes, most = vm_stack_bytes(thread);
	for (uint32_t i = vm_this.tls_count; i < map->count && more <= most; i++) {
		const struct vm_object *object = vm_map_find(map, i);
		bytes += object ? object->header.size : 0;
	}
	if (more > most || bytes + more > most)
		vm_stack_overflow(thread);
}

/* ---- deep recursion ------------------------------------------------------------------------------------------------ */

static _Noreturn void too_deep(void)
{
	vm_inconclusive(LIMIT_OBJECTS,
			"thread %u has more than %u variables on its stack, in %u frames: the recursion is endless, or "
			"too deep for bitspin",
			vm_this.current->slot, (unsigned)(vm_this.locals / 2), (unsigned)vm_this.current->header.frames);
}

void vm_check_remembered(void)
{
	if (vm_this.forgotten)
		too_deep();
}

/* Mark what can be named without returning to a frame that is forgotten, its variables in memory apart. */
static void note_roots(const struct naming *naming, struct vm_thread *thread)
{
	vm_naming_note_map(naming, &vm_this.globals);
	vm_naming_note_messages(naming);
	for (unsigned i = 0; i < vm_this.slots; i++)
		if (&vm_this.threads[i] != thread)
			vm_naming_note_thread(naming, &vm_this.threads[i]);
	vm_naming_note_registers(naming, thread);
}

/* Mark the variables that stay: of newer frames, shared ones, those that are named, and what these name in turn. */
static void note_remembered(const struct naming *naming, struct vm_thread *thread)
{
	struct vm_map *map = &thread->locals;
	bool *done = vm_scratch((map->count + 1) * sizeof *done), changed = true;
	memset(done, 0, (map->count + 1) * sizeof *done);
	while (changed) {
		changed = false;
		for (uint32_t i = map->count; i-- > 0;) {
			const struct vm_object *object = done[i] ? NULL : vm_map_find(map, i);
			bool old = object && object->header.depth && object->header.depth <= vm_this.forgotten;
			if (!object || (old && !vm_naming_has(naming, i) && !(object->header.flags & OBJECT_SHARED)))
				continue;
			done[i] = changed = true;
			vm_naming_note_number(naming, object->number);
			vm_naming_note_object(naming, object);
		}
	}
}

/* Give up the variables of all frames of the running thread but the newest: it recurses so deep that it has used up its numbers.
 * What the thread does until it returns to one of these frames is the same without them; if it fills its stack before, that is
 * certain.  (Whatever else ends the step comes to vm_check_remembered().) */
static void forget_frames(struct vm_thread *thread)
{
	enum { NEWEST = 16, WORTH_IT = 32 };
	struct vm_map *map = &thread->locals;
	if (vm_this.evaluating || thread->header.frames < vm_this.forgotten + NEWEST + WORTH_IT)
		return;
	vm_this.forgotten = thread->header.frames - NEWEST;
	struct naming naming = vm_naming_of(map, vm_scratch(map->numbers / 8 + 1));
	note_roots(&naming, thread);
	note_remembered(&naming, thread);
	for (uint32_t i = vm_this.tls_count; i < map->count; i++) {
		const struct vm_object *object = vm_map_find(map, i);
		if (!object || vm_naming_has(&naming, i))
			continue;
		vm_this.forgotten_bytes += object->header.size;
		vm_map_remove(map, i);
	}
	while (map->count > vm_this.tls_count && !vm_map_is_taken(map, map->count - 1))
		map->count--;
}

/* The last look for names of the running thread's locals and of its heap, in the step under way.  Words that name an object are
 * made of others that do, so what nothing named then, nothing names now, unless it has been allocated since; vm_reveal() tells of
 * the exceptions.  What had a name then may have lost it. */
static VM_OWN struct look {
	struct naming naming;
	uint8_t named[IMAGE_END_DYNAMIC / 8];
	uint32_t cost, since; /* objects it has looked at, allocations since */
} looks[2];

void vm_look_again(void)
{
	looks[0].naming.map = looks[1].naming.map = NULL;
}

static void look(struct look *look, const struct vm_map *map)
{
	struct vm *vm = &vm_this;
	look->naming = vm_naming_of(map, look->named);
	look->cost = vm->globals.count;
	look->since = 0;
	vm_naming_note_map(&look->naming, &vm->globals);
	vm_naming_note_messages(&look->naming);
	for (unsigned i = 0; i < vm->slots; i++) {
		vm_naming_note_thread(&look->naming, &vm->threads[i]);
		look->cost += vm->threads[i].locals.count + vm->threads[i].heap.count;
	}
	if (vm->evaluating)
		vm_naming_note_thread(&look->naming, vm->current);
}

/* Is the last look good enough for `map`: would a new one be dear, and were there few allocations since? */
static bool is_good(const struct look *look, const struct vm_map *map)
{
	enum { CHEAP = 4096, SHARE = 64 };
	return look->naming.map == map && look->cost > CHEAP && look->since < look->cost / SHARE;
}

/* Return the first index of `map` from `from` on, in steps of `step`, at which no object is and which, unless `naming` is NULL,
 * has no name there.  `known` remembers the index, so that the next search begins there. */
static uint32_t first_index(struct vm_map *map, const struct naming *naming, uint32_t from, uint32_t step, uint32_t end,
			    uint32_t *known)
{
	assert(step > 0 && end <= map->numbers);
	uint32_t at = *known > from ? *known : from;
	at -= (at - from) % step;
	while (at < end && (vm_map_is_taken(map, at) || (naming && vm_naming_has(naming, at))))
		at += step;
	return *known = at;
}

/* Return the lowest free index of `map` from `from` on, in steps of `step`; if `scan`, the lowest that no pointer names (see the
 * head of the file).  Return `end` or more if there is none. */
static uint32_t lowest_free(struct vm_map *map, uint32_t from, uint32_t step, bool scan, uint32_t end)
{
	struct look *last = &looks[map == &vm_this.current->heap];
	assert(step == 1 || (from >= vm_this.tls_count && from - vm_this.tls_count < step));
	bool odd = step > 1 && from != vm_this.tls_count;
	uint32_t index = first_index(map, NULL, from, step, end, &map->taken[odd]);
	if (!scan || index >= end)
		return index;
	bool fresh = last->naming.map == map && !vm_naming_has(&last->naming, index);
	if (!fresh && !is_good(last, map)) {
		look(last, map);
		map->passed[0] = map->passed[1] = 0;
	}
	index = first_index(map, &last->naming, from, step, end, &map->passed[odd]);
	if (index < end)
		last->named[index / 8] |= (uint8_t)(1u << index % 8);
	last->since++;
	return index;
}

uint32_t vm_free_index(struct vm_map *map, uint32_t from, uint32_t step, bool scan)
{
	enum { SOON = 256 }; /* indices: having begun to forget frames, do it often, as the search takes time */
	bool stack = map == &vm_this.current->locals;
	uint32_t most = map->numbers, end = stack && vm_this.forgotten && SOON < most ? SOON : most;
	uint32_t index = lowest_free(map, from, step, scan, end);
	if (index >= end && stack) {
		vm_check_stack(vm_this.current, 0);
		forget_frames(vm_this.current);
		index = lowest_free(map, from, step, scan, most);
	}
	if (index >= most && stack)
		too_deep();
	if (index >= most)
		vm_inconclusive(LIMIT_HEAP_OBJECTS, "a thread has more than %u objects alive", (unsigned)most);
	return index;
}

uint32_t vm_free_run(uint64_t count)
{
	enum { ALIGNED_NUMBERS = 4 };
	struct vm_map *map = &vm_this.current->heap;
	struct look *last = &looks[1];
	look(last, map);
	map->passed[0] = map->passed[1] = 0;
	uint32_t index = -map->first & (ALIGNED_NUMBERS - 1), free = 0;
	while (index + count <= map->numbers && free < count) {
		if (vm_map_is_taken(map, index + free) || vm_naming_has(&last->naming, index + free)) {
			index = (index + free) / ALIGNED_NUMBERS * ALIGNED_NUMBERS + ALIGNED_NUMBERS;
			index += -map->first & (ALIGNED_NUMBERS - 1);
			free = 0;
		} else {
			free++;
		}
	}
	if (free < count)
		vm_inconclusive(LIMIT_OBJECT_SIZE, "a thread asks for more memory than there are addresses");
	for (uint32_t i = index; i < index + count; i++)
		last->named[i / 8] |= (uint8_t)(1u << i % 8);
	return index;
}
