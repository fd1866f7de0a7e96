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
#include "numbers.h"
#include "interrupts.h"
#include "protect.h"
#include "../trace/history.h"
#include "records.h"
#include "../state/reads.h"
#include "../state/symmetry.h"
#include "../state/whole.h"
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
	struct vm_whole whole = vm_whole_of(address);
	if (whole.offset >= 0 && (uint64_t)whole.offset <= whole.size && size <= whole.size - (uint64_t)whole.offset)
		vm_inconclusive(LIMIT_OBJECT_SIZE, "%s of %s at once at offset %lld of %s, across a multiple of 256 MB",
				verb(access), vm_byte_count(size), (long long)whole.offset, vm_describe_object(address));
	vm_violation(VIOLATION_OUT_OF_BOUNDS, "%s of %s at offset %lld of %s, which has %s", verb(access), vm_byte_count(size),
		     (long long)whole.offset, vm_describe_object(address), vm_byte_count(whole.size));
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

/* Check and note an access where there are bytes, but do not make them ready to be written.  Return their place. */
static struct vm_place note_access(uint64_t address, uint64_t size, enum vm_access access)
{
	struct vm_place place = vm_place_look(address);
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
	vm_levels_note(place.object, (uint64_t)place.offset);
	return place;
}

/* Do what vm_access_bits() does where there are bytes, and fill in `at`. */
static struct vm_bytes access_place(uint64_t address, uint64_t size, enum vm_access access, struct vm_place *at)
{
	struct vm_place place = *at = note_access(address, size, access);
	bool writes = access == ACCESS_WRITE || access == ACCESS_SYNC_WRITE;
	if (writes)
		vm_object_change(place.map, place.object, (uint32_t)place.offset, (uint32_t)((uint64_t)place.offset + size));
	struct vm_object *object = place.object;
	assert(!writes || object->dirty); /* else the table or the image would be written */
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

void vm_access_all(uint64_t address, uint64_t size, enum vm_access access)
{
	for (uint64_t done = 0, piece; done < size; done += piece) {
		piece = vm_piece(address + done, size - done);
		note_access(address + done, piece, access);
	}
}

void vm_set_zero(uint64_t address, uint64_t size)
{
	struct vm_place place = note_access(address, size, ACCESS_WRITE);
	struct vm_object *object = place.object;
	uint64_t at = (uint64_t)place.offset, end = at + size, page = vm_object_stride(object);
	if (object->shadow) {
		vm_object_change(place.map, object, (uint32_t)at, (uint32_t)end);
		memset(object->shadow + at, 0, size);
		memset(object->bytes + at, 0, size);
	}
	for (uint64_t next; !object->shadow && (at = vm_object_used(object, at)) < end; at = next) {
		next = (at / page + 1) * page < end ? (at / page + 1) * page : end;
		vm_object_change(place.map, object, (uint32_t)at, (uint32_t)next);
		memset(object->bytes + at, 0, next - at);
	}
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
	if (!vm_has_next_part(place.object))
		return place.object->header.size - (uint64_t)place.offset;
	struct vm_whole whole = vm_whole_of(address);
	return whole.size - (uint64_t)whole.offset;
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

/* Return the length of a string, at most `most`, of which some characters are inputs.  Each is asked only whether it is the end. */
static uint64_t shown_length(const uint8_t *bytes, const uint8_t *shadow, uint64_t most)
{
	uint64_t n = 0;
	for (; n < most; n++) {
		struct vm_bits64 c = { bytes[n], 0 };
		if (vm_symbolic_bytes(bytes + n, shadow + n, 1))
			c = vm_symbolic_gather(bytes + n, shadow + n, 1, 8);
		if (!vm_symbolic_is_true(c, "a string"))
			break;
	}
	return n;
}

const uint8_t *vm_bytes_shown(uint64_t address, uint64_t size)
{
	struct vm_bytes from = { 0 };
	if (vm_symbolic_on())
		from = vm_access_bits(address, size, ACCESS_READ);
	if (!from.shadow)
		return vm_access(address, size, ACCESS_READ);
	uint8_t *copy = vm_scratch(size + 1);
	for (uint64_t i = 0; i < size; i++) {
		bool slot = vm_symbolic_bytes(from.bytes + i, from.shadow + i, 1);
		copy[i] = slot ? '?' : from.bytes[i];
		if (!slot && from.shadow[i])
			vm_access(address + i, 1, ACCESS_READ); /* it is not initialized, which is a fault */
	}
	return copy;
}

/* Do what vm_string() does, with characters of `unit` bytes, or what vm_string_shown() does. */
static const uint8_t *string_of(uint64_t address, uint64_t limit, uint64_t *length, unsigned unit, bool shown)
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
	uint64_t most = vm_piece(address, (room < limit ? room : limit) * unit) / unit;
	const uint8_t *bytes = place.object->bytes + place.offset, *shadow = place.object->shadow;
	shown = shown && vm_symbolic_on() && shadow;
	if (vm_symbolic_on() && shadow && !shown)
		need_string(bytes, shadow + place.offset, most, unit);
	const uint8_t *end = unit == 1 ? memchr(bytes, 0, most) : NULL;
	if (shown)
		n = shown_length(bytes, shadow + place.offset, most);
	else if (unit == 1)
		n = end ? (uint64_t)(end - bytes) : most;
	while (unit > 1 && n < most && memcmp(bytes + n * unit, nul, unit) != 0)
		n++;
	if (n == most && most < room && most < limit)
		vm_inconclusive(LIMIT_OBJECT_SIZE, "the string in %s crosses a multiple of 256 MB", vm_describe(address));
	if (n == most && most < limit)
		vm_violation(VIOLATION_OUT_OF_BOUNDS, "the string in %s has no terminating NUL", vm_describe(address));
	if (length)
		*length = n;
	uint64_t size = (n < most ? n + 1 : n) * unit;
	return shown ? vm_bytes_shown(address, size) : vm_access(address, size, ACCESS_READ);
}

const char *vm_string(uint64_t address, uint64_t limit, uint64_t *length)
{
	return (const char *)string_of(address, limit, length, 1, false);
}

const char *vm_string_shown(uint64_t address, uint64_t limit, uint64_t *length)
{
	return (const char *)string_of(address, limit, length, 1, true);
}

const uint8_t *vm_wide_string(uint64_t address, uint64_t limit, uint64_t *length)
{
	return string_of(address, limit, length, sizeof(wchar_t), false);
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
	/* A thread-local variable was set before.  Only its own thread passes its address on: another has a number that looks so. */
	if (vm_has_records() && place->object->header.size && place->map == &vm_this.current->locals &&
	    place->number - place->map->first < vm_this.tls_count)
		vm_race_private(place->number, 0, place->object->header.size, ACCESS_WRITE);
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

static uint64_t check_size(uint64_t size)
{
	if (size >= IMAGE_MAX_SIZE)
		vm_inconclusive(LIMIT_OBJECT_SIZE, "a variable of %llu bytes is asked for on the stack; the limit is %llu",
				(unsigned long long)size, (unsigned long long)IMAGE_MAX_SIZE);
	return size;
}

/* Return the flags of a new, uninitialized object. */
static uint32_t unset(void)
{
	return vm_this.image.options->zeroed ? 0 : OBJECT_SHADOWED;
}

/* Add a heap object of the running thread, or a part of one, at an index, and return its number. */
static uint32_t add_heap(uint32_t index, uint64_t size, bool zeroed, uint32_t flags, bool later)
{
	struct vm_object_header header = { .size = (uint32_t)size,
					   .flags = OBJECT_HEAP | (zeroed ? 0 : unset()) | flags,
					   .order = later };
	uint32_t number = vm_map_add(&vm_this.current->heap, index, &header)->number;
	if (zeroed && size && vm_has_records())
		vm_race_private(number, 0, header.size, ACCESS_WRITE);
	return number;
}

/* Make an object of several parts (state/whole.h). */
static uint64_t allocate_parts(uint64_t size, bool zeroed)
{
	uint64_t rest = size % IMAGE_PART, whole = size / IMAGE_PART, count = whole + 1 + (rest >= IMAGE_MAX_SIZE);
	uint32_t index = vm_free_run(count), first = vm_this.current->heap.first + index;
	for (uint32_t i = 0; i < count; i++)
		add_heap(index + i,
			 i < whole          ? IMAGE_PART :
				 i == whole ? rest :
					      0,
			 zeroed, OBJECT_SHARED, i > 0); /* and no levels (state/levels.h): all bytes count */
	return image_address(first, 0);
}

uint64_t vm_allocate_heap(uint64_t size, bool zeroed)
{
	if (vm_this.evaluating)
		vm_violation(VIOLATION_INVARIANT, "it allocates memory; it must only read");
	if (size >= IMAGE_MAX_SIZE)
		return allocate_parts(size, zeroed);
	return image_address(add_heap(vm_free_index(&vm_this.current->heap, 0, 1, true), size, zeroed, vm_levels_of_new(), false),
			     0);
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
		vm_check_stack(thread, size);
	struct vm_object_header header = {
		.size = (uint32_t)check_size(size),
		.flags = unset() | vm_levels_of_new(),
		.depth = thread->header.frames,
		.order = vm_stack_order(thread),
	};
	uint32_t index = vm_free_index(map, vm_this.tls_count + !escapes, 2, escapes);
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

/* End the life of a heap object, or of a part. */
static void end_heap(const struct vm_place *place)
{
	uint32_t size = place->object->header.size ? place->object->header.size : 1;
	if (place->object->header.flags & OBJECT_SHARED)
		touch(place->number, 0, size, ACCESS_WRITE);
	vm_note_free(place->number);
	vm_note_bytes_gone(place->object, "freed");
	vm_records_forget(place->number);
	vm_map_remove(place->map, place->number - place->map->first);
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
	if (!place.object || !(place.object->header.flags & OBJECT_HEAP) || place.offset || vm_is_later_part(place.object))
		vm_violation(VIOLATION_INVALID_FREE, "%s was not returned by malloc", vm_describe(address));
	assert(place.map && place.heap);
	struct vm_whole whole = vm_whole_of(address);
	if (vm_this.protects)
		vm_refuse_protected(address, whole.size ? whole.size : 1);
	if (!(place.object->header.flags & OBJECT_SHARED) && vm_is_others(&place))
		vm_hidden_reached(address);
	for (uint32_t i = 0; i < whole.parts; i++) {
		place = vm_place_of(image_address(whole.first + i, 0));
		end_heap(&place);
	}
}
