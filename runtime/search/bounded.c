/* SPDX-License-Identifier: MIT
 *
 * See bounded.h.  Iterative context bounding: Musuvathi and Qadeer, "Iterative context bounding for systematic testing of
 * multithreaded programs", PLDI 2007, algorithm 1, with a table of what was visited.
 *
 * What is searched is a graph of items: a state, and a thread that is to move in it.  From a state to which `last` has moved,
 * it costs nothing to go on with `last`, or with any thread if leaving `last` is free (bound.h); with others it costs a
 * preemption. So an edge between items costs 0 or 1, and an item's cost is that of the cheapest path to it: the least
 * preemptions with which the thread can come to move in that state, since no step depends on more than state, thread and
 * outcome.  Level b has the items of cost b, in any order: first those that level b - 1 has refused and that have not come up
 * since, then what is reached from them without a preemption.  Each item is looked at once, at its cost.  So
 *   - with a bound b, levels 0 to b find exactly what schedules with at most b preemptions show, and a violation comes up with the
 *     fewest preemptions that it needs;
 *   - all levels together take each step of each state once, as a search without a bound and without reductions does;
 *   - where a level refuses nothing that has not been looked at, all schedules have been covered.
 *
 * pan cannot do this by itself: its order would have to be that of the costs, and a trail would have to begin in the middle.  So
 * the VM searches before pan's first step, and pan walks the paths to what was found (walk.h), in each of its modes.
 *
 * Reductions: rule E alone (superstep.c), which keeps the bound.  Let an execution with c preemptions leave a thread t at its
 * end, and let t's end be moved to just after t's step before it.  That saves a preemption where t was left: t was enabled, as
 * nobody can disable an end.  Where the end was, the switch from v before it to w after it costs no more than the one from v to
 * t did, or v is blocked until t has ended.  There can be only one such switch, since v joins t and does not move before t has
 * ended; it is paid for by the preemption that was saved.
 */
#include "bounded.h"
#include "bound.h"
#include "limits.h"
#include "results.h"
#include "single.h"
#include "walk.h"
#include "../bitspin_vm.h"

#include <stdlib.h>
#include <time.h>

extern long maxdepth __attribute__((weak)); /* pan's: most steps of a path */

enum { QUEUED = 1, REFUSED = 2, TAKEN = 4 }; /* marks on an item: in this level or one before it; at the end of a level; done */
enum { NO_ITEM = UINT32_MAX };

struct item {
	int state;
	uint32_t parent; /* the item that led here, or NO_ITEM */
	uint32_t mark;   /* index of its mark */
	uint32_t depth;  /* steps before it */
	unsigned char slot;
	unsigned char choice; /* the outcome of the parent's step */
	unsigned char level;  /* preemptions */
};

/* indices of items */
struct list {
	uint32_t *items, count, capacity;
	uint32_t first; /* those before it have been taken out */
};

static VM_OWN struct {
	struct item *items;
	uint32_t count, items_capacity;
	unsigned char *marks; /* of each slot of each visited state */
	uint32_t nmarks, marks_capacity;
	struct visited {
		vm_ref key;     /* the state, or its view; 0: none */
		uint32_t marks; /* index of the first */
		int state;
	} * visited;
	uint64_t capacity; /* a power of two, or 0 */
	struct list begun; /* the level's, which the one before it refused */
	struct list free;  /* what is reached from them without a preemption */
	struct list refused;
	unsigned level;
	uint32_t cut; /* items that were too deep */
	bool done, violated;
	struct timespec start;
	struct bounded_figures figures;
} search;

/* ---- visited states ------------------------------------------------------------------------------------------------ */

static struct visited *place_of(struct visited *table, uint64_t capacity, vm_ref key)
{
	uint64_t i = (key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (capacity - 1);
	while (table[i].key && table[i].key != key)
		i = (i + 1) & (capacity - 1);
	return &table[i];
}

static void grow_visited(void)
{
	uint64_t capacity = search.capacity ? 2 * search.capacity : 1024;
	bool allowed = vm_limit_allows(capacity * sizeof *search.visited);
	struct visited *bigger = allowed ? calloc(capacity, sizeof *bigger) : NULL;
	if (!bigger)
		vm_limit_end(LIMIT_MEMORY, "the memory limit is reached", 0);
	for (uint64_t i = 0; i < search.capacity; i++)
		if (search.visited[i].key)
			*place_of(bigger, capacity, search.visited[i].key) = search.visited[i];
	free(search.visited);
	search.visited = bigger;
	search.capacity = capacity;
}

/* The entry of a state, which is made if it is the first visit. */
static const struct visited *visit(int state, bool *first)
{
	if (2 * (search.figures.states + 1) > search.capacity)
		grow_visited();
	vm_ref key = vm_ref_of(vm_view(state));
	struct visited *visited = place_of(search.visited, search.capacity, key);
	*first = visited->key == 0;
	if (*first) {
		uint32_t slots = vm_state_words(vm_ref_of(state))[1];
		*visited = (struct visited){ .key = key, .marks = search.nmarks, .state = state };
		search.marks = vm_grow(search.marks, &search.marks_capacity, (uint64_t)search.nmarks + slots + 1, 1);
		search.nmarks += slots;
		search.figures.states++;
	}
	return visited;
}

bool vm_bounded_visited(uint64_t number, int *state)
{
	for (uint64_t i = 0; i < search.capacity; i++)
		if (search.visited[i].key && number-- == 0) {
			*state = search.visited[i].state;
			return true;
		}
	return false;
}

/* ---- items --------------------------------------------------------------------------------------------------------- */

static void put(struct list *list, const struct item *item)
{
	list->items = vm_grow(list->items, &list->capacity, (uint64_t)list->count + 1, sizeof *list->items);
	search.items = vm_grow(search.items, &search.items_capacity, (uint64_t)search.count + 1, sizeof *search.items);
	search.items[search.count] = *item;
	list->items[list->count++] = search.count++;
}

/* The search has come to a state, by the step with outcome `choice` of an item. */
static void arrive(int state, uint32_t from, unsigned choice)
{
	bool first, offers = false;
	const struct visited *visited = visit(state, &first);
	const uint32_t *words = vm_state_words(vm_ref_of(state));
	const uint8_t *outcomes = vm_state_outcomes(words);
	uint32_t marks = visited->marks, depth = from == NO_ITEM ? 0 : search.items[from].depth + 1;
	int last = from == NO_ITEM ? -1 : search.items[from].slot, leaves = last < 0 ? 1 : -1; /* -1: not known yet */
	for (uint32_t slot = 0; slot < words[1]; slot++) {
		unsigned char *mark = &search.marks[marks + slot];
		offers |= outcomes[slot] != 0;
		if (outcomes[slot] == 0 || (*mark & (QUEUED | TAKEN)))
			continue;
		if ((int)slot != last && leaves < 0)
			leaves = vm_bound_leaves(state, (unsigned)last);
		bool is_free = (int)slot == last || leaves;
		struct item item = {
			.state = state,
			.parent = from,
			.mark = marks + slot,
			.depth = depth,
			.slot = (unsigned char)slot,
			.choice = (unsigned char)choice,
			.level = (unsigned char)(search.level + !is_free),
		};
		if (is_free || !(*mark & REFUSED))
			put(is_free ? &search.free : &search.refused, &item);
		*mark |= is_free ? QUEUED : REFUSED;
	}
	search.figures.runs += !first || !offers;
	if (depth > search.figures.depth)
		search.figures.depth = depth;
}

/* The next item of the level: of a depth-first search, what was reached last; of a breadth-first one, one with the fewest steps.
 * (Both lists are sorted by these then.) */
static bool next_item(uint32_t *item)
{
	struct list *begun = &search.begun, *free = &search.free;
	bool has_begun = begun->first < begun->count, has_free = free->first < free->count;
	if (vm_depth_first && has_free)
		*item = free->items[--free->count];
	else if (has_free &&
		 (!has_begun || search.items[free->items[free->first]].depth < search.items[begun->items[begun->first]].depth))
		*item = free->items[free->first++];
	else if (has_begun)
		*item = begun->items[begun->first++];
	return has_begun || has_free;
}

/* The tree of paths gets the one to the step with this outcome of an item. */
static void note_path(uint32_t last, unsigned choice)
{
	struct {
		uint32_t item;
		unsigned choice;
	} *steps = NULL;
	uint32_t capacity = 0, count = 0, place = 0;
	for (uint32_t i = last; i != NO_ITEM; i = search.items[i].parent) {
		steps = vm_grow(steps, &capacity, (uint64_t)count + 1, sizeof *steps);
		steps[count].item = i;
		steps[count++].choice = choice;
		choice = search.items[i].choice;
	}
	while (count-- > 0) {
		const struct item *item = &search.items[steps[count].item];
		place = vm_walk_add(place, item->slot, steps[count].choice, item->level);
	}
	free(steps);
}

/* Take the steps of an item; false if the search ends with what is found. */
static bool take(uint32_t number)
{
	struct item item = search.items[number];
	if (search.marks[item.mark] & TAKEN)
		return true;
	if (&maxdepth && (long)item.depth >= maxdepth) {
		if (search.cut++ == 0) /* at once: what is known of levels depends on it */
			vm_report_inconclusive(LIMIT_DEPTH, "longer paths were cut", 0);
		return true;
	}
	search.marks[item.mark] |= TAKEN;
	const uint32_t *words = vm_state_words(vm_ref_of(item.state));
	uint32_t offered = vm_offered(vm_state_outcomes(words)[item.slot]);
	for (uint32_t choice = 0; choice < offered; choice++) {
		struct vm_found found;
		int next = vm_step_quietly(item.state, item.slot, (int)choice, &found);
		search.figures.transitions++;
		search.violated |= found.violates;
		if (found.violates && vm_walk_is_news(found.kind, found.location))
			note_path(number, choice);
		arrive(next, number, choice);
		if (found.violates && !vm_this.image.options->all)
			return false;
	}
	return true;
}

/* ---- levels -------------------------------------------------------------------------------------------------------- */

/* Is there an item that was refused and is not done?  The rest is dropped. */
static bool refuses_any(void)
{
	struct list *refused = &search.refused;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < refused->count; i++)
		if (!(search.marks[search.items[refused->items[i]].mark] & TAKEN))
			refused->items[kept++] = refused->items[i];
	refused->count = kept;
	return kept > 0;
}

static void report_level(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	double seconds = (double)(now.tv_sec - search.start.tv_sec) + 1e-9 * (double)(now.tv_nsec - search.start.tv_nsec);
	vm_report_bound(search.level, search.figures.states, search.figures.transitions, seconds);
}

/* Up to the next level, whose items are those that this one has refused. */
static void go_up(void)
{
	struct list empty = search.begun;
	empty.count = empty.first = 0;
	search.begun = search.refused;
	search.refused = empty;
	search.free.count = search.free.first = 0;
	search.level++;
}

static void walk_levels(void)
{
	const struct image_options *options = vm_this.image.options;
	uint32_t item;
	clock_gettime(CLOCK_MONOTONIC, &search.start);
	for (arrive(0, NO_ITEM, 0);; go_up()) {
		while (next_item(&item))
			if (!take(item))
				return;
		report_level();
		if (!refuses_any() || (search.violated && options->iterate))
			return;
		if (search.level + 1 >= options->preemptions) {
			vm_report_inconclusive(LIMIT_PREEMPTIONS, "schedules with more preemptions were not explored", 0);
			return;
		}
	}
}

void vm_bounded_search(void)
{
	if (search.done)
		return;
	search.done = true;
	walk_levels();
}

struct bounded_figures vm_bounded_figures(void)
{
	uint64_t lists = (uint64_t)search.begun.capacity + search.free.capacity + search.refused.capacity;
	search.figures.bytes = search.items_capacity * sizeof *search.items + lists * sizeof *search.begun.items +
		search.marks_capacity + search.capacity * sizeof *search.visited;
	return search.figures;
}
