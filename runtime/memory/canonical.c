/* SPDX-License-Identifier: MIT
 *
 * The canonical form of records (records.h): states that differ in nothing that matters are one.
 */
#include "holders.h"
#include "messages.h"
#include "race.h"
#include "rules.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool vm_holders_all_know(const struct vm_holders *set, const uint64_t *running)
{
	if (!running)
		return false;
	for (unsigned i = 0; i < vm_this.max_threads; i++)
		if ((running[i / 64] >> i % 64 & 1) && !vm_holders_has(set, vm_holder(HOLDER_THREAD, i)))
			return false;
	return true;
}

void vm_records_running(uint64_t *running)
{
	memset(running, 0, RECORDS_RUNNING * sizeof *running);
	for (unsigned i = 0; i < vm_this.slots; i++)
		if (vm_thread_load(i)->header.status == THREAD_RUNNING)
			running[i / 64] |= UINT64_C(1) << i % 64;
}

static void drop_needless_pending(struct vm_holders *set)
{
	for (uint32_t i = set->count; i-- > 0 && !vm_rule_is_off(RULE_PENDING);)
		if (set->items[i] >> 60 == HOLDER_PENDING &&
		    vm_holders_has(set, vm_holder(HOLDER_THREAD, (unsigned)(set->items[i] & UINT32_MAX))))
			vm_holders_take_out(set, set->items[i]);
}

static int by_content(const void *a, const void *b)
{
	return vm_holders_compare(&vm_this.records.sets[*(const uint32_t *)a], &vm_this.records.sets[*(const uint32_t *)b]);
}

/* Name equal sets alike, by their rank, and drop the records that all running threads know. */
static void unify_sets(struct vm_records *records, const uint64_t *running)
{
	uint32_t *order = vm_scratch((records->set_count + 1) * sizeof *order);
	uint32_t *name = vm_scratch((records->set_count + 1) * sizeof *name);
	for (uint32_t i = 0; i < records->set_count; i++) {
		drop_needless_pending(&records->sets[i]);
		order[i] = i;
	}
	qsort(order, records->set_count, sizeof *order, by_content);
	for (uint32_t i = 0; i < records->set_count; i++) {
		bool same = i && vm_holders_compare(&records->sets[order[i]], &records->sets[order[i - 1]]) == 0;
		name[order[i]] = same ? name[order[i - 1]] : order[i];
	}
	for (uint32_t i = 0; i < records->message_count; i++)
		for (unsigned k = 0; k < MESSAGE_SETS; k++)
			if (records->messages[i].set[k] != IMAGE_NONE)
				records->messages[i].set[k] = name[records->messages[i].set[k]];
	for (uint32_t i = 0; i < records->set_count && !vm_rule_is_off(RULE_KNOWN); i++)
		if (vm_holders_all_know(&records->sets[i], running))
			name[i] = IMAGE_NONE;
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
	return x->set == y->set ? 0 : vm_holders_compare(&vm_this.records.sets[x->set], &vm_this.records.sets[y->set]);
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
			   !vm_rule_is_off(RULE_HIDDEN) && vm_access_covers(other->kind, record->kind) &&
				    vm_holders_subset(&sets[other->set], &sets[record->set]))
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
		if (count == 1 || !is_hidden(&all[i], all, count))
			made.items[made.count++] = (struct vm_record){ object, low, high, all[i].kind, all[i].set };
	uint32_t n = made.count - first;
	if (n > 1)
		qsort(made.items + first, n, sizeof *made.items, by_place);
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

/* Make the records of bytes of an object that overlap, which are in the order of their begins: so one pass from border to border
 * knows those that cover an interval. */
static void make_cluster(const struct vm_record *records, uint32_t count, bool alike)
{
	uint32_t next = 0, n = 0;
	if (alike) {
		make_interval(records, count, records->object, records->low, records->high);
		return;
	}
	uint32_t *borders = vm_scratch(2 * count * sizeof *borders);
	struct vm_record *here = vm_scratch(count * sizeof *here);
	for (uint32_t i = 0; i < count; i++) {
		assert(records[i].low < records[i].high);
		borders[2 * i] = records[i].low;
		borders[2 * i + 1] = records[i].high;
	}
	qsort(borders, 2 * count, sizeof *borders, by_number);
	for (uint32_t i = 0; i + 1 < 2 * count; i++) {
		uint32_t kept = 0;
		if (borders[i] == borders[i + 1])
			continue;
		for (uint32_t k = 0; k < n; k++)
			if (here[k].high > borders[i])
				here[kept++] = here[k];
		for (n = kept; next < count && records[next].low <= borders[i]; next++)
			here[n++] = records[next];
		if (n)
			make_interval(here, n, records->object, borders[i], borders[i + 1]);
	}
}

/* Do what make_interval() does with a record that overlaps no other, as most do. */
static void make_alone(const struct vm_record *record)
{
	struct vm_record *last = made.count - made.before == 1 ? &made.items[made.before] : NULL;
	if (last && last->object == record->object && last->high == record->low && last->kind == record->kind &&
	    last->set == record->set) {
		last->high = record->high;
		return;
	}
	if (made.count == made.capacity)
		made.items = vm_grow(made.items, &made.capacity, (uint64_t)made.count + 1, sizeof *made.items);
	made.before = made.count;
	made.items[made.count++] = *record;
}

static void make_all(const struct vm_record *items, uint32_t count)
{
	made.count = made.before = 0;
	for (uint32_t i = 0, end; i < count; i = end) {
		uint32_t high = items[i].high;
		bool alike = true;
		for (end = i + 1; end < count && items[end].object == items[i].object && items[end].low < high; end++) {
			alike = alike && items[end].low == items[i].low && items[end].high == high;
			high = items[end].high > high ? items[end].high : high;
		}
		if (end - i == 1)
			make_alone(&items[i]);
		else
			make_cluster(items + i, end - i, alike);
	}
}

/* Sort the records.  Most of them are in order, as they were made, and the new ones are behind them. */
static void sort(struct vm_record *items, uint32_t count)
{
	uint32_t first = 1, at = count;
	while (first < count && by_place(&items[first - 1], &items[first]) <= 0)
		first++;
	if (first >= count)
		return;
	uint32_t rest = count - first;
	struct vm_record *new = vm_scratch(rest * sizeof *new);
	memcpy(new, items + first, rest * sizeof *new);
	qsort(new, rest, sizeof *new, by_place);
	while (rest > 0)
		items[--at] = first > 0 && by_place(&items[first - 1], &new[rest - 1]) > 0 ? items[--first] : new[--rest];
}

/* Number the set *set among those that are used, in the order in which they are met. */
static void use_set(const struct vm_records *records, uint32_t *set, uint32_t *name, struct vm_holders *sets, uint32_t *used)
{
	if (name[*set] == IMAGE_NONE) {
		name[*set] = *used;
		sets[(*used)++] = records->sets[*set];
	}
	*set = name[*set];
}

/* Leave only the sets that are used, numbered as they are met. */
static void renumber_sets(struct vm_records *records)
{
	struct vm_holders *sets = vm_scratch((records->set_count + 1) * sizeof *sets);
	uint32_t *name = vm_scratch((records->set_count + 1) * sizeof *name), used = 0;
	memset(name, 0xff, records->set_count * sizeof *name);
	for (uint32_t i = 0; i < records->count; i++)
		use_set(records, &records->items[i].set, name, sets, &used);
	for (uint32_t i = 0; i < records->message_count; i++)
		for (unsigned k = 0; k < MESSAGE_SETS; k++)
			if (records->messages[i].set[k] != IMAGE_NONE)
				use_set(records, &records->messages[i].set[k], name, sets, &used);
	assert(used <= records->set_count);
	uint32_t rest = used;
	for (uint32_t i = 0; i < records->set_count; i++) /* keep the memory of the others */
		if (name[i] == IMAGE_NONE)
			sets[rest++] = records->sets[i];
	if (rest)
		memcpy(records->sets, sets, rest * sizeof *sets);
	records->set_count = used;
}

void vm_records_canonical(struct vm_records *records, const uint64_t *running)
{
	if (records->message_count && vm_has_messages())
		vm_messages_canonical(records, running);
	unify_sets(records, running);
	sort(records->items, records->count);
	assert(records->loaded);
	make_all(records->items, records->count);
	struct vm_record *old = records->items; /* from now on the place for the next ones */
	uint32_t capacity = records->capacity;
	records->items = made.items;
	records->capacity = made.capacity;
	made.items = old;
	made.capacity = capacity;
	records->count = made.count;
	renumber_sets(records);
}
