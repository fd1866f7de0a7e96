/* SPDX-License-Identifier: MIT
 *
 * What properties read: in this state (vm_this.watch, a part of it), and in some state or other.  What for, proposition.c says.
 * And what they ask of threads.
 */
#include "memory.h"

#include <assert.h>
#include <string.h>

static VM_OWN struct {
	struct vm_range *ranges; /* of globals: what expressions may read */
	uint32_t count, capacity;
	bool anything; /* or any memory that threads share */
} readable;

void vm_property_reads_range(const struct vm_range *range)
{
	assert(range->object == IMAGE_NONE || range->low < range->high);
	if (range->object == IMAGE_NONE) {
		readable.anything = true;
		return;
	}
	readable.ranges = vm_grow(readable.ranges, &readable.capacity, (uint64_t)readable.count + 1, sizeof *readable.ranges);
	readable.ranges[readable.count++] = *range;
}

bool vm_property_reads(void)
{
	return readable.anything || readable.count;
}

bool vm_property_may_read_bytes(uint32_t object, uint64_t low, uint64_t high)
{
	for (uint32_t i = 0; i < readable.count; i++) {
		const struct vm_range *range = &readable.ranges[i];
		if (range->object == object && low < range->high && range->low < high)
			return true;
	}
	return readable.anything;
}

bool vm_property_may_read(uint64_t address, uint64_t size)
{
	if (readable.anything)
		return vm_is_shared(address);
	if (readable.count == 0)
		return false;
	struct vm_place place = vm_place_of(address);
	uint64_t low = (uint64_t)place.offset;
	return place.offset >= 0 && vm_property_may_read_bytes(place.number, low, low + size);
}

/* Return the first property of a kind about the thread in `slot`, or about any thread, from number `from` on; NULL if there is
 * none. */
static const struct image_property *asks(enum image_property_kind kind, unsigned slot, uint64_t from)
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = from; i < image->counts[IMAGE_PROPERTIES]; i++) {
		const struct image_property *property = &image->properties[i];
		if (property->kind == kind && (property->thread == IMAGE_NONE || property->thread == slot))
			return property;
	}
	return NULL;
}

static uint64_t after(const struct image_property *property)
{
	assert(property >= vm_this.image.properties);
	return (uint64_t)(property - vm_this.image.properties) + 1;
}

bool vm_asks_in(uint32_t function, unsigned slot)
{
	const struct image_property *property = asks(PROPERTY_IN, slot, 0);
	while (property && property->function != function)
		property = asks(PROPERTY_IN, slot, after(property));
	return property != NULL;
}

bool vm_asks_at(const char *label, unsigned slot)
{
	const struct image_property *property = asks(PROPERTY_AT, slot, 0);
	while (property && label && strcmp(image_string(&vm_this.image, property->label), label) != 0)
		property = asks(PROPERTY_AT, slot, after(property));
	return property != NULL;
}

bool vm_asks_done(unsigned slot)
{
	return asks(PROPERTY_DONE, slot, 0) != NULL;
}

/* Note that a property reads bytes [low, high) of an object.  Ranges that touch become one. */
void vm_watch(uint32_t object, uint32_t low, uint32_t high)
{
	assert(low < high && vm_this.evaluating);
	struct vm_watch *watch = &vm_this.watch;
	for (uint32_t i = 0; i < watch->count; i++) {
		struct vm_range *range = &watch->ranges[i];
		if (range->object != object || high < range->low || range->high < low)
			continue;
		range->low = low < range->low ? low : range->low;
		range->high = high > range->high ? high : range->high;
		return;
	}
	watch->ranges = vm_grow(watch->ranges, &watch->capacity, (uint64_t)watch->count + 1, sizeof *watch->ranges);
	watch->ranges[watch->count++] = (struct vm_range){ .object = object, .low = low, .high = high };
}

bool vm_watches(uint32_t object, uint64_t low, uint64_t high)
{
	for (uint32_t i = 0; i < vm_this.watch.count; i++) {
		const struct vm_range *range = &vm_this.watch.ranges[i];
		if (range->object == object && low < range->high && range->low < high)
			return true;
	}
	return false;
}
