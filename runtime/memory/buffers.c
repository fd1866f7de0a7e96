/* SPDX-License-Identifier: MIT
 *
 * See buffers.h.
 */
#include "buffers.h"
#include "../trace/trace.h"
#include "footprint.h"
#include "holders.h"

#include <assert.h>
#include <string.h>

/* Do the bytes of a store and these have one in common? */
static bool meets(const struct vm_message *store, uint64_t address, unsigned size)
{
	uint64_t at = image_address(store->object, store->low);
	return at < address + size && address < at + store->size;
}

/* Return the first store of the thread to these bytes; message_count: there is none. */
static uint32_t first_of(const struct vm_records *records, unsigned slot, uint64_t address, unsigned size)
{
	uint32_t i = 0;
	while (i < records->message_count &&
	       !(records->messages[i].attached == slot && meets(&records->messages[i], address, size)))
		i++;
	return i;
}

/* Return how many stores of the thread wait, and put into *first where they begin. */
static uint32_t own_stores(const struct vm_records *records, unsigned slot, uint32_t *first)
{
	uint32_t end = 0;
	while (end < records->message_count && records->messages[end].attached < slot)
		end++;
	*first = end;
	while (end < records->message_count && records->messages[end].attached == slot)
		end++;
	return end - *first;
}

bool vm_buffers_empty(unsigned slot)
{
	uint32_t first;
	return own_stores(vm_records_loaded(), slot, &first) == 0;
}

bool vm_buffers_of_others(uint64_t address, unsigned size)
{
	const struct vm_records *records = vm_records_loaded();
	for (uint32_t i = 0; i < records->message_count; i++)
		if (records->messages[i].attached != vm_this.current->slot && meets(&records->messages[i], address, size))
			return true;
	return false;
}

/* ---- flushes --------------------------------------------------------------------------------------------------------------- */

/* Put the oldest store of the array at number `i`, which is a thread's oldest, into memory. */
static void flush_one(struct vm_records *records, uint32_t i)
{
	struct vm_message store = records->messages[i];
	uint64_t address = image_address(store.object, store.low);
	memmove(&records->messages[i], &records->messages[i + 1], (records->message_count - i - 1) * sizeof store);
	records->message_count--;
	records->dirty = true;
	vm_write(address, store.value, store.shadow, store.size, ACCESS_SYNC_WRITE);
	if (vm_tracing && store.attached != vm_this.current->slot)
		vm_event_about(ACTION_WRITE,
			       VM_ABOUT(.address = address, .bytes = store.size,
					.value = vm_describe_value(address, store.size, store.value[0]), .writes = true),
			       "%s = %s leaves the store buffer of thread %u", vm_describe(address),
			       vm_describe_value(address, store.size, store.value[0]), (unsigned)store.attached);
}

/* Flush the buffer of a thread up to number `last` of the array, at most. */
static void flush(struct vm_records *records, unsigned slot, uint32_t last)
{
	uint32_t first, count = own_stores(records, slot, &first);
	for (uint32_t i = 0; i < count && first + i <= last; i++)
		flush_one(records, first);
}

/* ---- demands --------------------------------------------------------------------------------------------------------------- */

enum { MOST_DEMANDS = 200 };

/* the flushes that an access may demand */
struct demands {
	unsigned count;
	unsigned slots[MOST_DEMANDS];
	uint32_t lasts[MOST_DEMANDS];
};

static void demand(struct demands *demands, unsigned slot, uint32_t last)
{
	for (unsigned i = 0; i < demands->count; i++)
		if (demands->slots[i] == slot && demands->lasts[i] == last)
			return;
	if (demands->count == MOST_DEMANDS) {
		vm_this.met.facts.stale = true;
		return;
	}
	demands->slots[demands->count] = slot;
	demands->lasts[demands->count++] = last;
}

/* Find the flushes of others up to their first stores to these bytes; and of the thread's own buffer, if it reads. */
static void find_demands(struct demands *demands, const struct vm_records *records, unsigned slot, uint64_t address, unsigned size,
			 bool own)
{
	bool others = false;
	for (unsigned other = 0; other < vm_this.slots; other++) {
		uint32_t first = other == slot ? records->message_count : first_of(records, other, address, size);
		if (first == records->message_count)
			continue;
		others = true;
		demand(demands, other, first);
	}
	uint32_t first = first_of(records, slot, address, size);
	if (own && others && first < records->message_count)
		demand(demands, slot, first);
}

static struct demands demands_of(const struct vm_buffered *access, unsigned slot)
{
	const struct vm_records *records = vm_records_loaded();
	struct demands demands = { 0 };
	if (access->size)
		find_demands(&demands, records, slot, access->address, access->size, !access->drains);
	for (uint32_t i = 0; i < records->message_count && access->drains; i++) {
		const struct vm_message *store = &records->messages[i];
		if (store->attached == slot)
			find_demands(&demands, records, slot, image_address(store->object, store->low), store->size, false);
	}
	return demands;
}

unsigned vm_buffers_outcomes(const struct vm_buffered *access, unsigned slot)
{
	return 1 + demands_of(access, slot).count;
}

bool vm_buffers_choose(const struct vm_buffered *access, uint32_t choice)
{
	struct vm_records *records = vm_records_loaded();
	struct demands demands = demands_of(access, vm_this.current->slot);
	if (choice > demands.count) /* there may be less since the choice was narrowed */
		choice = demands.count;
	if (choice == 0) {
		if (access->drains)
			flush(records, vm_this.current->slot, UINT32_MAX);
		return true;
	}
	flush(records, demands.slots[choice - 1], demands.lasts[choice - 1]);
	return false;
}

/* ---- stores and loads ------------------------------------------------------------------------------------------------------ */

bool vm_buffers_have_room(void)
{
	uint32_t first;
	if (own_stores(vm_records_loaded(), vm_this.current->slot, &first) < vm_this.image.options->staleness)
		return true;
	vm_this.met.facts.stale = true;
	return false;
}

void vm_buffers_add(uint64_t address, unsigned size, const uint64_t *words, const uint64_t *shadow)
{
	struct vm_records *records = vm_records_loaded();
	struct vm_place place = vm_place_look(address);
	unsigned slot = vm_this.current->slot;
	uint32_t at, count = own_stores(records, slot, &at);
	assert(place.object && place.offset >= 0 && size <= 16);
	at += count;
	records->messages = vm_grow(records->messages, &records->message_capacity, (uint64_t)records->message_count + 1,
				    sizeof *records->messages);
	memmove(&records->messages[at + 1], &records->messages[at], (records->message_count - at) * sizeof *records->messages);
	struct vm_message *store = &records->messages[at];
	*store = (struct vm_message){ .object = place.number, .low = (uint32_t)place.offset, .size = size, .attached = slot };
	memset(store->set, 0xff, sizeof store->set);
	memcpy(store->value, words, sizeof store->value);
	memcpy(store->shadow, shadow, sizeof store->shadow);
	records->message_count++;
	records->dirty = true;
	vm_footprint_add(place.number, (uint32_t)place.offset, (uint32_t)place.offset + size, true);
}

bool vm_buffers_read(unsigned slot, uint64_t address, unsigned size, uint64_t *value, bool *partly)
{
	const struct vm_records *records = vm_records_loaded();
	*partly = false;
	for (uint32_t i = records->message_count; i-- > 0;) {
		const struct vm_message *store = &records->messages[i];
		if (store->attached != slot || !meets(store, address, size))
			continue;
		uint64_t at = image_address(store->object, store->low);
		*partly = !(at <= address && address + size <= at + store->size);
		if (*partly)
			return false;
		memset(value, 0, 4 * sizeof *value);
		memcpy(value, (const uint8_t *)store->value + (address - at), size);
		memcpy(value + 2, (const uint8_t *)store->shadow + (address - at), size);
		return true;
	}
	return false;
}

void vm_buffers_forget(struct vm_records *records, uint32_t object)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < records->message_count; i++)
		if (records->messages[i].object != object)
			records->messages[kept++] = records->messages[i];
	records->dirty = records->dirty || kept < records->message_count;
	records->message_count = kept;
}
