/* SPDX-License-Identifier: MIT
 *
 * Data races by open segments.
 *
 * The open segment of a thread is the set of plain accesses to shared memory since its last synchronisation; it is part of
 * the state.  Two open segments of one state are never ordered by happens-before, since ordering would need a later
 * synchronisation by one of the two threads; and for any two unordered accesses the union of their causal pasts is a
 * reachable state in which one has just happened in an open segment and the other thread is at rest before the step that
 * holds the other.  So it is exact to compare each access, when it happens, with the other threads' open segments.
 * That needs each reads-from to be a happens-before; in programs where some may not be, records.h does the rest.
 *
 * An atomic access, or the inside of a mutex, is not recorded but compared: of an atomic and a plain access that are
 * unordered, the order "plain first" is reachable too.  Where a reads-from may be no happens-before, that is not so: then
 * it is recorded as well, unless the object is a global variable that has no plain accesses (GLOBAL_ATOMIC).
 *
 * Ranges of a segment are sorted by (object, kind, low); two of one kind neither overlap nor touch; one that lies inside another
 * which conflicts with as much is left out.
 */
#include "interrupts.h"
#include "race.h"
#include "causes.h"
#include "../trace/history.h"
#include "records.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static VM_OWN bool ends; /* the access under way is the end of a variable */

static const char *verb(enum vm_access access)
{
	static const char *const verbs[] = { "read", "write", "atomic read", "atomic write" };
	assert(access < sizeof verbs / sizeof *verbs);
	return verbs[access];
}

/* Return what is to be said of a race if one of the accesses is volatile (`mine` and `its` say which); "" if none is. */
static const char *volatility(enum vm_access access, bool mine, enum vm_access other, bool its)
{
	bool plain = (!mine && (access == ACCESS_READ || access == ACCESS_WRITE)) ||
		(!its && (other == ACCESS_READ || other == ACCESS_WRITE));
	if (!mine && !its)
		return "";
	if (plain)
		return "; one access is volatile, to which C gives no order between threads, and the other is plain";
	return "; volatile has no order between threads in C: --races volatile takes such accesses for atomic ones";
}

_Noreturn void vm_race_report(uint32_t kind, const struct vm_range *other, unsigned slot)
{
	assert(slot <= vm_this.max_threads && other->low < other->high);
	enum vm_access access = vm_kind_access(kind), its = vm_kind_access(other->write);
	const char *what = vm_describe(image_address(other->object, other->low)), *why = "are not ordered by any synchronization";
	char where[100] = "", who[40] = "another thread";
	struct vm_noted noted = { 0 };
	struct vm_range mine = *other;
	mine.write = kind;
	struct vm_cause cause = vm_cause_of_race(&mine);
	if (slot == vm_this.max_threads)
		slot = cause.slot;
	if (slot < vm_this.max_threads)
		snprintf(who, sizeof who, "thread %u", slot);
	if (slot < vm_this.max_threads)
		noted = vm_noted_access(slot, other, slot == cause.slot ? cause.location : 0);
	vm_note_race(&noted);
	if (noted.location)
		snprintf(where, sizeof where, " at %.80s", vm_place_name(noted.location));
	bool ending = ends;
	ends = false;
	bool freeing = vm_this.freeing, whole = freeing || ending; /* not only of what the other access has met */
	vm_violation(VIOLATION_DATA_RACE, "%s of %s by thread %u and %s%s%s by %s%s %s%s%s%s",
		     ending          ? "the end" :
			     freeing ? "free" :
				       verb(access),
		     whole ? vm_describe_object(image_address(other->object, 0)) : what, vm_this.current->slot, verb(its),
		     whole ? " of " : "", whole ? what : "", who, where, why, cause.text[0] ? ": " : "", cause.text,
		     volatility(access, vm_is_volatile(), its, noted.is_volatile));
}

static void check_against(const struct vm_thread *other, uint32_t object, uint32_t low, uint32_t high, uint32_t kind)
{
	for (uint32_t i = 0; i < other->header.ranges; i++) {
		const struct vm_range *range = &other->ranges[i];
		if (range->object != object || range->high <= low || high <= range->low ||
		    !vm_accesses_conflict(kind, range->write))
			continue;
		uint32_t at = range->low > low ? range->low : low;
		const struct vm_range meeting = { object, at, range->high < high ? range->high : high, range->write };
		vm_race_report(kind, &meeting, other->slot);
	}
}

static int compare(const struct vm_range *a, const struct vm_range *b)
{
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->write != b->write)
		return a->write < b->write ? -1 : 1;
	return a->low < b->low ? -1 : a->low > b->low;
}

static int by_place(const void *a, const void *b)
{
	return compare(a, b);
}

void vm_race_sort(struct vm_range *ranges, uint32_t count)
{
	if (count > 1)
		qsort(ranges, count, sizeof *ranges, by_place);
}

static bool same_kind(const struct vm_range *a, const struct vm_range *b)
{
	return a->object == b->object && a->write == b->write;
}

static bool inside(const struct vm_range *inner, const struct vm_range *outer)
{
	return inner->object == outer->object && outer->low <= inner->low && inner->high <= outer->high;
}

static bool covered(const struct vm_thread *thread, const struct vm_range *range)
{
	for (uint32_t i = 0; i < thread->header.ranges; i++)
		if (inside(range, &thread->ranges[i]) && vm_access_covers(thread->ranges[i].write, range->write))
			return true;
	return false;
}

static void record(struct vm_thread *thread, struct vm_range range)
{
	assert(range.low < range.high && thread == vm_this.current);
	if (covered(thread, &range))
		return;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < thread->header.ranges; i++) {
		struct vm_range old = thread->ranges[i];
		if (same_kind(&old, &range) && old.low <= range.high && range.low <= old.high) {
			range.low = old.low < range.low ? old.low : range.low;
			range.high = old.high > range.high ? old.high : range.high;
		} else {
			thread->ranges[kept++] = old;
		}
	}
	uint32_t n = 0;
	for (uint32_t i = 0; i < kept; i++) { /* those that the new one hides go */
		const struct vm_range *old = &thread->ranges[i];
		if (!(inside(old, &range) && vm_access_covers(range.write, old->write)))
			thread->ranges[n++] = *old;
	}
	thread->ranges = vm_grow(thread->ranges, &thread->range_capacity, (uint64_t)n + 1, sizeof *thread->ranges);
	uint32_t at = n;
	for (; at > 0 && compare(&range, &thread->ranges[at - 1]) < 0; at--)
		thread->ranges[at] = thread->ranges[at - 1];
	assert(at == n || compare(&range, &thread->ranges[at + 1]) < 0); /* sorted, and none is twice there */
	thread->ranges[at] = range;
	thread->header.ranges = n + 1;
	thread->dirty = true;
}

/* May a plain access meet an atomic one here, so that the atomic one has to be remembered? */
static bool is_mixed(uint32_t object)
{
	if (!vm_has_records())
		return false;
	return object >= IMAGE_FIRST_DYNAMIC || object == 0 || object > vm_this.image.counts[IMAGE_GLOBALS] ||
		!(vm_this.image.globals[object - 1].flags & (GLOBAL_ATOMIC | GLOBAL_PROVIDED | GLOBAL_BUDGETS));
}

/* Compare an access of the running thread with those of the other threads.  Return true if no other thread runs. */
static bool check(uint32_t object, uint32_t low, uint32_t high, uint32_t kind)
{
	const struct vm *vm = &vm_this;
	bool alone = true;
	for (unsigned i = 0; i < vm->slots; i++) {
		if (i == vm->current->slot)
			continue;
		const struct vm_thread *other = vm_thread_look(i);
		if (other->header.status != THREAD_RUNNING)
			continue;
		alone = false;
		check_against(other, object, low, high, kind);
	}
	vm_records_check(object, low, high, kind);
	return alone;
}

void vm_race_access(uint32_t object, uint32_t low, uint32_t high, enum vm_access access)
{
	struct vm *vm = &vm_this;
	if (vm->image.options->races != RACES_REPORT || vm->evaluating)
		return;
	assert(low < high);
	uint32_t kind = vm_kind_here(access);
	bool plain = access == ACCESS_READ || access == ACCESS_WRITE, alone = check(object, low, high, kind);
	if (access == ACCESS_WRITE)
		vm_order_overwrite(object, low, high);
	if (alone || (!plain && !is_mixed(object)))
		return;
	const struct vm_range range = { .object = object, .low = low, .high = high, .write = kind };
	vm_note_access(&range);
	vm_cause_access(&range);
	if (vm->apart && !plain)
		vm_records_born(object, low, high, kind);
	else
		record(vm->current, range);
}

bool vm_race_alone(void)
{
	for (unsigned i = 0; i < vm_this.slots; i++)
		if (i != vm_this.current->slot && vm_thread_look(i)->header.status == THREAD_RUNNING)
			return false;
	return true;
}

void vm_race_private(uint32_t object, uint32_t low, uint32_t high, enum vm_access access)
{
	if (!vm_this.apart) {
		vm_race_access(object, low, high, access);
		return;
	}
	if (!vm_records_are_told())
		return;
	if (access == ACCESS_WRITE)
		vm_order_overwrite(object, low, high);
	if (vm_race_alone())
		return;
	const struct vm_range range = { .object = object, .low = low, .high = high, .write = vm_kind_here(access) };
	vm_note_access(&range);
	vm_cause_access(&range);
	vm_records_born(object, low, high, range.write);
}

void vm_race_end(uint32_t object, uint32_t size, bool stays)
{
	if (vm_this.image.options->races != RACES_REPORT || vm_this.evaluating)
		return;
	assert(!ends && size > 0);
	ends = true;
	if (stays)
		vm_race_access(object, 0, size, ACCESS_WRITE);
	else
		check(object, 0, size, vm_kind_here(ACCESS_WRITE));
	ends = false;
}

void vm_race_synchronise(struct vm_thread *thread)
{
	vm_interrupts_synchronise(thread);
	vm_records_close(thread);
	if (thread->header.ranges) {
		thread->header.ranges = 0;
		thread->dirty = true;
	}
}
