/* SPDX-License-Identifier: MIT
 *
 * A step of a replay: the states of the search are followed, and the program's own steps are told.  Where the search has left out
 * data, or has sorted threads, its states are not the program's own.  Then a replay goes along both: whole_states.c has the states
 * without data, retrace.c the path beside sorted states.
 */
#include "../../bitspin_vm.h"
#include "../reduce/search_step.h"
#include "replay.h"
#include "../../state/driver.h"
#include "../../symbolic/symbolic.h"
#include "../../trace/record.h"
#include "dump.h"
#include "../hang/hangs.h"
#include "../step/layers.h"
#include "../base/limits.h"
#include "../base/progress.h"
#include "inputs.h"
#include "retrace.h"
#include "../base/report.h"
#include "../base/schedule.h"
#include "../base/search.h"
#include "../step/bounded_waits.h"
#include "whole_states.h"
#include "../reduce/successors.h"
#include "../reduce/sort_threads.h"

#include <assert.h>

/* Return the program's own state where pan has `state`. */
static vm_ref own_state(vm_ref state)
{
	vm_ref own = vm_is_symmetric() && vm_state_words(state)[0] == 0 ? vm_retraced() : 0;
	return own ? own : state;
}

/* Record the state.  A loop leads back to the same state except for what does not matter. */
static void report_state(vm_ref before, vm_ref state, unsigned slot)
{
	vm_ref own = own_state(state);
	vm_report_state(before, own, slot,
			vm_is_symmetric()       ? vm_retraced_number(state) :
				vm_has_slices() ? vm_slice_of(own) :
						  own);
}

/* Does the state `searched` hang, to which the run has led the search from `before`?  0: it has led to none. */
static bool hangs_there(const struct vm_run *run, vm_ref before, vm_ref searched, unsigned slot)
{
	if (!searched || !run->quiet || !vm_hangs_wanted())
		return false;
	vm_slice_set(true);
	bool hangs = (run->end || vm_may_hang(before, searched, slot)) && vm_hangs(searched);
	vm_slice_set(false);
	return hangs;
}

/* Return how the step ends in `own`, the program's state where the search has `searched`. */
static int ends(const struct vm_run *run, vm_ref before, vm_ref searched, unsigned slot, vm_ref own)
{
	assert(vm_driver.replays && vm_tracing);
	unsigned reductions = vm_this.reductions;
	bool hangs = own && hangs_there(run, before, searched, slot);
	if (hangs && searched != own)
		vm_this.reductions &= ~(unsigned)(REDUCTION_SYMMETRY | REDUCTION_SPINS);
	if (hangs)
		vm_hang_tell(own);
	vm_this.reductions = reductions;
	return vm_step_ends(slot, own, hangs);
}

/* Take a step where threads are symmetric: the program's own path tells how the step ends, and pan goes on with the sorted
 * states.  *slot becomes that of the thread in the program. */
static int step_sorted(const struct vm_run *run, vm_ref sorted, unsigned *slot, uint32_t choice)
{
	static VM_OWN bool over;
	vm_symmetry_forget_locks();
	vm_ref before = sorted, own = vm_retrace(&sorted, slot, choice, run->length);
	assert(vm_is_symmetric() && run->length > 0 && *slot < SYMMETRIC_SLOTS);
	if (over)
		return vm_handle_of(sorted ? sorted : vm_this.cut);
	if (sorted && vm_symbolic_has_split(sorted))
		return vm_handle_of(sorted); /* no step of the program has ended */
	if (vm_symbolic_on() && !sorted && own)
		VM_BUG("a path with sorted threads ends, and the program goes on");
	if (vm_symbolic_on() && own && vm_inputs_told())
		own = vm_inputs_told();
	int handle = ends(run, before, sorted, *slot, own);
	over = !sorted || handle != vm_handle_of(own);
	return over ? handle : vm_handle_of(sorted);
}

/* Take a step where data may be left out: pan goes on with the program's own states.  *sliced becomes the state of the search. */
static int step_whole(const struct vm_run *run, vm_ref at, unsigned slot, uint32_t choice, vm_ref *sliced)
{
	assert(run->length > 0 && at);
	vm_ref before = *sliced;
	for (unsigned i = 0; i < run->length && at; i++) {
		vm_schedule_note(slot, i ? 0 : choice);
		if (vm_has_slices())
			at = vm_slice_single(sliced, at, slot, i ? 0 : choice);
		else
			at = *sliced = vm_joined(at, slot, i ? 0 : choice);
	}
	int handle = ends(run, before, *sliced, slot, at);
	if (vm_has_slices())
		vm_slice_note(vm_ref_of(handle), *sliced ? *sliced : vm_ref_of(handle));
	return handle;
}

/* Take a step where inputs are sets of values: pan goes on with these, and the program's own path is told.  A step that ends is
 * that of the search, if it is not told. */
static int step_inputs(const struct vm_run *run, vm_ref state, unsigned slot, uint32_t choice)
{
	vm_ref own = 0, after = 0, next = state;
	assert(run->length > 0);
	for (unsigned i = 0; i < run->length && next; i++) {
		vm_ref before, told;
		next = vm_inputs_step(next, slot, i ? 0 : choice, &before, &told);
		own = before ? before : own;
		after = before ? told : after;
	}
	if (own && (after || !next)) {
		int handle = ends(run, state, next, slot, after);
		bool goes_on = next && after && handle == vm_handle_of(after);
		return goes_on ? vm_handle_of(next) : handle;
	}
	return next ? vm_handle_of(next) : vm_step_ends(slot, 0, false);
}

static int replay_step(int state, int thread, int option)
{
	vm_ref at = vm_ref_of(state), sliced = vm_has_slices() && !vm_is_symmetric() ? vm_slice_of(at) : at;
	unsigned slot = (unsigned)thread;
	uint32_t choice = vm_way_of((uint32_t)option) == VM_AS_RUN ? (uint32_t)option : 0;
	vm_limit_at_rest();
	vm_this.step++;
	vm_tracing = false;
	vm_slice_set(true);
	struct vm_run run = vm_top()->replay(sliced, slot, (uint32_t)option);
	vm_tracing = true;
	vm_ref before = own_state(at);
	vm_trace_begin(state);
	int handle = vm_is_symmetric() ? step_sorted(&run, at, &slot, choice) :
		vm_symbolic_on()       ? step_inputs(&run, at, slot, choice) :
					 step_whole(&run, at, slot, choice, &sliced);
	if (vm_limit_stopping) /* perhaps that is why a step has ended */
		vm_limit_at_rest();
	vm_trace_step(thread, (int)choice, state, handle);
	if (vm_is_temporal() || vm_driver.seeks_cycles)
		report_state(before, vm_ref_of(handle), slot);
	return handle;
}

int vm_step(int state, int thread, int choice)
{
	return vm_driver.replays ? replay_step(state, thread, choice) : vm_step_by(state, thread, choice, NULL);
}

int vm_step_quietly(int state, int thread, int choice, struct vm_found *found)
{
	*found = (struct vm_found){ 0 };
	vm_tell_quietly(found);
	int next = vm_step(state, thread, choice);
	vm_tell_quietly(NULL);
	return next;
}
