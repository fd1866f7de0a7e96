/* SPDX-License-Identifier: MIT
 *
 * See placed.h.  Locations are sorted by their addresses.
 */
#include "placed.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static VM_OWN struct placed_at {
	uint64_t address;
	struct vm_placed *stores;
	uint32_t count, capacity;
} * locations;
static VM_OWN uint32_t location_count, location_capacity;

/* Return the number of the first location at or behind an address. */
static uint32_t first_from(uint64_t address)
{
	uint32_t low = 0, high = location_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (locations[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct placed_at *find(uint64_t address)
{
	uint32_t i = first_from(address);
	return i < location_count && locations[i].address == address ? &locations[i] : NULL;
}

const struct vm_placed *vm_placed_at(uint64_t address, uint32_t *count)
{
	const struct placed_at *at = find(address);
	*count = at ? at->count : 0;
	return at ? at->stores : NULL;
}

void vm_placed_add(uint64_t address, uint32_t newer, uint32_t store)
{
	uint32_t i = first_from(address);
	if (i == location_count || locations[i].address != address) {
		locations = vm_grow(locations, &location_capacity, (uint64_t)location_count + 1, sizeof *locations);
		memmove(&locations[i + 1], &locations[i], (location_count - i) * sizeof *locations);
		location_count++;
		locations[i] = (struct placed_at){ .address = address };
	}
	struct placed_at *at = &locations[i];
	at->stores = vm_grow(at->stores, &at->capacity, (uint64_t)at->count + 2, sizeof *at->stores);
	if (!at->count)
		at->stores[at->count++] = (struct vm_placed){ 0 };
	uint32_t place = newer < at->count ? at->count - newer : 1;
	memmove(&at->stores[place + 1], &at->stores[place], (at->count - place) * sizeof *at->stores);
	at->stores[place] = (struct vm_placed){ .store = store };
	at->count++;
}

void vm_placed_value(uint64_t address, uint32_t store, uint64_t before, uint64_t value)
{
	struct placed_at *at = find(address);
	for (uint32_t i = at ? at->count : 0; i-- > 1;)
		if (at->stores[i].store == store) {
			at->stores[i].value = value;
			at->stores[i].has_value = true;
		}
	if (at && at->count == 2)
		at->stores[0] = (struct vm_placed){ .value = before, .has_value = true };
}

void vm_placed_merge(uint64_t address, uint32_t newer)
{
	struct placed_at *at = find(address);
	if (!at || newer + 1 > at->count || newer == 0 || at->count <= 2)
		return;
	uint32_t place = at->count - 1 - newer;
	memmove(&at->stores[place], &at->stores[place + 1], (at->count - place - 1) * sizeof *at->stores);
	at->count--;
}

void vm_placed_forget(uint64_t low, uint64_t high)
{
	uint32_t first = first_from(low), end = first_from(high);
	assert(low <= high);
	if (first == end)
		return;
	for (uint32_t i = first; i < end; i++)
		free(locations[i].stores);
	memmove(&locations[first], &locations[end], (location_count - end) * sizeof *locations);
	location_count -= end - first;
}
