/* SPDX-License-Identifier: MIT
 *
 * See superstep.h.  A pure function of the state, so that it goes with state matching and every mode of pan.
 *
 * Runs begin with one step of each enabled thread (one run for each outcome) and are extended in turn.  A step is appended
 * to a run while
 *   (a) the step that becomes intermediate is independent of all steps of the other threads' runs,
 *   (b) the appended step is independent of the intermediate steps of the other threads' runs,
 *   (c) the step that becomes intermediate has enabled no thread that was not (a created thread counts).
 * Why nothing is lost: take any execution from the state.  Let t be the thread whose run it completes first, or begins
 * first if it completes none.  By (c) no thread outside the runs moves before; by (a) and (b) the steps of t's run commute
 * with the steps of other runs before them, so an equivalent execution takes t's run first, and the rest of the execution
 * is one from the end of that run.  Violations end a step with a footprint of everything, so no run passes one by.
 * Data races are looked for in every step that is tried, and a footprint holds the plain accesses that ride along.
 *
 * Runs are finite in any case: one ends when it comes back to a state it has been in, or to one that is matched with it
 * (Brent's way to find a cycle), and after MAX_LENGTH steps.
 */
#include "superstep.h"
#include "footprint.h"
#include "single.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LENGTH 4096u
#define CACHE      (1u << 14) /* states whose runs are remembered; a power of two */

struct run {
	unsigned slot, length;
	uint32_t choice;
	bool closed;
	vm_ref end;              /* 0: the last step did not come to rest */
	vm_ref passed;           /* a state on the way, after a number of steps that is a power of two */
	struct footprint *steps; /* `length` of them */
	unsigned capacity;
};

struct expansion {               /* the runs of a state */
	vm_ref state;
	unsigned count, capacity;
	struct run *runs;
};

static struct expansion cache[CACHE];

static void *grow(void *array, unsigned *capacity, unsigned need, size_t element)
{
	if (need <= *capacity)
		return array;
	unsigned size = need < 4 ? 4 : 2 * need;
	char *bigger = realloc(array, size * element);
	if (!bigger)
		vm_inconclusive("memory", "out of memory");
	memset(bigger + *capacity * element, 0, (size - *capacity) * element);
	*capacity = size;
	return bigger;
}

/* Take one step, and its footprint. */
static vm_ref try_step(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint)
{
	vm_footprint_record(footprint);
	vm_ref next = vm_single(state, slot, choice);
	vm_footprint_record(NULL);
	/* What ends the program, or keeps others out, depends on all. */
	if (next == 0 || vm_thread_load(slot)->header.atomic)
		footprint->everything = true;
	return next;
}

static void begin_run(struct expansion *expansion, unsigned slot, uint32_t choice, bool alone)
{
	expansion->runs = grow(expansion->runs, &expansion->capacity, expansion->count + 1, sizeof *expansion->runs);
	struct run *run = &expansion->runs[expansion->count++];
	run->slot = slot;
	run->choice = choice;
	run->length = 1;
	run->steps = grow(run->steps, &run->capacity, 1, sizeof *run->steps);
	run->end = try_step(expansion->state, slot, choice, &run->steps[0]);
	run->passed = expansion->state;
	run->closed = !alone || run->end == 0 || vm_same_view(run->end, run->passed);
}

/* Is `step` independent of the first steps of the other threads' runs: all, or all but the last of each? */
static bool independent_of_others(const struct expansion *expansion, const struct run *run, const struct footprint *step, bool all)
{
	for (unsigned i = 0; i < expansion->count; i++) {
		const struct run *other = &expansion->runs[i];
		if (other->slot == run->slot)
			continue;
		for (unsigned k = 0; k + !all < other->length; k++)
			if (!vm_footprint_independent(step, &other->steps[k]))
				return false;
	}
	return true;
}

/* Does the run's end enable a thread that was not enabled in the state? */
static bool enables_another(const struct expansion *expansion, const struct run *run)
{
	const uint32_t *before = vm_state_words(expansion->state), *after = vm_state_words(run->end);
	const uint8_t *old = vm_state_outcomes(before), *new = vm_state_outcomes(after);
	for (unsigned i = 0; i < after[1]; i++)
		if (i != run->slot && new[i] && !(i < before[1] && old[i]))
			return true;
	return false;
}

static bool has_one_outcome(vm_ref state, unsigned slot)
{
	const uint32_t *words = vm_state_words(state);
	return slot < words[1] && vm_state_outcomes(words)[slot] == 1;
}

/* Append a step to a run, or close the run: what stands in its way will not go away. */
static bool extend(struct expansion *expansion, struct run *run)
{
	static struct footprint step;
	run->closed = true;
	if (run->length == MAX_LENGTH || !has_one_outcome(run->end, run->slot) || enables_another(expansion, run) ||
	    !independent_of_others(expansion, run, &run->steps[run->length - 1], true))
		return false;
	vm_ref next = try_step(run->end, run->slot, 0, &step);
	if (vm_this.ending.end == END_INCONCLUSIVE || !independent_of_others(expansion, run, &step, false))
		return false;
	run->steps = grow(run->steps, &run->capacity, run->length + 1, sizeof *run->steps);
	vm_footprint_copy(&run->steps[run->length++], &step);
	run->end = next;
	run->closed = next == 0 || vm_same_view(next, run->passed);
	if ((run->length & (run->length - 1)) == 0)
		run->passed = next;
	return true;
}

static void expand(struct expansion *expansion, vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	const uint8_t *outcomes = vm_state_outcomes(words);
	expansion->state = state;
	expansion->count = 0;
	for (unsigned slot = 0; slot < words[1]; slot++)
		for (uint32_t choice = 0; choice < vm_offered(outcomes[slot]); choice++)
			begin_run(expansion, slot, choice, outcomes[slot] == 1);
	for (bool changed = true; changed;) {
		changed = false;
		for (unsigned i = 0; i < expansion->count; i++)
			if (!expansion->runs[i].closed && extend(expansion, &expansion->runs[i]))
				changed = true;
	}
}

unsigned vm_superstep(vm_ref state, unsigned slot, uint32_t choice, vm_ref *end)
{
	struct expansion *expansion = &cache[(state * 2654435761u >> 8) & (CACHE - 1)];
	if (expansion->state != state) {
		expansion->state = 0; /* in case expanding it ends early */
		expand(expansion, state);
	}
	for (unsigned i = 0; i < expansion->count; i++) {
		const struct run *run = &expansion->runs[i];
		if (run->slot == slot && run->choice == choice) {
			*end = run->end;
			return run->length;
		}
	}
	VM_BUG("thread %u has no step %u in this state", slot, choice);
}
