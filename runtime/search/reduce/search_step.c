/* SPDX-License-Identifier: MIT
 *
 * What a search asks of a state, and its steps: the top layer (layers.h) takes them, and here is how they end.  See bitspin_vm.h.
 */
#include "../../bitspin_vm.h"
#include "search_step.h"
#include "../../state/driver.h"
#include "exits.h"
#include "../hang/hangs.h"
#include "histories.h"
#include "../step/layers.h"
#include "../base/limits.h"
#include "../../interpreter/proposition.h"
#include "../base/report.h"
#include "../../state/notes.h"
#include "../../state/suppress.h"
#include "successors.h"
#include "../../sync/operations.h"
#include "sort_threads.h"
#include "../step/single.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- guards -------------------------------------------------------------------------------------------------------- */

int vm_enabled(int state, int thread, int choice)
{
	assert(thread >= 0 && choice >= 0);
	const uint32_t *words = vm_state_words(vm_ref_of(state));
	if ((uint32_t)thread >= words[1])
		return 0;
	return (uint32_t)choice < vm_offered(vm_state_outcomes(words)[thread]);
}

int vm_terminated(int state)
{
	return vm_state_words(vm_ref_of(state))[0] != 0;
}

int vm_holds(int state, int proposition)
{
	return vm_proposition_holds(vm_ref_of(state), (unsigned)proposition);
}

int vm_goes_on(int state)
{
	return !(vm_state_words(vm_ref_of(state))[0] & (STATE_PRUNED | STATE_VIOLATED));
}

int vm_unvalued(int state)
{
	return vm_ref_of(state) == vm_this.initial && vm_this.initial_unvalued;
}

/* ---- violations ---------------------------------------------------------------------------------------------------- */

static VM_OWN struct vm_found *quiet; /* where to tell of a violation instead of reporting it; NULL: report it */

/* Was there a violation of this kind in this line before?  Under --all, one is enough. */
static bool seen_before(unsigned kind, uint32_t location)
{
	static VM_OWN struct {
		unsigned kind;
		uint32_t location;
	} * seen;
	static VM_OWN size_t count;
	for (size_t i = 0; i < count; i++)
		if (seen[i].kind == kind && image_same_line(&vm_this.image, seen[i].location, location))
			return true;
	void *bigger = realloc(seen, (count + 1) * sizeof *seen);
	if (bigger) {
		seen = bigger;
		seen[count].kind = kind;
		seen[count++].location = location;
	}
	return false;
}

static int violated(unsigned kind, const char *message, uint32_t location, unsigned slot)
{
	assert(kind < VM_VIOLATIONS && vm_this.stepping);
	if (quiet) {
		static VM_OWN char kept[sizeof vm_this.ending.message];
		snprintf(kept, sizeof kept, "%s", message);
		*quiet = (struct vm_found){ .violates = true, .kind = kind, .location = location, .message = kept };
	} else if (!seen_before(kind, location)) {
		char line[900];
		const struct image *image = &vm_this.image;
		const struct vm_thread *thread = slot < vm_this.slots ? vm_thread_load(slot) : NULL;
		vm_report_violation(kind, message, location, thread, kind == VIOLATION_DEADLOCK ? vm_hang_waits : NULL);
		snprintf(line, sizeof line, "%s at %s:%u: %s", vm_violation_name(kind), image_file(image, location),
			 (unsigned)image_line(image, location), message);
		if (vm_driver.violated)
			vm_driver.violated(line);
	}
	return vm_handle_of(vm_state_store_final(STATE_VIOLATED));
}

bool vm_nothing_enabled(vm_ref ref)
{
	const uint32_t *words = vm_state_words(ref);
	const uint8_t *outcomes = vm_state_outcomes(words);
	bool wanted = vm_wakes_spuriously();
	for (uint32_t i = 0; i < words[1]; i++) {
		if (outcomes[i] && !wanted)
			return false;
		if (outcomes[i] == 0)
			continue;
		vm_state_load(ref);
		if (!vm_thread_only_wakes_spuriously(vm_thread_load(i)))
			return false;
	}
	return true;
}

/* Does the user not want to hear of a deadlock in which some thread is where it is?  The program just hangs. */
static bool is_suppressed(const char *message)
{
	for (unsigned i = 0; vm_this.image.counts[IMAGE_SUPPRESSIONS] && i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_load(i);
		uint32_t location = vm_thread_location(thread), suppression = IMAGE_NONE;
		if (thread->header.status == THREAD_RUNNING)
			suppression = vm_suppression_of(VIOLATION_DEADLOCK, thread, location);
		if (suppression == IMAGE_NONE)
			continue;
		snprintf(vm_this.ending.message, sizeof vm_this.ending.message, "%s", message);
		vm_suppressed(VIOLATION_DEADLOCK, suppression, thread, location, false);
		return true;
	}
	return false;
}

/* Return which of two threads that cannot go on is where the deadlock is; `slot` is max_threads if there is none yet.  Symmetric
 * threads can be told apart only by their places, and main may be at another join than it would be in the program. */
static unsigned blame(unsigned slot, unsigned other)
{
	if (slot == vm_this.max_threads)
		return other;
	if (!vm_is_symmetric())
		return other == vm_this.current->slot ? other : slot;
	return slot == 0 || vm_thread_location(&vm_this.threads[other]) < vm_thread_location(&vm_this.threads[slot]) ? other : slot;
}

/* Put into `message` what each thread waits for, if none can go on, or if those that can go on go round for ever
 * (`hangs`).  Return the slot of the thread where the deadlock is; max_threads if there is none. */
static unsigned tell_waits(char *message, size_t size, bool hangs)
{
	unsigned blamed = vm_this.max_threads;
	for (unsigned i = 0; i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_load(i);
		const char *waits = hangs ? vm_hang_waits(i) : NULL;
		if (thread->header.status != THREAD_RUNNING || (!waits && !vm_thread_is_blocked(thread)))
			continue;
		if (!hangs)
			blamed = blame(blamed, i);
		else if (blamed == vm_this.max_threads) /* not by who has moved last: a replay may notice sooner */
			blamed = vm_hang_thread() < vm_this.max_threads ? vm_hang_thread() : i;
		waits = waits ? waits : vm_thread_waits_for(thread);
		size_t used = strlen(message);
		assert(used < size && i < vm_this.max_threads);
		snprintf(message + used, size - used, "%sthread %u %s", used ? "; " : "", i, waits);
		vm_thread_tell_blocked(thread, waits);
	}
	return blamed;
}

static int deadlocked(vm_ref state, bool hangs)
{
	char message[600] = "";
	unsigned blamed = tell_waits(message, sizeof message, hangs);
	enum vm_operations_blocked blocked = vm_operations_blocked(message, sizeof message);
	if (blocked == OPERATIONS_STUCK || (blocked == OPERATIONS_NONE && is_suppressed(message)))
		return vm_handle_of(state);
	uint32_t loop = hangs ? vm_hang_location() : 0;
	assert(loop || blamed < vm_this.max_threads); /* somebody waits */
	uint32_t location = loop ? loop : vm_thread_location(&vm_this.threads[blamed]);
	return violated(blocked == OPERATIONS_NONE ? VIOLATION_DEADLOCK : VIOLATION_NOT_LINEARIZABLE, message, location, blamed);
}

/* ---- a step -------------------------------------------------------------------------------------------------------- */

/* Return the handle of the state that stands for a cut path, as a limit was met.  The search goes on elsewhere, and is not
 * exhaustive. */
static int gave_up(void)
{
	vm_limit_cut();
	vm_this.ref = 0;
	return vm_handle_of(vm_this.cut);
}

/* Return the handle of the final state of a step that did not come to rest.  It may leave through vm_this.escape. */
static int ended(void)
{
	const struct vm_ending *ending = &vm_this.ending;
	switch (ending->end) {
	case END_DEATH:
	case END_PROGRAM: return vm_handle_of(vm_state_store_final(STATE_ENDED));
	case END_PRUNED: return vm_handle_of(vm_state_store_final(STATE_PRUNED));
	case END_VIOLATION: {
		char message[sizeof ending->message];
		memcpy(message, ending->message, sizeof message);
		return violated(ending->kind, message, ending->location, ending->slot);
	}
	default: return gave_up();
	}
}

int vm_step_ends(unsigned slot, vm_ref next, bool hangs)
{
	assert(!vm_this.stepping && slot < vm_this.max_threads);
	int handle;
	const volatile bool deadlock = hangs; /* it outlives a longjmp() */
	vm_this.stepping = true;
	if (setjmp(vm_this.escape) != 0) {
		handle = gave_up(); /* not even the end could be stored */
	} else if (next == 0) {
		handle = ended();
	} else if (deadlock || (vm_this.image.options->deadlock && vm_nothing_enabled(next))) {
		vm_state_load(next);
		vm_this.current = &vm_this.threads[slot];
		handle = deadlocked(next, deadlock);
	} else {
		handle = vm_handle_of(next);
	}
	vm_this.stepping = false;
	if (vm_is_temporal())
		vm_valuation_seen(vm_ref_of(handle));
	return handle;
}

/* Return the state after `length` steps of thread `slot`, the first with outcome `choice`; 0 if the thread does not come to
 * rest. */
static vm_ref take_steps(vm_ref at, unsigned slot, uint32_t choice, unsigned length, vm_single_step *single)
{
	for (unsigned i = 0; i < length && at; i++)
		at = single ? single(at, slot, i ? 0 : choice) : vm_top()->step(at, slot, i ? 0 : choice, NULL);
	return at;
}

/* Note what the move does to records (histories.h).  `next`: where it leads, 0 if that is not known. */
static vm_ref take_with_history(const struct vm_move *move, vm_ref next)
{
	vm_ref after = vm_histories_take(move, next);
	return next ? next : after;
}

/* Return where the move leads that ends in the state `handle`: to a race, perhaps. */
static int add_history(const struct vm_move *move, vm_ref next, int handle)
{
	if (vm_state_words(vm_ref_of(handle))[0] & STATE_VIOLATED || !vm_histories_add(move, next))
		return handle;
	return vm_step_ends(move->slot, 0, false);
}

/* Return where a move leads whose steps lead to `next`: to the end of the program, if nothing else is left there. */
static int add_end(vm_ref next)
{
	unsigned slot = vm_exits_take(next);
	return slot < VM_MAX_SLOTS ? vm_step_ends(slot, 0, false) : vm_handle_of(next);
}

int vm_step_by(int state, int thread, int option, vm_single_step *single)
{
	vm_ref at = vm_ref_of(state);
	unsigned slot = (unsigned)thread;
	uint32_t choice = vm_way_of((uint32_t)option) == VM_AS_RUN ? (uint32_t)option : 0;
	vm_limit_at_rest();
	vm_this.step++;
	vm_tracing = false;
	struct vm_run run = single ? vm_top()->replay(at, slot, (uint32_t)option) : vm_top()->take(at, slot, (uint32_t)option);
	vm_ref next = run.end;
	assert(run.length > 0 && (!next || next != vm_this.cut));
	const struct vm_move move = { at, run.length, (uint8_t)slot, (uint8_t)option, (uint8_t)choice };
	bool apart = vm_this.apart && !single;
	if (apart)
		next = take_with_history(&move, next);
	else if (single || (!next && !run.taken))
		next = take_steps(at, slot, choice, run.length, single);
	bool hangs = next && run.quiet && vm_hangs_wanted() && vm_hangs(next);
	if (hangs)
		vm_hang_tell(next);
	int handle = vm_step_ends(slot, next, hangs);
	if (apart)
		handle = add_history(&move, next, handle);
	if (next && handle == vm_handle_of(next) && !single && option != VM_STEP)
		handle = add_end(next);
	vm_goes_round(at, vm_ref_of(handle), slot, run.changes);
	if (vm_limit_stopping) /* perhaps that is why a step has ended */
		vm_limit_at_rest();
	return handle;
}

void vm_tell_quietly(struct vm_found *found)
{
	quiet = found;
}
