/* SPDX-License-Identifier: MIT
 *
 * Layers (layers.h): the successors of a state are the ends of its runs (superstep.h).  The ends of runs that pan is offered are
 * kept.  Which threads are offered (persistent.h) is decided once for a state and noted in the table beside it, as pan asks thread
 * by thread.  It depends on the search, and so does whether their runs are transactions.  A replay knows nothing of that search:
 * the trail says it.
 */
#include "successors.h"
#include "../../bitspin_vm.h"
#include "../../state/driver.h"
#include "groups.h"
#include "../hang/hangs.h"
#include "../step/layers.h"
#include "../base/gain.h"
#include "../base/limits.h"
#include "../base/path.h"
#include "persistent.h"
#include "../base/report.h"
#include "sort_threads.h"
#include "turn.h"
#include "unread.h"
#include "../../state/notes.h"

#include <assert.h>
#include <string.h>

#define CACHE (1u << 14) /* states whose runs are remembered; a power of two */

struct successor {
	unsigned slot;
	uint32_t choice;
	unsigned length, transacted; /* steps of the run; those by rule T */
	bool ended;                  /* the last is its thread's end, by rule E */
	bool changes;                /* it writes or locks something */
	vm_ref end;                  /* 0: it ends in a violation or the like, or is not offered */
};

struct successors { /* what is remembered of the runs of a state */
	vm_ref state;
	bool replayed;                  /* the search has offered them, or a trail has taken them */
	enum vm_way replayed_as;        /* in a replay */
	unsigned count, capacity, room; /* room: bytes for `moves` */
	struct successor *items;
	uint8_t *moves; /* SYMMETRIC_SLOTS for each, where its run has put threads; NULL: nobody asks */
	bool quiet;     /* see struct expansion */
};

static VM_OWN struct successors cache[CACHE];
static VM_OWN struct expansion expansion; /* of the state that pan asks for */
static VM_OWN unsigned postpones;         /* number of the reduction that has found the set of threads */

/* ---- what is offered ----------------------------------------------------------------------------------------------- */

/* A note of the table on a state: two slots; or one and NOBODY; or one whose runs go on to the end of their sections; or
 * EVERYONE, as transactions; or EVERYONE_BY_RUNS, without rule T.  (0 is not used, as slots differ.) */
enum { EVERYONE = 0xffff, EVERYONE_BY_RUNS = 0xfefe, NOBODY = 0xff, WHOLE_SECTIONS = 0xfe };

static bool is_everyone(uint16_t note)
{
	return note == EVERYONE || note == EVERYONE_BY_RUNS;
}

static bool offered_by(uint16_t note, unsigned slot)
{
	return is_everyone(note) || (note & 0xff) == slot || (note >> 8) == slot;
}

/* Return how those runs are made that `note` offers. */
static enum vm_way way_of(uint16_t note)
{
	if (is_everyone(note))
		return note == EVERYONE ? VM_AS_TRANSACTION : VM_AS_RUN;
	return note >> 8 == WHOLE_SECTIONS ? VM_AS_SECTIONS : VM_AS_RUN;
}

/* Whether rule T is worth its time, by the steps that it has added to runs; as with sets (persistent.c). */
enum { WINDOW = 8192, LEAST = WINDOW / 64, REST = 15 * WINDOW }; /* runs; steps; runs */
static VM_OWN struct vm_gain gain;                               /* useful: steps */

/* Count what rule T has gained on the runs of a state, if `note` says that it was tried.  If it gains too
 * little, give it a rest. */
static void note_gain(uint16_t note)
{
	vm_gain_pass(&gain, expansion.count);
	if (way_of(note) != VM_AS_TRANSACTION)
		return;
	gain.tried += expansion.count;
	for (unsigned i = 0; i < expansion.count; i++)
		gain.useful += expansion.runs[i].transacted;
	vm_gain_settle(&gain, WINDOW, LEAST, REST);
}

static uint16_t everyone(void)
{
	return (vm_this.reductions & REDUCTION_TRANSACTIONS) && gain.rest > 0 ? EVERYONE_BY_RUNS : EVERYONE;
}

static uint16_t propose(void)
{
	struct persistent_set set = { 0 };
	if (!(vm_this.reductions & REDUCTIONS_OF_THREADS) || !vm_persistent_choose(&expansion, &set))
		return everyone();
	postpones = set.sections ? REDUCTION_SECTIONS_NUMBER : REDUCTION_PERSISTENT_NUMBER;
	unsigned second = set.whole ? WHOLE_SECTIONS : set.count > 1 ? set.slots[1] : NOBODY;
	assert(set.count > 0 && set.slots[0] < WHOLE_SECTIONS && second != set.slots[0]); /* so it is no other note */
	return (uint16_t)(set.slots[0] | second << 8);
}

/* May a set of threads be all that is offered in `state` if it leads to `next`?  In a search for safety that goes depth first, see
 * path.h.  Others may see states in any order, and a formula's claim makes pan search them twice.  There: not if a set is known to
 * be all that is offered in `next`.  In a cycle of states with sets, one is decided first, and the one before it last of the two.
 * Several processes decide at the same time: for them, any order of states will do, as no cycle only goes up. */
static bool may_lead(vm_ref state, vm_ref next)
{
	if (!vm_is_temporal() && vm_path_is_known())
		return !vm_path_has(next);
	if (vm_driver.has_processes)
		return next > state;
	uint16_t note = vm_note(next);
	return next != state && (note == 0 || is_everyone(note));
}

/* Return the end of `run` as pan gets it, which is sorted where threads are symmetric.  The run itself keeps its end unsorted, as
 * it may go on. */
static vm_ref sort_end(struct superstep *run)
{
	if (!vm_is_symmetric())
		return run->end;
	vm_transient_begin();
	vm_footprint_clear(&run->joins);
	vm_ref end = vm_symmetry_settle(run->end, run->to, vm_unread_is_on() ? &run->joins : NULL);
	vm_transient_end();
	run->sorted = end != run->end;
	return end;
}

/* Keep the end of `run`, which is offered, if it has one.  It may have lost the one that it had when it was offered before: then it
 * has gone on to a violation. */
static void keep_end(struct superstep *run)
{
	run->kept = run->end ? vm_state_keep(sort_end(run)) : 0;
	if (!vm_is_symmetric())
		run->end = run->kept;
}

/* Let the runs that are offered lead to states that differ from their ends only in what nobody reads. */
static void leave_out_unread(void)
{
	for (unsigned i = 0; i < expansion.count && !expansion.quiet && vm_unread_is_on(); i++) {
		struct superstep *run = &expansion.runs[i];
		vm_ref end = run->kept ? vm_unread_known(run->kept) : 0;
		run->sorted = run->sorted || end != run->kept; /* as its end is another one */
		run->kept = end;
	}
	vm_unread_note(&expansion);
}

/* Keep the ends of the runs that `note` offers.  Return whether these runs may be all that is offered. */
static bool keep_ends(uint16_t note)
{
	bool fair = true;
	for (unsigned i = 0; i < expansion.count; i++) {
		struct superstep *run = &expansion.runs[i];
		if (!offered_by(note, run->slot))
			continue;
		keep_end(run);
		fair = fair && (run->kept == 0 || may_lead(expansion.state, run->kept));
	}
	return fair;
}

/* Complete the runs in this way; make runs with whole sections only if `note` offers them. */
static void complete(uint16_t note, enum vm_way way)
{
	if (way == VM_AS_TRANSACTION)
		vm_expand_transactions();
	for (unsigned i = 0; i < expansion.count && way == VM_AS_SECTIONS; i++)
		if (offered_by(note, expansion.runs[i].slot))
			vm_run_on(expansion.runs[i].slot);
	vm_expand_ends();
	vm_transient_end();
}

/* Return how the thread in `slot` is offered by `note`: as a transaction only where the thread has one outcome. */
static enum vm_way way_offered(vm_ref state, uint16_t note, unsigned slot)
{
	enum vm_way way = way_of(note);
	bool transactions_on = (vm_this.reductions & REDUCTION_TRANSACTIONS) && vm_state_outcomes(vm_state_words(state))[slot] == 1;
	return way == VM_AS_TRANSACTION && !transactions_on ? VM_AS_RUN : way;
}

static struct successors *place_of(vm_ref state)
{
	return &cache[(state * 2654435761u >> 8) & (CACHE - 1)];
}

/* Remember where each run moves threads: claims with fairness ask where threads are now. */
static void remember_moves(struct successors *successors)
{
	if (!vm_is_symmetric() || !vm_is_temporal())
		return;
	successors->moves = vm_grow(successors->moves, &successors->room, SYMMETRIC_SLOTS * expansion.count, 1);
	for (unsigned i = 0; i < expansion.count; i++)
		memcpy(successors->moves + SYMMETRIC_SLOTS * i, expansion.runs[i].to, SYMMETRIC_SLOTS);
}

static void remember(struct successors *successors)
{
	successors->items = vm_grow(successors->items, &successors->capacity, expansion.count, sizeof *successors->items);
	successors->count = expansion.count;
	remember_moves(successors);
	for (unsigned i = 0; i < expansion.count; i++) {
		const struct superstep *run = &expansion.runs[i];
		assert(run->length > 0 && (!run->kept || run->end));
		successors->items[i] = (struct successor){
			.slot = run->slot,
			.choice = run->choice,
			.length = run->length,
			.ended = run->ended,
			.changes = vm_footprint_changes(&run->all),
			.transacted = run->transacted,
			.end = run->kept,
		};
	}
	successors->state = expansion.state;
	successors->quiet = expansion.quiet;
	if (!vm_persistent_rests())
		vm_groups_lead(&expansion);
}

/* ---- decisions ------------------------------------------------------------------------------------------------------- */

/* Complete the runs that `note` offers, and keep their ends.  Return whether these runs may be all that is offered. */
static bool offer(uint16_t note)
{
	complete(note, way_of(note));
	return keep_ends(note);
}

/* Decide which threads are offered in `state`, and offer them.  A set of threads is looked for with short runs, as long ones
 * conflict with more. */
static void decide(vm_ref state)
{
	uint16_t known = vm_note(state), note = known ? known : propose();
	unsigned by = postpones;
	bool fair = offer(note);
	if (known)
		return;
	uint16_t proposed = note;
	note = vm_note_set(state, fair ? note : everyone());
	assert(proposed && note);
	if (note != proposed) {
		vm_run_back(proposed & 0xff);
		vm_transient_begin();
		if (way_of(note) == VM_AS_SECTIONS && !expansion.sections) { /* another process has found a set */
			expansion.sections = true;
			vm_expand(&expansion, state);
		}
		offer(note);
	}
	note_gain(note);
	for (unsigned i = 0; i < expansion.count; i++)
		vm_saved[by] += !offered_by(note, expansion.runs[i].slot);
}

/* Are the sections of the runs looked at?  Only where a set may be found that needs them, or is known to. */
static bool need_sections(vm_ref state, bool replayed, enum vm_way way)
{
	uint16_t note = replayed ? 0 : vm_note(state);
	if (!(vm_this.reductions & REDUCTION_SECTIONS))
		return false;
	if (replayed)
		return way == VM_AS_SECTIONS;
	return note ? way_of(note) == VM_AS_SECTIONS : !vm_persistent_rests();
}

/* Return the runs of `state` that this search offers.  If it is replayed, return all of them, made in the way that the trail
 * says. */
static const struct successors *successors_of(vm_ref state, bool replayed, enum vm_way way)
{
	struct successors *successors = place_of(state);
	if (successors->state == state && successors->replayed == replayed && (!replayed || successors->replayed_as == way))
		return successors;
	successors->state = 0; /* in case this ends early */
	vm_limit_at_rest();
	vm_transient_begin();
	expansion.sections = need_sections(state, replayed, way);
	vm_expand(&expansion, state);
	vm_limit_at_rest(); /* before what is not known because of a signal is noted for good */
	if (replayed) {
		complete(EVERYONE, way);
		keep_ends(EVERYONE);
	} else {
		decide(state);
		leave_out_unread();
	}
	vm_limit_at_rest();
	successors->replayed = replayed;
	successors->replayed_as = way;
	remember(successors);
	vm_transient_clear();
	vm_state_forget();
	return successors;
}

static const struct successor *find(const struct successors *successors, unsigned slot, uint32_t option)
{
	uint32_t choice = vm_way_of(option) == VM_AS_RUN ? option : 0;
	for (unsigned i = 0; i < successors->count; i++)
		if (successors->items[i].slot == slot && successors->items[i].choice == choice)
			return &successors->items[i];
	VM_BUG("thread %u has no step %u in this state", slot, choice);
}

/* ---- the layer of runs ------------------------------------------------------------------------------------------------- */

/* Note that the path has come to `state`: the cycle proviso of a search for safety needs the path, see may_lead(). */
static void note_path(vm_ref state)
{
	if (((vm_this.reductions & REDUCTIONS_OF_THREADS) && !vm_is_temporal()) || vm_unread_is_on())
		vm_path_at(state);
}

static uint16_t note_of(vm_ref state)
{
	note_path(state);
	if (!(vm_this.reductions & REDUCTIONS_OF_THREADS))
		return EVERYONE;
	if (vm_note(state) == 0)
		successors_of(state, false, VM_AS_RUN);
	assert(vm_note(state));
	return vm_note(state);
}

static unsigned short offers(vm_ref state, unsigned slot, uint32_t outcomes)
{
	uint16_t note = note_of(state);
	if (!offered_by(note, slot))
		return 0;
	switch (way_offered(state, note, slot)) {
	case VM_AS_TRANSACTION: return 1u << VM_TRANSACTION;
	case VM_AS_SECTIONS: return 1u << VM_SECTIONS;
	default: return vm_below[LAYER_runs].offers(state, slot, outcomes);
	}
}

static struct vm_run run_of(const struct successors *successors, const struct successor *item)
{
	return (struct vm_run){ .end = item->end, .length = item->length, .quiet = successors->quiet, .changes = item->changes };
}

static struct vm_run run(vm_ref state, unsigned slot, uint32_t option)
{
	const struct successors *successors = successors_of(state, false, vm_way_of(option));
	return run_of(successors, find(successors, slot, option));
}

/* Return the run that `option` of the thread in `slot` stands for, when the search goes on with it. */
static struct vm_run go_on(const struct successors *successors, unsigned slot, uint32_t option)
{
	const struct successor *item = find(successors, slot, option);
	if (successors->moves && item->end)
		vm_turns_move(successors->moves + SYMMETRIC_SLOTS * (item - successors->items));
	assert(item->length > (uint32_t)item->ended + item->transacted);
	vm_groups_follow(successors->state, slot, item->choice);
	vm_saved[REDUCTION_ENDS_NUMBER] += item->ended;
	vm_saved[REDUCTION_TRANSACTIONS_NUMBER] += item->transacted;
	vm_saved[REDUCTION_SUPERSTEPS_NUMBER] += item->length - 1 - item->ended - item->transacted;
	return run_of(successors, item);
}

static struct vm_run take(vm_ref state, unsigned slot, uint32_t option)
{
	note_path(state);
	return go_on(successors_of(state, false, vm_way_of(option)), slot, option);
}

static struct vm_run replay(vm_ref state, unsigned slot, uint32_t option)
{
	return go_on(successors_of(state, true, vm_way_of(option)), slot, option);
}

static void forget(void)
{
	for (unsigned i = 0; i < CACHE; i++)
		cache[i].state = 0;
	vm_groups_forget();
	vm_unread_forget();
}

static bool has_rules(void)
{
	return vm_this.reductions & REDUCTIONS_OF_RUNS & ~(unsigned)REDUCTION_ENDS;
}

const struct vm_layer vm_layer_runs = {
	.suits = has_rules,
	.offers = offers,
	.run = run,
	.take = take,
	.replay = replay,
	.forget = forget,
};

/* ---- the layer of ends ------------------------------------------------------------------------------------------------- */

/* Make the one run that there is.  Rule E does not ask what other threads do. */
static struct vm_run step_and_end(vm_ref state, unsigned slot, uint32_t option)
{
	vm_transient_begin();
	vm_expand_one(&expansion, state, slot, option);
	vm_transient_end();
	assert(expansion.count == 1);
	keep_end(expansion.runs);
	vm_ref end = expansion.runs->kept;
	if (vm_is_symmetric() && end)
		vm_turns_move(expansion.runs->to);
	vm_transient_clear();
	vm_state_forget();
	vm_saved[REDUCTION_ENDS_NUMBER] += expansion.runs->ended;
	return (struct vm_run){ .end = end, .length = expansion.runs->length, .quiet = end && vm_may_hang(state, end, slot) };
}

static bool has_rule_e_alone(void)
{
	return (vm_this.reductions & REDUCTIONS_OF_RUNS) && !has_rules();
}

const struct vm_layer vm_layer_ends = {
	.suits = has_rule_e_alone,
	.run = vm_run_not_known,
	.take = step_and_end,
	.replay = step_and_end,
};
