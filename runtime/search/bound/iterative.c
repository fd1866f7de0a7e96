/* SPDX-License-Identifier: MIT
 *
 * See iterative.h.  Iterative context bounding: Musuvathi and Qadeer, "Iterative context bounding for systematic testing of
 * multithreaded programs", PLDI 2007, algorithm 1, with a table of what was visited.
 *
 * What is searched is a graph of items: a state, and a thread that is to move in it.  From a state to which `last` has moved,
 * it costs nothing to go on with `last`, or with any thread if leaving `last` is free (preemption.h); with others it costs a
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
 * the VM searches before pan's first step, and pan walks the paths to what was found (found_paths.h), in each of its modes.
 *
 * Reductions: rule E alone (superstep.c), which keeps the bound.  Let an execution with c preemptions leave a thread t at its
 * end, and let t's end be moved to just after t's step before it.  That saves a preemption where t was left: t was enabled, as
 * nobody can disable an end.  Where the end was, the switch from v before it to w after it costs no more than the one from v to
 * t did, or v is blocked until t has ended.  There can be only one such switch, since v joins t and does not move before t has
 * ended; it is paid for by the preemption that was saved.
 *
 * Inputs as sets (symbolic/symbolic.h): a split is a step of the thread whose step asks, and nobody else can move in the state
 * with the split.  So between a step and the splits that it asks for there is no switch, and each path costs what the concrete
 * paths cost that it stands for.  These are exactly those of all values: so the items of level b stand for the concrete ones.
 * (That a state hangs is known only when all threads that go round have asked.  To ask may take preemptions.)
 *
 * Snapshots.  Between two levels, all that the search has is: the tables of states, the items, marks and visited states, the list
 * of what was refused, the figures, and the records so far.  Whatever else a step could leave behind is either computed from the
 * image, or remembered to be quicker, or none (may_save()).  So a process that reads these goes on as the one that has written
 * them: it begins with the same image, so with the same refs in the same places, which is checked.
 */
#include "iterative.h"
#include "../reduce/search_step.h"
#include "../replay/replay.h"
#include "preemption.h"
#include "../base/limits.h"
#include "../base/report.h"
#include "../step/single.h"
#include "found_paths.h"
#include "../../bitspin_vm.h"
#include "../../state/driver.h"
#include "../../memory/interrupts.h"
#include "../../state/key.h"
#include "../../state/nodes.h"
#include "../../state/parts.h"
#include "../../symbolic/symbolic.h"
#include "../../trace/record.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
	double before; /* seconds that the process took whose snapshot was read */
	double saved;  /* seconds when the last snapshot was written */
	bool damaged;  /* the snapshot that was there is */
	bool unsaved;  /* one could not be written, and it has been said */
	struct vm_figures figures;
} search;

/* ---- visited states ------------------------------------------------------------------------------------------------ */

static struct visited *place_of(struct visited *table, uint64_t capacity, vm_ref key)
{
	assert(key && capacity && (capacity & (capacity - 1)) == 0);
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

/* Return the entry of `state`.  Make it if this is the first visit; *first says so. */
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
	assert(item->mark < search.nmarks && (item->parent == NO_ITEM || item->parent < search.count));
	list->items = vm_grow(list->items, &list->capacity, (uint64_t)list->count + 1, sizeof *list->items);
	search.items = vm_grow(search.items, &search.items_capacity, (uint64_t)search.count + 1, sizeof *search.items);
	search.items[search.count] = *item;
	list->items[list->count++] = search.count++;
}

/* Note that the search has come to `state` by the step with outcome `choice` of item `from`.  Queue what each thread can do
 * there. */
static void arrive(int state, uint32_t from, unsigned choice)
{
	assert((from == NO_ITEM || from < search.count) && search.level < UINT8_MAX);
	bool first, offers = false;
	const struct visited *visited = visit(state, &first);
	const uint32_t *words = vm_state_words(vm_ref_of(state));
	const uint8_t *outcomes = vm_state_outcomes(words);
	assert(visited->marks + words[1] <= search.nmarks);
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

/* Take the next item of the level into *item.  A depth-first search takes what was reached last, a breadth-first search takes an
 * item with the fewest steps.  (Both lists are sorted by steps then.)  Return false if there is none. */
static bool next_item(uint32_t *item)
{
	struct list *begun = &search.begun, *free = &search.free;
	bool has_begun = begun->first < begun->count, has_free = free->first < free->count;
	if (vm_driver.depth_first && has_free)
		*item = free->items[--free->count];
	else if (has_free &&
		 (!has_begun || search.items[free->items[free->first]].depth < search.items[begun->items[begun->first]].depth))
		*item = free->items[free->first++];
	else if (has_begun)
		*item = begun->items[begun->first++];
	return has_begun || has_free;
}

/* Add to the tree of paths the one to the step with outcome `choice` of item `last`. */
static void note_path(uint32_t last, unsigned choice)
{
	struct {
		uint32_t item;
		unsigned choice;
	} *steps = NULL;
	uint32_t capacity = 0, count = 0, place = 0;
	for (uint32_t i = last; i != NO_ITEM; i = search.items[i].parent) {
		steps = vm_grow(steps, &capacity, (uint64_t)count + 1, sizeof *steps);
		assert(i < search.count && (search.items[i].parent == NO_ITEM || search.items[i].parent < i));
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
	assert(number < search.count && search.items[number].mark < search.nmarks);
	struct item item = search.items[number];
	if (search.marks[item.mark] & TAKEN)
		return true;
	if (vm_driver.most_steps && item.depth >= vm_driver.most_steps) {
		if (search.cut++ == 0) /* at once: what is known of levels depends on it */
			vm_report_inconclusive(LIMIT_DEPTH, "longer paths were cut", 0);
		return true;
	}
	assert(item.level == search.level); /* each item is looked at at its cost */
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

/* Return how many seconds the search has taken so far. */
static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return search.before + (double)(now.tv_sec - search.start.tv_sec) + 1e-9 * (double)(now.tv_nsec - search.start.tv_nsec);
}

static void report_level(void)
{
	vm_report_bound(search.level, search.figures.states, search.figures.transitions, seconds());
}

/* Go up to the next level.  Its items are those that this level has refused. */
static void go_up(void)
{
	assert(search.begun.first == search.begun.count && search.free.first == search.free.count);
	assert(search.refused.count > 0 && search.refused.first == 0);
	struct list empty = search.begun;
	empty.count = empty.first = 0;
	search.begun = search.refused;
	search.refused = empty;
	search.free.count = search.free.first = 0;
	search.level++;
}

/* ---- snapshots ----------------------------------------------------------------------------------------------------- */

/* what must be so that a snapshot is of use */
struct head {
	char magic[16];
	char of[80];          /* image, VM and command, as the environment names them */
	uint32_t depth_first; /* the order in which items are taken */
	vm_ref initial, cut;
	uint32_t level;
	uint64_t bytes; /* of memory that it needs */
};

static const char *snapshot_path(void)
{
	const char *path = getenv("BITSPIN_CHECKPOINT");
	return path && *path ? path : NULL;
}

static struct head head_now(void)
{
	enum { BESIDE = 8 << 20 }; /* bytes, for what is small */
	const char *of = getenv("BITSPIN_CHECKPOINT_OF");
	struct head head;
	memset(&head, 0, sizeof head);
	memcpy(head.magic, VM_SNAPSHOT_MAGIC, sizeof VM_SNAPSHOT_MAGIC);
	snprintf(head.of, sizeof head.of, "%s", of ? of : "");
	head.depth_first = vm_driver.depth_first;
	head.initial = vm_this.initial;
	head.cut = vm_this.cut;
	head.level = search.level;
	head.bytes = vm_table_snapshot_bytes() + vm_bounded_figures().bytes + BESIDE;
	return head;
}

static bool is_of(const struct head *head, const struct head *other)
{
	return memcmp(head, other, offsetof(struct head, level)) == 0;
}

static bool array_snapshot(struct snapshot *snapshot, void **array, uint32_t *count, uint32_t *capacity, size_t element)
{
	uint32_t n = *count;
	if (!vm_snapshot_bytes(snapshot, &n, sizeof n))
		return false;
	if (!snapshot->writes)
		*array = vm_grow(*array, capacity, (uint64_t)n + 1, element);
	*count = n;
	return vm_snapshot_bytes(snapshot, *array, n * element);
}

static bool visited_snapshot(struct snapshot *snapshot)
{
	uint64_t capacity = search.capacity;
	if (!vm_snapshot_bytes(snapshot, &capacity, sizeof capacity))
		return false;
	while (search.capacity < capacity)
		grow_visited();
	return search.capacity == capacity && vm_snapshot_bytes(snapshot, search.visited, capacity * sizeof *search.visited);
}

static bool lists_snapshot(struct snapshot *snapshot)
{
	struct list *refused = &search.refused;
	return array_snapshot(snapshot, (void **)&search.items, &search.count, &search.items_capacity, sizeof *search.items) &&
		array_snapshot(snapshot, (void **)&search.marks, &search.nmarks, &search.marks_capacity, 1) &&
		array_snapshot(snapshot, (void **)&refused->items, &refused->count, &refused->capacity, sizeof *refused->items) &&
		visited_snapshot(snapshot);
}

/* Write to `snapshot`, or read from it, what steps have left behind to be told at the end. */
static bool met_snapshot(struct snapshot *snapshot)
{
	struct vm_met *met = &vm_this.met;
	const uint64_t *counts = vm_this.image.counts;
	return vm_snapshot_bytes(snapshot, &met->facts, sizeof met->facts) &&
		vm_snapshot_bytes(snapshot, met->functions, counts[IMAGE_FUNCTIONS]) &&
		(!met->code || vm_snapshot_bytes(snapshot, met->code, counts[IMAGE_CODE]));
}

static bool facts_snapshot(struct snapshot *snapshot)
{
	double spent = seconds();
	return vm_snapshot_bytes(snapshot, &search.level, sizeof search.level) &&
		vm_snapshot_bytes(snapshot, &search.figures, sizeof search.figures) &&
		vm_snapshot_bytes(snapshot, &vm_this.most_slots, sizeof vm_this.most_slots) && met_snapshot(snapshot) &&
		vm_snapshot_bytes(snapshot, vm_saved, sizeof vm_saved) &&
		vm_snapshot_bytes(snapshot, snapshot->writes ? &spent : &search.before, sizeof spent);
}

/* Write the records so far, which are lines of JSON, to `snapshot`.  Or read them from it; the records of this process then begin
 * anew. */
static bool records_snapshot(struct snapshot *snapshot)
{
	char *lines = snapshot->writes ? vm_records_so_far() : NULL;
	uint64_t size = lines ? strlen(lines) : 0;
	bool good = vm_snapshot_bytes(snapshot, &size, sizeof size);
	if (good && !snapshot->writes)
		lines = calloc(size + 1, 1);
	good = good && vm_snapshot_bytes(snapshot, lines, size);
	if (good && !snapshot->writes && lines)
		vm_records_write(lines);
	free(lines);
	return good;
}

/* May a snapshot be saved?  Not if a step may have left something behind that is not saved: a path that was cut, what handlers of
 * signals access (interrupts.c), the table of terms (terms/node.h), or violations that are told later. */
static bool may_save(void)
{
	const struct image_options *options = vm_this.image.options;
	return snapshot_path() && vm_record_wanted() && !options->all && !search.violated && search.cut == 0 &&
		vm_limit_reasons() == 0 && vm_limit_paths() == 0 && !vm_has_interrupts() && !vm_this.slicing &&
		!vm_symbolic_relates() && !vm_reduces(~(unsigned)REDUCTION_ENDS);
}

/* Is the snapshot that there is further?  It may be of another image, and a search that is to begin again must not destroy it; nor
 * must one that has too little memory for it. */
static bool is_outdone(const struct head *head)
{
	struct head there;
	if (search.damaged)
		return false;
	FILE *file = fopen(snapshot_path(), "re");
	bool outdone = file && fread(&there, sizeof there, 1, file) == 1 && there.level >= head->level;
	if (file)
		fclose(file);
	return outdone;
}

static bool all_snapshot(struct snapshot *snapshot)
{
	return facts_snapshot(snapshot) && vm_table_snapshot(snapshot) && vm_nodes_snapshot(snapshot) && lists_snapshot(snapshot) &&
		records_snapshot(snapshot);
}

static void report_trouble(const char *what, int error)
{
	char trouble[200];
	snprintf(trouble, sizeof trouble, "%s: %s", what, strerror(error));
	vm_report_snapshot(trouble);
}

/* Report, once, that the snapshot cannot be written because of `error`.  The search goes on without it. */
static void report_unsaved(int error)
{
	if (!search.unsaved)
		report_trouble("cannot be written", error);
	search.unsaved = true;
}

/* Save a snapshot, unless the last one is recent: what was completed in a moment is completed again as fast. */
static void save(void)
{
	const char *after = getenv("BITSPIN_CHECKPOINT_AFTER");
	struct head head = head_now();
	struct snapshot snapshot;
	char part[4096];
	if (!may_save() || seconds() - search.saved < (after ? strtod(after, NULL) : 0.5) || is_outdone(&head))
		return;
	search.saved = seconds();
	snprintf(part, sizeof part, "%s.part", snapshot_path());
	bool made = vm_snapshot_create(&snapshot, part);
	bool good = made && vm_snapshot_bytes(&snapshot, &head, sizeof head) && all_snapshot(&snapshot);
	good = made && vm_snapshot_close(&snapshot) && good;
	int error = !good ? snapshot.error : rename(part, snapshot_path()) < 0 ? errno : 0;
	good = good && !error;
	if (!good) {
		report_unsaved(error ? error : ENOMEM);
		unlink(part);
	}
	search.damaged = search.damaged && !good;
}

/* Report why the snapshot of another process could not be opened.  If there is none, report nothing. */
static void report_unopened(int error)
{
	search.damaged = error == EBADMSG;
	if (search.damaged)
		vm_report_snapshot("is damaged, so it is not used");
	else if (error != ENOENT)
		report_trouble("cannot be read", error);
}

/* Is a snapshot of this search, and is there the memory for it? */
static bool is_of_use(const struct head *there, const struct head *own)
{
	char trouble[100];
	if (!is_of(there, own))
		return false;
	bool room = vm_limit_allows(there->bytes);
	snprintf(trouble, sizeof trouble, "needs %llu MB of memory, so it is not used",
		 (unsigned long long)(there->bytes >> 20) + 1);
	if (!room)
		vm_report_snapshot(trouble);
	return room;
}

/* End the process, as a snapshot that was whole cannot be read any more: what this process had is overwritten by now. */
static _Noreturn void end_spoilt(void)
{
	fprintf(stderr, "bitspin: cannot read '%s', or it was changed while it was read; remove it, or check again\n",
		snapshot_path());
	exit(2);
}

/* Restore what another process has saved, and go on from there.  Return false if there is nothing to go on from; then nothing has
 * been changed. */
static bool restore(void)
{
	struct head head = head_now(), there;
	struct snapshot snapshot;
	if (!may_save())
		return false;
	if (!vm_snapshot_open(&snapshot, snapshot_path())) {
		report_unopened(snapshot.error);
		return false;
	}
	bool fits = vm_snapshot_bytes(&snapshot, &there, sizeof there) && is_of_use(&there, &head);
	bool good = fits && all_snapshot(&snapshot);
	bool whole = vm_snapshot_close(&snapshot);
	if (fits && !(good && whole))
		end_spoilt();
	if (fits) {
		vm_words_forget();
		vm_keys_forget();
		vm_state_forget();
		search.saved = seconds();
		vm_report_restored(search.level);
	}
	return fits;
}

/* ---- the search ---------------------------------------------------------------------------------------------------- */

static void walk_levels(void)
{
	const struct image_options *options = vm_this.image.options;
	uint32_t item;
	clock_gettime(CLOCK_MONOTONIC, &search.start);
	bool restored = restore();
	if (!restored)
		arrive(0, NO_ITEM, 0);
	for (;; go_up()) {
		while (!restored && next_item(&item))
			if (!take(item))
				return;
		if (!restored)
			report_level();
		else
			restored = false;
		if (!refuses_any() || (search.violated && options->iterate))
			return;
		if (search.level + 1 >= options->preemptions) {
			vm_report_inconclusive(LIMIT_PREEMPTIONS, "schedules with more preemptions were not explored", 0);
			return;
		}
		save();
	}
}

void vm_bounded_search(void)
{
	if (search.done)
		return;
	search.done = true;
	vm_own_figures = vm_bounded_figures;
	walk_levels();
}

struct vm_figures vm_bounded_figures(void)
{
	uint64_t lists = (uint64_t)search.begun.capacity + search.free.capacity + search.refused.capacity;
	search.figures.bytes = search.items_capacity * sizeof *search.items + lists * sizeof *search.begun.items +
		search.marks_capacity + search.capacity * sizeof *search.visited;
	return search.figures;
}
