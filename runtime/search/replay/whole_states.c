/* SPDX-License-Identifier: MIT
 *
 * See whole_states.h.
 */
#include "whole_states.h"
#include "../step/bounded_waits.h"

#include <assert.h>

static VM_OWN struct {
	struct pair {
		vm_ref whole, sliced;
	} * pairs; /* the last ones are those of the replay's last steps */
	uint32_t count, capacity;
} replayed;

void vm_slice_note(vm_ref whole, vm_ref sliced)
{
	assert(whole && sliced);
	replayed.pairs = vm_grow(replayed.pairs, &replayed.capacity, (uint64_t)replayed.count + 1, sizeof *replayed.pairs);
	replayed.pairs[replayed.count++] = (struct pair){ whole, sliced };
}

vm_ref vm_slice_of(vm_ref whole)
{
	for (uint32_t i = replayed.count; i-- > 0;)
		if (replayed.pairs[i].whole == whole)
			return replayed.pairs[i].sliced;
	if (whole != vm_this.initial)
		VM_BUG("the replay is in state %u, to which no step has led", (unsigned)whole);
	return whole;
}

/* Switch slicing on or off.  Registers lie in another way in a whole state, so nothing that is loaded may be taken for it. */
void vm_slice_set(bool on)
{
	if (!vm_has_slices())
		return;
	vm_state_forget();
	vm_this.slices = on && vm_this.slicing;
}

vm_ref vm_slice_whole(vm_ref whole, unsigned slot, uint32_t choice, uint64_t rounds)
{
	assert(vm_this.slicing && whole);
	unsigned reductions = vm_this.reductions;
	vm_slice_set(false);
	if (rounds <= VM_MOST_ROUNDS)
		vm_this.reductions &= ~(unsigned)REDUCTION_SPINS;
	unsigned steps = 0;
	for (uint64_t taken = 0; taken <= rounds && whole; taken += vm_spin_rounds + 1) {
		if (steps++ > VM_MOST_ROUNDS)
			vm_inconclusive(LIMIT_SPINS,
					"rounds of a wait that change what does not matter are too many to be replayed");
		whole = vm_joined(whole, slot, taken ? 0 : choice);
	}
	vm_this.reductions = reductions;
	return whole;
}

vm_ref vm_slice_single(vm_ref *sliced, vm_ref whole, unsigned slot, uint32_t choice)
{
	assert(vm_has_slices() && whole && *sliced);
	bool tracing = vm_tracing;
	vm_tracing = false;
	vm_slice_set(true);
	*sliced = vm_joined(*sliced, slot, choice);
	vm_tracing = tracing;
	whole = vm_slice_whole(whole, slot, choice, vm_spin_rounds);
	if (vm_this.apart && whole == 0 && vm_this.ending.end == END_VIOLATION && vm_this.ending.kind == VIOLATION_DATA_RACE)
		*sliced = 0; /* the records are those of the path that is told */
	if ((whole == 0) != (*sliced == 0))
		VM_BUG("a step ends in one of two states that differ in what does not matter, not in the other");
	return whole;
}
