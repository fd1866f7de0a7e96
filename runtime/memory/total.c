/* SPDX-License-Identifier: MIT
 *
 * See total.h.
 */
#include "total.h"
#include "footprint.h"
#include "locations.h"

#include <assert.h>
#include <string.h>

/* of a message; in this order they are joined by fences, but for those of accesses */
enum mark { WRITTEN, READ, ACCESSED, MARKS };

static const enum holder_class classes[MARKS] = { HOLDER_WRITTEN_MARK, HOLDER_READ_MARK, HOLDER_MARK };
static const enum holder_class of_oldest[MARKS] = { HOLDER_PLACE_WRITTEN_MARK, HOLDER_PLACE_READ_MARK, HOLDER_PLACE_MARK };

static bool has_views(void)
{
	return vm_this.image.options->order & ORDER_SC_VIEWS;
}

static bool has_fences(void)
{
	return vm_this.image.options->order & ORDER_SC_NODES;
}

bool vm_total_keeps(unsigned which)
{
	switch (which) {
	case MESSAGE_TOTAL: return has_views();
	case MESSAGE_FENCED:
	case MESSAGE_NEXT_FENCED: return has_fences();
	default: return has_views() && has_fences();
	}
}

static uint64_t all_fences(void)
{
	return (uint64_t)HOLDER_FENCES << 60;
}

static uint64_t mark_of(const struct location *at, uint32_t message, enum mark mark)
{
	uint64_t place = vm_place_holder(at->object, at->low) & (UINT64_MAX >> 4);
	return message ? (uint64_t)classes[mark] << 60 | (at->first + message - 1) : (uint64_t)of_oldest[mark] << 60 | place;
}

static bool is_in(struct vm_records *records, uint32_t store, unsigned which, uint64_t holder)
{
	return vm_message_set_has(vm_message_set(records, store, which), holder);
}

bool vm_total_binds(struct vm_records *records, uint32_t store, unsigned slot, bool total)
{
	uint64_t thread = vm_holder(HOLDER_THREAD, slot);
	return is_in(records, store, MESSAGE_NEXT_FENCED, thread) || (total && is_in(records, store, MESSAGE_TOTAL, thread));
}

bool vm_total_refuses(struct vm_records *records, const struct location *at, unsigned slot, uint32_t i, bool total, bool acquires,
		      bool writes)
{
	uint64_t message = vm_message_holder(at, i);
	for (uint32_t later = at->first + i; later < at->first + at->count; later++) {
		if (vm_total_binds(records, later, slot, total))
			return true;
		if (acquires &&
		    (is_in(records, later, MESSAGE_NEXT_FENCED, message) ||
		     (total && is_in(records, later, MESSAGE_TOTAL, message))))
			return true;
		for (uint32_t k = 0; k <= i && total && writes; k++)
			for (enum mark mark = 0; mark < MARKS; mark++)
				if (is_in(records, later, MESSAGE_TOTAL, mark_of(at, k, mark)))
					return true;
	}
	return false;
}

/* ---- what follows what ----------------------------------------------------------------------------------------------------- */

/* Let `to` be in the sets `which` in which `from` is. */
static void follow(struct vm_records *records, uint64_t from, uint64_t to, unsigned which)
{
	for (uint32_t i = 0; i < records->message_count; i++)
		if (is_in(records, i, which, from))
			vm_message_set_add(vm_message_set(records, i, which), to);
}

/* Let `to` be after what is before `from`, as far as TOTAL and FENCED say. */
static void join(struct vm_records *records, uint64_t from, uint64_t to)
{
	follow(records, from, to, MESSAGE_TOTAL);
	follow(records, from, to, MESSAGE_FENCED);
}

void vm_total_store(struct vm_records *records, const struct location *at, uint32_t i)
{
	uint64_t thread = vm_holder(HOLDER_THREAD, vm_this.current->slot);
	if (!has_views())
		return;
	for (uint32_t k = 0; k <= i; k++)
		for (enum mark mark = 0; mark < MARKS; mark++)
			join(records, mark_of(at, k, mark), thread);
	for (uint32_t k = 0; k <= i; k++) {
		vm_message_set_add(vm_message_set(records, at->first + k, MESSAGE_TOTAL), thread);
		vm_message_set_add(vm_message_set(records, at->first + k, MESSAGE_FENCED), thread);
	}
}

/* in which sets of a store the thread is, before an access */
struct standing {
	bool total, fenced, next_total, next_fenced;
};

static const struct standing *standings(struct vm_records *records, uint64_t thread)
{
	struct standing *all = vm_scratch((records->message_count + 1) * sizeof *all);
	for (uint32_t i = 0; i < records->message_count; i++)
		all[i] = (struct standing){ is_in(records, i, MESSAGE_TOTAL, thread), is_in(records, i, MESSAGE_FENCED, thread),
					    is_in(records, i, MESSAGE_NEXT_TOTAL, thread),
					    is_in(records, i, MESSAGE_NEXT_FENCED, thread) };
	return all;
}

/* Put `to` into the set of a store, if `in`.  Return true if others can tell: a mark alone changes what fences and seq_cst stores
 * do, which depend on the access anyhow. */
static bool add(struct vm_records *records, uint32_t store, unsigned which, uint64_t to, bool in)
{
	struct vm_holders *set = vm_message_set(records, store, which);
	if (!in || !set || vm_holders_has(set, to))
		return false;
	vm_holders_add(set, to);
	uint64_t class = to >> 60;
	return class < HOLDER_MARK || class == HOLDER_FENCES;
}

/* Let `to` be after what the thread is after, or what its fences are after, in the sets `total` and `fenced`. */
static bool add_all(struct vm_records *records, const struct standing *own, bool fences, uint64_t to, unsigned total,
		    unsigned fenced)
{
	bool changed = false;
	for (uint32_t i = 0; i < records->message_count; i++) {
		changed |= add(records, i, total, to, fences ? own[i].next_total : own[i].total);
		changed |= add(records, i, fenced, to, fences ? own[i].next_fenced : own[i].fenced);
	}
	return changed;
}

/* Whoever is in the set `from` of a store joins the same. */
static bool add_to_all(struct vm_records *records, const struct standing *own, bool fences, uint32_t store, unsigned from,
		       unsigned total, unsigned fenced)
{
	const struct vm_holders *set = vm_message_set(records, store, from);
	uint32_t count = set ? set->count : 0;
	uint64_t *holders = vm_scratch((count + 1) * sizeof *holders);
	bool changed = false;
	if (count)
		memcpy(holders, set->items, count * sizeof *holders);
	for (uint32_t i = 0; i < count; i++)
		changed |= add_all(records, own, fences, holders[i], total, fenced);
	return changed;
}

void vm_total_access(struct vm_records *records, const struct location *at, uint32_t i, bool total, bool writes)
{
	if (!has_fences() && !(has_views() && total))
		return;
	uint32_t store = at->first + i;
	const struct standing *own = standings(records, vm_holder(HOLDER_THREAD, vm_this.current->slot));
	bool changed = false;
	if (i < at->count && total) {
		changed |= add_to_all(records, own, false, store, MESSAGE_TOTAL, MESSAGE_TOTAL, MESSAGE_FENCED);
		changed |= add_to_all(records, own, false, store, MESSAGE_NEXT_TOTAL, MESSAGE_NEXT_TOTAL, MESSAGE_NEXT_FENCED);
	}
	if (i < at->count && has_fences()) {
		changed |= add_to_all(records, own, true, store, MESSAGE_FENCED, MESSAGE_TOTAL, MESSAGE_FENCED);
		changed |= add_to_all(records, own, true, store, MESSAGE_NEXT_FENCED, MESSAGE_NEXT_TOTAL, MESSAGE_NEXT_FENCED);
	}
	if (total)
		add_all(records, own, false, mark_of(at, i, ACCESSED), MESSAGE_TOTAL, MESSAGE_FENCED);
	if (has_fences())
		add_all(records, own, true, mark_of(at, i, writes ? WRITTEN : READ), MESSAGE_TOTAL, MESSAGE_FENCED);
	vm_footprint_add(FOOTPRINT_TOTAL, 0, 1, changed);
}

bool vm_total_fences_are_local(void)
{
	return has_fences();
}

/* ---- fences ---------------------------------------------------------------------------------------------------------------- */

/* Where no access is relaxed and none is seq_cst: the fence knows what earlier ones have known. */
static void follow_fences(struct vm_records *records, uint64_t thread)
{
	for (uint32_t i = 0; i < records->message_count; i++) {
		struct vm_holders *known = vm_message_set(records, i, MESSAGE_KNOWN);
		if (vm_holders_has(known, all_fences()))
			vm_holders_add(known, thread);
		else if (vm_holders_has(known, thread))
			vm_holders_add(known, all_fences());
	}
}

/* Join the marks of the message before store number `i` of the array, which is number `message` of its location, and of the one
 * behind it. */
static void join_marks(struct vm_records *records, uint32_t i, uint32_t message, uint64_t thread)
{
	const struct vm_message *store = &records->messages[i];
	const struct location at = { .object = store->object, .low = store->low, .first = i - message };
	if (is_in(records, i, MESSAGE_KNOWN, thread)) {
		join(records, mark_of(&at, message, READ), thread);
		join(records, mark_of(&at, message, WRITTEN), thread);
		join(records, mark_of(&at, message + 1, WRITTEN), thread);
	}
	if (is_in(records, i, MESSAGE_BEFORE, thread))
		join(records, mark_of(&at, message, ACCESSED), thread);
}

void vm_total_fence(struct vm_records *records)
{
	uint64_t thread = vm_holder(HOLDER_THREAD, vm_this.current->slot);
	uint32_t message = 0;
	if (!has_fences()) {
		follow_fences(records, thread);
		return;
	}
	join(records, all_fences(), thread);
	for (uint32_t i = 0; i < records->message_count; i++) {
		const struct vm_message *store = &records->messages[i];
		message = i && store->object == store[-1].object && store->low == store[-1].low ? message + 1 : 0;
		join_marks(records, i, message, thread);
	}
	for (uint32_t i = 0; i < records->message_count; i++) {
		add(records, i, MESSAGE_TOTAL, thread, is_in(records, i, MESSAGE_BEFORE, thread));
		add(records, i, MESSAGE_FENCED, thread, is_in(records, i, MESSAGE_KNOWN, thread));
		add(records, i, MESSAGE_NEXT_TOTAL, thread, is_in(records, i, MESSAGE_TOTAL, thread));
		add(records, i, MESSAGE_NEXT_FENCED, thread, is_in(records, i, MESSAGE_FENCED, thread));
	}
}

/* ---- canonical form -------------------------------------------------------------------------------------------------------- */

/* Is the holder in TOTAL or FENCED of a store but number `but`? */
static bool is_anywhere(struct vm_records *records, uint64_t holder, uint32_t but)
{
	for (uint32_t i = 0; i < records->message_count; i++)
		if (i != but && (is_in(records, i, MESSAGE_TOTAL, holder) || is_in(records, i, MESSAGE_FENCED, holder)))
			return true;
	return false;
}

bool vm_total_may_drop(struct vm_records *records, const struct location *at, const uint64_t *running)
{
	if (!has_views() || !has_fences() || !is_anywhere(records, mark_of(at, 0, ACCESSED), at->first))
		return true;
	return vm_messages_are_past(records, at, vm_message_set(records, at->first, MESSAGE_BEFORE), running);
}

void vm_total_drop(struct vm_records *records, const struct location *at)
{
	if (!has_fences())
		return;
	for (enum mark mark = 0; mark < MARKS; mark++)
		join(records, mark_of(at, 0, mark), all_fences());
	join(records, mark_of(at, 1, WRITTEN), all_fences());
}

void vm_total_remove(struct vm_records *records, uint32_t number, bool oldest)
{
	const struct vm_message *store = &records->messages[number];
	const struct location at = { .object = store->object, .low = store->low, .first = number };
	for (uint32_t i = 0; i < records->set_count; i++)
		for (enum mark mark = 0; mark < MARKS; mark++) {
			struct vm_holders *set = &records->sets[i];
			if (oldest && vm_holders_has(set, mark_of(&at, 1, mark)))
				vm_holders_add(set, mark_of(&at, 0, mark));
			vm_holders_take_out(set, mark_of(&at, 1, mark));
		}
}

void vm_total_forget(struct vm_records *records, uint32_t object, uint32_t low, uint32_t high)
{
	const struct location at = { .object = object, .low = low };
	for (uint32_t i = 0; i < records->set_count; i++)
		for (enum mark mark = 0; mark < MARKS; mark++) {
			uint64_t first = mark_of(&at, 0, mark), end = first + (high - low);
			struct vm_holders *set = &records->sets[i];
			for (uint32_t k = vm_holders_find(set, first); k < set->count && set->items[k] < end;)
				vm_holders_take_out(set, set->items[k]);
		}
}

/* Keep in a set the first mark of fences, and one of accesses before it. */
static void leave_marks(struct vm_holders *set, const struct location *at)
{
	bool fences = !has_views() && vm_holders_has(set, all_fences()), accesses = false;
	for (uint32_t i = 0; i <= at->count; i++)
		for (enum mark mark = 0; mark < MARKS; mark++) {
			uint64_t holder = mark_of(at, i, mark);
			bool *before = mark == ACCESSED ? &accesses : &fences;
			if (!vm_holders_has(set, holder))
				continue;
			if (fences || *before)
				vm_holders_take_out(set, holder);
			*before = true;
		}
}

void vm_total_canonical(struct vm_records *records, const struct location *at)
{
	for (uint32_t i = 0; i < records->message_count; i++)
		for (unsigned which = MESSAGE_TOTAL; which <= MESSAGE_FENCED; which++)
			if (vm_message_set(records, i, which))
				leave_marks(vm_message_set(records, i, which), at);
}

bool vm_total_keeps_apart(const struct vm_holders *set, const struct location *at, uint32_t i)
{
	for (enum mark mark = 0; mark < MARKS; mark++)
		if (vm_holders_has(set, mark_of(at, i + 1, mark)) || (mark != WRITTEN && vm_holders_has(set, mark_of(at, i, mark))))
			return true;
	return false;
}
