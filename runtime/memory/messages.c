/* SPDX-License-Identifier: MIT
 *
 * See messages.h.  The stores of vm_this.records.messages are sorted by their locations, those of one location by modification
 * order.  Message number i of a location is what its store number i - 1 has put there; number 0 is what store number 0 has
 * replaced.  The holder of a message is that of its store (HOLDER_MESSAGE with the number in the array), that of number 0 the
 * location itself.
 */
#include "messages.h"
#include "buffers.h"
#include "causes.h"
#include "holders.h"
#include "later.h"
#include "locations.h"
#include "rules.h"
#include "total.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct location find(const struct vm_records *records, uint64_t address, unsigned size)
{
	struct vm_place place = vm_place_look(address);
	struct location at = { .object = place.number, .low = (uint32_t)place.offset };
	while (at.first < records->message_count) {
		const struct vm_message *store = &records->messages[at.first];
		if (store->object > at.object || (store->object == at.object && store->low >= at.low))
			break;
		at.mixed = at.mixed || (store->object == at.object && store->low + store->size > at.low);
		at.first++;
	}
	for (uint32_t i = at.first; i < records->message_count; i++) {
		const struct vm_message *store = &records->messages[i];
		if (store->object != at.object || store->low >= at.low + size)
			break;
		at.mixed = at.mixed || store->low != at.low || store->size != size;
		at.count += store->low == at.low;
	}
	return at;
}

/* ---- the access ------------------------------------------------------------------------------------------------------------ */

/* Copy to `words` and `shadow` what is in memory at a location. */
static void newest(const struct location *at, unsigned size, uint64_t words[2], uint64_t shadow[2])
{
	struct vm_place place = vm_place_look(image_address(at->object, at->low));
	words[0] = words[1] = shadow[0] = shadow[1] = 0;
	if (!place.object || (uint64_t)place.offset + size > place.object->header.size)
		return;
	memcpy(words, place.object->bytes + place.offset, size);
	if (place.object->shadow)
		memcpy(shadow, place.object->shadow + place.offset, size);
}

static void value_of(const struct vm_records *records, const struct vm_atomic *atomic, const struct location *at, uint32_t message,
		     uint64_t words[2])
{
	uint64_t shadow[2];
	if (message < at->count)
		memcpy(words, records->messages[at->first + message].value, 2 * sizeof *words);
	else
		newest(at, atomic->size, words, shadow);
}

/* Return the oldest message that the thread may meet. */
static uint32_t lowest(struct vm_records *records, const struct location *at, unsigned slot, bool total)
{
	uint64_t thread = vm_holder(HOLDER_THREAD, slot);
	uint32_t low = 0;
	for (uint32_t i = 0; i < at->count; i++) {
		uint32_t store = at->first + i;
		bool known = vm_message_set_has(vm_message_set(records, store, MESSAGE_KNOWN), thread);
		known = known || vm_total_binds(records, store, slot, total);
		low = known ? i + 1 : low;
	}
	return low;
}

/* the outcomes that have been found so far */
struct finder {
	struct vm_records *records;
	const struct vm_atomic *atomic;
	struct location at;
	unsigned slot;
	struct vm_pick *picks;
	unsigned count;
};

static void offer(struct finder *f, uint32_t i, bool fails, bool spurious)
{
	const struct vm_atomic *atomic = f->atomic;
	bool total = fails ? atomic->total_failing : atomic->total, acquires = fails ? atomic->acquires_failing : atomic->acquires;
	if (i < lowest(f->records, &f->at, f->slot, total))
		return;
	if (vm_total_refuses(f->records, &f->at, f->slot, i, total, acquires && atomic->reads, atomic->writes && !fails))
		return;
	assert(f->count < MOST_PICKS);
	f->picks[f->count++] = (struct vm_pick){ i, f->at.count, fails, spurious };
}

static void look_at_message(struct finder *f, uint32_t i)
{
	const struct vm_atomic *atomic = f->atomic;
	bool followed = i < f->at.count && f->records->messages[f->at.first + i].attached, equal = true;
	if (atomic->compares) {
		uint64_t words[2];
		value_of(f->records, atomic, &f->at, i, words);
		equal = memcmp(words, atomic->expected, sizeof words) == 0;
	}
	if (equal && !(atomic->writes && followed))
		offer(f, i, false, false);
	if (!equal)
		offer(f, i, true, false);
	else if (atomic->may_fail)
		offer(f, i, true, true);
}

unsigned vm_message_picks(const struct vm_atomic *atomic, unsigned slot, struct vm_pick *picks)
{
	struct finder f = { .atomic = atomic, .slot = slot, .picks = picks, .records = vm_records_loaded() };
	struct vm_place place = vm_place_look(atomic->address);
	if (place.object && place.offset >= 0)
		f.at = find(f.records, atomic->address, atomic->size);
	if (f.at.mixed)
		f.at.count = 0;
	for (uint32_t i = f.at.count + 1; i-- > 0;)
		look_at_message(&f, i);
	assert(f.count > 0);
	return f.count;
}

void vm_message_value(const struct vm_atomic *atomic, const struct vm_pick *pick, uint64_t *words, uint64_t *shadow)
{
	struct vm_records *records = vm_records_loaded();
	struct location at = find(records, atomic->address, atomic->size);
	assert(pick->message < at.count);
	const struct vm_message *store = &records->messages[at.first + pick->message];
	memcpy(words, store->value, sizeof store->value);
	memcpy(shadow, store->shadow, sizeof store->shadow);
}

uint64_t vm_message_next(const struct vm_atomic *atomic, const struct vm_pick *pick)
{
	struct vm_records *records = vm_records_loaded();
	struct location at = find(records, atomic->address, atomic->size);
	uint64_t words[2];
	value_of(records, atomic, &at, pick->message + 1, words);
	return words[0];
}

/* ---- what an access does --------------------------------------------------------------------------------------------------- */

/* Refuse an access that overlaps messages of other bytes. */
static void refuse_mixed(const struct vm_atomic *atomic, const struct location *at)
{
	if (at->mixed)
		vm_inconclusive(LIMIT_MIXED_SIZES, "atomic accesses to %s have several sizes, which --memory c11 does not cover",
				vm_describe(atomic->address));
}

/* Put `to` into all sets that have `from`. */
static void follow(struct vm_records *records, uint64_t from, uint64_t to)
{
	for (uint32_t i = 0; i < records->set_count; i++)
		if (vm_holders_has(&records->sets[i], from))
			vm_holders_add(&records->sets[i], to);
}

void vm_message_read(const struct vm_atomic *atomic, const struct vm_pick *pick, const char *what)
{
	struct vm_records *records = vm_records_loaded();
	struct location at = find(records, atomic->address, atomic->size);
	uint64_t thread = vm_holder(HOLDER_THREAD, vm_this.current->slot);
	bool acquires = pick->fails ? atomic->acquires_failing : atomic->acquires;
	refuse_mixed(atomic, &at);
	assert(pick->message <= at.count);
	vm_cause_read(atomic->address, at.count - pick->message, acquires, what);
	if (!(pick->fails ? atomic->total_failing : atomic->total))
		vm_cause_weaker();
	for (uint32_t i = 0; i < pick->message; i++)
		vm_message_set_add(vm_message_set(records, at.first + i, MESSAGE_KNOWN), thread);
	if (acquires)
		follow(records, vm_message_holder(&at, pick->message), thread);
	else if (vm_this.image.options->order & ORDER_ACQUIRE_FENCES)
		follow(records, vm_message_holder(&at, pick->message), vm_holder(HOLDER_PENDING, vm_this.current->slot));
	bool writes = atomic->writes && !pick->fails;
	if (!writes)
		vm_total_access(records, &at, pick->message, pick->fails ? atomic->total_failing : atomic->total, false);
}

/* Add 1 to the numbers of stores from `from` on, in all sets, or take 1 away. */
static void renumber(struct vm_records *records, uint32_t from, int by)
{
	for (uint32_t i = 0; i < records->set_count; i++)
		for (uint32_t k = 0; k < records->sets[i].count; k++) {
			uint64_t *item = &records->sets[i].items[k], class = *item >> 60;
			if (class >= HOLDER_MESSAGE && class <= HOLDER_WRITTEN_MARK && (*item & UINT32_MAX) >= from)
				*item += (uint64_t)(int64_t)by;
		}
}

static uint32_t copy_set(struct vm_records *records, uint32_t from)
{
	uint32_t count = from == IMAGE_NONE ? 0 : records->sets[from].count;
	struct vm_holders *set = vm_records_new_set(records, count);
	if (count)
		memcpy(set->items, records->sets[from].items, count * sizeof *set->items);
	return records->set_count - 1;
}

/* Put a store behind message `i` of a location.  Who stands at a later message is past it. */
static void insert(struct vm_records *records, struct location *at, uint32_t i, const struct vm_message *new)
{
	uint32_t number = at->first + i;
	records->messages = vm_grow(records->messages, &records->message_capacity, (uint64_t)records->message_count + 1,
				    sizeof *records->messages);
	struct vm_message *store = &records->messages[number];
	memmove(store + 1, store, (records->message_count - number) * sizeof *store);
	records->message_count++;
	renumber(records, number, 1);
	*store = *new;
	for (unsigned which = 0; which < MESSAGE_SETS; which++) {
		uint32_t after = i < at->count ? store[1].set[which] : IMAGE_NONE;
		store->set[which] = which == MESSAGE_KNOWN || vm_total_keeps(which) ? copy_set(records, after) : IMAGE_NONE;
	}
	at->count++;
	records->dirty = true;
}

/* Remove store number `number` and its holders.  `oldest`: the message before it is gone, so its own is the oldest now; else its
 * own is one with the message before it, or all messages are gone. */
static void remove_store(struct vm_records *records, uint32_t number, bool oldest)
{
	const struct vm_message *store = &records->messages[number];
	uint64_t message = (uint64_t)HOLDER_MESSAGE << 60 | number, place = vm_place_holder(store->object, store->low);
	vm_total_remove(records, number, oldest);
	for (uint32_t i = 0; i < records->set_count; i++) {
		struct vm_holders *set = &records->sets[i];
		if (oldest && vm_holders_has(set, message))
			vm_holders_add(set, place);
		else if (oldest)
			vm_holders_take_out(set, place);
		vm_holders_take_out(set, message);
	}
	memmove(&records->messages[number], store + 1, (records->message_count - number - 1) * sizeof *store);
	records->message_count--;
	renumber(records, number + 1, -1);
	records->dirty = true;
}

bool vm_messages_are_past(const struct vm_records *records, const struct location *at, const struct vm_holders *set,
			  const uint64_t *running)
{
	for (unsigned i = 0; i < vm_this.max_threads; i++)
		if ((running[i / 64] >> i % 64 & 1) && !vm_holders_has(set, vm_holder(HOLDER_THREAD, i)) &&
		    vm_later_stands(i, at->object, records->messages[at->first].attached))
			return false;
	return true;
}

/* Drop the oldest messages that all running threads are past, and those that are too many. */
static void drop(struct vm_records *records, const struct location *at, const uint64_t *running)
{
	uint32_t left = at->count, most = vm_this.image.options->staleness;
	for (; left && vm_messages_are_past(records, at, vm_message_set(records, at->first, MESSAGE_KNOWN), running); left--) {
		if (vm_rule_is_off(RULE_DROP) || !vm_total_may_drop(records, at, running))
			break;
		vm_total_drop(records, at);
		remove_store(records, at->first, true);
	}
	for (; left >= most; left--) {
		vm_total_drop(records, at);
		remove_store(records, at->first, true);
		vm_this.met.facts.stale = true;
	}
}

/* Let the thread know of its own store, number `number` of the array, and let the store happen before what the thread does next. */
static void pass_on(struct vm_records *records, uint32_t first, uint32_t number)
{
	uint64_t thread = vm_holder(HOLDER_THREAD, vm_this.current->slot);
	for (uint32_t i = first; i <= number; i++) {
		vm_message_set_add(vm_message_set(records, i, MESSAGE_KNOWN), thread);
		vm_message_set_add(vm_message_set(records, i, MESSAGE_BEFORE), thread);
	}
}

void vm_message_write(const struct vm_atomic *atomic, const struct vm_pick *pick, const uint64_t old[4], const uint64_t new[4],
		      const char *what)
{
	vm_this.orders = true;
	vm_records_close(vm_this.current);
	struct vm_records *records = vm_records_loaded();
	struct location at = find(records, atomic->address, atomic->size);
	uint64_t running[RECORDS_RUNNING], thread = vm_holder(HOLDER_THREAD, vm_this.current->slot);
	uint32_t i = pick->message;
	refuse_mixed(atomic, &at);
	vm_cause_write(atomic->address, at.count - i, atomic->releases, atomic->reads, what);
	vm_cause_values(old[0], new[0]);
	if (!atomic->total)
		vm_cause_weaker();
	struct vm_message store = { .object = at.object, .low = at.low, .size = atomic->size, .attached = atomic->reads };
	bool appended = i == at.count;
	memcpy(store.value, appended ? old : records->messages[at.first + i].value, sizeof store.value);
	memcpy(store.shadow, appended ? old + 2 : records->messages[at.first + i].shadow, sizeof store.shadow);
	if (!appended) {
		memcpy(records->messages[at.first + i].value, new, sizeof store.value);
		memcpy(records->messages[at.first + i].shadow, new + 2, sizeof store.shadow);
	}
	insert(records, &at, i, &store);
	pass_on(records, at.first, at.first + i);
	if (atomic->total)
		vm_total_store(records, &at, i);
	vm_total_access(records, &at, i + 1, atomic->total, true);
	follow(records, atomic->releases ? thread : vm_holder(HOLDER_FENCE, vm_this.current->slot), vm_message_holder(&at, i + 1));
	if (atomic->reads)
		follow(records, vm_message_holder(&at, i), vm_message_holder(&at, i + 1));
	vm_records_running(running);
	drop(records, &at, running);
}

void vm_message_fence(void)
{
	vm_total_fence(vm_records_loaded());
}

void vm_messages_await(unsigned waiting, unsigned joined)
{
	follow(vm_records_loaded(), vm_holder(HOLDER_THREAD, joined), vm_holder(HOLDER_THREAD, waiting));
}

bool vm_has_older_values(void)
{
	return vm_has_messages() && vm_records_loaded()->message_count;
}

void vm_messages_words(uint32_t object, void (*each)(uint64_t word, void *context), void *context)
{
	const struct vm_records *records = vm_has_messages() || vm_has_buffers() ? vm_records_loaded() : NULL;
	for (uint32_t i = 0; records && i < records->message_count; i++)
		for (unsigned k = 0; k < 2 && (!object || records->messages[i].object == object); k++)
			each(records->messages[i].value[k], context);
}

/* ---- canonical form -------------------------------------------------------------------------------------------------------- */

void vm_messages_unpack(struct vm_records *records, const uint8_t *from, uint32_t count, uint32_t first)
{
	records->messages = vm_grow(records->messages, &records->message_capacity, (uint64_t)records->message_count + count,
				    sizeof *records->messages);
	for (uint32_t i = 0; i < count; i++) {
		struct vm_message *store = &records->messages[records->message_count];
		memcpy(store, from + i * sizeof *store, sizeof *store);
		for (unsigned which = 0; which < MESSAGE_SETS; which++) /* each has sets of its own */
			if (store->set[which] != IMAGE_NONE)
				store->set[which] = copy_set(records, store->set[which] + first);
		records->message_count++;
	}
}

void vm_messages_forget(struct vm_records *records, uint32_t object, uint32_t low, uint32_t high)
{
	for (uint32_t i = records->message_count; i-- > 0;) {
		const struct vm_message *store = &records->messages[i];
		if (store->object == object && store->low < high && low < store->low + store->size)
			remove_store(records, i, false);
	}
	if (!vm_has_messages())
		return;
	vm_total_forget(records, object, low, high);
}

/* of a store, while messages are sorted */
struct moved {
	struct vm_message store;
	uint32_t number;
};

static int by_location(const void *a, const void *b)
{
	const struct moved *x = a, *y = b;
	if (x->store.object != y->store.object)
		return x->store.object < y->store.object ? -1 : 1;
	if (x->store.low != y->store.low)
		return x->store.low < y->store.low ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

const uint32_t *vm_messages_move(struct vm_records *records, const uint8_t *to)
{
	struct moved *all = vm_scratch(records->message_count * sizeof *all);
	uint32_t *numbers = vm_scratch(records->message_count * sizeof *numbers);
	for (uint32_t i = 0; i < records->message_count; i++) {
		all[i] = (struct moved){ records->messages[i], i };
		all[i].store.object = vm_object_moved(all[i].store.object, to);
	}
	qsort(all, records->message_count, sizeof *all, by_location);
	for (uint32_t i = 0; i < records->message_count; i++) {
		records->messages[i] = all[i].store;
		numbers[all[i].number] = i;
	}
	return numbers;
}

/* Leave out that a message passes on what its location knows anyway. */
static void leave_out_own(struct vm_records *records, const struct location *at)
{
	for (uint32_t i = 0; i < at->count && !vm_rule_is_off(RULE_OWN); i++)
		for (uint32_t message = 0; message <= at->count; message++)
			vm_holders_take_out(vm_message_set(records, at->first + i, MESSAGE_KNOWN), vm_message_holder(at, message));
}

/* Does `set` have both messages number i and i + 1 of a location, or none? */
static bool has_both(const struct vm_holders *set, const struct location *at, uint32_t i)
{
	if (!set)
		return true;
	return !vm_total_keeps_apart(set, at, i) &&
		vm_holders_has(set, vm_message_holder(at, i)) == vm_holders_has(set, vm_message_holder(at, i + 1));
}

/* Do the messages number i and i + 1 of a location pass on the same? */
static bool are_alike(struct vm_records *records, const struct location *at, uint32_t i, const uint64_t *running)
{
	for (uint32_t k = 0; k < records->count; k++) {
		const struct vm_holders *set = &records->sets[records->items[k].set];
		if (!has_both(set, at, i) && !vm_holders_all_know(set, running))
			return false;
	}
	for (uint32_t k = 0; k < records->message_count; k++)
		for (unsigned which = 0; which < MESSAGE_SETS && k != at->first + i; which++)
			if (!has_both(vm_message_set(records, k, which), at, i))
				return false;
	return true;
}

/* Does the store leave the value as it was? */
static bool changes_nothing(const struct vm_records *records, const struct location *at, uint32_t i)
{
	const struct vm_message *store = &records->messages[at->first + i];
	uint64_t words[2], shadow[2];
	if (i + 1 < at->count) {
		memcpy(words, store[1].value, sizeof words);
		memcpy(shadow, store[1].shadow, sizeof shadow);
	} else {
		newest(at, store->size, words, shadow);
	}
	return memcmp(store->value, words, sizeof words) == 0 && memcmp(store->shadow, shadow, sizeof shadow) == 0;
}

/* Merge each read-modify-write that has changed nothing with the message before it. */
static void merge(struct vm_records *records, struct location *at, const uint64_t *running)
{
	for (uint32_t i = 0; i < at->count;) {
		if (records->messages[at->first + i].attached && changes_nothing(records, at, i) &&
		    are_alike(records, at, i, running)) {
			vm_cause_merge(image_address(at->object, at->low), at->count - i);
			remove_store(records, at->first + i, false);
			at->count--;
		} else {
			i++;
		}
	}
}

/* Call `each` for each location of which stores are kept. */
static void for_each_location(struct vm_records *records, const uint64_t *running,
			      void (*each)(struct vm_records *records, struct location *at, const uint64_t *running))
{
	struct location at = { 0 };
	for (uint32_t i = 0; i < records->message_count; i = at.first + at.count) {
		const struct vm_message *store = &records->messages[i];
		at = (struct location){ .object = store->object, .low = store->low, .first = i };
		while (i + at.count < records->message_count && store[at.count].object == at.object &&
		       store[at.count].low == at.low)
			at.count++;
		each(records, &at, running);
	}
}

static void tidy(struct vm_records *records, struct location *at, const uint64_t *running)
{
	uint32_t before = records->message_count;
	if (!vm_rule_is_off(RULE_MARKS))
		vm_total_canonical(records, at);
	drop(records, at, running);
	at->count -= before - records->message_count;
	leave_out_own(records, at);
}

void vm_messages_canonical(struct vm_records *records, const uint64_t *running)
{
	if (!running)
		return;
	for_each_location(records, running, tidy);
	if (!vm_rule_is_off(RULE_MERGE))
		for_each_location(records, running, merge);
}
