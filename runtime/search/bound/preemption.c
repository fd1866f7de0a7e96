/* SPDX-License-Identifier: MIT
 *
 * See preemption.h.
 */
#include "preemption.h"
#include "../reduce/search_step.h"
#include "../replay/replay.h"
#include "../../bitspin_vm.h"
#include "../../calls/builtin.h"

#include <assert.h>

/* Is the thread about to yield, or to time out? */
static bool yields(int state, unsigned slot)
{
	vm_state_load(vm_ref_of(state));
	struct vm_thread *thread = vm_thread_load(slot);
	if (thread->header.frames == 0)
		return false;
	if (vm_thread_idles(thread))
		return true;
	const struct builtin *builtin = vm_resting_call(thread);
	return builtin && (builtin->flags & (BUILTIN_YIELDS | BUILTIN_SLEEPS));
}

bool vm_bound_leaves(int state, unsigned slot)
{
	return !vm_enabled(state, (int)slot, 0) || yields(state, slot);
}

bool schedule_step(struct schedule_step step, int *state, int *last, struct schedule_cost *cost, struct vm_found *found)
{
	if (!vm_enabled(*state, step.slot, step.choice))
		return false;
	bool switches = *last >= 0 && *last != step.slot;
	cost->switches += switches;
	cost->preemptions += switches && !vm_bound_leaves(*state, (unsigned)*last);
	cost->steps++;
	assert(cost->preemptions <= cost->switches && cost->switches < cost->steps);
	*state = vm_step_quietly(*state, step.slot, step.choice, found);
	*last = step.slot;
	return true;
}
