/* SPDX-License-Identifier: MIT
 *
 * Data races by open segments.
 *
 * The open segment of a thread is the set of plain accesses to shared memory since its last synchronisation; it is part of
 * the state.  Two open segments of one state are never ordered by happens-before, since ordering would need a later
 * synchronisation by one of the two threads; and for any two unordered accesses the union of their causal pasts is a
 * reachable state in which one has just happened in an open segment and the other thread is at rest before the step that
 * holds the other.  So it is exact to compare each access, when it happens, with the other threads' open segments.
 * (Needs every reads-from between atomics to be a happens-before; programs with relaxed atomics are told so.)
 *
 * An atomic access, or the inside of a mutex, is not recorded but compared: of an atomic and a plain access that are
 * unordered, the order "plain first" is reachable too.
 *
 * Ranges of a segment are sorted by (object, write, low); two of one kind neither overlap nor touch; a read that lies
 * inside one write is left out.
 */
#include "history.h"

#include <string.h>

static void check_against(const struct vm_thread *other, uint32_t object, uint32_t low, uint32_t high, bool writes)
{
	for (uint32_t i = 0; i < other->header.ranges; i++) {
		const struct vm_range *range = &other->ranges[i];
		if (range->object != object || range->high <= low || high <= range->low || !(range->write || writes))
			continue;
		uint32_t at = range->low > low ? range->low : low;
		const struct vm_range meeting = { object, at, range->high < high ? range->high : high, range->write };
		vm_fault(FAULT_DATA_RACE, "%s of %s by thread %u and %s by thread %u%s are not ordered by any synchronisation",
			 writes ? "write" : "read", vm_describe(image_address(object, at)), vm_this.current->slot,
			 range->write ? "write" : "read", other->slot, vm_accessed_at(other->slot, &meeting));
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
		if (inside(range, &thread->ranges[i]) && thread->ranges[i].write >= range->write)
			return true;
	return false;
}

static void record(struct vm_thread *thread, struct vm_range range)
{
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
	for (uint32_t i = 0; i < kept; i++) /* reads that the write now hides */
		if (!(range.write && inside(&thread->ranges[i], &range)))
			thread->ranges[n++] = thread->ranges[i];
	thread->ranges = vm_grow(thread->ranges, &thread->range_capacity, (uint64_t)n + 1, sizeof *thread->ranges);
	uint32_t at = n;
	for (; at > 0 && compare(&range, &thread->ranges[at - 1]) < 0; at--)
		thread->ranges[at] = thread->ranges[at - 1];
	thread->ranges[at] = range;
	thread->header.ranges = n + 1;
	thread->dirty = true;
}

void vm_race_access(uint32_t object, uint32_t low, uint32_t high, enum vm_access access)
{
	struct vm *vm = &vm_this;
	if (vm->image.options->races != RACES_REPORT || vm->evaluating)
		return;
	bool writes = access == ACCESS_WRITE || access == ACCESS_SYNC_WRITE, alone = true;
	for (unsigned i = 0; i < vm->slots; i++) {
		if (i == vm->current->slot)
			continue;
		const struct vm_thread *other = vm_thread_load(i);
		if (other->header.status != THREAD_RUNNING)
			continue;
		alone = false;
		check_against(other, object, low, high, writes);
	}
	if (alone || (access != ACCESS_READ && access != ACCESS_WRITE))
		return;
	const struct vm_range range = { .object = object, .low = low, .high = high, .write = writes };
	vm_note_access(&range);
	record(vm->current, range);
}

void vm_race_synchronise(struct vm_thread *thread)
{
	if (thread->header.ranges) {
		thread->header.ranges = 0;
		thread->dirty = true;
	}
}
