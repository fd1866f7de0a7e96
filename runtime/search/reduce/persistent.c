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
 * step that is not would need something of another group).  Groups that meet are made one.
 * If moreover no group touches what the runs of P touch, the first step of each makes a persistent set.
 *
 * But it is whole runs that P is offered with, so the others may move in the middle of one.  There, they can do no more than
 * without P as long as P's intermediate steps let no thread move that could not: none that is blocked in s, by the conditions
 * on runs (superstep.c), and none that is blocked later, as no intermediate step touches what a group awaits.
 *
 * Races and violations need no case of their own.  A violation's footprint is everything, so a group that may run into one
 * forbids the set.  And as P's open segments stay open while the groups are explored, an access that races with one is
 * such a violation.
 *
 * A state in which threads can go on only by spurious wake-ups is a deadlock.  So a thread that only such a wake-up lets go on in s
 * is not put into P: the others might go on without it to a deadlock that it would have prevented.  A thread of P that can go on
 * anyhow still can there, as the others keep away from it; then that is no deadlock, and no execution to one does without P.
 *
 * For formulas: if an infinite execution completes a run of P at all, the first of these can be moved to its beginning, as above.
 * If it completes none, it is unfair: nobody disables the threads of P.  Where unfair executions count, each run of P is
 * invisible, and one put before the execution, without what its thread has done, makes one that a formula cannot tell from it.
 * The cycle proviso (successors.c) sees to it that all threads are offered again and again, so that no step is put off for ever.
 *
 * Sets of several threads, with transactions: where runs of a set are extended by rule T (superstep.c), all comparisons are made
 * again with all of their steps.  If the others still keep away, the argument above holds for these runs.  That of rule T is then
 * about the threads of the set only: whoever lets an excluded thread go on before its time depends on a run of the set, so it is
 * one of the set.
 *
 * Rule Q, sections that commute: let P be one thread t.  All comparisons above leave out that both lock and unlock a mutex of a
 * set M, if
 *   (1) each of M is free in s, not robust, and no run of t ends with it: so a run leaves it as it was.  If need be, t's runs go
 *       on until it has unlocked what it has locked, whatever the others' runs are (vm_run_on()); they must let nobody go on;
 *   (2) neither t's runs nor the groups access it but by locks that wait until they have it, by unlocks, and by waits on
 *       condition variables, which do both, all of them outside atomic sections (a lock that waits in one lets others see what it
 *       has done so far): nobody can find out that somebody has it;
 *   (3) no thread of a group ends with it, or blocks while it holds it, or could: only by a lock of another mutex of M, or by
 *       its own wait on a condition variable; nor does one go round for ever while it holds it (hangs.h);
 *   (4) the pairs "locked while the other is held", of t and of the groups, have no circle.
 * Why nothing is lost: a group that is explored sees a mutex of M held by its own threads only, since t is frozen where all of M
 * are free.  That t holds some lets the others do less, never more.  So they do nothing but what was explored, and all that t
 * does commutes with it outside M; inside M, the run needs each mutex to be free, and leaves it free.  So an execution in which t
 * completes its run is equivalent to one that begins with it.  One that ends before that does not end in a violation of another
 * thread, as the group would have failed; nor in a deadlock: otherwise let m be the last mutex in the order (4) that anybody
 * holds.  By (3) its holder waits for a mutex of M, by (4) for one that comes later, which is free; a contradiction.  So all of
 * M are free, and t can go on.  Nor in a state that hangs (hangs.h), as nobody goes round there who keeps a mutex of M.  Or it
 * goes on for ever without t, where no violation is; that is why formulas have no such sets.
 * A mutex that breaks (2), (3) or (4) is no longer left out, and all is compared again.  Where happens-before is kept in
 * records, a mutex passes on more than that it is free, so the rule is off.
 *
 * Rule W, stores of several groups: groups that conflict only by atomic stores to the same bytes are not made one.  Neither
 * looks at what is there, so together they do what each does alone, and atomic accesses do not race with each other.  Which
 * value is there in the end matters to those only who read it, and a group that reads it conflicts.
 *
 * Rule V, a load that does the same with all values: let P be one thread with one run, which only reads in its first step, with
 * one atomic load.  The groups may have atomic stores to just the bytes that it loads, if they have nothing else that conflicts
 * with P. From each state that a group may be in, the step is tried: it must touch the same as in s, and leave its thread as it
 * does from s. Why nothing is lost: in any execution, let P make that step after others have moved.  What it loads is what is
 * there in s or what the last store of a group has left; all else that it reads is as in s.  The same was there in s or in a
 * state of that group, since stores to fewer or more bytes would conflict.  So the step does what it does in s, and changes
 * nothing that others look at: it can be moved to the beginning, and the rest of the run, too, which conflicts with nobody.  An
 * atomic load races with no atomic store.  Off where there are records, as a load learns what a store passes on, and for
 * formulas.
 *
 * Exploring costs steps.  There is an account of them for the search, and whether a set is used is free to choose; successors.c
 * sees that a state's answer stays the same.
 */
#include "persistent.h"
#include "../../state/symmetry.h"
#include "../../sync/sync.h"
#include "creations.h"
#include "groups.h"
#include "offer.h"
#include "../base/gain.h"
#include "../step/layers.h"
#include "../step/single.h"
#include "../../interpreter/proposition.h"
#include "../../memory/records.h"

#include <assert.h>

#define MOST_OF_STATE 8000u /* steps that all groups of a state may take */
#define HALVES        6u
#define WORTH         2u

/* Steps of groups that may be taken.  Each second state adds as many as its runs have; where an eighth of the most that may be
 * was taken in vain, beyond what sets have paid back, each fourth state, and so on: where sets are of little use, looking for them
 * costs little in the end.  A set that is found pays back what it has cost, up to WORTH times the steps of the runs for each thread
 * but one.
 *
 * Groups of several threads, which cost most, have an account of their own: states where these are explored in vain leave the
 * others theirs.  And where few threads can move, a set leaves out little: such states have small accounts of their own. */
enum { ALONE, TOGETHER, ACCOUNTS };
enum { FEW = 3 }; /* threads */
/* the most steps */
static const unsigned most_of_few[ACCOUNTS] = { 4096, 4096 }, most_of_many[ACCOUNTS] = { 65536, 65536 };
static VM_OWN struct account {
	unsigned used, spent, vain, states; /* used: of the most; spent: on the state; vain: at most HALVES eighths of the most */
} of_few[ACCOUNTS], of_many[ACCOUNTS], *accounts;
static VM_OWN const unsigned *most; /* for these accounts */

/* Whether sets are worth their time at all, by the runs that they leave out.  A search in which they leave out few is done sooner
 * without: a state with a set costs two to three times what it costs without.  So after a window of runs of which sets have left
 * out too few, they are not looked for during REST runs, and then for a window again. */
enum { WINDOW = 8192, LEAST = WINDOW / 6, REST = 15 * WINDOW }; /* runs */
static VM_OWN struct vm_gain gain;                              /* useful: runs that were left out */

bool vm_persistent_rests(void)
{
	return gain.rest > 0;
}

static unsigned left(unsigned account)
{
	return most[account] - accounts[account].used;
}

/* ---- sets ---------------------------------------------------------------------------------------------------------- */

static VM_OWN struct set sleepers; /* threads that only a spurious wake-up lets go on */

/* the set that is being made */
struct choice {
	struct set set;
	unsigned count, room, *slots;                   /* room: for so many threads */
	bool (*left_out)(const struct vm_range *mutex); /* the mutexes that do not count, see below; NULL: all count */
	unsigned most;                                  /* steps for groups of several threads each; 0: there are none */
	bool same;                                      /* by rule V: others may store what the set loads */
};

static bool independent(const struct choice *choice, const struct footprint *a, const struct footprint *b)
{
	return vm_footprint_independent_but(a, b, choice->left_out);
}

static bool groups_meet(const struct choice *choice, const struct group *a, const struct group *b)
{
	return set_meets(&a->woken, &b->woken) ||
		(!independent(choice, &a->touched, &b->touched) &&
		 !vm_footprint_conflicts_with_stores(&a->touched, &b->touched, false, choice->left_out)) ||
		!independent(choice, &a->touched, &b->awaited) || !independent(choice, &a->awaited, &b->touched);
}

/* Can the runs of the set, less so many steps at the end of each, conflict with what has this footprint? */
static bool runs_conflict(const struct expansion *expansion, const struct choice *choice, unsigned less,
			  const struct footprint *footprint)
{
	for (unsigned i = 0; i < expansion->count; i++) {
		const struct superstep *run = &expansion->runs[i];
		if (!set_has(&choice->set, run->slot) || independent(choice, &run->all, footprint))
			continue;
		for (unsigned k = 0; k + less < run->length; k++)
			if (!independent(choice, &run->steps[k], footprint))
				return true;
	}
	return false;
}

/* Does the group store what the first step of the set's only run reads, and nothing else that the run touches? */
static bool only_stores(const struct expansion *expansion, const struct choice *choice, const struct group *group)
{
	if (!choice->same)
		return false;
	const struct superstep *run = &expansion->runs[vm_first_run(expansion, choice->slots[0])];
	for (unsigned k = 1; k < run->length; k++)
		if (!independent(choice, &run->steps[k], &group->touched))
			return false;
	return vm_footprint_conflicts_with_stores(&run->steps[0], &group->touched, true, NULL);
}

/* Can a group do anything that matters to the runs of the set, or could once they are under way? */
static bool group_conflicts(const struct expansion *expansion, const struct choice *choice, const struct group *group)
{
	bool touches = runs_conflict(expansion, choice, 0, &group->touched);
	return (touches && !only_stores(expansion, choice, group)) || runs_conflict(expansion, choice, 1, &group->awaited);
}

static bool run_conflicts(const struct expansion *expansion, const struct choice *choice, const struct superstep *run)
{
	if (!runs_conflict(expansion, choice, 0, &run->all))
		return false;
	for (unsigned k = 0; k < run->length; k++)
		if (runs_conflict(expansion, choice, 0, &run->steps[k]))
			return true;
	return false;
}

static bool extend_set(struct choice *choice, unsigned slot)
{
	assert(slot < MOST_GROUPS && !set_has(&choice->set, slot));
	if (choice->count == choice->room || set_has(&sleepers, slot))
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
		if (set_has(&choice->set, run->slot) || !run_conflicts(expansion, choice, run))
			continue;
		if (!extend_set(choice, run->slot))
			return false;
		i = UINT32_MAX; /* from the beginning */
	}
	return true;
}

/* The others keep away; that is not known within the limits; they do not, whatever the limits; the set has been extended, look
 * again. */
enum answer { AWAY, OPEN, NEAR, CLOSER };

/* groups that the threads outside the set have been put into */
struct partition {
	struct group *groups[MOST_GROUPS];
	unsigned count;
};

/* Put each thread that is not in the set into a group of its own. */
static void part(const struct expansion *expansion, const struct choice *choice, struct partition *others)
{
	others->count = 0;
	for (unsigned i = 0; i < expansion->count; i++) {
		struct set one = { 0 };
		unsigned slot = expansion->runs[i].slot;
		set_add(&one, slot);
		assert(others->count < MOST_GROUPS);
		if (!set_has(&choice->set, slot) && !(i && expansion->runs[i - 1].slot == slot))
			others->groups[others->count++] = vm_group_of(&one);
	}
}

/* Explore all groups until they are known, or one of them conflicts with the set.  They take turns: if there is a conflict, it
 * comes soon.  Put into *found the group that conflicts (NEAR) or is too large (OPEN). */
static enum answer explore_all(const struct expansion *expansion, const struct choice *choice, struct partition *others,
			       struct group **found)
{
	unsigned of_each = choice->most ? choice->most : MOST_OF_STATE, payer = choice->most ? TOGETHER : ALONE;
	struct account *account = &accounts[payer];
	for (unsigned i = 0; i < others->count; i++) {
		*found = others->groups[i];
		if ((*found)->failed || group_conflicts(expansion, choice, *found))
			return NEAR;
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (unsigned i = 0; i < others->count; i++) {
			struct group *group = *found = others->groups[i];
			if (group->complete)
				continue;
			if (account->spent >= MOST_OF_STATE || account->spent >= left(payer) || group->spent >= of_each)
				return OPEN;
			account->spent -= group->spent;
			vm_group_explore(group);
			account->spent += group->spent;
			if (group->failed || group_conflicts(expansion, choice, group))
				return NEAR;
			changed = true;
		}
	}
	return AWAY;
}

/* Put into *one and *other the numbers of two groups that meet.  Return false if none do. */
static bool any_meet(const struct choice *choice, const struct partition *others, unsigned *one, unsigned *other)
{
	for (*one = 0; *one < others->count; ++*one)
		for (*other = 0; *other < *one; ++*other)
			if (groups_meet(choice, others->groups[*one], others->groups[*other]))
				return true;
	return false;
}

/* Take into the set the thread of `group`, which conflicts with the set.  Return false if it cannot be taken in, or if the group
 * has more threads. */
static bool take_in(struct choice *choice, const struct group *group)
{
	for (unsigned slot = 0; slot < MOST_GROUPS; slot++) {
		struct set one = { 0 };
		set_add(&one, slot);
		if (set_equal(&one, &group->members))
			return !group->failed && extend_set(choice, slot);
	}
	return false;
}

/* Do the threads outside the set, explored by groups, never touch what its runs touch? */
static enum answer others_keep_away(const struct expansion *expansion, struct choice *choice, struct partition *others)
{
	part(expansion, choice, others);
	for (;;) {
		unsigned one, other;
		struct group *found;
		for (unsigned i = 0; i < others->count; i++)
			if (!others->groups[i])
				return OPEN; /* there are too many */
		enum answer answer = explore_all(expansion, choice, others, &found);
		if (answer != AWAY)
			return take_in(choice, found) ? CLOSER : answer;
		if (!any_meet(choice, others, &one, &other))
			return AWAY;
		if (choice->most == 0)
			return OPEN;
		assert(other < one && one < others->count);
		others->groups[other] = vm_group_unite(others->groups[one], others->groups[other]);
		others->groups[one] = others->groups[--others->count];
	}
}

/* Return the first slot of a running thread that main has started; max_threads if there is none. */
static unsigned first_running(void)
{
	for (unsigned slot = 1; slot < vm_this.slots; slot++)
		if (vm_thread_load(slot)->header.status == THREAD_RUNNING)
			return slot;
	return vm_this.max_threads;
}

/* Return the threads that another one waits for in `state`, to join them or to lock mutexes that they hold.  It is best to begin
 * with those: the others do not get past them. */
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
			whom = vm_is_symmetric() ? first_running() : vm_thread_of(header->address);
		else if (header->wait == WAIT_MUTEX)
			whom = vm_mutex_holder(header->address);
		if (whom < vm_this.max_threads)
			set_add(&set, whom);
	}
	return set;
}

/* Find the threads with runs that only a spurious wake-up lets go on. */
static void find_sleepers(const struct expansion *expansion)
{
	sleepers = (struct set){ 0 };
	if (!vm_wakes_spuriously())
		return;
	vm_state_load(expansion->state);
	for (unsigned i = 0; i < expansion->count; i++)
		if (vm_thread_only_wakes_spuriously(vm_thread_load(expansion->runs[i].slot)))
			set_add(&sleepers, expansion->runs[i].slot);
}

/* Begin a set with this thread; false if it may be in none. */
static bool begin_with(struct choice *choice, unsigned slot)
{
	choice->set = (struct set){ 0 };
	choice->count = 0;
	choice->left_out = NULL;
	choice->same = false;
	return extend_set(choice, slot);
}

/* What is known in this state of sets that begin with a thread: of the thread alone, of the thread with whole sections, of the
 * thread by rule V, and of several threads.  NEAR: no limits on groups will change that, as larger groups touch more. */
static VM_OWN struct prospects {
	enum answer one, whole, same, several;
} prospects[MOST_GROUPS];

/* Can a set of less than `threads` threads grow from the thread in `slot`? */
static enum answer grow_from(const struct expansion *expansion, unsigned slot, unsigned threads, struct choice *choice)
{
	static VM_OWN struct partition others;
	enum answer answer;
	if (!begin_with(choice, slot))
		return NEAR;
	do {
		if (!close_set(expansion, choice) || choice->count == threads)
			return NEAR;
		answer = others_keep_away(expansion, choice, &others);
	} while (answer == CLOSER);
	return answer;
}

/* ---- one thread, reading what others store -------------------------------------------------------------------------------- */

/* the first step of the run of a set, and what it makes of its thread */
static VM_OWN struct {
	unsigned slot;
	struct footprint step;
	uint32_t words[STATE_SLOT_WORDS];
} read_first;

/* Does the first step do in `state` what it does in the state before? */
static bool does_the_same(vm_ref state)
{
	static VM_OWN struct footprint step;
	const uint32_t *words = vm_state_words(state);
	if (read_first.slot >= words[1] || vm_state_outcomes(words)[read_first.slot] != 1 || vm_transient_is_crowded())
		return false;
	vm_ref next = vm_below[LAYER_runs].step(state, read_first.slot, 0, &step);
	return next && vm_footprint_equal(&read_first.step, &step) &&
		memcmp(&vm_state_words(next)[STATE_WORDS + read_first.slot * STATE_SLOT_WORDS], read_first.words,
		       sizeof read_first.words) == 0;
}

/* Note the first step of `run`.  Return false if it is not the only one that the thread can take, or does more than read. */
static bool note_first(const struct expansion *expansion, const struct superstep *run)
{
	if (vm_state_outcomes(vm_state_words(expansion->state))[run->slot] != 1 || run->end == 0 ||
	    vm_footprint_changes(&run->steps[0]))
		return false;
	vm_ref next = vm_below[LAYER_runs].step(expansion->state, run->slot, 0, &read_first.step);
	read_first.slot = run->slot;
	if (next)
		memcpy(read_first.words, &vm_state_words(next)[STATE_WORDS + run->slot * STATE_SLOT_WORDS],
		       sizeof read_first.words);
	return next;
}

/* May the run of thread `slot` be offered alone by rule V? */
static enum answer try_values(const struct expansion *expansion, unsigned slot, struct choice *choice)
{
	static VM_OWN struct partition others;
	const struct superstep *run = &expansion->runs[vm_first_run(expansion, slot)];
	if (vm_has_records() || vm_is_temporal() || !begin_with(choice, slot) || !note_first(expansion, run))
		return NEAR;
	choice->same = true;
	enum answer answer = others_keep_away(expansion, choice, &others);
	for (unsigned i = 0; i < others.count && answer == AWAY; i++) {
		if (!runs_conflict(expansion, choice, 0, &others.groups[i]->touched))
			continue;
		accounts[ALONE].spent += others.groups[i]->seen.used;
		if (!vm_group_has_only(others.groups[i], does_the_same))
			answer = NEAR;
	}
	return answer;
}

/* Whether rule V is worth its time, by the sets that it finds. */
enum { SAME_WINDOW = 1024, SAME_LEAST = SAME_WINDOW / 64, SAME_REST = 15 * SAME_WINDOW }; /* threads; sets; threads */
static VM_OWN struct vm_gain same_gain;

/* May it, unless the rule rests? */
static enum answer reads_for_nothing(const struct expansion *expansion, unsigned slot, struct choice *choice)
{
	if (same_gain.rest > 0) {
		vm_gain_pass(&same_gain, 1);
		return NEAR;
	}
	enum answer answer = try_values(expansion, slot, choice);
	same_gain.tried++;
	same_gain.useful += answer == AWAY;
	vm_gain_settle(&same_gain, SAME_WINDOW, SAME_LEAST, SAME_REST);
	return answer;
}

/* ---- one thread, mutexes left out ------------------------------------------------------------------------------------- */

static bool is_of(const struct superstep *run, unsigned slot)
{
	return run->slot == slot;
}

/* Take out the mutexes that the runs of thread `slot`, or of the others, do not use as sections do. */
static bool sections_settle(const struct expansion *expansion, unsigned slot, const struct partition *others)
{
	vm_sections_settle();
	for (unsigned i = 0; i < expansion->count; i++) {
		const struct superstep *run = &expansion->runs[i];
		for (unsigned k = 0; k < run->length && is_of(run, slot); k++)
			vm_sections_drop_accessed(&run->steps[k]);
	}
	for (unsigned i = 0; i < others->count; i++) {
		vm_sections_drop_accessed(&others->groups[i]->touched);
		vm_sections_drop_accessed(&others->groups[i]->awaited);
	}
	for (unsigned i = 0; i < expansion->count; i++)
		if (is_of(&expansion->runs[i], slot))
			vm_sections_drop_nested(&expansion->runs[i].sections);
	for (unsigned i = 0; i < others->count; i++)
		vm_sections_drop_nested(&others->groups[i]->sections);
	return vm_sections_settled();
}

/* May the runs of thread `slot`, as they are now, be offered alone? */
static enum answer commutes(const struct expansion *expansion, unsigned slot, struct choice *choice)
{
	static VM_OWN struct partition others;
	enum answer answer;
	vm_sections_begin(expansion->state);
	for (unsigned i = 0; i < expansion->count; i++) {
		const struct superstep *run = &expansion->runs[i];
		if (is_of(run, slot) && run->end == 0)
			return NEAR;
		if (is_of(run, slot))
			vm_sections_drop_held(&run->sections, slot, run->end);
	}
	do {
		if (!begin_with(choice, slot))
			return NEAR;
		choice->left_out = vm_sections_left_out;
		answer = others_keep_away(expansion, choice, &others);
		if (answer != AWAY)
			return answer;
	} while (!sections_settle(expansion, slot, &others));
	return AWAY;
}

/* May they if they go on until their sections are over?  If so, they have gone on. */
static enum answer commutes_whole(const struct expansion *expansion, unsigned slot, struct choice *choice)
{
	if (!vm_run_on(slot))
		return NEAR;
	enum answer answer = commutes(expansion, slot, choice);
	if (answer != AWAY)
		vm_run_back(slot);
	return answer;
}

/* Put into `slots` the threads with runs, first those that others wait for.  Return their number. */
static unsigned candidates(const struct expansion *expansion, unsigned slots[MOST_GROUPS])
{
	struct set first = awaited_threads(expansion->state);
	unsigned count = 0;
	for (unsigned i = 0; i < 2 * expansion->count; i++) {
		unsigned at = i % expansion->count, slot = expansion->runs[at].slot;
		bool again = at && expansion->runs[at - 1].slot == slot;
		if (!again && set_has(&first, slot) == (i < expansion->count))
			slots[count++] = slot;
	}
	assert(count <= MOST_GROUPS && count <= expansion->count);
	return count;
}

static bool find_one(const struct expansion *expansion, unsigned slot, struct choice *choice, struct persistent_set *set)
{
	struct prospects *of = &prospects[slot];
	set->whole = false;
	if (of->one != NEAR)
		of->one = commutes(expansion, slot, choice);
	if (of->one != AWAY && of->whole != NEAR) {
		of->whole = commutes_whole(expansion, slot, choice);
		set->whole = of->whole == AWAY;
	}
	bool found = of->one == AWAY || set->whole;
	assert(!found || (choice->count == 1 && choice->slots[0] == slot));
	set->sections = found && (set->whole || vm_sections_matter());
	return found;
}

struct attempt {
	enum { ONE, SAME, SEVERAL } threads; /* in the set */
	unsigned most;                       /* see struct choice */
};

/* One thread comes before several, as it leaves out more; but where steps are short, what is cheap comes first.  So it does where
 * only two threads can move: then there are no groups of several. */
enum { ATTEMPTS = 6 };
static const struct attempt rich[ATTEMPTS] = { { ONE, 0 },       { SAME, 0 },   { ONE, 500 },
					       { SEVERAL, 500 }, { ONE, 2000 }, { SEVERAL, 2000 } };
static const struct attempt poor[ATTEMPTS] = { { ONE, 0 },   { SAME, 0 },      { SEVERAL, 0 },
					       { ONE, 500 }, { SEVERAL, 500 }, { SEVERAL, 2000 } };

/* Does an attempt from a thread find a set?  Without sections, one thread must keep away from mutexes, too. */
static bool attempt_from(const struct expansion *expansion, const struct attempt *attempt, unsigned slot, unsigned threads,
			 struct choice *choice, struct persistent_set *set)
{
	if (attempt->threads == ONE && vm_reduces(REDUCTION_SECTIONS))
		return find_one(expansion, slot, choice, set);
	struct prospects *of = &prospects[slot];
	enum answer *known = attempt->threads == ONE ? &of->one : attempt->threads == SAME ? &of->same : &of->several;
	if (!vm_reduces(REDUCTION_PERSISTENT) || *known == NEAR)
		return false;
	*known = attempt->threads == SAME ? reads_for_nothing(expansion, slot, choice) :
					    grow_from(expansion, slot, threads, choice);
	return *known == AWAY;
}

/* Find a persistent set.  Return the account of the groups, or threads, that it was explored from; ACCOUNTS if there is no set. */
static unsigned find_set(const struct expansion *expansion, const unsigned slots[], unsigned count, struct persistent_set *set)
{
	struct choice choice = { .slots = set->slots };
	bool found = false, several = count > 2;
	vm_groups_begin(expansion);
	accounts = count > FEW ? of_many : of_few;
	most = count > FEW ? most_of_many : most_of_few;
	for (unsigned i = 0; i < ACCOUNTS; i++)
		accounts[i].spent = 0;
	for (unsigned k = 0; k < count; k++)
		prospects[slots[k]] = (struct prospects){ OPEN, OPEN, OPEN, OPEN };
	const struct attempt *attempts = several && left(TOGETHER) > most[TOGETHER] / 2 ? rich : poor;
	for (unsigned i = 0; i < ATTEMPTS && !found; i++) {
		choice.most = attempts[i].most;
		choice.room = attempts[i].threads == SEVERAL ? vm_offer_room() : 1;
		for (unsigned k = 0; k < count && (several || !choice.most) && !found; k++)
			found = attempt_from(expansion, &attempts[i], slots[k], count, &choice, set);
	}
	assert(!found || (choice.count > 0 && choice.count < count)); /* it leaves a thread out */
	set->count = choice.count;
	set->transactions = false;
	set->most = choice.most;
	return !found ? ACCOUNTS : choice.most ? TOGETHER : ALONE;
}

/* Has main the first run, and can it join one of symmetric threads (vm_groups_leave_out_joins())?  Main's run may go past the
 * last join only when nobody else is left. */
static bool main_joins(const struct expansion *expansion)
{
	const struct superstep *run = &expansion->runs[0];
	return vm_reduces(REDUCTION_PERSISTENT) && run->slot == 0 && run->end && vm_groups_leave_out_joins(expansion->state, 0);
}

/* Has main the first runs, and do these create threads and nothing else that shows?  See (4) in sort_threads.c. */
static bool main_creates(const struct expansion *expansion)
{
	if (!vm_is_symmetric() || !vm_reduces(REDUCTION_PERSISTENT) || vm_this.image.options->leaks)
		return false;
	if (expansion->runs[0].slot != 0 || vm_groups_have_detached(expansion->state))
		return false;
	vm_state_load(expansion->state);
	if (!vm_only_handles(vm_thread_load(0)))
		return false;
	for (unsigned i = 0; i < expansion->count && expansion->runs[i].slot == 0; i++) {
		const struct superstep *run = &expansion->runs[i];
		for (unsigned k = 0; k < run->length; k++)
			if (!vm_only_creates(&run->steps[k], expansion->state))
				return false;
		if (run->end == 0)
			return false;
	}
	return true;
}

/* Settle account `number`: the runs of the state have `steps` steps, and `back` of them are paid back. */
static void settle(unsigned number, unsigned steps, unsigned back)
{
	assert(number < ACCOUNTS);
	struct account *account = &accounts[number];
	unsigned spent = account->spent, stretch = most[number] / 8, halves = 1 + account->vain / stretch, income = 0;
	account->vain += spent;
	account->vain -= back < account->vain ? back : account->vain;
	if (account->vain > HALVES * stretch)
		account->vain = HALVES * stretch;
	if (account->states++ % (1u << halves) == 0)
		income = steps;
	income += back < spent ? back : spent;
	account->used -= income < account->used ? income : account->used;
	account->used += spent < left(number) ? spent : left(number);
	assert(account->used <= most[number]);
}

static unsigned runs_outside(const struct expansion *expansion, const struct persistent_set *set)
{
	assert(set->count > 0);
	const struct offer offer = vm_offer_set(set);
	unsigned count = 0;
	for (unsigned i = 0; i < expansion->count; i++)
		count += !vm_offers(offer, expansion->runs[i].slot);
	return count;
}

bool vm_persistent_transacts(const struct expansion *expansion, const struct persistent_set *set)
{
	static VM_OWN struct partition others;
	unsigned slots[PERSISTENT_THREADS];
	struct choice choice = { .slots = slots, .room = PERSISTENT_THREADS, .most = set->most };
	for (unsigned i = 0; i < set->count; i++)
		extend_set(&choice, set->slots[i]);
	vm_expand_transactions();
	bool away = others_keep_away(expansion, &choice, &others) == AWAY;
	if (!away)
		vm_expand_back();
	return away;
}

bool vm_persistent_choose(const struct expansion *expansion, struct persistent_set *set)
{
	unsigned slots[MOST_GROUPS], count = candidates(expansion, slots), steps = 0;
	for (unsigned i = 0; i < expansion->count; i++)
		steps += expansion->runs[i].length;
	if (count < 2)
		return false;
	if (main_joins(expansion) || main_creates(expansion)) {
		*set = (struct persistent_set){ .count = 1, .slots = { 0 } };
		return true;
	}
	if (vm_persistent_rests()) {
		vm_gain_pass(&gain, expansion->count);
		return false;
	}
	find_sleepers(expansion);
	unsigned found = find_set(expansion, slots, count, set), worth = WORTH * (count - 1) * steps;
	for (unsigned i = 0; i < ACCOUNTS; i++)
		settle(i, steps, i == found ? worth : 0);
	gain.tried += expansion->count;
	gain.useful += found != ACCOUNTS ? runs_outside(expansion, set) : 0;
	vm_gain_settle(&gain, WINDOW, LEAST, REST);
	return found != ACCOUNTS;
}
