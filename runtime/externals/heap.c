/* SPDX-License-Identifier: MIT
 *
 * Functions that allocate memory, and free it.
 */
#include "../memory/hidden.h"
#include "../state/whole.h"
#include "../trace/history.h"
#include "externals.h"
#include "../memory/protect.h"

#include <assert.h>
#include <errno.h>

uint64_t vm_allocate(uint64_t size, bool zeroed)
{
	uint64_t address = vm_allocate_heap(size, zeroed);
	vm_name_heap(address);
	vm_event_allocate(address, size);
	return address;
}

/* Does a request fail on every machine, because it is for more than an address space holds?  A request for more than the VM has
 * room for would succeed elsewhere: that is a limit of bitspin, which vm_allocate_heap() reports. */
static bool is_too_much(uint64_t size)
{
	return size > IMAGE_POINTER_MASK;
}

static bool too_much(uint64_t size)
{
	if (!is_too_much(size))
		return false;
	vm_event(ACTION_ALLOCATE, "nothing: %s are asked for", vm_byte_count(size));
	vm_set_errno(ENOMEM);
	return true;
}

static void free_block(uint64_t address)
{
	assert(!vm_this.freeing);
	vm_this.freeing = true;
	vm_free(address);
	vm_this.freeing = false;
}

enum vm_outcome run_malloc(struct vm_call *call)
{
	if (!too_much(call->arguments[0]))
		call->results[0] = vm_allocate(call->arguments[0], false);
	return CALL_DONE;
}

enum vm_outcome run_calloc(struct vm_call *call)
{
	uint64_t size;
	if (__builtin_mul_overflow(call->arguments[0], call->arguments[1], &size))
		size = UINT64_MAX;
	if (!too_much(size))
		call->results[0] = vm_allocate(size, true);
	if (call->results[0])
		vm_note_unit(call->results[0], call->arguments[1]);
	return CALL_DONE;
}

static bool is_power(uint64_t n)
{
	return n && !(n & (n - 1));
}

enum vm_outcome run_aligned_alloc(struct vm_call *call)
{
	if (!too_much(call->arguments[1]))
		call->results[0] = vm_allocate(call->arguments[1], false);
	return CALL_DONE;
}

static void store_block(uint64_t to, uint64_t block)
{
	vm_store64(to, 8, block, ACCESS_WRITE);
	if (vm_tracing)
		vm_note_stored(to, block);
}

enum vm_outcome run_posix_memalign(struct vm_call *call)
{
	if (!is_power(call->arguments[1]) || call->arguments[1] % sizeof(void *))
		call->results[0] = EINVAL;
	else if (is_too_much(call->arguments[2]))
		call->results[0] = ENOMEM;
	else
		store_block(call->arguments[0], vm_allocate(call->arguments[2], false));
	return CALL_DONE;
}

/* Allocate anew, as glibc does: a size of zero frees. */
enum vm_outcome run_realloc(struct vm_call *call)
{
	uint64_t old = call->arguments[0], size = call->arguments[1];
	if (call->builtin->data && __builtin_mul_overflow(call->arguments[1], call->arguments[2], &size))
		size = UINT64_MAX;
	if (too_much(size))
		return CALL_DONE;
	if (size || !old)
		call->results[0] = vm_allocate(size, false);
	if (old == 0)
		return CALL_DONE;
	struct vm_place place = vm_place_of(old);
	uint64_t before = vm_whole_of(old).size;
	if (place.object && (place.object->header.flags & OBJECT_HEAP) && place.offset == 0 && !vm_is_later_part(place.object))
		vm_copy(call->results[0], old, before < size ? before : size);
	free_block(old);
	return CALL_DONE;
}

enum vm_outcome run_malloc_usable_size(struct vm_call *call)
{
	if (call->arguments[0])
		call->results[0] = vm_room(call->arguments[0], ACCESS_READ);
	return CALL_DONE;
}

/* Protect bytes.  Return 0 if some of them are not there, else 1.  Or only tell whether the bytes are all of an object. */
enum vm_outcome run_protect(struct vm_call *call)
{
	uint64_t address = call->arguments[0], size = call->arguments[1];
	struct vm_whole whole = vm_whole_of(address);
	bool there = whole.parts && whole.offset >= 0 && (uint64_t)whole.offset <= whole.size &&
		size <= whole.size - (uint64_t)whole.offset;
	bool asks = call->arguments[2] == PROTECTED_FROM_ALL + 1;
	call->results[0] = asks ? there && whole.offset == 0 && size == whole.size : there;
	if (asks || !there || size == 0)
		return CALL_DONE;
	static const char *const how[] = { "read and written", "read, not written", "neither read nor written" };
	assert(call->arguments[2] < sizeof how / sizeof *how);
	vm_protect(address, size, (enum vm_protection)call->arguments[2]);
	vm_event_about(ACTION_CALL, VM_ABOUT(.address = address), "%llu bytes from %s can be %s now", (unsigned long long)size,
		       vm_describe(address), how[call->arguments[2]]);
	return CALL_DONE;
}

enum vm_outcome run_free(struct vm_call *call)
{
	if (call->arguments[0])
		vm_event_about(ACTION_FREE, VM_ABOUT(.address = call->arguments[0]), "%s", vm_describe_whole(call->arguments[0]));
	free_block(call->arguments[0]);
	return CALL_DONE;
}
