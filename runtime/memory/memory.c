/* SPDX-License-Identifier: MIT
 *
 * The memory of the checked program: from an address to its object, what may be done there, and which objects other
 * threads can reach.
 *
 * Numbers of dynamic objects.  A new object takes the lowest number of its thread that is neither in use nor still named by a
 * pointer anywhere in the state.  The first makes interleavings of independent allocations meet again in one state; the second
 * makes an access through a dangling pointer always a use after free, never an access to somebody else's object.  Both are
 * functions of the state alone.  A pointer is any aligned word whose low 47 bits lie in an object's range, so tagged pointers
 * count; hidden.h deals with those kept unaligned or in pieces.
 *
 * Sharing.  An object is private until its address lies in memory that is shared; then it and all it points to become
 * shared for good.  Private memory is invisible to other threads: no scheduling point, no race.  Every store looks at the
 * aligned words it touched, so a pointer copied byte by byte is noticed when its last byte arrives.  If another thread reaches
 * what counts as private nevertheless, it had a hidden pointer (hidden.h).
 */
#include "../state/levels.h"
#include "hidden.h"
#include "messages.h"
#include "naming.h"
#include "interrupts.h"
#include "protect.h"
#include "../trace/history.h"
#include "records.h"
#include "../state/reads.h"
#include "../state/symmetry.h"
#include "../symbolic/symbolic.h"

#include <assert.h>
#include <string.h>

#define HALF          IMAGE_MAX_SIZE
#define LOWEST_MAPPED 0x10000u /* Linux maps nothing below, so that an access there is the end */
#define LARGE         4096     /* bytes: only such a variable makes it worth while to see how full the stack is */

/* ---- violations ---------------------------------------------------------------------------------------------------- */

static const char *verb(enum vm_access access)
{
	return access == ACCESS_WRITE || access == ACCESS_SYNC_WRITE ? "write" : "read";
}

static _Noreturn void refuse_nowhere(const struct vm_place *place, uint64_t address, uint64_t size, enum vm_access access)
{
	vm_this.ending.wild = address >= LOWEST_MAPPED; /* if it is suppressed */
	if (place->number == 0 && image_number(address) == 0)
		vm_violation(VIOLATION_NULL_DEREFERENCE, "%s of %s through a null pointer%s", verb(access), vm_byte_count(size),
			     address ? " plus an offset" : "");
	if (place->number >= IMAGE_FIRST_DYNAMIC) {
		vm_note_dead(place->number);
		if (!place->heap && place->map && place->number - place->map->first < vm_this.tls_count)
			vm_violation(VIOLATION_USE_AFTER_FREE, "%s of %s in the thread-local variable %s, which has ended%s",
				     verb(access), vm_byte_count(size), vm_describe_object(address), vm_fate(place->number));
		vm_violation(VIOLATION_USE_AFTER_FREE,
			     place->heap ? "%s of %s in freed memory%s" :
					   "%s of %s in the dead stack frame of a function that has returned%s",
			     verb(access), vm_byte_count(size), vm_fate(place->number));
	}
	if (place->number >= IMAGE_FIRST_FUNCTION && place->number < IMAGE_FIRST_FUNCTION + vm_this.image.counts[IMAGE_FUNCTIONS])
		vm_violation(VIOLATION_OUT_OF_BOUNDS, "%s of a function as data", verb(access));
	vm_violation(VIOLATION_OUT_OF_BOUNDS, "%s of %s at %#llx, an address outside every object", verb(access),
		     vm_byte_count(size), (unsigned long long)address);
}

static void check_bounds(const struct vm_place *place, uint64_t address, uint64_t size, enum vm_access access)
{
	uint64_t end = place->object->header.size;
	if (place->offset >= 0 && (uint64_t)place->offset <= end && size <= end - (uint64_t)place->offset)
		return;
	vm_violation(VIOLATION_OUT_OF_BOUNDS, "%s of %s at offset %lld of %s, which has %s", verb(access), vm_byte_count(size),
		     (long long)place->offset, vm_describe_object(address), vm_byte_count(end));
}

/* ---- access -------------------------------------------------------------------------------------------------------- */

static void object_share(const struct vm_place *place);
static void publish(uint64_t address, uint64_t size);

/* Note a write of the running thread to shared bytes [low, high), on which steps of others and properties depend. */
static void change(uint32_t object, uint32_t low, uint32_t high)
{
	assert(low < high && !vm_this.evaluating);
	vm_footprint_add(object, low, high, true);
	bool watched = vm_watches(object, low, high);
	if (watched || vm_property_may_read_bytes(object, low, high))
		vm_footprint_add_written(watched);
}

/* Note that the running thread accesses bytes [low, high) of a shared object, and check that this races with nobody. */
static void touch(uint32_t object, uint32_t low, uint32_t high, enum vm_access access)
{
	vm_symmetry_touches(object);
	if (access == ACCESS_WRITE || access == ACCESS_SYNC_WRITE)
		change(object, low, high);
	else
		vm_footprint_add(object, low, high, false);
	if (access == ACCESS_READ && vm_this.image.options->races == RACES_REPORT)
		vm_this.noticeable = true; /* another thread's write may race with it */
	vm_race_access(object, low, high, access);
}

/* Is the place private memory whose address may be passed on, to others who may or may not know of earlier accesses? */
static bool may_be_passed_on(const struct vm_place *place)
{
	if (!vm_has_records() || !place->map || place->object->header.flags & OBJECT_CONSTANT)
		return false;
	uint32_t index = place->number - place->map->first;
	return place->heap || (index >= vm_this.tls_count && (index - vm_this.tls_count) % 2 == 0);
}

/* Do what vm_access_bits() does where there are bytes, and fill in `at`. */
static struct vm_bytes access_place(uint64_t address, uint64_t size, enum vm_access access, struct vm_place *at)
{
	struct vm_place place = *at = vm_place_look(address);
	if (place.object == NULL)
		refuse_nowhere(&place, address, size, access);
	check_bounds(&place, address, size, access);
	if (place.object->header.flags & OBJECT_ENDED) {
		vm_note_dead(place.number);
		vm_violation(VIOLATION_USE_AFTER_FREE, "%s of %s of %s, which has gone out of scope", verb(access),
			     vm_byte_count(size), vm_describe(address));
	}
	bool writes = access == ACCESS_WRITE || access == ACCESS_SYNC_WRITE;
	vm_symmetry_parts(place.object, (uint64_t)place.offset, (uint64_t)place.offset + size);
	if (access == ACCESS_READ)
		vm_symmetry_reads(place.number, (uint64_t)place.offset, (uint64_t)place.offset + size);
	vm_reads_note(&place, (uint64_t)place.offset, (uint64_t)place.offset + size, writes);
	if (vm_this.protects)
		vm_check_protection(address, size, writes);
	if (vm_has_interrupts())
		vm_interrupts_note(address, size, place.map == &vm_this.current->locals ? place.object->header.depth : 0, writes);
	if (writes && (place.object->header.flags & OBJECT_CONSTANT))
		vm_violation(VIOLATION_OUT_OF_BOUNDS, "write to constant memory (%s)", vm_describe(address));
	if (writes && vm_this.evaluating && place.map != &vm_this.current->locals)
		vm_violation(VIOLATION_INVARIANT, "it writes to %s; it must have no side effects", vm_describe(address));
	/* A property, too, has only what globals lead to, if the pointers on the way are seen.  Writes to other memory are not
	 * visible. */
	bool shown = vm_this.evaluating && vm_this.evaluating->kind == PROPERTY_SHOWN;
	if (!(place.object->header.flags & OBJECT_SHARED) && vm_is_others(&place) && !shown)
		vm_hidden_reached(address);
	if (vm_this.evaluating) {
		if (!(place.object->header.flags & OBJECT_CONSTANT) && place.map != &vm_this.current->locals)
			vm_watch(place.number, (uint32_t)place.offset, (uint32_t)((uint64_t)place.offset + size));
	} else if ((place.object->header.flags & (OBJECT_SHARED | OBJECT_CONSTANT)) == OBJECT_SHARED)
		touch(place.number, (uint32_t)place.offset, (uint32_t)((uint64_t)place.offset + size), access);
	else if (may_be_passed_on(&place))
		vm_race_private(place.number, (uint32_t)place.offset, (uint32_t)((uint64_t)place.offset + size), access);
	if (writes)
		vm_object_change(place.map, place.object, (uint32_t)place.offset, (uint32_t)((uint64_t)place.offset + size));
	struct vm_object *object = place.object;
	assert(!writes || object->dirty); /* else the table or the image would be written */
	vm_levels_note(object, (uint64_t)place.offset);
	return (struct vm_bytes){ object->bytes + place.offset, object->shadow ? object->shadow + place.offset : NULL };
}

struct vm_bytes vm_access_bits(uint64_t address, uint64_t size, enum vm_access access)
{
	static VM_OWN uint8_t nothing[1];
	struct vm_place place;
	return size ? access_place(address, size, access, &place) : (struct vm_bytes){ nothing, NULL };
}

/* Report that bytes are uninitialized of which all should be set: the first one goes into the message.  There must be one. */
static void refuse_unset(uint64_t address, const uint8_t *bytes, const uint8_t *shadow, uint64_t size)
{
	uint64_t at = 0;
	if (vm_symbolic_on())
		vm_symbolic_need_bytes(bytes, shadow, size, "an operation on memory");
	while (!shadow[at])
		at++;
	assert(at < size);
	vm_shadow_note(0, IMAGE_NONE);
	vm_refuse_unset("an operation on %llu bytes, %s among them,", (unsigned long long)size, vm_describe(address + at));
}

uint8_t *vm_access_least(uint64_t address, uint64_t size, enum vm_access access, enum image_level least)
{
	struct vm_bytes at = vm_access_bits(address, size, access);
	if (size && access != ACCESS_WRITE)
		vm_levels_read(size, least);
	if (access != ACCESS_WRITE)
		vm_symmetry_looked_at(address, at.bytes, size);
	if (at.shadow && access == ACCESS_WRITE)
		memset(at.shadow, 0, size);
	else if (!vm_is_zero(at.shadow, size))
		refuse_unset(address, at.bytes, at.shadow, size);
	return at.bytes;
}

uint8_t *vm_access(uint64_t address, uint64_t size, enum vm_access access)
{
	return vm_access_least(address, size, access, LEVEL_VALUE);
}

uint8_t *vm_access_initialised(uint64_t address, uint64_t size, enum vm_access access, const char *init)
{
	struct vm_bytes at = vm_access_bits(address, size, access);
	vm_levels_read(size, LEVEL_VALUE);
	vm_symmetry_looked_at(address, at.bytes, size);
	if (at.shadow && vm_symbolic_on())
		vm_symbolic_need_bytes(at.bytes, at.shadow, size, "an operation of a thread");
	if (!vm_is_zero(at.shadow, size))
		vm_violation(VIOLATION_MUTEX_MISUSE, "%s is used without %s", vm_describe(address), init);
	return at.bytes;
}

void vm_write(uint64_t address, const void *bytes, const void *shadow, uint64_t size, enum vm_access access)
{
	vm_write_moved(address, bytes, shadow, size, access, address % 8);
}

void vm_write_moved(uint64_t address, const void *bytes, const void *shadow, uint64_t size, enum vm_access access, uint64_t shift)
{
	if (size == 0)
		return;
	struct vm_place place;
	struct vm_bytes at = access_place(address, size, access, &place);
	bool partial = (address | size | shift) % 8;
	uint64_t before[2];
	if (partial)
		vm_hidden_before(&place, size, before);
	memcpy(at.bytes, bytes, size);
	if (partial)
		vm_hidden_written(&place, size, shift, before);
	if (vm_is_symmetric())
		vm_symmetry_written(place.object, (uint64_t)place.offset, (uint64_t)place.offset + size, shift);
	if (!at.shadow && !vm_is_zero(shadow, size)) {
		at.shadow = vm_object_shadow(place.object, 0) + place.offset;
	}
	if (at.shadow && shadow)
		memcpy(at.shadow, shadow, size);
	else if (at.shadow)
		memset(at.shadow, 0, size);
	publish(address, size);
}

uint64_t vm_room(uint64_t address, enum vm_access access)
{
	struct vm_place place = vm_place_look(address);
	vm_reads_note(&place, 0, 0, false);
	if (place.object == NULL)
		refuse_nowhere(&place, address, 1, access);
	check_bounds(&place, address, 0, access);
	return place.object->header.size - (uint64_t)place.offset;
}

/* Ask for the characters that inputs are, up to the end of the string. */
static void need_string(const uint8_t *bytes, const uint8_t *shadow, uint64_t most, unsigned unit)
{
	for (uint64_t n = 0; n < most; n++) {
		vm_symbolic_need_bytes(bytes + n * unit, shadow + n * unit, unit, "a string");
		if (vm_is_zero(bytes + n * unit, unit) && vm_is_zero(shadow + n * unit, unit))
			return;
	}
}

/* Do what vm_string() does, with characters of `unit` bytes. */
static const uint8_t *string_of(uint64_t address, uint64_t limit, uint64_t *length, unsigned unit)
{
	static const uint8_t nul[4];
	if (limit == 0) { /* nothing is read, not even from a pointer to nowhere */
		if (length)
			*length = 0;
		return nul;
	}
	uint64_t room = vm_room(address, ACCESS_READ) / unit, n = 0;
	if (room == 0)
		vm_access(address, unit, ACCESS_READ); /* a violation */
	struct vm_place place = vm_place_look(address);
	uint64_t most = room < limit ? room : limit;
	const uint8_t *bytes = place.object->bytes + place.offset;
	if (vm_symbolic_on() && place.object->shadow)
		need_string(bytes, place.object->shadow + place.offset, most, unit);
	const uint8_t *end = unit == 1 ? memchr(bytes, 0, most) : NULL;
	if (unit == 1)
		n = end ? (uint64_t)(end - bytes) : most;
	while (unit > 1 && n < most && memcmp(bytes + n * unit, nul, unit) != 0)
		n++;
	if (n == most && most < limit)
		vm_violation(VIOLATION_OUT_OF_BOUNDS, "the string in %s has no terminating NUL", vm_describe(address));
	if (length)
		*length = n;
	return vm_access(address, (n < most ? n + 1 : n) * unit, ACCESS_READ);
}

const char *vm_string(uint64_t address, uint64_t limit, uint64_t *length)
{
	return (const char *)string_of(address, limit, length, 1);
}

const uint8_t *vm_wide_string(uint64_t address, uint64_t limit, uint64_t *length)
{
	return string_of(address, limit, length, sizeof(wchar_t));
}

uint64_t vm_load64(uint64_t address, unsigned bytes, enum vm_access access)
{
	uint64_t value = 0;
	memcpy(&value, vm_access(address, bytes, access), bytes);
	return value;
}

void vm_store64(uint64_t address, unsigned bytes, uint64_t value, enum vm_access access)
{
	vm_write(address, &value, NULL, bytes, access);
}

/* ---- sharing ------------------------------------------------------------------------------------------------------- */

static bool names_private_object(uint64_t word, struct vm_place *place)
{
	uint64_t number = image_number(word & IMAGE_POINTER_MASK);
	if (number < IMAGE_FIRST_DYNAMIC || number >= IMAGE_END_DYNAMIC)
		return false;
	*place = vm_place_look(word & IMAGE_POINTER_MASK);
	vm_reads_note(place, 0, 0, false);
	return place->object && !(place->object->header.flags & OBJECT_SHARED);
}

/* Share every private object named by an aligned word of bytes [low, high) of `object`, and what these name in turn. */
static void share_words(const struct vm_object *object, uint64_t low, uint64_t high);

static void share_kept(uint64_t word, void *unused)
{
	(void)unused;
	vm_share(word & IMAGE_POINTER_MASK);
}

static void object_share(const struct vm_place *place)
{
	assert(place->map && !(place->object->header.flags & OBJECT_SHARED));
	vm_object_change(place->map, place->object, 0, 0);
	place->object->header.flags |= OBJECT_SHARED;
	if (vm_has_records() && place->object->header.size && !place->heap && place->map &&
	    place->number - place->map->first < vm_this.tls_count)
		vm_race_private(place->number, 0, place->object->header.size,
				ACCESS_WRITE); /* a thread-local variable: set before */
	share_words(place->object, 0, place->object->header.size);
	vm_messages_words(place->number, share_kept, NULL);
}

static void share_words(const struct vm_object *object, uint64_t low, uint64_t high)
{
	uint64_t end = high < object->header.size ? high : object->header.size, stride = vm_object_stride(object);
	for (uint64_t at = low & ~UINT64_C(7); at < end && at + 8 <= object->header.size; at += 8) {
		at = at % stride == 0 ? vm_object_used(object, at) : at;
		if (at >= end || at + 8 > object->header.size)
			return;
		uint64_t word;
		struct vm_place place;
		memcpy(&word, object->bytes + at, sizeof word);
		if (word && names_private_object(word, &place))
			object_share(&place);
	}
}

void vm_share(uint64_t address)
{
	struct vm_place place;
	if (names_private_object(address, &place))
		object_share(&place);
}

bool vm_is_private(uint64_t address)
{
	struct vm_place place;
	return names_private_object(address, &place);
}

/* Share what the `size` bytes at `address` point to, if the bytes are shared: pointers may have been written there. */
static void publish(uint64_t address, uint64_t size)
{
	struct vm_place place = vm_place_look(address); /* it has been accessed, so it is noted with the words around it */
	if (size == 0 || !place.object || !(place.object->header.flags & OBJECT_SHARED))
		return;
	share_words(place.object, (uint64_t)place.offset, (uint64_t)place.offset + size);
	if (size == 8 && place.offset % 8) {
		uint64_t word;
		memcpy(&word, place.object->bytes + place.offset, sizeof word);
		vm_share(word);
	}
}

/* ---- allocation ---------------------------------------------------------------------------------------------------- */

_Noreturn void vm_stack_overflow(const struct vm_thread *thread)
{
	uint64_t bytes = vm_stack_bytes(thread);
	bool whole = bytes % (1 << 20) == 0;
	vm_violation(VIOLATION_STACK_OVERFLOW, "thread %u needs more stack than %s %llu %s, in %u frames", thread->slot,
		     thread->header.stack ? "its" : "the usual", (unsigned long long)bytes >> (whole ? 20 : 10),
		     whole ? "MB" : "KB", thread->header.frames);
}

/* Report a stack overflow unless there is room for `more` bytes on the thread's stack. */
static void check_stack(struct vm_thread *thread, uint64_t more)
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

static uint32_t free_index(struct vm_map *map, uint32_t from, uint32_t step, bool scan)
{
	enum { SOON = 256 }; /* indices: having begun to forget frames, do it often, as the search takes time */
	bool stack = map == &vm_this.current->locals;
	uint32_t most = map->numbers, end = stack && vm_this.forgotten && SOON < most ? SOON : most;
	uint32_t index = lowest_free(map, from, step, scan, end);
	if (index >= end && stack) {
		check_stack(vm_this.current, 0);
		forget_frames(vm_this.current);
		index = lowest_free(map, from, step, scan, most);
	}
	if (index >= most && stack)
		too_deep();
	if (index >= most)
		vm_inconclusive(LIMIT_HEAP_OBJECTS, "a thread has more than %u objects alive", (unsigned)most);
	return index;
}

static uint64_t check_size(uint64_t size)
{
	if (size >= IMAGE_MAX_SIZE)
		vm_inconclusive(LIMIT_OBJECT_SIZE, "an object of %llu bytes is asked for; the limit is %llu",
				(unsigned long long)size, (unsigned long long)IMAGE_MAX_SIZE);
	return size;
}

/* Return the flags of a new, uninitialized object. */
static uint32_t unset(void)
{
	return vm_this.image.options->zeroed ? 0 : OBJECT_SHADOWED;
}

uint64_t vm_allocate_heap(uint64_t size, bool zeroed)
{
	if (vm_this.evaluating)
		vm_violation(VIOLATION_INVARIANT, "it allocates memory; it must only read");
	struct vm_map *map = &vm_this.current->heap;
	struct vm_object_header header = { .size = (uint32_t)check_size(size),
					   .flags = OBJECT_HEAP | (zeroed ? 0 : unset()) | vm_levels_of_new() };
	uint32_t number = vm_map_add(map, free_index(map, 0, 1, true), &header)->number;
	if (zeroed && size && vm_has_records())
		vm_race_private(number, 0, header.size, ACCESS_WRITE);
	return image_address(number, 0);
}

uint32_t vm_stack_order(struct vm_thread *thread)
{
	uint32_t order = 0, depth = thread->header.frames;
	for (uint32_t i = vm_this.tls_count, end = vm_map_bound(&thread->locals); i < end; i++) {
		const struct vm_object *object = vm_map_find(&thread->locals, i);
		if (object && object->header.depth == depth && object->header.order >= order)
			order = object->header.order + 1;
	}
	return order;
}

/* Allocate an object on the stack.  Objects whose address never leaves their frame have odd distances from the thread-locals and
 * need no scan: nothing can name them once the frame is gone. */
uint64_t vm_allocate_stack(uint64_t size, bool escapes)
{
	struct vm_thread *thread = vm_this.current;
	struct vm_map *map = &thread->locals;
	assert(thread->header.frames > 0);
	if (size >= LARGE || thread->header.stack)
		check_stack(thread, size);
	struct vm_object_header header = {
		.size = (uint32_t)check_size(size),
		.flags = unset() | vm_levels_of_new(),
		.depth = thread->header.frames,
		.order = vm_stack_order(thread),
	};
	uint32_t index = free_index(map, vm_this.tls_count + !escapes, 2, escapes);
	return image_address(vm_map_add(map, index, &header)->number, 0);
}

/* Note that the variable `object` ends, or begins anew in another round of a loop.  An access of another thread after that is an
 * error of its own.  One before it, without an order between the two, could have come after it as well, though no step goes
 * there, because plain accesses ride along with what came before them: so it is a race.  `stays`: the block may be entered
 * again, with the same object, so an access after the end may not find that the variable has ended. */
static void end_for_others(const struct vm_object *object, bool stays)
{
	uint32_t size = object->header.size ? object->header.size : 1;
	if (!(object->header.flags & OBJECT_SHARED))
		return;
	change(object->number, 0, size);
	vm_race_end(object->number, size, stays);
}

/* End the life of the variable at an index of `map`. */
static void end_local(struct vm_map *map, uint32_t index)
{
	const struct vm_object *object = vm_map_find(map, index);
	assert(object && map != &vm_this.globals);
	end_for_others(object, false);
	vm_note_left(object->number);
	vm_records_forget(object->number);
	vm_note_bytes_gone(object, "which ended");
	vm_map_remove(map, index);
}

void vm_release_stack(struct vm_thread *thread, uint32_t depth, uint32_t order)
{
	struct vm_map *map = &thread->locals;
	for (uint32_t i = vm_this.tls_count, end = vm_map_bound(map); i < end; i++) {
		const struct vm_object *object = vm_map_find(map, i);
		if (object && object->header.depth == depth && object->header.order >= order)
			end_local(map, i);
	}
}

static struct vm_object *local(uint32_t order)
{
	struct vm_thread *thread = vm_this.current;
	for (uint32_t i = vm_this.tls_count, end = vm_map_bound(&thread->locals); i < end; i++) {
		struct vm_object *object = vm_map_find(&thread->locals, i);
		if (object && object->header.depth == thread->header.frames && object->header.order == order)
			return object;
	}
	VM_BUG("frame %u has no variable %u", thread->header.frames, order);
}

/* Let the variable `object` begin anew, or, if `ended`, let its block be left.  An optimizer may have moved a load out of the
 * block, if nothing depends on what it finds. */
static void renew(struct vm_object *object, bool ended)
{
	uint32_t size = object->header.size;
	assert(object->header.depth == vm_this.current->header.frames);
	end_for_others(object, true);
	vm_records_forget(object->number);
	vm_object_change_all(&vm_this.current->locals, object);
	memset(object->bytes, 0, size);
	object->header.flags &= ~(uint32_t)OBJECT_ENDED;
	object->shadow = NULL;
	if (ended && !vm_this.image.options->optimised) {
		object->header.flags |= OBJECT_ENDED;
		vm_note_left(object->number);
	} else if (!vm_this.image.options->zeroed)
		vm_object_shadow(object, 0xff);
}

void vm_begin_local(uint32_t order)
{
	renew(local(order), false);
}

void vm_end_local(uint32_t order)
{
	renew(local(order), true);
}

void vm_release_locals(struct vm_thread *thread)
{
	for (uint32_t i = 0, end = vm_map_bound(&thread->locals); i < end; i++)
		if (vm_map_find(&thread->locals, i))
			end_local(&thread->locals, i);
}

static bool named_by(const struct vm_thread *thread, const struct vm_frame *frame, uint32_t number)
{
	const uint32_t *live = vm_frame_live(frame);
	for (uint32_t k = 1; k <= live[0]; k++)
		if (image_number(thread->registers[frame->base + live[k]]) == number)
			return true;
	return false;
}

/* Forget objects that no live register names.  The address of an object that does not escape is in registers of its own frame or
 * nowhere; so if no live one has it, its bytes will not be read again. */
void vm_forget_dead(struct vm_thread *thread)
{
	struct vm_map *map = &thread->locals;
	for (uint32_t i = vm_this.tls_count + 1, end = vm_map_bound(map); i < end; i += 2) {
		struct vm_object *object = vm_map_find(map, i);
		if (!object || object->header.depth == 0 || object->header.depth > thread->header.frames ||
		    (!object->shadow && vm_is_zero(object->bytes, object->header.size)) || (object->header.flags & OBJECT_SHARED))
			continue;
		if (named_by(thread, &thread->frames[object->header.depth - 1], object->number))
			continue;
		vm_object_change_all(map, object);
		memset(object->bytes, 0, object->header.size);
		object->shadow = NULL;
	}
}

void vm_free(uint64_t address)
{
	if (address == 0)
		return;
	if (vm_this.evaluating)
		vm_violation(VIOLATION_INVARIANT, "it frees memory; it must only read");
	struct vm_place place = vm_place_of(address);
	if (!place.object && place.map && place.number >= IMAGE_FIRST_DYNAMIC && place.offset == 0)
		vm_violation(VIOLATION_DOUBLE_FREE, "this memory has been freed before%s", vm_fate(place.number));
	if (!place.object || !(place.object->header.flags & OBJECT_HEAP) || place.offset)
		vm_violation(VIOLATION_INVALID_FREE, "%s was not returned by malloc", vm_describe(address));
	uint32_t size = place.object->header.size ? place.object->header.size : 1;
	assert(place.map && place.heap);
	if (vm_this.protects)
		vm_refuse_protected(address, size);
	if (!(place.object->header.flags & OBJECT_SHARED) && vm_is_others(&place))
		vm_hidden_reached(address);
	if (place.object->header.flags & OBJECT_SHARED)
		touch(place.number, 0, size, ACCESS_WRITE);
	vm_note_free(place.number);
	vm_note_bytes_gone(place.object, "freed");
	vm_records_forget(place.number);
	vm_map_remove(place.map, place.number - place.map->first);
}
