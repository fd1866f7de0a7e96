/* SPDX-License-Identifier: MIT
 *
 * See reads.h.
 */
#include "reads.h"

#include <assert.h>

VM_OWN struct vm_reads vm_reads;

void vm_reads_begin(void)
{
	bool resumed = vm_reads.resumed;
	vm_reads.on = vm_reads.wanted;
	vm_reads.resumed = false;
	if (resumed)
		return;
	vm_reads.kept = vm_reads.wanted;
	vm_reads.refused = vm_reads.unknown = false;
	vm_reads.looked = vm_reads.count = 0;
	vm_reads.sleepers = 0;
}

void vm_reads_end(void)
{
	vm_reads.on = vm_reads.resumed = false;
}

void vm_reads_resume(void)
{
	assert(!vm_reads.on);
	vm_reads.resumed = true;
}

void vm_reads_sleepers(uint64_t condition, uint32_t wakes, uint64_t with)
{
	vm_this.outward |= wakes != WAKES_NONE;
	struct vm_reads *log = &vm_reads;
	log->refused = true;
	log->unknown = log->unknown || (log->sleepers && (log->sleepers != condition || log->wakes != WAKES_NONE));
	log->sleepers = condition;
	log->wakes = wakes;
	log->with = with;
}

/* Return the range of the aligned words around bytes [low, high) of `object`: pointers are looked for in whole words. */
static struct vm_range aligned(const struct vm_object *object, uint32_t number, uint64_t low, uint64_t high, bool write)
{
	uint64_t size = object->header.size;
	low = (low < size ? low : size) & ~UINT64_C(7);
	high = (high + 7) & ~UINT64_C(7);
	return (struct vm_range){ number, (uint32_t)low, (uint32_t)(high < size ? high : size), write };
}

/* Put the range `new` into `old`, and return whether that was possible.  Bytes that are changed count as read, too. */
static bool joins(struct vm_range *old, const struct vm_range *new)
{
	bool inner = old->low <= new->low &&new->high <= old->high, outer = new->low <= old->low && old->high <= new->high;
	if (old->object != new->object)
		return false;
	if (new->low == new->high || (inner && old->write >= new->write))
		return true;
	if (old->low == old->high || (outer && new->write >= old->write)) {
		*old = *new;
		return true;
	}
	if (old->write != new->write || new->high < old->low || old->high < new->low)
		return false;
	old->low = new->low < old->low ? new->low : old->low;
	old->high = new->high > old->high ? new->high : old->high;
	return true;
}

void vm_reads_add(const struct vm_place *place, uint64_t low, uint64_t high, bool write)
{
	assert(low <= high);
	struct vm_reads *log = &vm_reads;
	if (!place->map || place->map == &vm_this.current->locals || log->unknown)
		return;
	if (!place->object) {
		vm_reads_refuse();
		return;
	}
	struct vm_range new = { .object = place->number };
	if (low < high)
		new = aligned(place->object, place->number, low, high, write);
	for (uint32_t i = 0; i < log->count; i++)
		if (joins(&log->items[i], &new))
			return;
	if (log->count == MOST_READS)
		vm_reads_refuse();
	else
		log->items[log->count++] = new;
}
