/* SPDX-License-Identifier: MIT
 *
 * See persistent.h.  What the others may do is not looked up in static sets but tried: sets of classes of objects know no
 * array elements and no joins, and most independence of real programs is there.
 *
 * In a state s, let P be a set of enabled threads; the others that are enabled fall into groups.  A group is explored with
 * all threads frozen that are enabled in s and not in the group; threads that it wakes or creates move too.  `touched` is
 * all that its steps touch; `awaited` is what its threads, or those it woke, wait for where they cannot go on.  When
 * no group touches what another touches or awaits, and no thread is woken by two, groups do not meet as long as P rests:
 * whatever the others do from s without P is an interleaving of what was explored (by induction over its steps: the first
 * step that is not would need something of another group).  Groups that meet are made one.  If moreover no group touches what
 * the runs of P touch, the first step of each makes a persistent set.
 *
 * But it is whole runs that P is offered with, so the others may move in the middle of one.  There, they can do no more than
 * without P as long as P's intermediate steps let no thread move that could not: none that is blocked in s, by the conditions
 * on runs (superstep.c), and none that is blocked later, as no intermediate step touches what a group awaits.
 *
 * Races and violations need no case of their own.  A violation's footprint is everything, so a group that may run into one
 * forbids the set.  And as P's open segments stay open while the groups are explored, an access that races with one is
 * such a violation.
 *
 * For formulas: if an infinite execution completes a run of P at all, the first of these can be moved to its beginning, as above.
 * If it completes none, it is unfair: nobody disables the threads of P.  Where unfair executions count, each run of P is
 * invisible, and one put before the execution, without what its thread has done, makes one that a formula cannot tell from it.
 * The cycle proviso (superstep.c) sees to it that all threads are offered again and again, so that no step is put off for ever.
 *
 * Exploring costs steps, so it is limited, and where it seldom pays it is tried more rarely.  Whether a set is used is free to
 * choose; superstep.c sees that a state's answer stays the same.
 */
#include "persistent.h"
#include "single.h"

#include <string.h>

#define BUDGET      2000u /* steps that may be tried for one set */
#define BUDGETS     4u    /* ... times this for one state */
#define MAX_THREADS 256u
#define TRIALS      64u /* attempts before success counts */

/* of slots */
struct set {
	uint64_t words[MAX_THREADS / 64];
};

struct group {
	struct set members, woken;
	struct footprint touched, awaited;
	bool failed; /* the budget ran out, or it can end the program */
};

static VM_OWN struct group groups[MAX_THREADS];
static VM_OWN unsigned group_count;
static VM_OWN unsigned budget; /* steps left */

static void set_add(struct set *set, unsigned slot)
{
	set->words[slot / 64] |= UINT64_C(1) << slot % 64;
}

static bool set_has(const struct set *set, unsigned slot)
{
	return set->words[slot / 64] >> slot % 64 & 1;
}

static bool set_meets(const struct set *a, const struct set *b)
{
	for (unsigned i = 0; i < MAX_THREADS / 64; i++)
		if (a->words[i] & b->words[i])
			return true;
	return false;
}

static bool set_equal(const struct set *a, const struct set *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

static void set_unite(struct set *to, const struct set *from)
{
	for (unsigned i = 0; i < MAX_THREADS / 64; i++)
		to->words[i] |= from->words[i];
}

/* ---- states a group has been in ------------------------------------------------------------------------------------ */

#define SEEN 8192u /* a power of two, more than twice BUDGET: each step adds at most one state */

static VM_OWN struct {
	vm_ref stack[SEEN], table[SEEN]; /* to be looked at; open addressing, 0: free */
	unsigned depth, used;
} seen;

static void seen_clear(void)
{
	if (seen.used)
		memset(seen.table, 0, sizeof seen.table);
	seen.depth = seen.used = 0;
}

static void seen_add(vm_ref state)
{
	unsigned at = state * 2654435761u & (SEEN - 1);
	while (seen.table[at] && seen.table[at] != state)
		at = (at + 1) & (SEEN - 1);
	if (seen.table[at])
		return;
	seen.table[at] = state;
	seen.used++;
	seen.stack[seen.depth++] = state;
}

/* ---- a group by itself --------------------------------------------------------------------------------------------- */

/* The group depends on what lets this thread go on. */
static void await(struct group *group, vm_ref state, unsigned slot)
{
	static VM_OWN struct footprint awaited;
	vm_state_load(state);
	vm_footprint_record(&awaited);
	vm_footprint_add_awaited(vm_thread_load(slot));
	vm_footprint_record(NULL);
	vm_footprint_merge(&group->awaited, &awaited);
}

static void explore_thread(struct group *group, vm_ref state, unsigned slot, uint32_t outcomes)
{
	static VM_OWN struct footprint step;
	for (uint32_t choice = 0; choice < vm_offered(outcomes); choice++) {
		vm_ref next = budget && !vm_transient_is_crowded() ? vm_try_step(state, slot, choice, &step) : 0;
		if (next == 0 || step.everything) {
			group->failed = true;
			return;
		}
		budget--;
		vm_footprint_merge(&group->touched, &step);
		seen_add(next);
	}
}

/* Take every step that the group can take in a state. */
static void explore_state(struct group *group, const struct expansion *expansion, const struct set *frozen, vm_ref state)
{
	const uint32_t *words = vm_state_words(state), *first = vm_state_words(expansion->state);
	for (unsigned slot = 0; slot < words[1] && !group->failed; slot++) {
		uint32_t outcomes = vm_state_outcomes(words)[slot];
		bool member = set_has(&group->members, slot);
		if (set_has(frozen, slot))
			continue;
		if (outcomes && !member)
			set_add(&group->woken, slot);
		if (outcomes)
			explore_thread(group, state, slot, outcomes);
		else if (member || vm_state_thread(words, slot) != vm_state_thread(first, slot))
			await(group, state, slot);
	}
}

static void explore(struct group *group, const struct expansion *expansion, const struct set *frozen)
{
	seen_clear();
	seen_add(expansion->state);
	while (seen.depth && !group->failed)
		explore_state(group, expansion, frozen, seen.stack[--seen.depth]);
}

static struct set frozen_for(const struct group *group, const struct expansion *expansion)
{
	struct set frozen = { 0 };
	for (unsigned i = 0; i < expansion->count; i++)
		if (!set_has(&group->members, expansion->runs[i].slot))
			set_add(&frozen, expansion->runs[i].slot);
	return frozen;
}

/* A group of one thread with one run, at whose end the group cannot go on: that run is all there is to explore.  (Within
 * the run it could not wake anybody, see superstep.c, (c).) */
static bool take_run(struct group *group, const struct expansion *expansion, const struct set *frozen)
{
	const struct superstep *only = NULL;
	for (unsigned i = 0; i < expansion->count; i++) {
		if (!set_has(&group->members, expansion->runs[i].slot))
			continue;
		if (only)
			return false;
		only = &expansion->runs[i];
	}
	if (!only || only->end == 0)
		return false;
	const uint32_t *words = vm_state_words(only->end);
	for (unsigned slot = 0; slot < words[1]; slot++)
		if (vm_state_outcomes(words)[slot] && !set_has(frozen, slot))
			return false;
	for (unsigned k = 0; k < only->length; k++)
		vm_footprint_merge(&group->touched, &only->steps[k]);
	group->failed = group->touched.everything;
	explore_state(group, expansion, frozen, only->end); /* takes no step, but sees who waits */
	return true;
}

/* The group of these threads, explored once for a state. */
static const struct group *group_of(const struct set *members, const struct expansion *expansion)
{
	for (unsigned i = 0; i < group_count; i++)
		if (set_equal(&groups[i].members, members))
			return &groups[i];
	if (group_count == MAX_THREADS)
		return NULL;
	struct group *group = &groups[group_count++];
	group->members = *members;
	group->woken = (struct set){ 0 };
	group->touched.count = group->awaited.count = 0;
	group->touched.blocks = group->awaited.blocks = 0;
	group->touched.everything = group->awaited.everything = group->failed = false;
	struct set frozen = frozen_for(group, expansion);
	if (!take_run(group, expansion, &frozen))
		explore(group, expansion, &frozen);
	return group;
}

static bool groups_meet(const struct group *a, const struct group *b)
{
	return set_meets(&a->woken, &b->woken) || !vm_footprint_independent(&a->touched, &b->touched) ||
		!vm_footprint_independent(&a->touched, &b->awaited) || !vm_footprint_independent(&a->awaited, &b->touched);
}

/* ---- sets ---------------------------------------------------------------------------------------------------------- */

/* Can the runs of these threads, less so many steps at the end of each, conflict with what has this footprint? */
static bool runs_conflict(const struct expansion *expansion, const struct set *threads, unsigned less,
			  const struct footprint *footprint)
{
	for (unsigned i = 0; i < expansion->count; i++) {
		const struct superstep *run = &expansion->runs[i];
		for (unsigned k = 0; k + less < run->length && set_has(threads, run->slot); k++)
			if (!vm_footprint_independent(&run->steps[k], footprint))
				return true;
	}
	return false;
}

/* Can a group do anything that matters to the runs of these threads, or could once they are under way? */
static bool group_conflicts(const struct expansion *expansion, const struct set *threads, const struct group *group)
{
	return runs_conflict(expansion, threads, 0, &group->touched) || runs_conflict(expansion, threads, 1, &group->awaited);
}

static bool run_conflicts(const struct expansion *expansion, const struct set *threads, const struct superstep *run)
{
	for (unsigned k = 0; k < run->length; k++)
		if (runs_conflict(expansion, threads, 0, &run->steps[k]))
			return true;
	return false;
}

/* the set that is being made */
struct choice {
	struct set set;
	unsigned count, *slots;
};

static bool extend_set(struct choice *choice, unsigned slot)
{
	if (choice->count == PERSISTENT_THREADS)
		return false;
	set_add(&choice->set, slot);
	choice->slots[choice->count++] = slot;
	return true;
}

/* Add threads whose runs conflict with those of the set. */
static bool close_set(const struct expansion *expansion, struct choice *choice)
{
	for (unsigned i = 0; i < expansion->count; i++) {
		const struct superstep *run = &expansion->runs[i];
		if (set_has(&choice->set, run->slot) && run->visible)
			return false;
		if (set_has(&choice->set, run->slot) || !run_conflicts(expansion, &choice->set, run))
			continue;
		if (!extend_set(choice, run->slot))
			return false;
		i = UINT32_MAX; /* from the beginning */
	}
	return true;
}

enum answer { AWAY, NEAR, CLOSER }; /* the others keep away; they do not; the set has been extended, look again */

/* Do the threads outside the set, explored by groups, never touch what its runs touch? */
static enum answer others_keep_away(const struct expansion *expansion, struct choice *choice)
{
	const struct group *others[MAX_THREADS];
	unsigned count = 0;
	for (unsigned i = 0; i < expansion->count; i++) {
		struct set one = { 0 };
		unsigned slot = expansion->runs[i].slot;
		set_add(&one, slot);
		if (set_has(&choice->set, slot) || (count && set_equal(&others[count - 1]->members, &one)))
			continue;
		others[count] = group_of(&one, expansion);
		if (!others[count])
			return NEAR;
		if (group_conflicts(expansion, &choice->set, others[count]))
			return extend_set(choice, slot) ? CLOSER : NEAR;
		count++;
	}
	for (unsigned i = 0; i < count; i++) {
		if (!others[i] || others[i]->failed || group_conflicts(expansion, &choice->set, others[i]))
			return NEAR;
		for (unsigned k = 0; k < i; k++) {
			if (!groups_meet(others[i], others[k]))
				continue;
			struct set both = others[i]->members;
			set_unite(&both, &others[k]->members);
			others[k] = group_of(&both, expansion);
			others[i] = others[--count];
			i = UINT32_MAX; /* the new group has to be compared with all */
			break;
		}
	}
	return AWAY;
}

/* Enabled threads that a thread which cannot go on waits for.  To begin with those is best: the others do not get past it. */
static struct set awaited_threads(vm_ref state)
{
	struct set set = { 0 };
	vm_state_load(state);
	for (unsigned i = 0; i < vm_this.slots; i++) {
		const struct vm_thread_header *header = &vm_thread_load(i)->header;
		unsigned whom = vm_this.max_threads;
		if (header->status != THREAD_RUNNING)
			continue;
		if (header->wait == WAIT_JOIN)
			whom = vm_thread_of(header->address);
		else if (header->wait == WAIT_MUTEX)
			whom = vm_mutex_holder(header->address);
		if (whom < vm_this.max_threads)
			set_add(&set, whom);
	}
	return set;
}

static bool grow_from(const struct expansion *expansion, unsigned slot, unsigned threads, struct choice *choice)
{
	enum answer answer;
	choice->set = (struct set){ 0 };
	choice->count = 0;
	extend_set(choice, slot);
	do {
		if (!close_set(expansion, choice) || choice->count == threads)
			return false;
		answer = others_keep_away(expansion, choice);
	} while (answer == CLOSER);
	return answer == AWAY;
}

/* What has been tried so far, in this process. */
static VM_OWN struct {
	unsigned states, won;  /* attempts, and those that found a set */
	uint64_t taken, spent; /* steps of runs, which are needed in any case; and those of groups */
} tally;

/* Where most attempts find a set, each is worth its price; elsewhere all together may cost half of what the runs do. */
static bool is_worth_trying(void)
{
	return tally.states < TRIALS || 20 * (uint64_t)tally.won > 19 * (uint64_t)tally.states || 2 * tally.spent < tally.taken;
}

static bool find_set(const struct expansion *expansion, unsigned threads, struct choice *choice)
{
	struct set first = awaited_threads(expansion->state);
	unsigned spent = 0;
	group_count = 0;
	for (unsigned i = 0; i < 2 * expansion->count && spent < BUDGETS * BUDGET; i++) {
		unsigned at = i % expansion->count, slot = expansion->runs[at].slot;
		bool again = at && expansion->runs[at - 1].slot == slot;
		if (again || set_has(&first, slot) != (i < expansion->count))
			continue;
		budget = BUDGET;
		bool found = grow_from(expansion, slot, threads, choice);
		spent += BUDGET - budget;
		tally.spent += BUDGET - budget;
		if (found)
			return true;
	}
	return false;
}

unsigned vm_persistent_choose(const struct expansion *expansion, unsigned slots[PERSISTENT_THREADS])
{
	struct choice choice = { .slots = slots };
	unsigned threads = 0;
	for (unsigned i = 0; i < expansion->count; i++) {
		threads += i == 0 || expansion->runs[i].slot != expansion->runs[i - 1].slot;
		tally.taken += expansion->runs[i].length;
	}
	if (threads < 2 || !is_worth_trying())
		return 0;
	tally.states++;
	if (!find_set(expansion, threads, &choice))
		return 0;
	tally.won++;
	return choice.count;
}
