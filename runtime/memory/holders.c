/* SPDX-License-Identifier: MIT
 *
 * See holders.h.
 */
#include "holders.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

uint64_t vm_holder(enum holder_class class, unsigned slot)
{
	assert(slot < vm_this.max_threads);
	return (uint64_t) class << 60 | slot;
}

uint64_t vm_place_holder(uint32_t object, uint32_t offset)
{
	assert(object < UINT32_C(1) << 28); /* the class is above */
	return (uint64_t)HOLDER_PLACE << 60 | (uint64_t)object << 32 | offset;
}

uint32_t vm_holders_find(const struct vm_holders *set, uint64_t wanted)
{
	uint32_t low = 0, high = set->count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (set->items[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	assert((low == 0 || set->items[low - 1] < wanted) && (low == set->count || set->items[low] >= wanted));
	return low;
}

bool vm_holders_has(const struct vm_holders *set, uint64_t wanted)
{
	uint32_t at = vm_holders_find(set, wanted);
	return at < set->count && set->items[at] == wanted;
}

void vm_holders_add(struct vm_holders *set, uint64_t new)
{
	uint32_t at = vm_holders_find(set, new);
	if (at < set->count && set->items[at] == new)
		return;
	set->items = vm_grow(set->items, &set->capacity, (uint64_t)set->count + 1, sizeof *set->items);
	memmove(set->items + at + 1, set->items + at, (set->count - at) * sizeof *set->items);
	set->items[at] = new;
	set->count++;
	vm_this.records.dirty = true;
}

void vm_holders_take_out(struct vm_holders *set, uint64_t old)
{
	uint32_t at = vm_holders_find(set, old);
	if (at == set->count || set->items[at] != old)
		return;
	memmove(set->items + at, set->items + at + 1, (set->count - at - 1) * sizeof *set->items);
	set->count--;
	vm_this.records.dirty = true;
}

static void put_in_iff(struct vm_holders *set, uint64_t changed, bool in)
{
	if (in)
		vm_holders_add(set, changed);
	else
		vm_holders_take_out(set, changed);
}

int vm_holders_compare(const struct vm_holders *a, const struct vm_holders *b)
{
	for (uint32_t i = 0; i < a->count && i < b->count; i++)
		if (a->items[i] != b->items[i])
			return a->items[i] < b->items[i] ? -1 : 1;
	return a->count < b->count ? -1 : a->count > b->count;
}

bool vm_holders_subset(const struct vm_holders *small, const struct vm_holders *large)
{
	for (uint32_t i = 0; i < small->count; i++)
		if (!vm_holders_has(large, small->items[i]))
			return false;
	return true;
}

void vm_holders_change(struct vm_holders *set, const struct vm_order_op *op)
{
	uint64_t thread = vm_holder(HOLDER_THREAD, op->slot), location = vm_place_holder(op->object, op->low);
	switch (op->what) {
	case ORDER_READ:
		if (vm_holders_has(set, location))
			vm_holders_add(set, op->kind & ORDER_SYNCHRONIZES ? thread : vm_holder(HOLDER_PENDING, op->slot));
		break;
	case ORDER_WRITE: {
		bool passed = vm_holders_has(set, op->kind & ORDER_SYNCHRONIZES ? thread : vm_holder(HOLDER_FENCE, op->slot));
		put_in_iff(set, location, passed || ((op->kind & ORDER_MODIFIES) && vm_holders_has(set, location)));
		break;
	}
	case ORDER_FENCE:
		if ((op->kind & ORDER_ACQUIRES) && vm_holders_has(set, vm_holder(HOLDER_PENDING, op->slot)))
			vm_holders_add(set, thread);
		if (op->kind & ORDER_RELEASES)
			put_in_iff(set, vm_holder(HOLDER_FENCE, op->slot), vm_holders_has(set, thread));
		break;
	case ORDER_FOLLOW:
		if (vm_holders_has(set, thread))
			vm_holders_add(set, vm_holder(HOLDER_THREAD, op->low));
		break;
	case ORDER_LEAVE:
		for (int class = HOLDER_THREAD; class <= HOLDER_PENDING; class ++)
			vm_holders_take_out(set, vm_holder((enum holder_class) class, op->slot));
		break;
	default: VM_BUG("operation %u is none on sets", (unsigned)op->what);
	}
}

/* ---- threads in other slots --------------------------------------------------------------------------------------------- */

uint32_t vm_object_moved(uint32_t object, const uint8_t *to)
{
	if (object < IMAGE_FIRST_DYNAMIC)
		return object;
	uint32_t slot = (uint32_t)((object - IMAGE_FIRST_DYNAMIC) / vm_this.span);
	return slot < SYMMETRIC_SLOTS ? object + (uint32_t)((to[slot] - slot) * vm_this.span) : object;
}

static uint64_t moved_holder(uint64_t old, const uint8_t *to, const uint32_t *numbers)
{
	uint64_t class = old >> 60, place = UINT64_MAX >> 4;
	switch ((enum holder_class) class) {
	case HOLDER_PLACE:
	case HOLDER_PLACE_MARK:
	case HOLDER_PLACE_READ_MARK:
	case HOLDER_PLACE_WRITTEN_MARK:
		return class << 60 | (vm_place_holder(vm_object_moved(old >> 32 & (UINT32_MAX >> 4), to), (uint32_t)old) & place);
	case HOLDER_MESSAGE:
	case HOLDER_MARK:
	case HOLDER_READ_MARK:
	case HOLDER_WRITTEN_MARK: return class << 60 | numbers[old & UINT32_MAX];
	case HOLDER_FENCES: return old;
	default: return class << 60 | to[old & UINT32_MAX];
	}
}

static int by_holder(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

void vm_holders_move(struct vm_holders *set, const uint8_t *to, const uint32_t *numbers)
{
	for (uint32_t i = 0; i < set->count; i++)
		set->items[i] = moved_holder(set->items[i], to, numbers);
	if (set->count)
		qsort(set->items, set->count, sizeof *set->items, by_holder);
}
