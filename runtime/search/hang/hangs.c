/* SPDX-License-Identifier: MIT
 *
 * See hangs.h.  The idea is that of GenMC's check of liveness (Kokologiannakis and Vafeiadis, "GenMC: A model checker for weak
 * memory models", CAV 2021; "await loops"): a thread in a loop that changes nothing waits for what it reads.
 *
 * Let A(t) be the states that thread t alone can come to from a state s, by every outcome of every step.  Call t *stuck* in s if
 * A(t) is finite, and no step from a state of A(t)
 *   (1) ends in anything but a scheduling point, or lets or makes another thread be or do anything,
 *   (2) changes what another thread can read, except by locking and unlocking mutexes that only block; let M be all those,
 *   (3) says or learns anything outside the program: output, a look at the clock, a wake-up that found nobody.
 * The state s *hangs* if every thread that has not ended is blocked or stuck, at least one is stuck, and all of M are free in s and
 * accessed in all A(t) by nothing but locks that wait and unlocks.
 *
 * Then the program goes on for ever from s and never changes: by induction, in each state that comes after s, each thread is in a
 * state of its A(t), memory that others can read is as in s but for M, and a mutex of M is held by the thread that holds it in its
 * own A(t).  For let t make a step there.  If it locks a mutex of M, that is free, and the step is that from A(t), where only t
 * could hold it; otherwise the step looks at nothing that differs.  A thread that is blocked in s waits for a change that never
 * comes: not for M, which is free in s.  So s is a deadlock in all but name: no schedule, fair or not, leads out of it.  All states
 * that follow s and in which M is free hang, too.
 *
 * Which of the stuck threads *wait*: those whose last loops (a strongly connected part of A(t) without a way out) read memory
 * that is shared, or ask whether a thread has ended.  A thread that reads nothing, as in `for (;;) pause();`, is a *daemon*: it
 * is meant to go on.  It changes nothing either, so one beside it that waits does so for ever.  But where main is a daemon, or
 * waits for one to end, or has ended and left one, the program is a server that is idle: the others may wait for work that comes
 * from outside.  So that is no violation.  Nor is it one where the program handles signals that people or other processes send.
 *
 * Why reductions keep hangs: what follows a state that hangs, hangs (but for M, see below), so a hang is like a deadlock in which
 * threads can still move.  Take an execution from a state of the reduced search to one that hangs, with as few steps as can be.
 * Where the search offers a run that the execution completes or begins, this can be put first, if need be after the thread has gone
 * on with it from the end of the execution, which leads to states that hang; what is left is shorter.  Where it offers only runs of
 * threads that do not move in the execution, these can be put first, too, as nothing in it touches what they do; what is left is
 * as long as before.  The cycle proviso sees to it that this does not go on for ever.  M: runs that lock and unlock lead to where
 * M is free.  Sections that commute (rule Q in persistent.c) need one more condition there: a thread must not go round for ever
 * while it holds a mutex that is left out.
 *
 * Older values (memory/messages.h): a step may leave memory as it is, and put a message behind the newest one that others can read.
 * They need not: in s and after it, threads that read the newest values only and put theirs last go round as is said above.  So
 * there is an execution that goes on for ever, though others may lead out.  A store in a buffer (memory/buffers.h) is a change.
 *
 * The search finds a state that hangs when it takes a step from one: such a step changes nothing but its own thread.  Where a
 * thread holds a mutex of M there, all is asked of a state that it goes on to alone, and in which M is free.
 *
 * Inputs as sets (symbolic/symbolic.h): the argument is about the states of the search, each of which stands for the same steps of
 * all its concrete states, as long as nothing is split.  A step that splits ends the look: the thread is not stuck before it is
 * known where it goes.  Where a concrete state hangs, going round in all loops splits until no step in them does, and that state
 * hangs, unless the values that go round are never the same.  Whether memory changes is asked of the values, not of the canonical
 * form: the symbols and terms of the state that is looked at keep their numbers (vm_symbolic_keep()).  An input that a
 * loop gets anew has other ones, so to write it is a change.
 *
 * Slicing: the search is one of a program that does the same to anybody who looks (translator/analyse/relevance.c).  Where that
 * hangs without leaving out a write, the program itself goes round for ever, too, and changes nothing but registers, and memory of
 * its own, on which nothing depends: it need not come to the same state again.  So it is asked of the state that the search has,
 * also in a replay.
 */
#include "hangs.h"
#include "../base/limits.h"
#include "../../bitspin_vm.h"
#include "../../memory/buffers.h"
#include "../../memory/footprint.h"
#include "../../symbolic/symbolic.h"
#include "../../sync/sync.h"
#include "../../trace/trace.h"
#include "../../calls/builtin.h"
#include "../../state/driver.h"
#include "../../state/met.h"
#include "alone.h"
#include "../base/path.h"
#include "../reduce/successors.h"
#include "ticks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_STEPS = 2048, /* of a thread alone */
	MEMORY = 1u << 14, /* states that are remembered; a power of two */
};

/* the state that is looked at */
static VM_OWN struct {
	struct vm_alone alone;              /* A(t), of one thread after the other */
	struct footprint mutexes, accesses; /* what all threads that are stuck do */
	struct end {
		bool stuck, waits;
		uint32_t location;
	} threads[VM_MAX_SLOTS]; /* where each is stuck, if it is */
	unsigned count;          /* of them */
} at;

bool vm_hangs_wanted(void)
{
	const struct image_options *options = vm_this.image.options;
	return (options->waits || vm_has_timers()) && options->deadlock && !vm_is_temporal() && !vm_driver.passes_hangs;
}

/* ---- steps of one thread ------------------------------------------------------------------------------------------------ */

/* Copy the bytes of `range` in `state` to *bytes, which grow; where inputs are sets, with their shadows behind them.  Return false
 * if they are not there. */
static bool read_range(vm_ref state, const struct vm_range *range, uint8_t **bytes, uint32_t *capacity)
{
	vm_state_load(state);
	uint32_t size = range->high - range->low;
	const struct vm_place place = vm_place_look(image_address(range->object, range->low));
	if (!place.object || range->high > place.object->header.size)
		return false;
	const uint8_t *from = place.object->bytes + range->low, *shadow = place.object->shadow;
	*bytes = vm_grow(*bytes, capacity, (vm_symbolic_on() ? 2 : 1) * (uint64_t)size, 1);
	memcpy(*bytes, from, size);
	if (vm_symbolic_on() && shadow)
		memcpy(*bytes + size, shadow + range->low, size);
	else if (vm_symbolic_on())
		memset(*bytes + size, 0, size);
	return true;
}

/* Are some of these bytes uninitialized in `state`? */
static bool has_unset(vm_ref state, const struct vm_range *range)
{
	vm_state_load(state);
	const struct vm_place place = vm_place_look(image_address(range->object, range->low));
	const uint8_t *shadow = place.object ? place.object->shadow : NULL;
	for (uint32_t i = range->low; shadow && i < range->high; i++)
		if (shadow[i] && !vm_symbolic_bytes(&place.object->bytes[i], &shadow[i], 1))
			return true;
	return false;
}

/* Has the step left there what was there before?  What is no memory is compared with the threads.  What the step has freed may be
 * large, so that is asked first.  An uninitialized value may be another one each time it is written: `x ^= 1` of it is one that
 * this state cannot tell from the old, but real memory changes, and where slicing leaves the value out, that counts as a change. */
static bool leaves(vm_ref before, vm_ref after, const struct vm_range *range)
{
	static VM_OWN uint8_t *old, *new;
	static VM_OWN uint32_t old_capacity, new_capacity;
	return !vm_hang_is_memory(range) ||
		(read_range(after, range, &new, &new_capacity) && !has_unset(after, range) &&
		 read_range(before, range, &old, &old_capacity) &&
		 memcmp(old, new, (vm_symbolic_on() ? 2 : 1) * (size_t)(range->high - range->low)) == 0);
}

/* Are all other threads, and what they own, as they were?  And all globals, unless `globals`.  Records tell races and
 * older values (see above), but stores in buffers are what others will read. */
static bool same_others(vm_ref before, vm_ref after, unsigned slot, bool globals)
{
	const uint32_t *a = vm_state_words(before), *b = vm_state_words(after);
	uint32_t own = STATE_WORDS + slot * STATE_SLOT_WORDS;
	if (a[0] != b[0] || a[1] != b[1])
		return false;
	assert(slot < a[1]);
	for (uint32_t i = STATE_GLOBALS; i < STATE_WORDS + a[1] * STATE_SLOT_WORDS; i++) {
		bool may_differ = (i == STATE_RECORDS && !vm_has_buffers()) || (i == STATE_GLOBALS && globals) ||
			(i >= own && i < own + STATE_SLOT_WORDS);
		if (a[i] != b[i] && !may_differ)
			return false;
	}
	return true;
}

/* Is the thread in `slot` after the step as it was, in all that others may ask about it?  Whether the thread sleeps on a condition
 * variable makes no difference: only those that wake it ask about that. */
static bool same_status(vm_ref before, vm_ref after, unsigned slot)
{
	const vm_stored_header *a = vm_thread_stored(before, slot), *b = vm_thread_stored(after, slot);
	return a && b && b->status == THREAD_RUNNING && a->detached == b->detached && a->cancel == b->cancel;
}

/* Does the step, with its footprint, keep to the conditions above?  Collects the mutexes, and all other accesses. */
static bool is_quiet(vm_ref before, vm_ref after, unsigned slot, const struct footprint *step, bool told)
{
	bool locks = false;
	if (step->everything || told)
		return false;
	for (uint32_t i = 0; i < step->count; i++) {
		const struct vm_range *range = &step->ranges[i];
		if (vm_footprint_is_blocking(range)) {
			locks = true;
			vm_footprint_add_range(&at.mutexes, range);
			continue;
		}
		if (vm_footprint_writes(range) && !leaves(before, after, range))
			return false;
		vm_footprint_add_range(&at.accesses, range);
	}
	return same_status(before, after, slot) && same_others(before, after, slot, locks || vm_symbolic_on());
}

/* Is the thread stuck, as far as it depends on itself? */
static bool is_stuck(vm_ref state, unsigned slot)
{
	return vm_alone_explore(&at.alone, state, slot, MOST_STEPS, is_quiet);
}

static bool overlap(const struct vm_range *a, const struct vm_range *b)
{
	return a->object == b->object && a->low < b->high && b->low < a->high;
}

/* ---- all threads --------------------------------------------------------------------------------------------------------- */

/* Are the mutexes free in `state`, and does nobody ask about them but to lock them? */
static bool mutexes_only_block(vm_ref state)
{
	for (uint32_t i = 0; i < at.mutexes.count; i++)
		if (!vm_mutex_only_blocks_in(state, &at.mutexes.ranges[i]))
			return false;
	for (uint32_t i = 0; i < at.mutexes.count; i++)
		for (uint32_t k = 0; k < at.accesses.count; k++)
			if (overlap(&at.mutexes.ranges[i], &at.accesses.ranges[k]))
				return false;
	return true;
}

/* Does the thread go round for nothing, or wait for one to end that does? */
static bool is_daemon(unsigned slot)
{
	for (unsigned i = 0; i < vm_this.slots; i++) {
		const struct vm_thread *thread = vm_thread_load(slot);
		if (at.threads[slot].stuck || thread->header.status != THREAD_RUNNING || thread->header.wait != WAIT_JOIN ||
		    vm_is_symmetric())
			break;
		slot = vm_thread_of(thread->header.address);
		if (slot >= vm_this.slots)
			return false;
	}
	assert(slot < vm_this.slots);
	return at.threads[slot].stuck && !at.threads[slot].waits;
}

/* Is the program a server that has nothing to do, see above? */
static bool is_idle(vm_ref state)
{
	vm_state_load(state);
	bool main_runs = vm_thread_load(0)->header.status == THREAD_RUNNING, daemons = false;
	for (unsigned i = 0; i < vm_this.slots; i++)
		daemons = daemons || (at.threads[i].stuck && !at.threads[i].waits);
	return main_runs ? is_daemon(0) : daemons;
}

/* Return the state in which the thread just explored, which is stuck, is blocked in the end; 0 if there is none. */
static vm_ref blocked_end(void)
{
	for (uint32_t i = 0; i < at.alone.count; i++)
		if (vm_state_outcomes(vm_state_words(at.alone.states[i]))[at.alone.slot] == 0)
			return at.alone.states[i];
	return 0;
}

/* Is each thread stuck that can go on?  Where one will be blocked soon, `*state` becomes the state in which it is, and that has
 * yet to be looked at. */
static bool each_stuck(vm_ref *state, bool *moved)
{
	const uint32_t *words = vm_state_words(*state);
	uint8_t outcomes[VM_MAX_SLOTS];
	unsigned slots = words[1];
	assert(slots <= VM_MAX_SLOTS);
	bool any = false;
	*moved = false;
	at.count = slots;
	memcpy(outcomes, vm_state_outcomes(words), slots);
	vm_footprint_clear(&at.mutexes);
	vm_footprint_clear(&at.accesses);
	for (unsigned i = 0; i < slots && !*moved; i++) {
		at.threads[i] = (struct end){ .stuck = outcomes[i] != 0 };
		if (outcomes[i] && !is_stuck(*state, i))
			return false;
		vm_ref blocked = outcomes[i] ? blocked_end() : 0;
		*moved = blocked != 0;
		*state = blocked ? blocked : *state;
		any = any || outcomes[i];
	}
	return any;
}

/* Return the state in which the thread in `slot`, which is stuck, has given `mutex` back, going on alone from `state`; 0 if it
 * never does. */
static vm_ref given_back(vm_ref state, unsigned slot, const struct vm_range *mutex)
{
	assert(slot < vm_this.max_threads); /* somebody holds the mutex */
	is_stuck(state, slot);
	for (uint32_t i = 0; i < at.alone.count; i++)
		if (vm_mutex_holder_in(at.alone.states[i], mutex) != slot)
			return at.alone.states[i];
	return 0;
}

/* Return one of the mutexes locked by threads that are stuck, which somebody holds in `state`; NULL if nobody holds one. */
static const struct vm_range *held_mutex(vm_ref state)
{
	for (uint32_t i = 0; i < at.mutexes.count; i++)
		if (vm_mutex_holder_in(state, &at.mutexes.ranges[i]) < vm_this.max_threads)
			return &at.mutexes.ranges[i];
	return NULL;
}

/* Return the state in which all threads are stuck or blocked, when they have gone on alone from `state` until the mutexes are
 * free.  Return 0 if some thread is neither, or keeps a mutex. */
static vm_ref all_stuck(vm_ref state)
{
	bool moved;
	for (unsigned moves = 0; moves <= 2 * VM_MAX_SLOTS && state && each_stuck(&state, &moved); moves++) {
		const struct vm_range *held = moved ? NULL : held_mutex(state);
		if (!moved && !held)
			return state;
		if (held) {
			struct vm_range mutex = *held;
			state = given_back(state, vm_mutex_holder_in(state, &mutex), &mutex);
		}
	}
	return 0;
}

/* Note where the first thread is that waits, or that goes round for nothing. */
static void note(uint32_t *place, bool waits)
{
	for (unsigned i = 0; i < at.count && !*place; i++)
		if (at.threads[i].stuck && at.threads[i].waits == waits)
			*place = at.threads[i].location;
}

/* Does the state hang?  Where it does, for what does each thread wait? */
static bool state_hangs(vm_ref state)
{
	bool waits = false, left_out = false;
	state = all_stuck(state);
	if (!state || !mutexes_only_block(state))
		return false;
	unsigned slots = vm_state_words(state)[1];
	assert(slots == at.count); /* all_stuck() looked at this state last */
	for (unsigned i = 0; i < slots; i++) {
		if (!at.threads[i].stuck)
			continue;
		is_stuck(state, i);
		left_out = left_out || at.alone.left_out;
		at.threads[i].waits = vm_hang_awaits(&at.alone, &at.threads[i].location);
		waits = waits || at.threads[i].waits;
	}
	bool idle = !waits || is_idle(state);
	if (idle)
		note(&vm_this.met.facts.daemon_place, false);
	else if (vm_awaits_signals())
		note(&vm_this.met.facts.rounds_place, true);
	if (!idle && left_out)
		vm_limit_end(LIMIT_SLICING, "a thread goes round for ever, and what it writes there was left out", 0);
	return !idle && !vm_awaits_signals();
}

/* Does the thread, which holds the mutex, go round for ever without unlocking it? */
static bool keeps(vm_ref state, unsigned slot, const struct vm_range *mutex)
{
	vm_footprint_clear(&at.mutexes);
	vm_footprint_clear(&at.accesses);
	if (!is_stuck(state, slot))
		return false;
	for (uint32_t i = 0; i < at.mutexes.count; i++)
		if (overlap(&at.mutexes.ranges[i], mutex))
			return false;
	return true;
}

/* Is every thread stuck, or blocked whatever timers do? */
static bool hangs_or_ticks(vm_ref state)
{
	if (vm_this.image.options->waits && state_hangs(state))
		return true;
	memset(at.threads, 0, sizeof at.threads);
	return vm_all_tick(state);
}

/* Is every thread stuck, or, if there is a mutex, does its holder keep it? */
static bool judge(vm_ref state, unsigned slot, const struct vm_range *mutex)
{
	struct vm_trial trial = vm_alone_begin(state);
	bool hangs = mutex ? keeps(state, slot, mutex) : hangs_or_ticks(state);
	vm_alone_end(&trial);
	return hangs;
}

/* What is known of states that hang not: their refs. */
static VM_OWN vm_ref not_hanging[MEMORY];

void vm_hangs_forget(void)
{
	memset(not_hanging, 0, sizeof not_hanging);
}

bool vm_hangs(vm_ref state)
{
	vm_ref *known = &not_hanging[(state * 2654435761u >> 12) & (MEMORY - 1)];
	if ((*known == state && !vm_is_transient(state)) || !vm_hangs_wanted() || vm_state_words(state)[0])
		return false;
	/* where there is a split, a thread can go on only after an answer, and that is another state */
	bool hangs = !vm_symbolic_has_split(state) && judge(state, 0, NULL);
	if (!hangs && !vm_is_transient(state))
		*known = state;
	return hangs;
}

/* The numbers of terms, which others may have in registers and memory, change with the sets that are in use, so only the headers
 * of others are compared. */
static bool same_headers(vm_ref before, vm_ref after, unsigned slot)
{
	unsigned slots = vm_state_words(before)[1];
	bool same = vm_state_words(after)[1] == slots;
	for (unsigned i = 0; i < slots && same; i++) {
		const vm_stored_header *a = vm_thread_stored(before, i), *b = vm_thread_stored(after, i);
		same = i == slot || (!a && !b) || (a && b && (memcmp(a, b, sizeof *a) == 0 || a->wait == WAIT_CHOICE));
	}
	return same;
}

bool vm_may_hang(vm_ref before, vm_ref after, unsigned slot)
{
	if (!vm_hangs_wanted() || vm_state_words(before)[0] || vm_state_words(after)[0] || !vm_thread_stored(before, slot))
		return false;
	return vm_symbolic_on() ? same_headers(before, after, slot) : same_others(before, after, slot, true);
}

bool vm_hang_holds(vm_ref before, vm_ref after, unsigned slot, const struct vm_range *mutex)
{
	assert(mutex->low < mutex->high);
	return vm_hangs_wanted() && same_others(before, after, slot, false) && judge(after, slot, mutex);
}

/* ---- circles ------------------------------------------------------------------------------------------------------------ */

/* Do the states of a circle differ by more than the threads?  Its last step leads from `last` to `first`, which is on the path. */
static bool circle_changes(vm_ref last, vm_ref first)
{
	const uint32_t *a = vm_state_words(first);
	uint32_t number = vm_path_depth();
	for (vm_ref state = last; state != first && number-- > 0; state = vm_path_state(number)) {
		const uint32_t *b = vm_state_words(state);
		for (uint32_t i = STATE_GLOBALS; i < STATE_WORDS + a[1] * STATE_SLOT_WORDS && a[1] == b[1]; i++)
			if (a[i] != b[i] && i != STATE_RECORDS && (i < STATE_WORDS || (i - STATE_WORDS) % STATE_SLOT_WORDS))
				return true;
		if (a[1] != b[1])
			return true;
	}
	return false;
}

static bool tries(const struct builtin *builtin)
{
	return builtin->flags & BUILTIN_TRIES;
}

/* Is the thread in `slot` stuck in a circle in which it changes nothing?  To lock a mutex is a change if somebody may see that it
 * is locked.  Put the thread's place into *location. */
static bool is_quiet_circle(vm_ref state, unsigned slot, uint32_t *location)
{
	if (vm_symbolic_has_split(state)) {
		*location = vm_thread_location(vm_thread_load(slot));
		return false;
	}
	struct vm_trial trial = vm_alone_begin(state);
	vm_footprint_clear(&at.mutexes);
	vm_footprint_clear(&at.accesses);
	bool stuck = is_stuck(state, slot) && !(at.mutexes.count && builtin_is_used(tries));
	vm_state_load(state);
	*location = vm_thread_location(vm_thread_load(slot));
	vm_alone_end(&trial);
	return stuck;
}

void vm_goes_round(vm_ref before, vm_ref next, unsigned slot, bool changes)
{
	struct vm_met_facts *facts = &vm_this.met.facts;
	uint32_t location;
	if (next != before && !(vm_path_is_known() && vm_path_has(next))) /* most steps */
		return;
	if (!vm_this.image.options->waits || !vm_hangs_wanted() || facts->rounds_place || vm_state_words(next)[0])
		return;
	if (!changes && !vm_symbolic_on() && !circle_changes(before, next))
		return;
	if (!is_quiet_circle(before, slot, &location))
		facts->rounds_place = location;
}

/* ---- a quick look ------------------------------------------------------------------------------------------------------- */

/* May steps of the thread in `slot` with this footprint, which have led from `before` to `after`, be those of a thread that is
 * stuck?  No, if they break (2) above. */
static bool may_be_stuck(vm_ref before, vm_ref after, unsigned slot, const struct footprint *steps)
{
	if (after == 0 || steps->everything)
		return false;
	if (vm_symbolic_on())
		return same_headers(before, after, slot);
	if (!same_others(before, after, slot, true))
		return false;
	bool globals = vm_state_words(before)[STATE_GLOBALS] != vm_state_words(after)[STATE_GLOBALS];
	for (uint32_t i = 0; globals && i < steps->count; i++) {
		const struct vm_range *range = &steps->ranges[i];
		if (!vm_footprint_is_blocking(range) && vm_footprint_writes(range) && !leaves(before, after, range))
			return false;
	}
	return true;
}

bool vm_hang_is_left(vm_ref before, vm_ref after, unsigned slot, const struct footprint *step)
{
	return vm_hangs_wanted() && !vm_has_timers() && !may_be_stuck(before, after, slot, step);
}

bool vm_runs_may_hang(const struct expansion *expansion)
{
	if (!vm_hangs_wanted())
		return false;
	for (unsigned i = 0; i < expansion->count; i++) {
		const struct superstep *run = &expansion->runs[i];
		if (!may_be_stuck(expansion->state, run->end, run->slot, &run->all))
			return false;
	}
	return true;
}

uint32_t vm_hang_location(void)
{
	for (unsigned i = 0; i < at.count; i++)
		if (at.threads[i].waits)
			return at.threads[i].location;
	return 0;
}
