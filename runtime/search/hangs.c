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
 * from outside.  So that is no violation.
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
 * The search finds a state that hangs when it takes a step from one: such a step changes nothing but its own thread.
 */
#include "hangs.h"
#include "../bitspin_vm.h"
#include "../memory/footprint.h"
#include "../sync/sync.h"
#include "../trace/describe.h"
#include "../trace/trace.h"
#include "single.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_STATES = 2048, /* that a thread alone may come to */
	MOST_NAMES = 3,     /* of what one thread waits for */
	MEMORY = 1u << 14,  /* states that are remembered; a power of two */
};

struct edge {
	uint32_t from, to;
};

/* A(t), of the thread that is looked at. */
static VM_OWN struct {
	unsigned slot;
	vm_ref *states;
	struct edge *edges;
	uint32_t count, capacity, edge_count, edge_capacity;
} alone;

/* what all threads that are stuck do */
static VM_OWN struct footprint mutexes, accesses;

static VM_OWN struct found {
	bool stuck, waits;
	uint32_t location;
	char text[400];
} found[VM_MAX_SLOTS];

bool vm_hangs_wanted(void)
{
	const struct image_options *options = vm_this.image.options;
	return options->waits && options->deadlock && !vm_is_temporal();
}

/* ---- steps of one thread ------------------------------------------------------------------------------------------------ */

static bool is_memory(const struct vm_range *range)
{
	return range->object < IMAGE_END_DYNAMIC;
}

/* The bytes of a range in a state; false: they are not there. */
static bool read_range(vm_ref state, const struct vm_range *range, uint8_t **bytes, uint32_t *capacity)
{
	vm_state_load(state);
	uint32_t size = range->high - range->low;
	const uint8_t *from = vm_peek(image_address(range->object, range->low), size);
	if (!from)
		return false;
	*bytes = vm_grow(*bytes, capacity, size, 1);
	memcpy(*bytes, from, size);
	return true;
}

/* Has the step left there what was there before?  What is no memory is compared with the threads. */
static bool leaves(vm_ref before, vm_ref after, const struct vm_range *range)
{
	static VM_OWN uint8_t *old, *new;
	static VM_OWN uint32_t old_capacity, new_capacity;
	return !is_memory(range) ||
		(read_range(before, range, &old, &old_capacity) && read_range(after, range, &new, &new_capacity) &&
		 memcmp(old, new, range->high - range->low) == 0);
}

/* Are all other threads, and what they own, as they were?  And all globals, unless `globals`. */
static bool same_others(vm_ref before, vm_ref after, unsigned slot, bool globals)
{
	const uint32_t *a = vm_state_words(before), *b = vm_state_words(after);
	uint32_t own = STATE_WORDS + slot * STATE_SLOT_WORDS;
	if (a[0] != b[0] || a[1] != b[1])
		return false;
	for (uint32_t i = STATE_GLOBALS; i < STATE_WORDS + a[1] * STATE_SLOT_WORDS; i++) {
		bool may_differ = i == STATE_RECORDS || (i == STATE_GLOBALS && globals) || (i >= own && i < own + STATE_SLOT_WORDS);
		if (a[i] != b[i] && !may_differ)
			return false;
	}
	return true;
}

/* Does the step, with its footprint, keep to the conditions above?  Collects the mutexes, and all other accesses. */
static bool is_quiet(vm_ref before, vm_ref after, unsigned slot, const struct footprint *step)
{
	bool locks = false;
	if (step->everything || vm_this.outward)
		return false;
	for (uint32_t i = 0; i < step->count; i++) {
		const struct vm_range *range = &step->ranges[i];
		if (vm_footprint_is_blocking(range)) {
			locks = true;
			vm_footprint_add_range(&mutexes, range);
			continue;
		}
		if (vm_footprint_writes(range) && !leaves(before, after, range))
			return false;
		vm_footprint_add_range(&accesses, range);
	}
	return same_others(before, after, slot, locks);
}

static uint32_t add_state(vm_ref state)
{
	for (uint32_t i = alone.count; i-- > 0;)
		if (alone.states[i] == state)
			return i;
	alone.states = vm_grow(alone.states, &alone.capacity, alone.count + 1, sizeof *alone.states);
	alone.states[alone.count] = state;
	return alone.count++;
}

static void add_edge(uint32_t from, uint32_t to)
{
	alone.edges = vm_grow(alone.edges, &alone.edge_capacity, alone.edge_count + 1, sizeof *alone.edges);
	alone.edges[alone.edge_count++] = (struct edge){ from, to };
}

/* Take a step, and its footprint. */
static vm_ref take(vm_ref state, uint32_t choice, struct footprint *step)
{
	uint64_t unseen = vm_this.unseen;
	vm_this.outward = false;
	vm_footprint_record(step);
	vm_ref next = vm_single(state, alone.slot, choice);
	vm_footprint_record(NULL);
	if (vm_this.unseen != unseen)
		vm_this.outward = true; /* slicing has left out a change */
	return next && !vm_excludes(next, alone.slot) ? next : 0;
}

/* Take all steps of the thread from a state that it has come to. */
static bool explore_state(uint32_t number)
{
	static VM_OWN struct footprint step;
	vm_ref state = alone.states[number];
	const uint32_t *words = vm_state_words(state);
	uint32_t offered = vm_offered(vm_state_outcomes(words)[alone.slot]);
	for (uint32_t choice = 0; choice < offered; choice++) {
		vm_ref next = vm_transient_is_crowded() ? 0 : take(state, choice, &step);
		if (!next || !is_quiet(state, next, alone.slot, &step))
			return false;
		add_edge(number, add_state(next));
	}
	return true;
}

/* Find A(t).  Is the thread stuck, as far as it depends on itself? */
static bool explore_thread(vm_ref state, unsigned slot)
{
	alone.slot = slot;
	alone.count = alone.edge_count = 0;
	add_state(state);
	for (uint32_t i = 0; i < alone.count; i++)
		if (alone.count > MOST_STATES || !explore_state(i))
			return false;
	return true;
}

/* ---- what it waits for --------------------------------------------------------------------------------------------------- */

/* Mark what can be come to from a state of A(t). */
static void reach(uint32_t from, bool *reached)
{
	memset(reached, 0, alone.count * sizeof *reached);
	reached[from] = true;
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < alone.edge_count; i++)
			if (reached[alone.edges[i].from] && !reached[alone.edges[i].to])
				more = reached[alone.edges[i].to] = true;
	}
}

/* Mark the states of a loop that has no way out. */
static bool *last_loop(void)
{
	static VM_OWN bool *reached, *back;
	static VM_OWN uint32_t capacity, back_capacity;
	reached = vm_grow(reached, &capacity, alone.count, sizeof *reached);
	back = vm_grow(back, &back_capacity, alone.count, sizeof *back);
	uint32_t from = 0;
	reach(from, reached);
	for (uint32_t i = 0; i < alone.count; i++) {
		if (!reached[i])
			continue;
		reach(i, back);
		if (back[from])
			continue;
		from = i;
		reach(from, reached);
	}
	return reached;
}

/* Add to the text that the thread reads this, where the working state is that before the step. */
static void add_name(struct found *to, const struct vm_range *range, unsigned *names)
{
	uint64_t address = image_address(range->object, range->low);
	char name[120];
	if (*names > MOST_NAMES)
		return;
	if (!is_memory(range))
		snprintf(name, sizeof name, "thread %u to end", (unsigned)(range->object - FOOTPRINT_THREAD));
	else
		snprintf(name, sizeof name, "%s to change", vm_describe(address));
	if (strstr(to->text, name))
		return;
	uint32_t location = vm_thread_location(vm_thread_load(alone.slot)), size = range->high - range->low;
	const uint8_t *bytes = is_memory(range) && size <= 8 ? vm_peek(address, size) : NULL;
	uint64_t value = 0;
	if (bytes)
		memcpy(&value, bytes, size);
	size_t used = strlen(to->text);
	const char *file = image_file(&vm_this.image, location), *slash = strrchr(file, '/');
	(void)value;
	snprintf(to->text + used, sizeof to->text - used, "%s%s (%s:%u", used ? " or for " : "waits in a loop for ", name,
		 slash ? slash + 1 : file, (unsigned)image_line(&vm_this.image, location));
	used = strlen(to->text);
	if (bytes)
		snprintf(to->text + used, sizeof to->text - used, " reads %s", vm_describe_value(address, size, value));
	strncat(to->text, ")", sizeof to->text - strlen(to->text) - 1);
	if (!to->location || location < to->location)
		to->location = location;
	++*names;
}

static bool is_awaited(const struct vm_range *range)
{
	bool thread = range->object >= FOOTPRINT_THREAD && range->object < FOOTPRINT_THREAD + VM_MAX_SLOTS;
	return !vm_footprint_is_blocking(range) && (thread ? range->object != FOOTPRINT_THREAD + alone.slot : is_memory(range));
}

/* What does the thread, which is stuck, read in its last loop? */
static void describe(struct found *to)
{
	static VM_OWN struct footprint step;
	const bool *last = last_loop();
	unsigned names = 0;
	*to = (struct found){ .stuck = true };
	for (uint32_t i = 0; i < alone.count; i++) {
		if (!last[i])
			continue;
		uint32_t offered = vm_offered(vm_state_outcomes(vm_state_words(alone.states[i]))[alone.slot]);
		for (uint32_t choice = 0; choice < offered; choice++) {
			take(alone.states[i], choice, &step);
			vm_state_load(alone.states[i]);
			for (uint32_t k = 0; k < step.count; k++)
				if (is_awaited(&step.ranges[k]))
					add_name(to, &step.ranges[k], &names);
		}
	}
	to->waits = names > 0;
}

static bool overlap(const struct vm_range *a, const struct vm_range *b)
{
	return a->object == b->object && a->low < b->high && b->low < a->high;
}

/* ---- all threads --------------------------------------------------------------------------------------------------------- */

/* The mutexes are free, and nobody asks about them otherwise. */
static bool mutexes_only_block(vm_ref state)
{
	vm_state_load(state);
	for (uint32_t i = 0; i < mutexes.count; i++)
		if (!vm_mutex_only_blocks(image_address(mutexes.ranges[i].object, mutexes.ranges[i].low)))
			return false;
	for (uint32_t i = 0; i < mutexes.count; i++)
		for (uint32_t k = 0; k < accesses.count; k++)
			if (overlap(&mutexes.ranges[i], &accesses.ranges[k]))
				return false;
	return true;
}

/* Does the thread go round for nothing, or wait for one to end that does? */
static bool is_daemon(unsigned slot)
{
	for (unsigned i = 0; i < vm_this.slots; i++) {
		const struct vm_thread *thread = vm_thread_load(slot);
		if (found[slot].stuck || thread->header.status != THREAD_RUNNING || thread->header.wait != WAIT_JOIN ||
		    vm_is_symmetric())
			break;
		slot = vm_thread_of(thread->header.address);
		if (slot >= vm_this.slots)
			return false;
	}
	return found[slot].stuck && !found[slot].waits;
}

/* Is the program a server that has nothing to do, see above? */
static bool is_idle(vm_ref state)
{
	vm_state_load(state);
	bool main_runs = vm_thread_load(0)->header.status == THREAD_RUNNING, daemons = false;
	for (unsigned i = 0; i < vm_this.slots; i++)
		daemons = daemons || (found[i].stuck && !found[i].waits);
	return main_runs ? is_daemon(0) : daemons;
}

static bool all_stuck(vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	uint8_t outcomes[VM_MAX_SLOTS];
	unsigned slots = words[1];
	bool any = false, waits = false;
	memcpy(outcomes, vm_state_outcomes(words), slots);
	vm_footprint_clear(&mutexes);
	vm_footprint_clear(&accesses);
	for (unsigned i = 0; i < slots; i++)
		if (outcomes[i] && !explore_thread(state, i))
			return false;
		else
			any = any || outcomes[i];
	if (!any || !mutexes_only_block(state))
		return false;
	for (unsigned i = 0; i < slots; i++) {
		found[i] = (struct found){ 0 };
		if (!outcomes[i] || !explore_thread(state, i))
			continue;
		describe(&found[i]);
		waits = waits || found[i].waits;
	}
	return waits && !is_idle(state);
}

/* Does the thread, which holds the mutex, go round for ever without unlocking it? */
static bool keeps(vm_ref state, unsigned slot, const struct vm_range *mutex)
{
	vm_footprint_clear(&mutexes);
	vm_footprint_clear(&accesses);
	if (!explore_thread(state, slot))
		return false;
	for (uint32_t i = 0; i < mutexes.count; i++)
		if (overlap(&mutexes.ranges[i], mutex))
			return false;
	return true;
}

/* Steps are tried, and nobody hears of them: is every thread stuck, or, if there is a mutex, does its holder keep it? */
static bool judge(vm_ref state, unsigned slot, const struct vm_range *mutex)
{
	bool tracing = vm_tracing, nested = vm_transient_is_on();
	vm_tracing = false;
	vm_this.silent = true;
	if (!nested)
		vm_transient_begin();
	bool hangs = mutex ? keeps(state, slot, mutex) : all_stuck(state);
	if (!nested) {
		vm_transient_end();
		vm_transient_clear();
	}
	vm_state_forget();
	vm_this.silent = false;
	vm_tracing = tracing;
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
	if (!vm_hangs_wanted() || vm_state_words(state)[0] || (*known == state && !vm_is_transient(state)))
		return false;
	bool hangs = judge(state, 0, NULL);
	if (!hangs && !vm_is_transient(state))
		*known = state;
	return hangs;
}

bool vm_may_hang(vm_ref before, vm_ref after, unsigned slot)
{
	if (!vm_hangs_wanted() || vm_state_words(before)[0] || vm_state_words(after)[0] || !vm_thread_stored(before, slot))
		return false;
	return same_others(before, after, slot, true);
}

bool vm_hang_holds(vm_ref before, vm_ref after, unsigned slot, const struct vm_range *mutex)
{
	return vm_hangs_wanted() && same_others(before, after, slot, false) && judge(after, slot, mutex);
}

static bool run_may_hang(vm_ref state, const struct superstep *run)
{
	if (run->end == 0 || run->all.everything)
		return false;
	bool globals = vm_state_words(state)[STATE_GLOBALS] != vm_state_words(run->end)[STATE_GLOBALS];
	if (!same_others(state, run->end, run->slot, true))
		return false;
	for (uint32_t i = 0; globals && i < run->all.count; i++) {
		const struct vm_range *range = &run->all.ranges[i];
		if (!vm_footprint_is_blocking(range) && vm_footprint_writes(range) && !leaves(state, run->end, range))
			return false;
	}
	return true;
}

bool vm_runs_may_hang(const struct expansion *expansion)
{
	if (!vm_hangs_wanted())
		return false;
	for (unsigned i = 0; i < expansion->count; i++)
		if (!run_may_hang(expansion->state, &expansion->runs[i]))
			return false;
	return true;
}

const char *vm_hang_waits(unsigned slot)
{
	return found[slot].waits ? found[slot].text : NULL;
}

uint32_t vm_hang_location(unsigned slot)
{
	return found[slot].location;
}
