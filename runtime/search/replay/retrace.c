/* SPDX-License-Identifier: MIT
 *
 * See retrace.h.  A sorted state differs from the program's own in two ways.
 *
 * Threads are in other slots: `who` has the slot of each in the program's own state.  It follows the exchanges; and where main
 * creates a thread, both states have a new one.  An outcome of a signal is a thread, so it has another number.
 *
 * And main may be past joins that still have to wait in the program: such steps of main are put off until they can be taken.  The
 * others notice nothing of them (sort_threads.c).
 *
 * Under slicing, the sorted states are sliced too (whole_states.h).  Where inputs are sets or terms, there are three paths: the
 * program's own one has symbols, with splits where the sorted one has them, and beside it goes the one with numbers, which is told
 * (inputs.h).  Only what becomes of the inputs on the program's own path is noted.
 */
#include "retrace.h"
#include "../../bitspin_vm.h"
#include "../base/schedule.h"
#include "../step/single.h"
#include "inputs.h"
#include "whole_states.h"
#include "../../symbolic/symbolic.h"
#include "../step/bounded_waits.h"
#include "../reduce/sort_threads.h"
#include "../reduce/turn.h"

#include <assert.h>
#include <string.h>

struct put_off {
	uint32_t choice;
	uint64_t rounds; /* of a bounded wait */
};

static VM_OWN struct {
	bool begun;
	vm_ref state; /* the program's own; 0: a step did not come to rest */
	uint8_t who[SYMMETRIC_SLOTS];
	struct put_off *put_off; /* steps of main */
	uint32_t count, capacity;
} path;

static void begin(void)
{
	assert(!path.begun && path.count == 0 && vm_this.initial);
	path.begun = true;
	path.state = vm_this.initial;
	for (unsigned slot = 0; slot < SYMMETRIC_SLOTS; slot++)
		path.who[slot] = (uint8_t)slot;
}

static bool is_enabled(unsigned slot, uint32_t choice)
{
	const uint32_t *words = vm_state_words(path.state);
	return slot < words[1] && choice < vm_offered(vm_state_outcomes(words)[slot]);
}

/* Take a step of the program's own path with symbols. */
static vm_ref with_inputs(unsigned slot, uint32_t choice)
{
	vm_ref before, after;
	vm_history_pause(false);
	vm_ref next = vm_inputs_step(path.state, slot, choice, &before, &after);
	vm_history_pause(true);
	return next;
}

/* Take a step of the program as it is: a join waits for the thread that it names. */
static void take(unsigned slot, uint32_t choice, uint64_t rounds)
{
	if (path.state == 0 || !is_enabled(slot, choice))
		return;
	vm_this.reductions &= ~(unsigned)REDUCTION_SYMMETRY;
	vm_symmetry_retraces(true);
	vm_tracing = true;
	if (!vm_symbolic_on())
		vm_schedule_note(slot, choice);
	path.state = vm_symbolic_on() ? with_inputs(slot, choice) :
		vm_this.slicing       ? vm_slice_whole(path.state, slot, choice, rounds) :
					vm_joined(path.state, slot, choice);
	vm_tracing = false;
	vm_symmetry_retraces(false);
	vm_this.reductions |= REDUCTION_SYMMETRY;
}

static void take_put_off(void)
{
	assert(path.count <= path.capacity);
	uint32_t taken = 0;
	for (; taken < path.count && path.state && is_enabled(0, path.put_off[taken].choice); taken++)
		take(0, path.put_off[taken].choice, path.put_off[taken].rounds);
	assert(taken <= path.count);
	path.count -= taken;
	memmove(path.put_off, path.put_off + taken, path.count * sizeof *path.put_off);
}

static void put_off(uint32_t choice, uint64_t rounds)
{
	assert(choice < VM_CHOICES);
	path.put_off = vm_grow(path.put_off, &path.capacity, path.count + 1, sizeof *path.put_off);
	path.put_off[path.count++] = (struct put_off){ choice, rounds };
}

/* ---- signals --------------------------------------------------------------------------------------------------------- */

static bool waits_on(unsigned slot, uint64_t condition)
{
	const struct vm_thread_header *header = &vm_thread_load(slot)->header;
	return header->wait == WAIT_CONDITION && header->address == condition;
}

/* Return the slot of the thread that is woken by outcome `choice` of a signal in the working state; max_threads if none is. */
static unsigned woken_by(const struct vm_thread *thread, uint32_t choice)
{
	assert(thread->header.wait == WAIT_SIGNAL);
	uint32_t skip = thread->header.low + choice;
	for (unsigned slot = 0; slot < vm_this.slots; slot++)
		if (waits_on(slot, thread->header.address) && skip-- == 0)
			return slot;
	return vm_this.max_threads;
}

/* Take the signal of the thread in `slot` that wakes the one in slot `whom`, in the program's own state.  These may be several
 * steps, which narrow the choice. */
static void signal_to(unsigned slot, unsigned whom)
{
	assert(slot < SYMMETRIC_SLOTS && whom < SYMMETRIC_SLOTS);
	for (bool narrowed = true; narrowed && path.state;) {
		vm_slice_set(false);
		vm_state_load(path.state);
		struct vm_thread *thread = vm_thread_load(slot);
		uint32_t outcomes = vm_thread_outcomes(thread), at = 0;
		for (unsigned i = 0; i < whom; i++)
			at += waits_on(i, thread->header.address);
		assert(at >= thread->header.low); /* the choice is narrowed to a part that has the thread */
		at -= thread->header.low;
		narrowed = outcomes > VM_CHOICES;
		take(slot, narrowed ? at / vm_part_size(outcomes) : at, 0);
	}
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

/* Return the slots below 64 that have a thread, a bit each. */
static uint64_t threads_of(vm_ref state)
{
	uint64_t set = 0;
	if (state == 0)
		return 0;
	const uint32_t *words = vm_state_words(state);
	assert(words[1] <= 64);
	for (unsigned slot = 0; slot < words[1]; slot++)
		set |= vm_state_thread(words, slot) ? UINT64_C(1) << slot : 0;
	return set;
}

/* Take the same step in the program's own path, where the thread has the slot `own`. */
static void follow(vm_ref sorted, unsigned slot, unsigned own, uint32_t choice)
{
	assert(slot < SYMMETRIC_SLOTS && own < SYMMETRIC_SLOTS);
	uint64_t rounds = vm_spin_rounds;
	bool answers = vm_symbolic_has_split(sorted);
	vm_state_load(sorted);
	struct vm_thread *thread = vm_thread_load(slot);
	bool signals = thread->header.wait == WAIT_SIGNAL && !answers;
	if (signals && vm_thread_outcomes(thread) > VM_CHOICES)
		return; /* the choice is narrowed: who is woken will be known later */
	unsigned whom = signals ? woken_by(thread, choice) : vm_this.max_threads;
	if (whom < vm_this.max_threads)
		signal_to(own, path.who[whom]);
	else if (own != 0)
		take(own, choice, rounds);
	else
		put_off(choice, rounds);
	take_put_off();
}

static void pair_new(uint64_t sorted, uint64_t own)
{
	assert(SYMMETRIC_SLOTS <= 64); /* a set of slots is a word */
	for (; sorted && own; sorted &= sorted - 1, own &= own - 1)
		path.who[__builtin_ctzll(sorted)] = (uint8_t)__builtin_ctzll(own);
}

vm_ref vm_retraced(void)
{
	if (!path.begun)
		begin();
	return path.state;
}

unsigned vm_retraced_number(vm_ref sorted)
{
	static VM_OWN struct point {
		vm_ref sorted;
		uint32_t put_off;
		uint8_t who[SYMMETRIC_SLOTS];
	} * points;
	static VM_OWN uint32_t count, capacity;
	struct point here = { .sorted = sorted, .put_off = path.count };
	assert(sizeof here == 2 * sizeof(uint32_t) + sizeof here.who); /* no padding: they are compared as bytes */
	memcpy(here.who, path.who, sizeof here.who);
	for (uint32_t i = 0; i < count; i++)
		if (memcmp(&points[i], &here, sizeof here) == 0)
			return i;
	points = vm_grow(points, &capacity, count + 1, sizeof *points);
	points[count] = here;
	return count++;
}

/* Return whether the program's own path has ended before the sorted one, as it is the one that races (histories.h). */
static bool is_over(void)
{
	return vm_this.apart && path.state == 0;
}

/* Take the joins that main takes at once in sorted states. */
static void follow_joins(vm_ref *state)
{
	while (!is_over() && vm_symmetry_joins(*state)) {
		vm_ref next = vm_joined(*state, 0, 0);
		if (next == 0)
			break;
		follow(*state, 0, 0, 0);
		*state = next;
		vm_slice_set(true);
	}
}

vm_ref vm_retrace(vm_ref *state, unsigned *slot, uint32_t choice, unsigned length)
{
	static VM_OWN uint8_t to[SYMMETRIC_SLOTS];
	uint8_t who[SYMMETRIC_SLOTS];
	if (!path.begun)
		begin();
	assert(*slot < SYMMETRIC_SLOTS);
	unsigned own = path.who[*slot];
	vm_tracing = false;
	for (unsigned i = 0; i < length && *state && !is_over(); i++) {
		uint64_t before = threads_of(*state), before_own = threads_of(path.state);
		vm_slice_set(true);
		vm_ref next = vm_joined(*state, *slot, i ? 0 : choice);
		follow(*state, *slot, own, i ? 0 : choice);
		pair_new(threads_of(next) & ~before, threads_of(path.state) & ~before_own);
		*state = next;
	}
	vm_slice_set(true);
	if (*state) {
		follow_joins(state);
		*state = vm_symmetry_sort(*state, to);
		vm_turns_move(to);
		memcpy(who, path.who, sizeof who);
		for (unsigned i = 0; i < SYMMETRIC_SLOTS; i++) {
			assert(to[i] < SYMMETRIC_SLOTS);
			path.who[to[i]] = who[i];
		}
	}
	vm_slice_set(false);
	vm_tracing = true;
	*slot = own;
	return path.state;
}
