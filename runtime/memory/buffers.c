/* SPDX-License-Identifier: MIT
 *
 * See buffers.h.
 */
#include "buffers.h"
#include "../trace/trace.h"
#include "footprint.h"
#include "../trace/history.h"
#include "holders.h"

#include <assert.h>
#include <string.h>

/* Do the bytes of a store and these have one in common? */
static bool meets(const struct vm_message *store, uint64_t address, unsigned size)
{
	uint64_t at = image_address(store->object, store->low);
	return at < address + size && address < at + store->size;
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

/* Note that which stores wait in a thread's buffer has changed: only what may access all memory depends on that. */
static void note_change(const struct vm_message *store)
{
	vm_footprint_add(FOOTPRINT_BUFFERS, store->attached, store->attached + 1, true);
}

/* ---- stories ---------------------------------------------------------------------------------------------------------------- */

/* stores of a replay that have been put into buffers, oldest first */
static VM_OWN struct noted {
	unsigned slot, step;
	uint32_t location;
	uint64_t address;
	bool passed; /* its thread has read memory since, while it waited */
} * noted;
static VM_OWN uint32_t noted_count, noted_capacity;

static void note_store(unsigned slot, uint64_t address)
{
	noted = vm_grow(noted, &noted_capacity, (uint64_t)noted_count + 1, sizeof *noted);
	noted[noted_count++] = (struct noted){ slot, vm_this.step, vm_this.location, address, false };
}

/* Return what was noted of store number `i` of the array; NULL: it is not known.  The stores that wait in a buffer are the last
 * ones of its thread. */
static struct noted *noted_of(const struct vm_records *records, uint32_t i)
{
	const struct vm_message *store = &records->messages[i];
	uint32_t behind = 0, k = noted_count;
	while (i + behind + 1 < records->message_count && records->messages[i + behind + 1].attached == store->attached)
		behind++;
	while (k-- > 0)
		if (noted[k].slot == store->attached && behind-- == 0)
			return noted[k].address == image_address(store->object, store->low) ? &noted[k] : NULL;
	return NULL;
}

const uint32_t *vm_buffers_steps(uint64_t address, unsigned size, uint32_t *count)
{
	const struct vm_records *records = vm_records_loaded();
	uint32_t *steps = vm_scratch((records->message_count + 1) * sizeof *steps);
	*count = 0;
	for (uint32_t i = 0; i < records->message_count; i++) {
		bool others = records->messages[i].attached != vm_this.current->slot && meets(&records->messages[i], address, size);
		const struct noted *store = others ? noted_of(records, i) : NULL;
		if (store)
			steps[(*count)++] = store->step;
	}
	return steps;
}

enum { LONG_TEXT = 800 };

/* Return which fence would have put the store into memory before, "" if none. */
static const char *forbidden(const struct noted *store)
{
	char *text = vm_scratch(LONG_TEXT);
	if (!store || !store->passed)
		return "";
	snprintf(text, LONG_TEXT, " (atomic_thread_fence(memory_order_seq_cst) after %s would forbid that)",
		 vm_place_name(store->location));
	return text;
}

const char *vm_buffers_tell(uint64_t address, unsigned size)
{
	const struct vm_records *records = vm_records_loaded();
	const struct noted *told = NULL;
	uint64_t value = 0;
	unsigned bytes = 0;
	for (uint32_t i = 0; i < records->message_count; i++) {
		const struct vm_message *store = &records->messages[i];
		bool others = store->attached != vm_this.current->slot && meets(store, address, size);
		const struct noted *this = others ? noted_of(records, i) : NULL;
		if (!this || (told && (told->passed || !this->passed)))
			continue;
		told = this;
		value = store->value[0];
		bytes = store->size;
	}
	char *text = vm_scratch(2 * LONG_TEXT);
	if (!told)
		return ", as a store of another thread is still in its store buffer";
	snprintf(text, 2 * LONG_TEXT, ", as the store of %s by thread %u at %s is still in its store buffer%s",
		 bytes <= 8 ? vm_describe_value(told->address, bytes, value) : "a value", told->slot, vm_place_name(told->location),
		 forbidden(told));
	return text;
}

void vm_buffers_passed(void)
{
	const struct vm_records *records = vm_records_loaded();
	for (uint32_t i = 0; i < records->message_count; i++) {
		struct noted *store = records->messages[i].attached == vm_this.current->slot ? noted_of(records, i) : NULL;
		if (store)
			store->passed = true;
	}
}

/* ---- flushes --------------------------------------------------------------------------------------------------------------- */

/* Put the oldest store of the array at number `i`, which is a thread's oldest, into memory. */
static void flush_one(struct vm_records *records, uint32_t i)
{
	struct vm_message store = records->messages[i];
	uint64_t address = image_address(store.object, store.low);
	const struct noted *known = vm_tracing ? noted_of(records, i) : NULL;
	uint32_t step = known ? known->step : 0;
	memmove(&records->messages[i], &records->messages[i + 1], (records->message_count - i - 1) * sizeof store);
	records->message_count--;
	records->dirty = true;
	note_change(&store);
	vm_write(address, store.value, store.shadow, store.size, ACCESS_SYNC_WRITE);
	if (vm_tracing && store.attached != vm_this.current->slot)
		vm_event_about(ACTION_WRITE,
			       VM_ABOUT(.address = address, .bytes = store.size,
					.value = vm_describe_value(address, store.size, store.value[0]), .writes = true,
					.waiting = &step, .nwaiting = known != NULL),
			       "%s = %s leaves the store buffer of thread %u%s", vm_describe(address),
			       vm_describe_value(address, store.size, store.value[0]), (unsigned)store.attached, forbidden(known));
}

/* Flush the buffer of a thread up to number `last` of the array, at most. */
static void flush(struct vm_records *records, unsigned slot, uint32_t last)
{
	uint32_t first, count = own_stores(records, slot, &first);
	for (uint32_t i = 0; i < count && first + i <= last; i++)
		flush_one(records, first);
}

/* ---- demands --------------------------------------------------------------------------------------------------------------- */

/* the stores that an access depends on, and the flushes that it may demand */
struct demands {
	bool *needed; /* of each store: it may have to reach memory before the access, or before one that may have to */
	uint32_t own; /* the end of the thread's own stores that the access drains; 0: none */
	unsigned count;
	uint32_t *lasts; /* of each flush, the last store: that of each thread once */
};

static bool is_accessed(const struct vm_buffered *access, const struct vm_message *store)
{
	return access->everything || (access->size && meets(store, access->address, access->size));
}

/* Let a store be needed, and those of its thread before it.  Return true if it was not. */
static bool need(const struct vm_records *records, struct demands *demands, uint32_t i)
{
	bool news = !demands->needed[i];
	for (uint32_t k = i + 1; k-- > 0 && records->messages[k].attached == records->messages[i].attached;)
		demands->needed[k] = true;
	return news;
}

/* Let the first store of each other thread to the bytes of a needed store be needed.  Return true if one was not. */
static bool need_others(const struct vm_records *records, struct demands *demands, uint32_t i)
{
	const struct vm_message *store = &records->messages[i];
	uint64_t address = image_address(store->object, store->low);
	uint32_t done = store->attached;
	bool news = false;
	for (uint32_t k = 0; k < records->message_count; k++) {
		const struct vm_message *other = &records->messages[k];
		if (other->attached == store->attached || other->attached == done || !meets(other, address, store->size))
			continue;
		done = other->attached;
		news |= need(records, demands, k);
	}
	return news;
}

/* Find the stores that are needed by the access itself. */
static void need_first(const struct vm_records *records, struct demands *demands, const struct vm_buffered *access, unsigned slot)
{
	uint32_t done = slot;
	for (uint32_t i = 0; i < records->message_count; i++) {
		const struct vm_message *store = &records->messages[i];
		bool accessed = is_accessed(access, store);
		if (store->attached == slot && access->drains && (!access->partly || accessed))
			demands->own = i + 1;
		if (store->attached == done || store->attached == slot || !accessed)
			continue;
		done = store->attached;
		need(records, demands, i);
	}
	if (demands->own)
		need(records, demands, demands->own - 1);
}

/* Is a store one of another thread that the access meets, or does it meet a needed store of another one than its own?  If not, it
 * makes no difference when it reaches memory, except that those behind it do so later. */
static bool decides(const struct vm_records *records, const struct demands *demands, const struct vm_buffered *access,
		    unsigned slot, uint32_t i)
{
	const struct vm_message *store = &records->messages[i];
	uint64_t address = image_address(store->object, store->low);
	if (is_accessed(access, store) && store->attached != slot)
		return true;
	for (uint32_t k = 0; k < records->message_count; k++)
		if (demands->needed[k] && records->messages[k].attached != store->attached &&
		    meets(&records->messages[k], address, store->size))
			return true;
	return false;
}

static struct demands demands_of(const struct vm_buffered *access, unsigned slot)
{
	const struct vm_records *records = vm_records_loaded();
	struct demands demands = { .needed = NULL };
	bool news = records->message_count > 0;
	if (!news)
		return demands;
	demands.needed = memset(vm_scratch(records->message_count), 0, records->message_count);
	demands.lasts = vm_scratch(records->message_count * sizeof *demands.lasts);
	need_first(records, &demands, access, slot);
	while (news) {
		news = false;
		for (uint32_t i = 0; i < records->message_count; i++)
			news |= demands.needed[i] && need_others(records, &demands, i);
	}
	for (uint32_t i = 0; i < records->message_count; i++) {
		uint32_t last = demands.count ? demands.lasts[demands.count - 1] : i;
		if (demands.needed[i] && (last == i || records->messages[last].attached != records->messages[i].attached) &&
		    decides(records, &demands, access, slot, i))
			demands.lasts[demands.count++] = i;
	}
	return demands;
}

unsigned vm_buffers_outcomes(const struct vm_buffered *access, unsigned slot)
{
	return 1 + demands_of(access, slot).count;
}

static void note_needed(const struct demands *demands, const struct vm_buffered *access)
{
	const struct vm_records *records = vm_records_loaded();
	for (uint32_t i = 0; demands->needed && i < records->message_count; i++) {
		const struct vm_message *store = &records->messages[i];
		if (demands->needed[i])
			vm_footprint_add(store->object, store->low, store->low + store->size, false);
	}
	if (access->everything)
		vm_footprint_add(FOOTPRINT_BUFFERS, 0, VM_MAX_SLOTS, false);
}

void vm_buffers_note(const struct vm_buffered *access, unsigned slot)
{
	struct demands demands = demands_of(access, slot);
	note_needed(&demands, access);
}

bool vm_buffers_choose(const struct vm_buffered *access, uint32_t choice)
{
	struct vm_records *records = vm_records_loaded();
	struct demands demands = demands_of(access, vm_this.current->slot);
	note_needed(&demands, access);
	if (choice > demands.count) /* there may be less since the choice was narrowed */
		choice = demands.count;
	if (choice == 0) {
		if (demands.own)
			flush(records, vm_this.current->slot, demands.own - 1);
		return true;
	}
	uint32_t last = demands.lasts[choice - 1];
	flush(records, records->messages[last].attached, last);
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

/* Let the objects whose addresses are stored be shared: stores to them have to wait behind this one.  Of addresses in pieces,
 * hidden.h takes care. */
static void share(const struct vm_message *store)
{
	for (unsigned i = 0; i < store->size / 8; i++)
		vm_share(store->value[i]);
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
	if (vm_tracing)
		note_store(slot, address);
	note_change(store);
	share(store);
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
