/* SPDX-License-Identifier: MIT
 *
 * See superstep.h.  A pure function of the state, so that it goes with state matching and every mode of pan.
 *
 * Runs begin with one step of each enabled thread (one run for each outcome) and are extended in turn.  A step is appended
 * to a run while
 *   (a) the step that becomes intermediate is independent of all steps of the other threads' runs,
 *   (b) the appended step is independent of the intermediate steps of the other threads' runs,
 *   (c) the step that becomes intermediate has enabled no thread that was not (a created thread counts; but see rule C),
 *   (d) for formulas: it has changed the truth of no proposition.
 * Why nothing is lost: take any execution from the state.  Let t be the thread whose run it completes first, or begins
 * first if it completes none.  No thread outside the runs moves before: to let one move, what it waits for is written.
 * If two runs wrote that, they would depend on each other; if one did, (c) would have ended it; and a step after which a
 * thread begins to wait (created, or woken from a condition variable) has what that thread waits for in its footprint,
 * so it depends on the step that gives it.  By (a) and (b) the steps of t's run commute with the steps of other runs
 * before them, so an equivalent execution takes t's run first, and the rest of the execution is one from the end of that
 * run.  Violations end a step with a footprint of everything, so no run passes one by.
 * Data races are looked for in every step that is tried, and a footprint holds the plain accesses that ride along.
 *
 * For formulas, infinite executions matter, too; by the same argument they are made of runs, one after the other.  Runs are
 * finite, so a thread that moves for ever completes its runs: each run of another thread that goes first takes away a step from
 * before.  So no cycle is lost, no matter how many rounds of loops are in a run.  By (d) and since what changes propositions
 * depends on all else that does, their values change in the same order.  A thread may do the beginning of a run and then
 * nothing more: that is left out, and no formula sees it.  It is unfair: by (a) and (b), the others cannot disable the next
 * step of the run.  A fair execution stays fair: where a thread is disabled, it is so in the stored state before, from which
 * only the beginnings of runs lead there, and these are independent of the first step of its run, if it has one; and a stored
 * state in which a thread is enabled that is disabled from then on would need two steps, of different runs, that write what it
 * waits for.
 *
 * Rule T, transactions (Lipton, "Reduction", CACM 1975, found out as the search goes): let c be the state before the appended
 * step. No thread that is blocked in c needs (a) and (b).  So a thread runs through its critical section, while those that want
 * the lock, and do the same, wait.  Why nothing is lost: such a thread u has its first step in the state, and c disables it, so
 * that a step of t's run depends on it.  Then u's run makes that first step an intermediate one only where that in turn
 * disables t.  And a step of t that enables u again depends on u's first step, so (a) ends t's run there, before another of its
 * steps.  Now, in any execution, let t be the first to complete its run.  Others may have moved in the middle of theirs: none
 * whose run t's excludes, since that would keep t from going on until it is out of it; and with those that are left, (a) and
 * (b) hold.  Whoever lets an excluded thread go on before its time writes what that waits for, and depends on t's run. Every
 * way to be blocked must be one condition, or any of several, so that to be enabled again is to depend on what disabled; wait.c
 * is like that.  Atomic sections are not: they block others without touching what those wait for.  So where a step depends on
 * everything, nobody is excluded.  A thread that tries, or may time out, is never blocked.  But one that waits on a condition
 * variable, and may time out, can be woken in the middle of t's run; then it waits for a mutex, which the first step of its run
 * does not touch.  So nobody is excluded whom t's run has changed.  Under weak fairness the rule is wrong: a thread that is starved
 * is enabled in all states that are left.
 *
 * Rule E, ends: after the runs are made, one whose thread has come to its end takes that step, too.  The end reads nothing,
 * nobody can disable it, and only those who join the thread, and are blocked until then, look at what it writes.  So it
 * commutes to the left with all that others do: every execution in which the thread ends is equivalent to one in which it ends
 * at once, and one in which it does not, to one with the end put in, unless the program is over before.  That holds if nobody
 * can ask whether a thread has ended, if it holds no lock and has no plain accesses that are still to be compared
 * (vm_thread_ends_quietly()), and touches nothing else; what a formula says must stay as it is.
 *
 * Rule C, creations: main's run goes past a step that has let others go on, in spite of (c), by steps that do nothing except
 * create threads (vm_only_creates()): they touch nothing but slots that are free and, if they detach, who joins a thread.  Where
 * nobody else ever touches these (creations.c), such a step commutes with whatever others do, those included that the run has let
 * go on; it can always be taken, and no violation of others depends on it.  A plain access that rides along with the step before
 * is compared with theirs while main rests after it, so main does not go on from there.  So in any execution that has the step
 * before, they can follow at once, or be put in where it ends earlier.  All of them together are like one step, the last of the
 * run.
 *
 * Runs are finite in any case: one ends when it comes back to a state it has been in, or to one that is matched with it
 * (Brent's way to find a cycle), and after MAX_LENGTH steps.
 *
 * The states in the middle of runs are transient; what becomes of the ends is in successors.c.
 */
#include "superstep.h"
#include "../../bitspin_vm.h"
#include "../../state/driver.h"
#include "creations.h"
#include "exits.h"
#include "groups.h"
#include "../hang/hangs.h"
#include "../step/layers.h"
#include "../base/limits.h"
#include "../base/path.h"
#include "persistent.h"
#include "../../interpreter/proposition.h"
#include "../base/report.h"
#include "../step/single.h"
#include "sort_threads.h"
#include "../base/view.h"
#include "../../state/notes.h"

#include <assert.h>
#include <string.h>

#define MAX_LENGTH 4096u

static VM_OWN struct expansion *expansion; /* that is looked at */
static VM_OWN bool transactions;           /* rule T is on: it comes after the others */

/* Take one step of a run.  Return the state after it. */
static vm_ref take_step(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint)
{
	assert(state);
	return vm_below[LAYER_runs].step(state, slot, choice, footprint);
}

/* Could a formula tell that the step just taken, from `before` to `after`, happened by itself? */
static bool ends_run(vm_ref before, vm_ref after)
{
	return after == 0 || vm_valuation(before) != vm_valuation(after);
}

/* Is the thread before its end? */
static bool is_at_end(vm_ref state, unsigned slot)
{
	const vm_stored_header *header = state ? vm_thread_stored(state, slot) : NULL;
	if (!header || header->wait != WAIT_EXIT || !vm_reduces(REDUCTION_ENDS))
		return false;
	vm_state_load(state);
	return vm_thread_ends_quietly(vm_thread_load(slot));
}

static bool is_visible(const struct footprint *step)
{
	return vm_is_temporal() && vm_driver.schedules != VM_SCHEDULES_FAIR && vm_footprint_is_visible(step);
}

/* Note what `step`, the step of `run` just taken, does to sections. */
static void note_sections(struct superstep *run, const struct footprint *step, vm_ref before, vm_ref next)
{
	if (expansion->sections)
		vm_sections_add(&run->sections, run->slot, step, before, next);
}

/* Add what `step` touches to what all steps of `run` touch.  Where that is too much, nothing is said to be independent of the run
 * as a whole, and its steps are looked at one by one. */
static void note_footprint(struct superstep *run, const struct footprint *step)
{
	enum { MOST_RANGES = 256 };
	if (!run->all.everything)
		vm_footprint_merge(&run->all, step);
	run->all.everything = run->all.everything || run->all.count > MOST_RANGES;
}

static void begin_run(vm_ref state, unsigned slot, uint32_t choice, bool alone)
{
	expansion->runs = vm_grow(expansion->runs, &expansion->capacity, expansion->count + 1, sizeof *expansion->runs);
	struct superstep *run = &expansion->runs[expansion->count++];
	run->slot = slot;
	run->choice = choice;
	run->length = 1;
	run->steps = vm_grow(run->steps, &run->capacity, 1, sizeof *run->steps);
	run->end = take_step(state, slot, choice, &run->steps[0]);
	vm_footprint_clear(&run->all);
	note_footprint(run, &run->steps[0]);
	vm_sections_clear(&run->sections);
	vm_footprint_clear(&run->joins);
	run->before.length = 0;
	note_sections(run, &run->steps[0], state, run->end);
	run->passed = state;
	run->at_end = is_at_end(run->end, slot);
	run->ends = vm_is_temporal() && ends_run(state, run->end);
	run->closed = !alone || run->end == 0 || vm_same_view(run->end, run->passed);
	run->conflicts = run->ended = run->sorted = false;
	run->transacted = run->kept = 0;
	run->visible = is_visible(&run->steps[0]);
}

/* Does `run` keep the thread in `slot` from going on?  This is for rule T, see above. */
static bool excludes(const struct superstep *run, unsigned slot)
{
	assert(run->end && run->length > 0);
	if (!transactions)
		return false;
	const uint32_t *words = vm_state_words(run->end), *before = vm_state_words(expansion->state);
	return !run->steps[run->length - 1].everything && slot < words[1] && vm_state_outcomes(words)[slot] == 0 &&
		vm_state_thread(words, slot) == vm_state_thread(before, slot);
}

/* Is `step` independent of the first steps of the other threads' runs: all, or all but the last of each? */
static bool independent_of_others(const struct superstep *run, const struct footprint *step, bool all)
{
	for (unsigned i = 0; i < expansion->count; i++) {
		const struct superstep *other = &expansion->runs[i];
		if (other->slot == run->slot || excludes(run, other->slot) || vm_footprint_independent(step, &other->all))
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
	const uint32_t *before = vm_state_words(expansion->state), *after = vm_state_words(run->end);
	const uint8_t *old = vm_state_outcomes(before), *new = vm_state_outcomes(after);
	for (unsigned i = 0; i < after[1]; i++)
		if (i != run->slot && new[i] && !(i < before[1] && old[i]))
			return true;
	return false;
}

/* Does the thread in `slot` have one outcome by which a run may go on?  A run does not go on by a spurious wakeup: the state before
 * that may be a deadlock.  Nor does a run end the program before others have moved (exits.h). */
static bool has_one_outcome(vm_ref state, unsigned slot)
{
	const uint32_t *words = vm_state_words(state);
	if (slot >= words[1] || vm_state_outcomes(words)[slot] != 1)
		return false;
	if (vm_exits_puts_off(state, slot))
		return false;
	if (!vm_wakes_spuriously())
		return true;
	vm_state_load(state);
	return !vm_thread_only_wakes_spuriously(vm_thread_load(slot));
}

static void append(struct superstep *run, const struct footprint *step, vm_ref next)
{
	run->steps = vm_grow(run->steps, &run->capacity, run->length + 1, sizeof *run->steps);
	vm_footprint_copy(&run->steps[run->length++], step);
	note_footprint(run, step);
	run->end = next;
	run->visible = run->visible || is_visible(step);
}

/* Append a step to `run`, or close the run: what stands in its way will not go away. */
static bool extend(struct superstep *run)
{
	static VM_OWN struct footprint step;
	assert(!run->closed && run->end && run->length > 0 && run->length <= MAX_LENGTH);
	run->closed = true;
	if (run->length == MAX_LENGTH || vm_transient_is_crowded() || run->ends || !has_one_outcome(run->end, run->slot))
		return false;
	bool enables = enables_another(run);
	if (enables && (run->slot != 0 || !vm_creations_pass(run->end)))
		return false;
	run->conflicts = !independent_of_others(run, &run->steps[run->length - 1], true);
	if (run->conflicts)
		return false;
	vm_ref next = take_step(run->end, run->slot, 0, &step);
	bool at_end = is_at_end(next, run->slot), ends = vm_is_temporal() && ends_run(run->end, next);
	if (vm_this.ending.end == END_INCONCLUSIVE || (enables && !vm_only_creates(&step, run->end)))
		return false;
	run->conflicts = !independent_of_others(run, &step, false);
	if (run->conflicts)
		return false;
	note_sections(run, &step, run->end, next);
	append(run, &step, next);
	run->transacted += transactions;
	run->at_end = at_end;
	run->ends = ends;
	run->closed = next == 0 || vm_same_view(next, run->passed);
	if ((run->length & (run->length - 1)) == 0)
		run->passed = next;
	return true;
}

static void extend_all(void)
{
	for (bool changed = vm_reduces(REDUCTION_SUPERSTEPS); changed;) {
		changed = false;
		for (unsigned i = 0; i < expansion->count; i++)
			if (!expansion->runs[i].closed && extend(&expansion->runs[i]))
				changed = true;
	}
}

void vm_expand(struct expansion *of, vm_ref state)
{
	uint8_t outcomes[VM_MAX_SLOTS];
	unsigned slots = vm_state_words(state)[1];
	assert(slots <= VM_MAX_SLOTS);
	memcpy(outcomes, vm_state_outcomes(vm_state_words(state)), slots);
	vm_exits_put_off(state, slots, outcomes);
	expansion = of;
	expansion->state = state;
	expansion->count = 0;
	transactions = false;
	for (unsigned slot = 0; slot < slots; slot++)
		for (uint32_t choice = 0; choice < vm_offered(outcomes[slot]); choice++)
			begin_run(state, slot, choice, outcomes[slot] == 1);
	extend_all();
	of->quiet = vm_runs_may_hang(of);
}

/* Note how the run is, to go back to it. */
static void keep_as_is(struct superstep *run)
{
	if (run->before.length)
		return;
	run->before.length = run->length;
	run->before.end = run->end;
	run->before.at_end = run->at_end;
	run->before.conflicts = run->conflicts;
	run->before.passed = run->passed;
}

static void go_back(struct superstep *run)
{
	if (run->before.length == 0)
		return;
	assert(run->before.length <= run->length);
	run->length = run->before.length;
	run->end = run->before.end;
	run->at_end = run->before.at_end;
	run->conflicts = run->before.conflicts;
	run->passed = run->before.passed;
	run->ended = false;
	run->closed = true;
	run->transacted = 0;
	run->before.length = 0;
}

void vm_expand_transactions(void)
{
	if (!vm_reduces(REDUCTION_TRANSACTIONS))
		return;
	transactions = true;
	for (unsigned i = 0; i < expansion->count; i++) {
		keep_as_is(&expansion->runs[i]);
		expansion->runs[i].closed = expansion->runs[i].closed && !expansion->runs[i].conflicts;
	}
	extend_all();
}

void vm_expand_back(void)
{
	transactions = false;
	for (unsigned i = 0; i < expansion->count; i++)
		go_back(&expansion->runs[i]);
}

/* ---- sections --------------------------------------------------------------------------------------------------------- */

enum { MOST_INSIDE = 256 }; /* steps that a run may be continued by */

static bool is_inside(const struct superstep *run)
{
	return vm_sections_keep(&run->sections, run->slot, expansion->state, run->end);
}

/* Append a step to `run`, which must not end inside a section. */
static bool run_on(struct superstep *run)
{
	static VM_OWN struct footprint step;
	if (run->length == MAX_LENGTH || vm_transient_is_crowded() || !has_one_outcome(run->end, run->slot) || enables_another(run))
		return false;
	vm_ref next = take_step(run->end, run->slot, 0, &step);
	if (next == 0 || step.everything)
		return false;
	run->at_end = is_at_end(next, run->slot);
	note_sections(run, &step, run->end, next);
	append(run, &step, next);
	return true;
}

void vm_run_back(unsigned slot)
{
	for (unsigned i = 0; i < expansion->count; i++) {
		struct superstep *run = &expansion->runs[i];
		if (run->slot == slot)
			go_back(run);
	}
}

bool vm_run_on(unsigned slot)
{
	struct superstep *run = &expansion->runs[vm_first_run(expansion, slot)];
	bool several = run + 1 < expansion->runs + expansion->count && run[1].slot == slot;
	if (several || run->end == 0 || run->before.length || !is_inside(run))
		return false;
	keep_as_is(run);
	while (is_inside(run))
		if (run->length - run->before.length == MOST_INSIDE || !run_on(run)) {
			vm_run_back(slot);
			return false;
		}
	return true;
}

/* ---- ends of threads ------------------------------------------------------------------------------------------------- */

static bool touches_only_thread(const struct footprint *step, unsigned slot)
{
	for (uint32_t i = 0; i < step->count; i++)
		if (step->ranges[i].object != FOOTPRINT_THREAD + slot)
			return false;
	return !step->everything;
}

/* Apply rule E: if the thread has come to its end, let the run take that, too. */
static void take_end(struct superstep *run)
{
	static VM_OWN struct footprint step;
	if (!run->at_end || run->ended || vm_transient_is_crowded())
		return;
	assert(run->end && run->length > 0);
	vm_ref next = take_step(run->end, run->slot, 0, &step);
	if (next == 0 || !touches_only_thread(&step, run->slot) || (vm_is_temporal() && ends_run(run->end, next)))
		return;
	append(run, &step, next);
	run->ended = run->closed = true;
	run->conflicts = false;
}

void vm_expand_ends(void)
{
	for (unsigned i = 0; i < expansion->count && vm_reduces(REDUCTION_ENDS); i++)
		take_end(&expansion->runs[i]);
}

void vm_expand_one(struct expansion *of, vm_ref state, unsigned slot, uint32_t choice)
{
	expansion = of;
	expansion->state = state;
	expansion->count = 0;
	expansion->sections = false;
	begin_run(state, slot, choice, false);
	vm_expand_ends();
}
