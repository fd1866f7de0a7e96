/* SPDX-License-Identifier: MIT
 *
 * See superstep.h.  A pure function of the state, so that it goes with state matching and every mode of pan.
 *
 * Runs begin with one step of each enabled thread (one run for each outcome) and are extended in turn.  A step is appended
 * to a run while
 *   (a) the step that becomes intermediate is independent of all steps of the other threads' runs,
 *   (b) the appended step is independent of the intermediate steps of the other threads' runs,
 *   (c) the step that becomes intermediate has enabled no thread that was not (a created thread counts),
 *   (d) for formulas: it has changed the truth of no proposition and passed no back-edge, so that no cycle is skipped.
 * Why nothing is lost: take any execution from the state.  Let t be the thread whose run it completes first, or begins
 * first if it completes none.  No thread outside the runs moves before: to let one move, what it waits for is written.
 * If two runs wrote that, they would depend on each other; if one did, (c) would have ended it; and a step after which a
 * thread begins to wait (created, or woken from a condition variable) has what that thread waits for in its footprint,
 * so it depends on the step that gives it.  By (a) and (b) the steps of t's run commute with the steps of other runs
 * before them, so an equivalent execution takes t's run first, and the rest of the execution is one from the end of that
 * run.  Violations end a step with a footprint of everything, so no run passes one by.
 * Data races are looked for in every step that is tried, and a footprint holds the plain accesses that ride along.
 *
 * Runs are finite in any case: one ends when it comes back to a state it has been in, or to one that is matched with it
 * (Brent's way to find a cycle), and after MAX_LENGTH steps.
 *
 * The states in the middle of runs are transient; only the ends of runs that pan is offered are kept.  Which threads are
 * offered (persistent.h) is decided once for a state and noted in the table beside it, as pan asks thread by thread.
 */
#include "superstep.h"
#include "../calls/inject.h"
#include "limits.h"
#include "path.h"
#include "persistent.h"
#include "../interpreter/proposition.h"
#include "results.h"
#include "single.h"
#include "view.h"

#include <assert.h>

#define MAX_LENGTH 4096u
#define CACHE      (1u << 14) /* states whose runs are remembered; a power of two */

struct successor {
	unsigned slot;
	uint32_t choice;
	unsigned length; /* steps of the run */
	vm_ref end;      /* 0: it ends in a violation or the like, or is not offered */
};

/* what is remembered of the runs of a state */
struct successors {
	vm_ref state;
	unsigned count, capacity;
	struct successor *items;
};

static struct successors cache[CACHE];
static struct expansion expansion; /* of the state that is looked at */

/* The step from one state to the other, which is the working state, depends on what it has made other threads wait for. */
static void add_new_waits(vm_ref before, vm_ref after, unsigned slot)
{
	const uint32_t *old = vm_state_words(before), *new = vm_state_words(after);
	const uint8_t *outcomes = vm_state_outcomes(new);
	for (unsigned i = 0; i < new[1]; i++)
		if (i != slot && outcomes[i] == 0 && vm_state_thread(old, i) != vm_state_thread(new, i))
			vm_footprint_add_awaited(vm_thread_load(i));
}

vm_ref vm_try_step(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint)
{
	assert(footprint);
	vm_footprint_record(footprint);
	vm_ref next = vm_single(state, slot, choice);
	if (next)
		add_new_waits(state, next, slot);
	vm_footprint_record(NULL);
	if (vm_excludes(next, slot))
		footprint->everything = true;
	return next;
}

/* Could a formula tell that the step just taken, from one state to the other, happened by itself? */
static bool ends_run(vm_ref before, vm_ref after)
{
	return vm_this.back_edge || after == 0 || vm_valuation(before) != vm_valuation(after);
}

static void begin_run(vm_ref state, unsigned slot, uint32_t choice, bool alone)
{
	expansion.runs = vm_grow(expansion.runs, &expansion.capacity, expansion.count + 1, sizeof *expansion.runs);
	struct superstep *run = &expansion.runs[expansion.count++];
	run->slot = slot;
	run->choice = choice;
	run->length = 1;
	run->steps = vm_grow(run->steps, &run->capacity, 1, sizeof *run->steps);
	run->end = vm_try_step(state, slot, choice, &run->steps[0]);
	run->passed = state;
	run->ends = vm_is_temporal() && ends_run(state, run->end);
	run->closed = !alone || run->end == 0 || vm_same_view(run->end, run->passed);
}

/* Is `step` independent of the first steps of the other threads' runs: all, or all but the last of each? */
static bool independent_of_others(const struct superstep *run, const struct footprint *step, bool all)
{
	for (unsigned i = 0; i < expansion.count; i++) {
		const struct superstep *other = &expansion.runs[i];
		if (other->slot == run->slot)
			continue;
		for (unsigned k = 0; k + !all < other->length; k++)
			if (!vm_footprint_independent(step, &other->steps[k]))
				return false;
	}
	return true;
}

/* Does the run's end enable a thread that was not enabled in the state? */
static bool enables_another(const struct superstep *run)
{
	const uint32_t *before = vm_state_words(expansion.state), *after = vm_state_words(run->end);
	const uint8_t *old = vm_state_outcomes(before), *new = vm_state_outcomes(after);
	for (unsigned i = 0; i < after[1]; i++)
		if (i != run->slot && new[i] && !(i < before[1] && old[i]))
			return true;
	return false;
}

/* A run does not go on by a spurious wakeup: the state before it may be a deadlock. */
static bool has_one_outcome(vm_ref state, unsigned slot)
{
	const uint32_t *words = vm_state_words(state);
	if (slot >= words[1] || vm_state_outcomes(words)[slot] != 1)
		return false;
	if (!vm_injection_wanted(INJECT_SPURIOUS_WAKEUP))
		return true;
	vm_state_load(state);
	return !vm_thread_only_wakes_spuriously(vm_thread_load(slot));
}

/* Append a step to a run, or close the run: what stands in its way will not go away. */
static bool extend(struct superstep *run)
{
	static struct footprint step;
	run->closed = true;
	if (run->length == MAX_LENGTH || vm_transient_is_crowded() || run->ends || !has_one_outcome(run->end, run->slot) ||
	    enables_another(run) || !independent_of_others(run, &run->steps[run->length - 1], true))
		return false;
	vm_ref next = vm_try_step(run->end, run->slot, 0, &step);
	bool ends = vm_is_temporal() && ends_run(run->end, next);
	if (vm_this.ending.end == END_INCONCLUSIVE || !independent_of_others(run, &step, false))
		return false;
	run->steps = vm_grow(run->steps, &run->capacity, run->length + 1, sizeof *run->steps);
	vm_footprint_copy(&run->steps[run->length++], &step);
	run->end = next;
	run->ends = ends;
	run->closed = next == 0 || vm_same_view(next, run->passed);
	if ((run->length & (run->length - 1)) == 0)
		run->passed = next;
	return true;
}

static void expand(vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	const uint8_t *outcomes = vm_state_outcomes(words);
	bool extends = vm_this.reductions & REDUCTION_SUPERSTEPS;
	expansion.state = state;
	expansion.count = 0;
	for (unsigned slot = 0; slot < words[1]; slot++)
		for (uint32_t choice = 0; choice < vm_offered(outcomes[slot]); choice++)
			begin_run(state, slot, choice, outcomes[slot] == 1);
	for (bool changed = extends; changed;) {
		changed = false;
		for (unsigned i = 0; i < expansion.count; i++)
			if (!expansion.runs[i].closed && extend(&expansion.runs[i]))
				changed = true;
	}
}

/* ---- what is offered ----------------------------------------------------------------------------------------------- */

/* A note of the table on a state: two slots, or one and NOBODY; or EVERYONE.  (0 is not used, as slots differ.) */
enum { EVERYONE = 0xffff, NOBODY = 0xff };

static bool offered_by(uint16_t note, unsigned slot)
{
	return note == EVERYONE || (note & 0xff) == slot || (note >> 8) == slot;
}

static uint16_t propose(void)
{
	unsigned slots[PERSISTENT_THREADS];
	if (!(vm_this.reductions & REDUCTION_PERSISTENT))
		return EVERYONE;
	unsigned count = vm_persistent_choose(&expansion, slots);
	if (count == 0)
		return EVERYONE;
	return (uint16_t)(slots[0] | (count > 1 ? slots[1] : NOBODY) << 8);
}

/* Keep the ends of the offered runs.  May these be all that is offered (path.h)? */
static bool keep_ends(uint16_t note)
{
	bool fair = true;
	for (unsigned i = 0; i < expansion.count; i++) {
		struct superstep *run = &expansion.runs[i];
		if (run->end == 0 || !offered_by(note, run->slot))
			continue;
		run->end = vm_state_keep(run->end);
		fair = fair && vm_path_may_lead(expansion.state, run->end);
	}
	return fair;
}

static void decide(vm_ref state)
{
	uint16_t known = vm_table_note(state), note = known ? known : propose();
	vm_transient_end();
	bool fair = keep_ends(note);
	if (known)
		return;
	note = vm_table_set_note(state, fair ? note : EVERYONE);
	keep_ends(note); /* of more runs, if it has become another */
	for (unsigned i = 0; i < expansion.count; i++)
		vm_saved[REDUCTION_PERSISTENT_NUMBER] += !offered_by(note, expansion.runs[i].slot);
}

static void remember(struct successors *successors)
{
	successors->items = vm_grow(successors->items, &successors->capacity, expansion.count, sizeof *successors->items);
	successors->count = expansion.count;
	for (unsigned i = 0; i < expansion.count; i++) {
		const struct superstep *run = &expansion.runs[i];
		successors->items[i] = (struct successor){
			.slot = run->slot,
			.choice = run->choice,
			.length = run->length,
			.end = vm_is_transient(run->end) ? 0 : run->end,
		};
	}
	successors->state = expansion.state;
}

static const struct successors *successors_of(vm_ref state)
{
	struct successors *successors = &cache[(state * 2654435761u >> 8) & (CACHE - 1)];
	if (successors->state == state)
		return successors;
	successors->state = 0; /* in case this ends early */
	vm_limit_at_rest();
	vm_transient_begin();
	expand(state);
	vm_limit_at_rest(); /* before what is not known because of a signal is noted for good */
	decide(state);
	vm_limit_at_rest();
	remember(successors);
	vm_transient_clear();
	vm_state_forget();
	return successors;
}

bool vm_offers(vm_ref state, unsigned slot)
{
	uint16_t note = vm_table_note(state);
	if (note == 0) {
		successors_of(state);
		note = vm_table_note(state);
	}
	return offered_by(note, slot);
}

unsigned vm_superstep(vm_ref state, unsigned slot, uint32_t choice, vm_ref *end)
{
	const struct successors *successors = successors_of(state);
	for (unsigned i = 0; i < successors->count; i++) {
		const struct successor *item = &successors->items[i];
		if (item->slot == slot && item->choice == choice) {
			*end = item->end;
			return item->length;
		}
	}
	VM_BUG("thread %u has no step %u in this state", slot, choice);
}
