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
#include "offer.h"
#include "../hang/hangs.h"
#include "../step/layers.h"
#include "../base/gain.h"
#include "../base/limits.h"
#include "../base/path.h"
#include "persistent.h"
#include "../base/report.h"
#include "sort_threads.h"
#include "transition_cache.h"
#include "turn.h"
#include "unread.h"
#include "worth.h"
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

static VM_OWN struct asked {
	vm_ref state;
	struct offer offer;
} asked; /* the state that was asked for last, thread by thread */
static VM_OWN struct successors cache[CACHE];
static VM_OWN struct expansion expansion; /* of the state that pan asks for */
static VM_OWN unsigned postpones;         /* number of the reduction that has found the set of threads */

/* ---- what is offered ----------------------------------------------------------------------------------------------- */

/* Whether rule T is worth its time, by the steps that it has added to runs; as with sets (persistent.c). */
enum { WINDOW = 8192, LEAST = WINDOW / 64, REST = 15 * WINDOW }; /* runs; steps; runs */
static VM_OWN struct vm_gain gain;                               /* useful: steps */

/* Count what rule T has gained on the runs of a state, if they were made by it.  If it gains too little, give it a rest. */
static void note_gain(enum vm_way way)
{
	vm_gain_pass(&gain, expansion.count);
	if (way != VM_AS_TRANSACTION)
		return;
	gain.tried += expansion.count;
	for (unsigned i = 0; i < expansion.count; i++)
		gain.useful += expansion.runs[i].transacted;
	vm_gain_settle(&gain, WINDOW, LEAST, REST);
}

static struct offer everyone(void)
{
	bool rests = vm_reduces(REDUCTION_TRANSACTIONS) && gain.rest > 0;
	return (struct offer){ .way = rests ? VM_AS_RUN : VM_AS_TRANSACTION };
}

static struct offer propose(void)
{
	struct persistent_set set = { 0 };
	if (!vm_reduces(REDUCTIONS_OF_THREADS) || !vm_persistent_choose(&expansion, &set))
		return everyone();
	postpones = set.sections ? REDUCTION_SECTIONS_NUMBER : REDUCTION_PERSISTENT_NUMBER;
	if (set.count > 1 && everyone().way == VM_AS_TRANSACTION && vm_offer_room() > 2 && !vm_is_temporal())
		set.transactions = vm_persistent_transacts(&expansion, &set);
	return vm_offer_set(&set);
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
	return next != state && (note == 0 || vm_offer_of(note).count == 0);
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

/* Keep the ends of the runs that are offered.  Return whether these runs may be all that is offered. */
static bool keep_ends(struct offer offer)
{
	bool fair = true;
	for (unsigned i = 0; i < expansion.count; i++) {
		struct superstep *run = &expansion.runs[i];
		if (!vm_offers(offer, run->slot))
			continue;
		keep_end(run);
		fair = fair && (run->kept == 0 || may_lead(expansion.state, run->kept));
	}
	return fair;
}

/* Complete the runs; make runs with whole sections only if they are offered. */
static void complete(struct offer offer)
{
	if (offer.way == VM_AS_TRANSACTION)
		vm_expand_transactions();
	for (unsigned i = 0; i < expansion.count && offer.way == VM_AS_SECTIONS; i++)
		if (vm_offers(offer, expansion.runs[i].slot))
			vm_run_on(expansion.runs[i].slot);
	vm_expand_ends();
	vm_transient_end();
}

/* Return how the runs of the thread in `slot` are made: as transactions only where the thread has one outcome. */
static enum vm_way way_of(vm_ref state, struct offer offer, unsigned slot)
{
	if (offer.way != VM_AS_TRANSACTION)
		return offer.way;
	bool transactions_on = vm_reduces(REDUCTION_TRANSACTIONS) && vm_state_outcomes(vm_state_words(state))[slot] == 1;
	return transactions_on ? VM_AS_TRANSACTION : VM_AS_RUN;
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

/* Complete the runs that are offered, and keep their ends.  Return whether these runs may be all that is offered. */
static bool make(struct offer offer)
{
	complete(offer);
	return keep_ends(offer);
}

/* Undo the proposal of a set, and make the runs that are offered instead.  Another process may have found a set with sections. */
static void make_instead(vm_ref state, struct offer proposed, struct offer offer)
{
	assert(proposed.count > 0); /* all threads may always be offered */
	if (proposed.way == VM_AS_TRANSACTION)
		vm_expand_back(); /* all of them: a run that is extended again by itself may end elsewhere than in a replay */
	else
		vm_run_back(proposed.slots[0]);
	vm_transient_begin();
	if (offer.way == VM_AS_SECTIONS && !expansion.sections) {
		expansion.sections = true;
		vm_expand(&expansion, state);
	}
	make(offer);
}

/* Decide which threads are offered in `state`, and make their runs.  A set of threads is looked for with short runs, as long ones
 * conflict with more. */
static void decide(vm_ref state)
{
	uint16_t known = vm_note(state);
	struct offer proposed = known ? vm_offer_of(known) : propose();
	unsigned by = postpones;
	bool fair = make(proposed);
	if (known)
		return;
	vm_worth_count();
	uint16_t note = vm_offer_note(proposed), noted = vm_note_set(state, fair ? note : vm_offer_note(everyone()));
	struct offer offer = vm_offer_of(noted);
	if (noted != note)
		make_instead(state, proposed, offer);
	note_gain(offer.way);
	for (unsigned i = 0; i < expansion.count; i++)
		vm_saved[by] += !vm_offers(offer, expansion.runs[i].slot);
}

/* Are the sections of the runs looked at?  Only where a set may be found that needs them, or is known to. */
static bool need_sections(vm_ref state, bool replayed, enum vm_way way)
{
	uint16_t note = replayed ? 0 : vm_note(state);
	if (!vm_reduces(REDUCTION_SECTIONS))
		return false;
	if (replayed)
		return way == VM_AS_SECTIONS;
	return note ? vm_offer_of(note).way == VM_AS_SECTIONS : !vm_persistent_rests();
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
		make((struct offer){ .way = way });
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
	if ((vm_reduces(REDUCTIONS_OF_THREADS) && !vm_is_temporal()) || vm_unread_is_on())
		vm_path_at(state);
}

/* Has each thread at most one outcome in `state`? */
static bool has_no_choice(vm_ref state)
{
	struct vm_scene_view view;
	if (!vm_transitions_view(state, &view)) {
		const uint32_t *words = vm_state_words(state);
		view.slots = words[1];
		view.outcomes = vm_state_outcomes(words);
	}
	for (unsigned i = 0; i < view.slots; i++)
		if (view.outcomes[i] > 1)
			return false;
	return true;
}

static struct offer offer_of(vm_ref state)
{
	note_path(state);
	if (!vm_reduces(REDUCTIONS_OF_THREADS))
		return (struct offer){ .way = VM_AS_TRANSACTION };
	if (asked.state == state)
		return asked.offer;
	if (vm_note(state) == 0 && vm_reductions_rest() && has_no_choice(state)) {
		vm_note_set(state, vm_offer_note((struct offer){ .way = VM_AS_STEP }));
		vm_rested++;
	}
	if (vm_note(state) == 0)
		successors_of(state, false, VM_AS_RUN);
	asked = (struct asked){ state, vm_offer_of(vm_note(state)) };
	return asked.offer;
}

static unsigned short offers(vm_ref state, unsigned slot, uint32_t outcomes)
{
	struct offer offer = offer_of(state);
	if (!vm_offers(offer, slot))
		return 0;
	switch (way_of(state, offer, slot)) {
	case VM_AS_TRANSACTION: return 1u << VM_TRANSACTION;
	case VM_AS_SECTIONS: return 1u << VM_SECTIONS;
	case VM_AS_STEP: return 1u << VM_STEP;
	default: return vm_below[LAYER_runs].offers(state, slot, outcomes);
	}
}

static struct vm_run run_of(const struct successors *successors, const struct successor *item)
{
	return (struct vm_run){ .end = item->end, .length = item->length, .quiet = successors->quiet, .changes = item->changes };
}

static struct vm_run run(vm_ref state, unsigned slot, uint32_t option)
{
	if (option == VM_STEP)
		return vm_below[LAYER_runs].run(state, slot, 0);
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
	if (option == VM_STEP)
		return vm_below[LAYER_runs].take(state, slot, 0);
	return go_on(successors_of(state, false, vm_way_of(option)), slot, option);
}

static struct vm_run replay(vm_ref state, unsigned slot, uint32_t option)
{
	if (option == VM_STEP)
		return vm_below[LAYER_runs].replay(state, slot, 0);
	return go_on(successors_of(state, true, vm_way_of(option)), slot, option);
}

static void forget(void)
{
	for (unsigned i = 0; i < CACHE; i++)
		cache[i].state = 0;
	asked.state = 0;
	vm_groups_forget();
	vm_unread_forget();
}

static bool has_rules(void)
{
	return vm_reduces(REDUCTIONS_OF_RUNS & ~(unsigned)REDUCTION_ENDS);
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
	return vm_reduces(REDUCTIONS_OF_RUNS) && !has_rules();
}

const struct vm_layer vm_layer_ends = {
	.suits = has_rule_e_alone,
	.run = vm_run_not_known,
	.take = step_and_end,
	.replay = step_and_end,
};
