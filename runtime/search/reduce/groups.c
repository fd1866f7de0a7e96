/* SPDX-License-Identifier: MIT
 *
 * See groups.h.  A group is explored step by step, as whoever looks at it may soon have seen enough.
 */
#include "groups.h"
#include "exits.h"
#include "../step/layers.h"
#include "../step/single.h"
#include "../../state/symmetry.h"
#include "../../sync/sync.h"

#include <assert.h>

#define HOMES 256u /* a power of two */

/* a run that has been taken from a state */
struct taken {
	unsigned slot;
	uint32_t choice;
	vm_ref end;             /* 0: it has none, or is not offered */
	struct footprint steps; /* all of them */
};

/* what is kept of a state */
struct home {
	vm_ref state;
	unsigned count;
	uint32_t capacity, made; /* of the pointers; how many point to a group */
	struct group **groups;
	struct taken *runs; /* known once the runs have come to their ends */
	unsigned run_count;
	uint32_t run_capacity;
};

static VM_OWN struct {
	struct home homes[HOMES];
	struct home *home;                 /* of the state that is looked at */
	const struct expansion *expansion; /* its runs */
	const struct home *origin;         /* where the last run was taken from */
	const struct taken *last;          /* that run; NULL: it is not known */
} now;

/* ---- states a group has been in ------------------------------------------------------------------------------------ */

static void seen_clear(struct seen *seen)
{
	if (seen->used)
		memset(seen->table, 0, seen->size * sizeof *seen->table);
	seen->depth = seen->used = 0;
}

static vm_ref *find(struct seen *seen, vm_ref state)
{
	assert(seen->size && (seen->size & (seen->size - 1)) == 0 && seen->used < seen->size);
	unsigned at = state * 2654435761u & (seen->size - 1);
	while (seen->table[at] && seen->table[at] != state)
		at = (at + 1) & (seen->size - 1);
	return &seen->table[at];
}

/* Double the table of `seen`, which contains each state on the stack. */
static void seen_grow(struct seen *seen)
{
	enum { SMALLEST = 64 }; /* a power of two */
	static VM_OWN vm_ref *old;
	static VM_OWN uint32_t capacity;
	uint32_t size = seen->size, capacity_of_table = size, bigger = size ? 2 * size : SMALLEST;
	old = vm_grow(old, &capacity, size + 1, sizeof *old);
	if (size)
		memcpy(old, seen->table, size * sizeof *old);
	seen->table = vm_grow(seen->table, &capacity_of_table, bigger, sizeof *seen->table);
	seen->size = bigger;
	memset(seen->table, 0, bigger * sizeof *seen->table);
	for (uint32_t i = 0; i < size; i++)
		if (old[i])
			*find(seen, old[i]) = old[i];
}

static void seen_add(struct seen *seen, vm_ref state)
{
	assert(state && seen->depth <= seen->used);
	if (2 * seen->used >= seen->size)
		seen_grow(seen);
	vm_ref *entry = find(seen, state);
	if (*entry)
		return;
	*entry = state;
	seen->used++;
	seen->stack = vm_grow(seen->stack, &seen->capacity, seen->depth + 1, sizeof *seen->stack);
	seen->stack[seen->depth++] = state;
}

/* ---- exploring ------------------------------------------------------------------------------------------------------ */

/* Let `group` depend on what the thread in `slot` waits for, which cannot go on in `state`. */
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
		vm_ref next = !vm_transient_is_crowded() ? vm_below[LAYER_runs].step(state, slot, choice, &step) : 0;
		if (next == 0 || step.everything) {
			group->failed = true;
			return;
		}
		group->spent++;
		vm_footprint_merge(&group->touched, &step);
		if (vm_reduces(REDUCTION_SECTIONS))
			vm_sections_add(&group->sections, slot, &step, state, next);
		seen_add(&group->seen, next);
	}
}

static bool is_detached(const vm_stored_header *header)
{
	return header->status == THREAD_RUNNING && header->detached;
}

bool vm_groups_have_detached(vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	for (unsigned slot = 1; slot < words[1]; slot++)
		if (vm_state_thread(words, slot) && is_detached(vm_thread_stored(state, slot)))
			return true;
	return false;
}

bool vm_groups_leave_out_joins(vm_ref state, unsigned slot)
{
	return slot == 0 && vm_is_symmetric() && vm_state_thread(vm_state_words(state), 0) &&
		vm_thread_stored(state, 0)->wait == WAIT_JOIN && !vm_groups_have_detached(state);
}

/* Is the thread in `slot` frozen while `group` is explored?  Frozen are those that are enabled in the state and are no members. */
static bool is_frozen(const struct group *group, unsigned slot)
{
	const uint32_t *words = vm_state_words(now.expansion->state);
	return slot < words[1] && vm_state_outcomes(words)[slot] && !set_has(&group->members, slot);
}

/* Take every step that the group can take in a state. */
static void explore_state(struct group *group, vm_ref state)
{
	for (unsigned slot = 0, slots = vm_state_words(state)[1]; slot < slots && !group->failed; slot++) {
		const uint32_t *words = vm_state_words(state);
		uint32_t outcomes = vm_state_outcomes(words)[slot];
		bool member = set_has(&group->members, slot);
		if (is_frozen(group, slot) || vm_groups_leave_out_joins(state, slot) || (outcomes && vm_exits_last(state, slot)))
			continue;
		if (outcomes && !member)
			set_add(&group->woken, slot);
		if (outcomes)
			explore_thread(group, state, slot, outcomes);
		else if (member || vm_state_thread(words, slot) != vm_state_thread(vm_state_words(now.expansion->state), slot))
			await(group, state, slot);
	}
}

void vm_group_explore(struct group *group)
{
	assert(now.home && !group->complete);
	if (group->seen.depth && !group->failed)
		explore_state(group, group->seen.stack[--group->seen.depth]);
	group->complete = group->failed || group->seen.depth == 0;
}

bool vm_group_has_only(const struct group *group, bool (*holds)(vm_ref state))
{
	assert(group->complete);
	bool all = group->seen.used > 0;
	for (uint32_t i = 0; i < group->seen.size && all; i++)
		all = !group->seen.table[i] || holds(group->seen.table[i]);
	return all;
}

/* ---- groups --------------------------------------------------------------------------------------------------------- */

static struct group *known(const struct set *members)
{
	for (unsigned i = 0; i < now.home->count; i++)
		if (set_equal(&now.home->groups[i]->members, members))
			return now.home->groups[i];
	return NULL;
}

/* Begin a group with these members, of which nothing is known. */
static struct group *begin(const struct set *members)
{
	now.home->groups = vm_grow(now.home->groups, &now.home->capacity, now.home->count + 1, sizeof *now.home->groups);
	if (now.home->count == now.home->made) {
		uint32_t none = 0;
		now.home->groups[now.home->made] = vm_grow(NULL, &none, 1, sizeof **now.home->groups);
		now.home->made++;
	}
	assert(now.home->count < now.home->made && now.home->count < MOST_GROUPS);
	struct group *group = now.home->groups[now.home->count++];
	group->members = *members;
	group->woken = (struct set){ 0 };
	group->spent = group->reads = 0;
	group->failed = group->complete = false;
	vm_footprint_clear(&group->touched);
	vm_footprint_clear(&group->awaited);
	vm_sections_clear(&group->sections);
	seen_clear(&group->seen);
	return group;
}

static void add_known(struct group *to, const struct group *from)
{
	vm_footprint_merge(&to->touched, &from->touched);
	vm_footprint_merge(&to->awaited, &from->awaited);
	vm_sections_merge(&to->sections, &from->sections);
	set_unite(&to->woken, &from->woken);
	to->failed = to->failed || from->failed;
}

/* Add to `group` what `run` does, a run of one of its members.  The runs of a thread are all that it can do until their ends, and
 * wake nobody before (superstep.c, (c)) whose steps would not do the same after the end (rule C). */
static void begin_with_run(struct group *group, const struct superstep *run)
{
	for (unsigned k = 0; k < run->length; k++)
		vm_footprint_merge(&group->touched, &run->steps[k]);
	vm_sections_merge(&group->sections, &run->sections);
	group->failed = group->failed || run->end == 0 || group->touched.everything;
	if (run->end)
		seen_add(&group->seen, run->end);
}

struct group *vm_group_of(const struct set *members)
{
	struct group *group = known(members);
	if (group || now.home->count == MOST_GROUPS)
		return group;
	group = begin(members);
	for (unsigned i = 0; i < now.expansion->count; i++)
		if (set_has(members, now.expansion->runs[i].slot))
			begin_with_run(group, &now.expansion->runs[i]);
	return group;
}

/* Begin with what is known of `a` and of `b`: where two groups are explored together, each can also do what it can do by itself. */
struct group *vm_group_unite(const struct group *a, const struct group *b)
{
	assert(a != b && a->complete && b->complete && !a->failed && !b->failed);
	struct set both = a->members;
	set_unite(&both, &b->members);
	struct group *group = known(&both);
	if (group || now.home->count == MOST_GROUPS)
		return group;
	group = begin(&both);
	add_known(group, a);
	add_known(group, b);
	seen_add(&group->seen, now.expansion->state);
	return group;
}

/* ---- from one state to the next ------------------------------------------------------------------------------------- */

/* Is the mutex as it was before the run?  It is if it was free before and is free after the run. */
static bool is_as_before(const struct vm_range *mutex)
{
	assert(now.last && now.origin);
	return vm_mutex_only_blocks_in(now.origin->state, mutex) && vm_mutex_only_blocks_in(now.last->end, mutex);
}

/* Return what the thread of the last run waits for after it. */
static const struct footprint *new_wait(void)
{
	static VM_OWN struct footprint awaited;
	const uint32_t *words = vm_state_words(now.last->end);
	vm_state_load(now.last->end);
	vm_footprint_record(&awaited);
	if (now.last->slot < words[1] && vm_state_outcomes(words)[now.last->slot] == 0)
		vm_footprint_add_awaited(vm_thread_load(now.last->slot));
	vm_footprint_record(NULL);
	return &awaited;
}

/* Let the groups inherit what they could do before a run that is independent of all that they may touch or await.  A group cannot
 * wake a thread either that it could not wake before: those that the run has made wait are in the run's footprint, except the
 * thread that took it; and whom the run has woken waited for what the run wrote. */
static void inherit(void)
{
	assert(now.last->end == now.home->state && now.home != now.origin && now.home->count == 0);
	const struct footprint *awaited = new_wait();
	for (unsigned i = 0; i < now.origin->count; i++) {
		const struct group *old = now.origin->groups[i];
		if (!old->complete || set_has(&old->members, now.last->slot) ||
		    !vm_footprint_independent_but(&now.last->steps, &old->touched, is_as_before) ||
		    !vm_footprint_independent_but(&now.last->steps, &old->awaited, is_as_before) ||
		    !vm_footprint_independent(awaited, &old->touched))
			continue;
		struct group *group = begin(&old->members);
		add_known(group, old);
		group->complete = true;
		group->reads = old->reads;
	}
}

static struct home *home_of(vm_ref state)
{
	return &now.homes[(state * 2654435761u >> 12) & (HOMES - 1)];
}

void vm_groups_begin(const struct expansion *of)
{
	now.expansion = of;
	now.home = home_of(of->state);
	now.home->state = of->state;
	now.home->count = now.home->run_count = 0;
	if (now.last && now.last->end == of->state && now.home != now.origin)
		inherit();
	now.last = NULL;
}

void vm_groups_each(vm_ref state, void (*look)(struct group *group))
{
	for (unsigned i = 0; now.home && now.home->state == state && i < now.home->count; i++)
		if (now.home->groups[i]->complete && !now.home->groups[i]->failed)
			look(now.home->groups[i]);
}

void vm_groups_forget(void)
{
	for (unsigned i = 0; i < HOMES; i++)
		now.homes[i].state = 0;
	now.home = NULL;
	now.last = NULL;
}

void vm_groups_lead(const struct expansion *of)
{
	if (!now.home || now.home->state != of->state)
		return;
	for (unsigned i = 0; i < of->count; i++) {
		const struct superstep *run = &of->runs[i];
		now.home->runs = vm_grow(now.home->runs, &now.home->run_capacity, now.home->run_count + 1, sizeof *now.home->runs);
		assert(run->length > 0);
		struct taken *taken = &now.home->runs[now.home->run_count++];
		taken->slot = run->slot;
		taken->choice = run->choice;
		taken->end = run->sorted ? 0 : run->kept;
		vm_footprint_clear(&taken->steps);
		for (unsigned k = 0; k < run->length; k++)
			vm_footprint_merge(&taken->steps, &run->steps[k]);
	}
}

void vm_groups_follow(vm_ref state, unsigned slot, uint32_t choice)
{
	now.last = NULL;
	now.origin = home_of(state);
	for (unsigned i = 0; i < now.origin->run_count && now.origin->state == state; i++)
		if (now.origin->runs[i].slot == slot && now.origin->runs[i].choice == choice && now.origin->runs[i].end)
			now.last = &now.origin->runs[i];
}
