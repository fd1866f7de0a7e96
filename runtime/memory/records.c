/* SPDX-License-Identifier: MIT
 *
 * See records.h.  Stored, the records are one blob:
 *
 *     how many records, how many sets; how many holders each set has; struct vm_record; the holders of one set after the other
 *
 * Loaded, they are vm_this.records, unpacked when first needed.
 */
#include "records.h"
#include "causes.h"
#include "race.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- holders ------------------------------------------------------------------------------------------------------- */

enum holder_class { HOLDER_THREAD, HOLDER_FENCE, HOLDER_PENDING, HOLDER_PLACE };

static uint64_t holder(enum holder_class class, unsigned slot)
{
	assert(slot < vm_this.max_threads);
	return (uint64_t) class << 60 | slot;
}

static uint64_t place_holder(uint32_t object, uint32_t offset)
{
	assert(object < UINT32_C(1) << 28); /* the class is above */
	return (uint64_t)HOLDER_PLACE << 60 | (uint64_t)object << 32 | offset;
}

/* Return where the holder `wanted` is in a sorted set, or would be. */
static uint32_t find(const struct vm_holders *set, uint64_t wanted)
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

static bool has(const struct vm_holders *set, uint64_t wanted)
{
	uint32_t at = find(set, wanted);
	return at < set->count && set->items[at] == wanted;
}

static void add(struct vm_holders *set, uint64_t new)
{
	uint32_t at = find(set, new);
	if (at < set->count && set->items[at] == new)
		return;
	set->items = vm_grow(set->items, &set->capacity, (uint64_t)set->count + 1, sizeof *set->items);
	memmove(set->items + at + 1, set->items + at, (set->count - at) * sizeof *set->items);
	set->items[at] = new;
	set->count++;
	vm_this.records.dirty = true;
}

static void take_out(struct vm_holders *set, uint64_t old)
{
	uint32_t at = find(set, old);
	if (at == set->count || set->items[at] != old)
		return;
	memmove(set->items + at, set->items + at + 1, (set->count - at - 1) * sizeof *set->items);
	set->count--;
	vm_this.records.dirty = true;
}

static void put_in_iff(struct vm_holders *set, uint64_t changed, bool in)
{
	if (in)
		add(set, changed);
	else
		take_out(set, changed);
}

static int compare_sets(const struct vm_holders *a, const struct vm_holders *b)
{
	for (uint32_t i = 0; i < a->count && i < b->count; i++)
		if (a->items[i] != b->items[i])
			return a->items[i] < b->items[i] ? -1 : 1;
	return a->count < b->count ? -1 : a->count > b->count;
}

static bool is_subset(const struct vm_holders *small, const struct vm_holders *large)
{
	for (uint32_t i = 0; i < small->count; i++)
		if (!has(large, small->items[i]))
			return false;
	return true;
}

/* ---- from and to the table ----------------------------------------------------------------------------------------- */

static struct vm_holders *new_set(struct vm_records *records, uint32_t count)
{
	records->sets = vm_grow(records->sets, &records->set_capacity, (uint64_t)records->set_count + 1, sizeof *records->sets);
	struct vm_holders *set = &records->sets[records->set_count++];
	set->items = vm_grow(set->items, &set->capacity, count, sizeof *set->items);
	set->count = count;
	return set;
}

static void unpack(struct vm_records *records)
{
	uint32_t head[2] = { 0, 0 };
	const uint8_t *p = records->ref ? vm_table_get(records->ref) : NULL;
	records->loaded = true;
	records->set_count = 0;
	if (p)
		memcpy(head, p, sizeof head);
	records->count = head[0];
	if (!p)
		return;
	const uint8_t *sizes = p + sizeof head, *items = sizes + head[1] * sizeof(uint32_t);
	const uint8_t *holders = items + head[0] * sizeof *records->items;
	records->items = vm_grow(records->items, &records->capacity, head[0], sizeof *records->items);
	memcpy(records->items, items, head[0] * sizeof *records->items);
	for (uint32_t i = 0; i < head[1]; i++) {
		uint32_t size;
		memcpy(&size, sizes + i * sizeof size, sizeof size);
		memcpy(new_set(records, size)->items, holders, size * sizeof(uint64_t));
		holders += size * sizeof(uint64_t);
	}
	assert(holders == p + vm_table_size(records->ref));
}

static struct vm_records *loaded(void)
{
	if (!vm_this.records.loaded)
		unpack(&vm_this.records);
	return &vm_this.records;
}

static vm_ref pack(const struct vm_records *records)
{
	assert(records->count > 0 && records->set_count > 0);
	uint64_t holders = 0;
	for (uint32_t i = 0; i < records->set_count; i++)
		holders += records->sets[i].count;
	uint64_t size = (2 + records->set_count) * sizeof(uint32_t) + records->count * sizeof *records->items;
	size += holders * sizeof(uint64_t);
	uint8_t *blob = vm_scratch(size), *p = blob;
	const uint32_t head[] = { records->count, records->set_count };
	p = (uint8_t *)memcpy(p, head, sizeof head) + sizeof head;
	for (uint32_t i = 0; i < records->set_count; i++, p += sizeof(uint32_t))
		memcpy(p, &records->sets[i].count, sizeof(uint32_t));
	memcpy(p, records->items, records->count * sizeof *records->items);
	p += records->count * sizeof *records->items;
	for (uint32_t i = 0; i < records->set_count; i++) {
		memcpy(p, records->sets[i].items, records->sets[i].count * sizeof(uint64_t));
		p += records->sets[i].count * sizeof(uint64_t);
	}
	assert(p == blob + size);
	return vm_state_put(blob, size);
}

/* ---- canonical form ------------------------------------------------------------------------------------------------ */

static bool all_know(const struct vm_holders *set)
{
	for (unsigned i = 0; i < vm_this.slots; i++)
		if (vm_thread_load(i)->header.status == THREAD_RUNNING && !has(set, holder(HOLDER_THREAD, i)))
			return false;
	return true;
}

static void drop_needless_pending(struct vm_holders *set)
{
	for (uint32_t i = set->count; i-- > 0;)
		if (set->items[i] >> 60 == HOLDER_PENDING &&
		    has(set, holder(HOLDER_THREAD, (unsigned)(set->items[i] & UINT32_MAX))))
			take_out(set, set->items[i]);
}

static int by_content(const void *a, const void *b)
{
	return compare_sets(&vm_this.records.sets[*(const uint32_t *)a], &vm_this.records.sets[*(const uint32_t *)b]);
}

/* Name equal sets alike, by their rank, and drop the records that all running threads know. */
static void unify_sets(struct vm_records *records)
{
	uint32_t *order = vm_scratch((records->set_count + 1) * sizeof *order);
	uint32_t *name = vm_scratch((records->set_count + 1) * sizeof *name);
	for (uint32_t i = 0; i < records->set_count; i++) {
		drop_needless_pending(&records->sets[i]);
		order[i] = i;
	}
	qsort(order, records->set_count, sizeof *order, by_content);
	for (uint32_t i = 0; i < records->set_count; i++) {
		bool same = i && compare_sets(&records->sets[order[i]], &records->sets[order[i - 1]]) == 0;
		name[order[i]] = same ? name[order[i - 1]] : all_know(&records->sets[order[i]]) ? IMAGE_NONE : order[i];
	}
	uint32_t kept = 0;
	for (uint32_t i = 0; i < records->count; i++) {
		struct vm_record record = records->items[i];
		assert(record.set < records->set_count);
		record.set = name[record.set];
		if (record.set != IMAGE_NONE)
			records->items[kept++] = record;
	}
	records->count = kept;
}

static int by_place(const void *a, const void *b)
{
	const struct vm_record *x = a, *y = b;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->set == y->set ? 0 : compare_sets(&vm_this.records.sets[x->set], &vm_this.records.sets[y->set]);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* the canonical records, while they are made */
static VM_OWN struct {
	struct vm_record *items;
	uint32_t count, capacity;
	uint32_t before; /* where those of the interval before begin */
} made;

static bool is_hidden(const struct vm_record *record, const struct vm_record *all, uint32_t count)
{
	const struct vm_holders *sets = vm_this.records.sets;
	for (uint32_t i = 0; i < count; i++) {
		const struct vm_record *other = &all[i];
		bool same = other->kind == record->kind && other->set == record->set;
		if (same ? other < record :
			   vm_access_covers(other->kind, record->kind) && is_subset(&sets[other->set], &sets[record->set]))
			return true;
	}
	return false;
}

/* Make the records of the bytes [low, high) of an object, in which none of the `count` records `all` begins or ends: new ones, or
 * those of the interval before made longer. */
static void make_interval(const struct vm_record *all, uint32_t count, uint32_t object, uint32_t low, uint32_t high)
{
	uint32_t first = made.count;
	assert(low < high && count > 0 && made.before <= first);
	made.items = vm_grow(made.items, &made.capacity, (uint64_t)made.count + count, sizeof *made.items);
	for (uint32_t i = 0; i < count; i++)
		if (!is_hidden(&all[i], all, count))
			made.items[made.count++] = (struct vm_record){ object, low, high, all[i].kind, all[i].set };
	qsort(made.items + first, made.count - first, sizeof *made.items, by_place);
	uint32_t n = made.count - first;
	bool same = n > 0 && first - made.before == n;
	for (uint32_t i = 0; same && i < n; i++) {
		const struct vm_record *old = &made.items[made.before + i], *new = &made.items[first + i];
		same = old->object == object && old->high == low && old->kind == new->kind && old->set == new->set;
	}
	for (uint32_t i = 0; same && i < n; i++)
		made.items[made.before + i].high = high;
	if (same)
		made.count = first;
	else
		made.before = first;
}

static void make_object(const struct vm_record *records, uint32_t count)
{
	uint32_t *borders = vm_scratch(2 * count * sizeof *borders);
	struct vm_record *here = vm_scratch(count * sizeof *here);
	for (uint32_t i = 0; i < count; i++) {
		assert(records[i].low < records[i].high);
		borders[2 * i] = records[i].low;
		borders[2 * i + 1] = records[i].high;
	}
	qsort(borders, 2 * count, sizeof *borders, by_number);
	for (uint32_t i = 0; i + 1 < 2 * count; i++) {
		uint32_t n = 0;
		for (uint32_t k = 0; k < count && borders[i] < borders[i + 1]; k++)
			if (records[k].low <= borders[i] && borders[i + 1] <= records[k].high)
				here[n++] = records[k];
		if (n)
			make_interval(here, n, records->object, borders[i], borders[i + 1]);
	}
}

/* Leave only the sets that are used, numbered as they are met. */
static void renumber_sets(struct vm_records *records)
{
	struct vm_holders *sets = vm_scratch((records->set_count + 1) * sizeof *sets);
	uint32_t *name = vm_scratch((records->set_count + 1) * sizeof *name), used = 0;
	memset(name, 0xff, records->set_count * sizeof *name);
	for (uint32_t i = 0; i < records->count; i++) {
		uint32_t set = records->items[i].set;
		if (name[set] == IMAGE_NONE) {
			name[set] = used;
			sets[used++] = records->sets[set];
		}
		records->items[i].set = name[set];
	}
	assert(used <= records->set_count);
	uint32_t rest = used;
	for (uint32_t i = 0; i < records->set_count; i++) /* keep the memory of the others */
		if (name[i] == IMAGE_NONE)
			sets[rest++] = records->sets[i];
	if (rest)
		memcpy(records->sets, sets, rest * sizeof *sets);
	records->set_count = used;
}

static void make_canonical(struct vm_records *records)
{
	unify_sets(records);
	if (records->count)
		qsort(records->items, records->count, sizeof *records->items, by_place);
	assert(records->loaded);
	made.count = made.before = 0;
	for (uint32_t i = 0, end; i < records->count; i = end) {
		for (end = i; end < records->count && records->items[end].object == records->items[i].object;)
			end++;
		make_object(records->items + i, end - i);
	}
	records->items = vm_grow(records->items, &records->capacity, made.count, sizeof *records->items);
	if (made.count)
		memcpy(records->items, made.items, made.count * sizeof *made.items);
	records->count = made.count;
	renumber_sets(records);
}

vm_ref vm_records_store(void)
{
	struct vm_records *records = &vm_this.records;
	if (!vm_has_records() || !records->dirty)
		return records->ref;
	make_canonical(loaded());
	records->ref = records->count ? pack(records) : 0;
	records->dirty = false;
	return records->ref;
}

/* ---- subsumption --------------------------------------------------------------------------------------------------- */

/* of stored records */
struct view {
	uint32_t count, sets;
	const struct vm_record *items;
	struct vm_holders *holders;
};

static struct view view_of(vm_ref ref)
{
	if (!ref)
		return (struct view){ 0 };
	const uint32_t *head = vm_table_get(ref), *sizes = head + 2;
	struct view view = { .count = head[0], .sets = head[1], .items = (const struct vm_record *)(sizes + head[1]) };
	const uint8_t *p = (const uint8_t *)(view.items + view.count);
	view.holders = vm_scratch((view.sets + 1) * sizeof *view.holders);
	for (uint32_t i = 0; i < view.sets; i++) {
		uint64_t *items = vm_scratch(sizes[i] * sizeof *items + 1);
		memcpy(items, p, sizes[i] * sizeof *items);
		view.holders[i] = (struct vm_holders){ .items = items, .count = sizes[i] };
		p += sizes[i] * sizeof *items;
	}
	return view;
}

/* Does some record of `view` race with all that `record` of another state races with, whose set is `set`? */
static bool is_matched(const struct view *view, const struct vm_record *record, const struct vm_holders *set)
{
	for (uint32_t i = 0; i < view->count; i++) {
		const struct vm_record *own = &view->items[i];
		if (own->object == record->object && own->low <= record->low && record->high <= own->high &&
		    vm_access_covers(own->kind, record->kind) && is_subset(&view->holders[own->set], set))
			return true;
	}
	return false;
}

bool vm_records_subsume(vm_ref first, vm_ref second)
{
	const uint32_t *a = vm_state_words(first), *b = vm_state_words(second);
	uint32_t size = vm_words_size(a), before = STATE_RECORDS * sizeof *a, after = before + sizeof *a;
	if (size != vm_words_size(b) || memcmp(a, b, before) != 0 ||
	    memcmp((const char *)a + after, (const char *)b + after, size - after) != 0)
		return false;
	struct view one = view_of(a[STATE_RECORDS]), other = view_of(b[STATE_RECORDS]);
	for (uint32_t i = 0; i < other.count; i++)
		if (!is_matched(&one, &other.items[i], &other.holders[other.items[i].set]))
			return false;
	return true;
}

/* ---- accesses ------------------------------------------------------------------------------------------------------ */

void vm_records_check(uint32_t object, uint32_t low, uint32_t high, uint32_t kind)
{
	if (!vm_has_records())
		return;
	const struct vm_records *records = loaded();
	uint64_t thread = holder(HOLDER_THREAD, vm_this.current->slot);
	for (uint32_t i = 0; i < records->count; i++) {
		const struct vm_record *record = &records->items[i];
		if (record->object != object || record->high <= low || high <= record->low ||
		    !vm_accesses_conflict(kind, record->kind) || has(&records->sets[record->set], thread))
			continue;
		const struct vm_range meeting = {
			object,
			record->low > low ? record->low : low,
			record->high < high ? record->high : high,
			record->kind,
		};
		vm_race_report(kind, &meeting, vm_this.max_threads);
	}
}

static uint32_t own_set(struct vm_records *records, unsigned slot)
{
	uint64_t own = holder(HOLDER_THREAD, slot);
	for (uint32_t i = 0; i < records->set_count; i++)
		if (records->sets[i].count == 1 && records->sets[i].items[0] == own)
			return i;
	new_set(records, 0);
	add(&records->sets[records->set_count - 1], own);
	return records->set_count - 1;
}

void vm_records_close(struct vm_thread *thread)
{
	if (!vm_has_records() || thread->header.ranges == 0)
		return;
	struct vm_records *records = loaded();
	uint32_t set = own_set(records, thread->slot);
	for (uint32_t i = 0; i < thread->header.ranges; i++) {
		const struct vm_range *range = &thread->ranges[i];
		assert(range->low < range->high);
		if (!vm_place_of(image_address(range->object, 0)).object)
			continue; /* it has been freed since */
		records->items = vm_grow(records->items, &records->capacity, (uint64_t)records->count + 1, sizeof *records->items);
		records->items[records->count++] = (struct vm_record){ range->object, range->low, range->high, range->write, set };
	}
	records->dirty = true;
	thread->header.ranges = 0;
	thread->dirty = true;
}

void vm_records_forget(uint32_t object)
{
	if (!vm_has_records())
		return;
	struct vm_records *records = loaded();
	uint32_t kept = 0;
	for (uint32_t i = 0; i < records->count; i++)
		if (records->items[i].object != object)
			records->items[kept++] = records->items[i];
	records->dirty = records->dirty || kept < records->count;
	records->count = kept;
	vm_order_overwrite(object, 0, UINT32_MAX);
}

void vm_order_overwrite(uint32_t object, uint32_t low, uint32_t high)
{
	assert(low < high);
	if (!vm_has_records() || vm_this.evaluating)
		return;
	struct vm_records *records = loaded();
	uint64_t first = place_holder(object, low), end = place_holder(object, high);
	for (uint32_t i = 0; i < records->set_count; i++) {
		struct vm_holders *set = &records->sets[i];
		for (uint32_t at = find(set, first); at < set->count && set->items[at] < end;)
			take_out(set, set->items[at]);
	}
}

/* ---- synchronisation ----------------------------------------------------------------------------------------------- */

/* Put the holder of the atomic location or the lock at `address` into `location`.  Return false if no other thread can ever look at
 * it.  Address 0 stands for atomic sections. */
static bool is_location(uint64_t address, uint64_t *location)
{
	if (!vm_has_records() || vm_this.evaluating)
		return false;
	struct vm_place place = vm_place_of(address);
	if (address && (!place.object || place.offset < 0))
		return false;
	*location = address ? place_holder(place.number, (uint32_t)place.offset) : place_holder(0, 0);
	return true;
}

void vm_order_read(uint64_t address, bool acquires, const char *what)
{
	uint64_t location;
	unsigned slot = vm_this.current->slot;
	if (!is_location(address, &location))
		return;
	vm_cause_read(address, acquires, what);
	if (!acquires && !(vm_this.image.options->order & ORDER_ACQUIRE_FENCES))
		return;
	struct vm_records *records = loaded();
	for (uint32_t i = 0; i < records->set_count; i++)
		if (has(&records->sets[i], location))
			add(&records->sets[i], holder(acquires ? HOLDER_THREAD : HOLDER_PENDING, slot));
}

void vm_order_write(uint64_t address, bool releases, bool modifies, const char *what)
{
	uint64_t location;
	unsigned slot = vm_this.current->slot;
	if (!is_location(address, &location))
		return;
	vm_records_close(vm_this.current);
	vm_cause_write(address, releases, modifies, what);
	struct vm_records *records = loaded();
	for (uint32_t i = 0; i < records->set_count; i++) {
		struct vm_holders *set = &records->sets[i];
		bool passed = has(set, holder(releases ? HOLDER_THREAD : HOLDER_FENCE, slot));
		put_in_iff(set, location, passed || (modifies && has(set, location)));
	}
}

void vm_order_reset(uint64_t address)
{
	if (!vm_has_records())
		return;
	struct vm_place place = vm_place_of(address);
	if (place.object && place.offset >= 0)
		vm_order_overwrite(place.number, (uint32_t)place.offset, (uint32_t)place.offset + 1);
}

void vm_order_taken(uint64_t address, const char *what)
{
	uint64_t location;
	if (is_location(address, &location))
		vm_cause_write(address, false, true, what);
}

void vm_order_refused(uint64_t address, const char *what)
{
	uint64_t location;
	if (is_location(address, &location))
		vm_cause_read(address, false, what);
}

void vm_order_attempt(uint64_t address, bool succeeds, const char *what, const char *refused)
{
	if (succeeds)
		vm_order_read(address, true, what);
	else
		vm_order_refused(address, refused);
}

void vm_order_section(bool enters)
{
	if (enters)
		vm_order_read(0, true, "atomic section");
	else
		vm_order_write(0, true, true, "atomic section");
}

void vm_order_fence(bool acquires, bool releases)
{
	if (!vm_has_records() || vm_this.evaluating)
		return;
	unsigned slot = vm_this.current->slot;
	uint64_t thread = holder(HOLDER_THREAD, slot);
	vm_records_close(vm_this.current);
	vm_cause_fence(acquires, releases);
	struct vm_records *records = loaded();
	for (uint32_t i = 0; i < records->set_count; i++) {
		struct vm_holders *set = &records->sets[i];
		if (acquires && has(set, holder(HOLDER_PENDING, slot)))
			add(set, thread);
		if (releases)
			put_in_iff(set, holder(HOLDER_FENCE, slot), has(set, thread));
	}
}

void vm_order_follow(unsigned from, unsigned to, const char *what)
{
	assert(from != to);
	if (!vm_has_records())
		return;
	vm_records_close(vm_thread_load(from));
	vm_cause_follow(from, to, what);
	struct vm_records *records = loaded();
	for (uint32_t i = 0; i < records->set_count; i++)
		if (has(&records->sets[i], holder(HOLDER_THREAD, from)))
			add(&records->sets[i], holder(HOLDER_THREAD, to));
}

void vm_order_start(unsigned slot)
{
	if (!vm_has_records())
		return;
	vm_order_follow(vm_this.current->slot, slot, "creation");
	vm_this.records.dirty = true; /* there is one more who may not know a record */
}

void vm_order_end(unsigned slot)
{
	if (!vm_has_records())
		return;
	vm_records_close(vm_thread_load(slot));
	loaded();
	vm_this.records.dirty = true; /* there is one less who may not know a record */
}

void vm_order_leave(unsigned slot)
{
	assert(slot < vm_this.max_threads);
	if (!vm_has_records())
		return;
	struct vm_records *records = loaded();
	for (uint32_t i = 0; i < records->set_count; i++)
		for (int class = HOLDER_THREAD; class <= HOLDER_PENDING; class ++)
			take_out(&records->sets[i], holder((enum holder_class) class, slot));
}
