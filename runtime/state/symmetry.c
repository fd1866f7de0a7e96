/* SPDX-License-Identifier: MIT
 *
 * See symmetry.h.
 */
#include "symmetry.h"

#include <assert.h>
#include <string.h>

static VM_OWN bool retraces;

void vm_symmetry_retraces(bool on)
{
	retraces = on;
}

bool vm_symmetry_joins_all(void)
{
	return vm_is_symmetric() || retraces;
}

unsigned vm_symmetry_named(uint64_t word)
{
	enum { NEAR = 64 };
	const struct vm *vm = &vm_this;
	uint64_t plain = word & IMAGE_POINTER_MASK;
	if (!image_names_dynamic(plain))
		return 0;
	uint64_t number = image_number(plain) - IMAGE_FIRST_DYNAMIC;
	unsigned slot = (unsigned)(number / vm->span);
	if (slot == 0 || slot >= vm->slots)
		return 0;
	assert(!vm_is_symmetric() || vm->slots <= SYMMETRIC_SLOTS);
	uint64_t index = number % vm->span;
	const struct vm_thread *thread = &vm->threads[slot];
	bool heap = index >= vm->locals;
	return index - (heap ? vm->locals : 0) < (heap ? thread->heap.count : thread->locals.count) + NEAR ? slot : 0;
}

/* ---- threads that are alike ------------------------------------------------------------------------------------------- */

static VM_OWN struct {
	struct {
		uint64_t digest;
		unsigned slot;
	} seen[SYMMETRIC_SLOTS];
	unsigned count;
	bool alike;
} births;

/* Return a number that is the same for threads at rest that differ only in addresses of their own objects. */
static uint64_t digest_of(const struct vm_thread *thread)
{
	uint64_t digest = thread->header.frames;
	for (uint32_t i = 0; i < thread->header.frames; i++) {
		const struct vm_frame *frame = &thread->frames[i];
		const uint32_t *live = vm_frame_live(frame);
		digest = (digest ^ (uint64_t)frame->function << 32 ^ frame->pc) * UINT64_C(0x9e3779b97f4a7c15);
		for (uint32_t k = 1; k <= live[0]; k++) {
			uint64_t word = thread->registers[frame->base + live[k]];
			digest = (digest ^ (vm_symmetry_named(word) == thread->slot ? 0 : word)) * UINT64_C(0x9e3779b97f4a7c15);
			digest ^= digest >> 32;
		}
	}
	return digest;
}

void vm_symmetry_born(const struct vm_thread *thread)
{
	if (!vm_is_symmetric() || births.alike || births.count == SYMMETRIC_SLOTS)
		return;
	assert(thread->slot > 0);
	uint64_t digest = digest_of(thread);
	unsigned i = 0;
	while (i < births.count && births.seen[i].digest != digest)
		i++;
	births.seen[i].slot = i < births.count ? births.seen[i].slot : thread->slot;
	births.seen[i].digest = digest;
	births.alike = births.seen[i].slot != thread->slot;
	births.count += i == births.count;
}

bool vm_symmetry_is_of_use(void)
{
	return vm_is_symmetric() && (births.alike || births.count == SYMMETRIC_SLOTS);
}

/* ------------------------------------------------------------------------------------------------------------------------ */

void vm_symmetry_ends(const char *why)
{
	vm_inconclusive(LIMIT_SYMMETRY, "%s, so threads are told apart", why);
}

/* ---- handles ----------------------------------------------------------------------------------------------------------- */

bool vm_keeps_handles(uint32_t object)
{
	const struct image *image = &vm_this.image;
	return object > 0 && object <= image->counts[IMAGE_GLOBALS] && (image->globals[object - 1].flags & GLOBAL_HANDLES);
}

/* ---- addresses --------------------------------------------------------------------------------------------------------- */

void vm_symmetry_ends_of(const struct vm_object *object, uint64_t low, uint64_t high)
{
	assert(high <= object->header.size);
	if (low % 8)
		vm_symmetry_hides(vm_object_word(object, low & ~UINT64_C(7)));
	if (high % 8)
		vm_symmetry_hides(vm_object_word(object, high & ~UINT64_C(7)));
}

void vm_symmetry_written(const struct vm_object *object, uint64_t low, uint64_t high, uint64_t shift)
{
	vm_symmetry_ends_of(object, low, high);
	for (uint64_t at = low & ~UINT64_C(7); at < high; at += 8) {
		uint64_t word = vm_object_word(object, at);
		if (!vm_symmetry_follows() || word != (word & IMAGE_POINTER_MASK))
			vm_symmetry_hides(word);
	}
	for (uint64_t at = low + ((shift - low) & 7); shift % 8 && at + 8 <= high; at += 8)
		vm_symmetry_hides(vm_object_word(object, at));
}

void vm_symmetry_looked_at(uint64_t address, const uint8_t *bytes, uint64_t size)
{
	for (uint64_t at = -address & 7; vm_is_symmetric() && at + 8 <= size; at += 8) {
		uint64_t word;
		memcpy(&word, bytes + at, sizeof word);
		vm_symmetry_hides(word);
	}
}

void vm_symmetry_keeps(uint64_t word, void *unused)
{
	(void)unused;
	unsigned slot = vm_symmetry_named(word);
	if (slot && vm_thread_load(slot)->header.status == THREAD_UNUSED)
		vm_symmetry_ends("a thread is created while the address of an object of one that has been joined is kept");
}

static void check_names(struct vm_map *map)
{
	for (uint32_t i = 0; i < map->count; i++) {
		const struct vm_object *object = vm_map_find(map, i);
		for (uint64_t at = 0; object && at + 8 <= object->header.size; at += 8) {
			at = at % vm_object_stride(object) ? at : vm_object_used(object, at);
			vm_symmetry_keeps(vm_object_word(object, at), NULL);
		}
	}
}

void vm_symmetry_creates(void)
{
	check_names(&vm_this.globals);
	for (unsigned slot = 0; slot < vm_this.slots; slot++) {
		struct vm_thread *thread = vm_thread_load(slot);
		check_names(&thread->locals);
		check_names(&thread->heap);
		const struct vm_frame *top = thread->header.frames ? &thread->frames[thread->header.frames - 1] : NULL;
		for (uint32_t i = 0; top && i < top->base + vm_this.image.functions[top->function].registers; i++)
			vm_symmetry_keeps(thread->registers[i], NULL);
	}
}

/* ---- locks ------------------------------------------------------------------------------------------------------------- */

/* Where locks have been held in any state so far, and objects that have such places, a bit each. */
static VM_OWN struct vm_range *locks;
static VM_OWN uint32_t lock_count, lock_capacity;
static VM_OWN uint8_t with_locks[IMAGE_END_DYNAMIC / 8];

static bool has_locks(uint32_t object)
{
	return object < IMAGE_END_DYNAMIC && (with_locks[object / 8] >> object % 8 & 1);
}

void vm_symmetry_locks(uint64_t address, uint32_t size)
{
	struct vm_place place = vm_place_look(address);
	uint32_t object = place.number, low = (uint32_t)place.offset;
	if (!vm_is_symmetric() || !place.object)
		return;
	for (uint32_t i = 0; has_locks(object) && i < lock_count; i++)
		if (locks[i].object == object && locks[i].low == low)
			return;
	locks = vm_grow(locks, &lock_capacity, lock_count + 1, sizeof *locks);
	locks[lock_count++] = (struct vm_range){ .object = object, .low = low, .high = low + size };
	with_locks[object / 8] |= (uint8_t)(1u << object % 8);
}

static VM_OWN bool repeats;

void vm_symmetry_forget_locks(void)
{
	lock_count = 0;
	memset(with_locks, 0, sizeof with_locks);
}

void vm_symmetry_repeats(bool on)
{
	repeats = on;
}

void vm_symmetry_reads(uint32_t object, uint64_t low, uint64_t high)
{
	assert(low <= high);
	if (repeats || !vm_is_symmetric() || !has_locks(object))
		return;
	for (uint32_t i = 0; i < lock_count; i++)
		if (locks[i].object == object && low < locks[i].high && locks[i].low < high)
			vm_symmetry_ends("the bytes of a lock are read");
}
