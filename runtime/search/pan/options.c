/* SPDX-License-Identifier: MIT
 *
 * What pan asks and what it takes: the options of a state, and steps (bitspin_vm.h).
 */
#include "options.h"
#include "../step/layers.h"

#include "../../bitspin_vm.h"
#include "../bound/allowed.h"
#include "../compare/identity.h"
#include "../base/limits.h"
#include "../base/path.h"
#include "../base/plan.h"
#include "../base/progress.h"
#include "../base/search.h"
#include "crew.h"
#include "fair.h"
#include "lookahead.h"
#include "pan.h"
#include "several.h"

#include <assert.h>

enum { NOBODY = 255 };

VM_OWN struct vm_options vm_options;
VM_OWN struct vm_link vm_first_step;

/* ---- where the VM has the set of visited states ---------------------------------------------------------------------- */

static bool keeps_visited(void)
{
	return vm_visits && !vm_is_bounded() && !vm_driver.replays;
}

/* Replace a jump by the step that another process has given, if it is not known where that step leads: the step is taken then. */
static void take_given(int *state, int *thread, int *choice)
{
	const struct vm_gift *gift = *choice == VM_JUMP ? vm_lookahead_jump((uint32_t)depth + 1) : NULL;
	if (!gift)
		return;
	*state = vm_handle_of(gift->state);
	assert(gift->count > 0);
	*thread = gift->steps[gift->count - 1].slot;
	*choice = gift->steps[gift->count - 1].option;
}

/* Take a step; true if that is done, as it is known where it leads. */
static bool take_known(int *state, int *thread, int *choice)
{
	vm_ref next = vm_lookahead_take(vm_ref_of(*state), (unsigned)*thread, (unsigned)*choice);
	vm_options_forget(); /* it may come back at once, and is to look ahead again */
	if (!next) {
		take_given(state, thread, choice);
		return false;
	}
	vm_limit_at_rest();
	vm_this.step++;
	*state = vm_handle_of(next);
	vm_path_step(next);
	return true;
}

/* ---- options --------------------------------------------------------------------------------------------------------- */

unsigned vm_options_at(vm_ref state, unsigned short *options)
{
	uint8_t outcomes[VM_MAX_SLOTS];
	unsigned slots = vm_top()->look(state, outcomes);
	assert(slots <= VM_MAX_SLOTS);
	for (unsigned i = 0; i < slots; i++)
		options[i] = vm_offered_options(vm_handle_of(state), 0, (int)i, outcomes[i]);
	return slots;
}

static bool offers_nothing(unsigned slots)
{
	for (unsigned i = 0; i < slots; i++)
		if (vm_options.of[i])
			return false;
	return true;
}

int vm_options_of(int state, int place, int thread)
{
	static VM_OWN unsigned asked; /* threads */
	uint8_t outcomes[VM_MAX_SLOTS];
	if (state == ~vm_options.not_state && place == vm_options.place)
		return vm_options.of[thread];
	vm_pan_heed_options();
	vm_progress_sample(vm_ref_of(state));
	vm_pan_looks_at(vm_ref_of(state));
	unsigned slots = vm_top()->look(vm_ref_of(state), outcomes);
	assert(slots <= VM_MAX_SLOTS && thread >= 0 && (unsigned)thread < VM_MAX_SLOTS);
	for (unsigned i = 0; i < slots || i < asked; i++)
		vm_options.of[i] = i < slots ? vm_offered_options(state, place, (int)i, outcomes[i]) : 0;
	asked = slots;
	if (keeps_visited())
		vm_lookahead(vm_ref_of(state), slots, vm_options.of);
	if (vm_fair_may_idle() && offers_nothing(slots))
		vm_options.of[0] = 1;
	vm_options.not_state = ~state;
	vm_options.place = place;
	return vm_options.of[thread];
}

void vm_options_forget(void)
{
	vm_options.not_state = 0;
}

int vm_has_places(void)
{
	return vm_is_bounded();
}

void vm_take(int *state, int *place, int thread, int choice)
{
	static VM_OWN unsigned char last = NOBODY, used; /* of the replay, which is one path */
	vm_crew_heed_others();
	if (depth == 0)
		vm_first_step = (struct vm_link){ (uint8_t)thread, (uint8_t)choice };
	if (vm_is_bounded() && vm_driver.replays) {
		vm_bound_take(state, &last, &used, thread, choice, NULL);
		return;
	}
	if (vm_fair_idles(*state, thread))
		return;
	if (!keeps_visited() || !take_known(state, &thread, &choice))
		vm_follow(state, place, thread, choice);
	vm_census_reached(vm_ref_of(*state));
}

/* ---- other identities than that of states ---------------------------------------------------------------------------- */

int vm_enabled_identified(int state, int thread)
{
	vm_pan_heed_options();
	if (thread == 0) /* pan asks for every thread */
		vm_pan_looks_at(vm_ref_of(state));
	return vm_enabled(state, thread, 0);
}

int vm_allowed_identified(int state, int identity, unsigned char last, unsigned char used, int thread, int choice)
{
	vm_pan_heed_options();
	return vm_identity_allows(state, identity, last, used, thread, choice);
}

void vm_take_identified(int *state, int *identity, unsigned char *last, unsigned char *used, int thread, int choice)
{
	vm_identity_take(state, identity, last, used, depth, thread, choice);
	vm_census_reached(vm_ref_of(*state));
}
