/* SPDX-License-Identifier: MIT
 *
 * Context bounding: only schedules with a limited number of preemptions are explored (Musuvathi and Qadeer, "Iterative context
 * bounding for systematic testing of multithreaded programs", PLDI 2007).  A step of a thread is a preemption when another
 * thread took the step before, could go on, and was not about to yield.
 *
 * The search that goes from bound to bound is in bounded.c; pan walks the violations that it has found.  Under other identities
 * than that of states, which exist to be compared, pan searches by itself, once for each bound: the thread that moved last and
 * the preemptions used are part of its state, beside the handle.  A last thread that cannot go on is forgotten, as leaving it
 * costs nothing.
 */
#include "bound.h"
#include "../bitspin_vm.h"
#include "../calls/builtin.h"
#include "bounded.h"
#include "crew.h"
#include "fair.h"
#include "identity.h"
#include "layers.h"
#include "limits.h"
#include "lookahead.h"
#include "path.h"
#include "plan.h"
#include "progress.h"
#include "results.h"
#include "several.h"
#include "single.h"
#include "walk.h"

extern long depth __attribute__((weak)); /* pan's */
extern int readtrail; /* pan's: replaying a trail, which may have been made with other sets of threads on offer */

enum { NOBODY = 255 };

/* Is what the thread is about to do a yield, or to time out? */
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

static bool preempts(int state, unsigned last, int thread)
{
	return last != NOBODY && (int)last != thread && !vm_bound_leaves(state, last);
}

/* The options that a thread with so many outcomes is offered, without regard to the bound.  A replay takes what the trail says. */
static unsigned short offers(int state, int thread, uint32_t outcomes)
{
	if (outcomes == 0)
		return 0;
	if (readtrail)
		return (unsigned short)(((1u << outcomes) - 1) | 1u << VM_TRANSACTION | 1u << VM_SECTIONS);
	return vm_top()->offers(vm_ref_of(state), (unsigned)thread, outcomes);
}

bool vm_bound_offers(int state, int thread, int choice)
{
	const uint32_t *words = vm_state_words(vm_ref_of(state));
	uint32_t outcomes = (uint32_t)thread < words[1] ? vm_offered(vm_state_outcomes(words)[thread]) : 0;
	return offers(state, thread, outcomes) >> choice & 1;
}

/* ---- pan's own search ---------------------------------------------------------------------------------------------- */

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
	if (vm_is_bounded() && *state != 0 && preempts(*state, *last, thread))
		++*used;
	vm_this.preemptions = *used;
	*state = vm_step_by(*state, thread, choice, single);
	vm_path_step(vm_ref_of(*state));
	if (vm_is_bounded())
		*last = vm_enabled(*state, thread, 0) ? (unsigned char)thread : NOBODY;
}

/* ---- plain states -------------------------------------------------------------------------------------------------- */

int vm_allowed(int state, int place, int thread, int choice)
{
	/* says nothing of where pan is: all guards of a state are asked */
	if (!vm_enabled(state, thread, choice < VM_CHOICES ? choice : 0))
		return 0;
	if (!vm_is_bounded() || readtrail)
		return vm_bound_offers(state, thread, choice);
	vm_bounded_search();
	return vm_walk_after((uint32_t)place, thread, choice) != 0;
}

VM_OWN struct vm_options vm_options;

/* Of one thread, in the state that is looked at. */
static unsigned short options_of(int state, int place, int thread, uint32_t outcomes)
{
	if (outcomes == 0 || !vm_is_bounded() || readtrail)
		return offers(state, thread, outcomes);
	unsigned options = 0;
	for (int option = 0; option < VM_OPTIONS; option++)
		options |= (unsigned)vm_allowed(state, place, thread, option) << option;
	return (unsigned short)options;
}

/* ---- where the VM has the set of visited states ---------------------------------------------------------------------- */

static bool keeps_visited(void)
{
	return vm_visits && !vm_is_bounded() && !readtrail && (!vm_this.reductions || vm_crew());
}

/* A jump to where a step leads that is not known: it is taken. */
static void take_given(int *state, int *thread, int *choice)
{
	const struct vm_gift *gift = *choice == VM_JUMP ? vm_lookahead_jump((uint32_t)depth + 1) : NULL;
	if (!gift)
		return;
	*state = vm_handle_of(gift->state);
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
	vm_census_reached(next);
	*state = vm_handle_of(next);
	return true;
}

/* ---------------------------------------------------------------------------------------------------------------------- */

unsigned vm_options_at(vm_ref state, unsigned short *options)
{
	uint8_t outcomes[VM_MAX_SLOTS];
	unsigned slots = vm_look(vm_handle_of(state), outcomes);
	for (unsigned i = 0; i < slots; i++)
		options[i] = options_of(vm_handle_of(state), 0, (int)i, outcomes[i]);
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
	vm_plan_heed_pan();
	vm_progress_sample(vm_ref_of(state));
	unsigned slots = vm_look(state, outcomes);
	for (unsigned i = 0; i < slots || i < asked; i++)
		vm_options.of[i] = i < slots ? options_of(state, place, (int)i, outcomes[i]) : 0;
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
	if (vm_is_bounded() && readtrail) {
		vm_bound_take(state, &last, &used, thread, choice, NULL);
		return;
	}
	if (vm_fair_idles(vm_enabled(*state, thread, 0)))
		return;
	if (vm_is_bounded()) {
		*place = (int)vm_walk_after((uint32_t)*place, thread, choice);
		vm_this.preemptions = vm_walk_preemptions((uint32_t)*place);
	}
	if (keeps_visited() && take_known(state, &thread, &choice))
		return;
	*state = vm_step(*state, thread, choice);
	vm_path_step(vm_ref_of(*state));
	vm_count_end(*state, 0, 0, 0);
}
