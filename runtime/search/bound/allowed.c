/* SPDX-License-Identifier: MIT
 *
 * Context bounding: only schedules with a limited number of preemptions are explored (Musuvathi and Qadeer, "Iterative context
 * bounding for systematic testing of multithreaded programs", PLDI 2007).  A step of a thread is a preemption when another
 * thread took the step before, could go on, and was not about to yield.
 *
 * The search that goes from bound to bound is in iterative.c; pan walks the violations that it has found.  Under other identities
 * than that of states, which exist to be compared, pan searches by itself, once for each bound: the thread that moved last and
 * the preemptions used are part of its state, beside the handle.  A last thread that cannot go on is forgotten, as leaving it
 * costs nothing.
 */
#include "allowed.h"
#include "../reduce/search_step.h"
#include "../../bitspin_vm.h"
#include "iterative.h"
#include "../step/layers.h"
#include "../base/ends.h"
#include "../base/path.h"
#include "../base/plan.h"
#include "preemption.h"
#include "../base/report.h"
#include "../step/single.h"
#include "found_paths.h"

#include <assert.h>

enum { NOBODY = 255 };

static bool preempts(int state, unsigned last, int thread)
{
	return last != NOBODY && (int)last != thread && !vm_bound_leaves(state, last);
}

/* Return the options that `thread`, which has so many outcomes, is offered without regard to the bound.  In a replay, offer all
 * of them: the trail says which one to take. */
static unsigned short offers(int state, int thread, uint32_t outcomes)
{
	if (outcomes == 0)
		return 0;
	if (vm_driver.replays)
		return (unsigned short)(((1u << outcomes) - 1) | 1u << VM_TRANSACTION | 1u << VM_SECTIONS | 1u << VM_STEP);
	return vm_top()->offers(vm_ref_of(state), (unsigned)thread, outcomes);
}

bool vm_bound_offers(int state, int thread, int choice)
{
	uint8_t outcomes[VM_MAX_SLOTS];
	unsigned slots = vm_top()->look(vm_ref_of(state), outcomes);
	return (unsigned)thread < slots && offers(state, thread, outcomes[thread]) >> choice & 1;
}

/* ---- states with the thread that moved last -------------------------------------------------------------------------- */

int vm_bound_allows(int state, unsigned char last, unsigned char used, int thread, int choice)
{
	static VM_OWN bool refused; /* the bound has cut a schedule */
	if (!vm_enabled(state, thread, choice))
		return 0;
	if (!vm_is_bounded() || state == 0 || used + 1u < vm_this.image.options->preemptions || !preempts(state, last, thread))
		return vm_bound_offers(state, thread, choice);
	if (!refused)
		vm_report_inconclusive(LIMIT_PREEMPTIONS, "schedules with more preemptions were not explored", 0);
	refused = true;
	return 0;
}

void vm_bound_take(int *state, unsigned char *last, unsigned char *used, int thread, int choice, vm_single_step *single)
{
	assert(thread >= 0 && thread < NOBODY);
	if (vm_is_bounded() && *state != 0 && preempts(*state, *last, thread))
		++*used;
	vm_this.preemptions = *used;
	*state = single ? vm_step_by(*state, thread, choice, single) : vm_step(*state, thread, choice);
	vm_path_step(vm_ref_of(*state));
	if (vm_is_bounded())
		*last = vm_enabled(*state, thread, 0) ? (unsigned char)thread : NOBODY;
}

/* ---- plain states -------------------------------------------------------------------------------------------------- */

unsigned short vm_offered_options(int state, int place, int thread, uint32_t outcomes)
{
	if (outcomes == 0 || !vm_is_bounded() || vm_driver.replays)
		return offers(state, thread, outcomes);
	unsigned options = 0;
	for (int option = 0; option < VM_OPTIONS; option++)
		options |= (unsigned)vm_allowed(state, place, thread, option) << option;
	return (unsigned short)options;
}

bool vm_allowed(int state, int place, int thread, int choice)
{
	/* says nothing of where the search is: all guards of a state are asked */
	if (!vm_enabled(state, thread, choice < VM_CHOICES ? choice : 0))
		return false;
	if (!vm_is_bounded() || vm_driver.replays)
		return vm_bound_offers(state, thread, choice);
	vm_bounded_search();
	return vm_walk_after((uint32_t)place, thread, choice) != 0;
}

void vm_follow(int *state, int *place, int thread, int choice)
{
	if (vm_is_bounded()) {
		*place = (int)vm_walk_after((uint32_t)*place, thread, choice);
		vm_this.preemptions = vm_walk_preemptions((uint32_t)*place);
	}
	*state = vm_step(*state, thread, choice);
	vm_path_step(vm_ref_of(*state));
	vm_count_end(*state, 0, 0, 0);
}
