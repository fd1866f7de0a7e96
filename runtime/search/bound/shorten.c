/* SPDX-License-Identifier: MIT
 *
 * See shorten.h.  Two ways, one after the other:
 *
 *   - from the beginning of the program, all schedules in the order of their cost (Dijkstra's algorithm; a node is a state and
 *     the thread that moved last), as Musuvathi and Qadeer go from bound to bound (PLDI 2007): most errors need few preemptions.
 *     If this comes to an end, nothing is shorter;
 *   - else changes to the schedule at hand: blocks of steps of one thread are moved next to another of the same thread, or left
 *     out (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002, for schedules).
 *
 * Both take steps in the VM as the search does, so what comes out is an execution of the program with the same violation,
 * whatever was tried.
 */
#include "shorten.h"
#include "../reduce/search_step.h"
#include "../replay/replay.h"
#include "../../bitspin_vm.h"
#include "../../state/driver.h"
#include "preemption.h"
#include "../step/single.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NOBODY = 255, PREEMPTION = 256, MOST_COST = 16 * PREEMPTION, NO_NODE = 0 };

/* what the schedule has to end in */
static VM_OWN struct {
	uint32_t kind, location;
	char *message;
} target;

/* Do two messages about threads that wait, "THREAD WAITS; THREAD WAITS", say the same, whoever comes first? */
static bool same_waits(const char *a, const char *b)
{
	if (strlen(a) != strlen(b))
		return false;
	for (const char *part = a; part; part = strstr(part, "; ")) {
		part += part == a ? 0 : 2;
		char *clause = strndup(part, strcspn(part, ";"));
		bool there = clause && strstr(b, clause);
		free(clause);
		if (!there)
			return false;
	}
	return true;
}

/* Is `found` the violation that a shorter schedule has to lead to?  Deadlocks are compared by their messages, data races by
 * message and place, and all others by their place. */
static bool is_target(const struct vm_found *found)
{
	if (!found->violates || found->kind != target.kind)
		return false;
	if (found->kind == VIOLATION_DEADLOCK)
		return same_waits(found->message, target.message);
	return found->location == target.location &&
		(found->kind != VIOLATION_DATA_RACE || strcmp(found->message, target.message) == 0);
}

/* ---- all schedules, in the order of their cost --------------------------------------------------------------------- */

struct node {
	int state;
	uint32_t parent, next; /* next in its bucket; NO_NODE: there is none */
	unsigned char last, choice;
	bool is_goal;
};

static VM_OWN struct {
	struct node *nodes; /* number 0 is none */
	uint32_t count, capacity;
	uint32_t first[MOST_COST], tail[MOST_COST]; /* buckets: nodes of this cost that are not done, first come first */
	uint64_t *done;                             /* a hash set of (state, last), open addressing; 0: free */
	uint32_t done_count, done_capacity;
	uint64_t work;
	bool cut; /* a limit has cut a path: not everything was seen */
} queue;

static void put(uint32_t cost, struct node node)
{
	assert(cost < MOST_COST);
	queue.nodes = vm_grow(queue.nodes, &queue.capacity, (uint64_t)queue.count + 2, sizeof *queue.nodes);
	if (queue.count == 0)
		queue.count = 1;
	uint32_t number = queue.count++;
	queue.nodes[number] = node;
	if (queue.first[cost] == NO_NODE)
		queue.first[cost] = number;
	else
		queue.nodes[queue.tail[cost]].next = number;
	queue.tail[cost] = number;
}

static uint32_t slot_of(uint64_t key)
{
	assert(key && queue.done_capacity && (queue.done_capacity & (queue.done_capacity - 1)) == 0);
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (queue.done_capacity - 1);
}

static void insert(uint64_t key)
{
	assert(queue.done_count < queue.done_capacity); /* the search for a free place comes to an end */
	uint32_t at = slot_of(key);
	while (queue.done[at])
		at = (at + 1) & (queue.done_capacity - 1);
	queue.done[at] = key;
	queue.done_count++;
}

/* Note that `node` is done.  Return false if it was done before. */
static bool first_visit(const struct node *node)
{
	uint64_t key = (uint64_t)(uint32_t)node->state << 32 | (uint64_t)node->last << 1 | 1;
	if (2 * (queue.done_count + 1) > queue.done_capacity) {
		uint64_t *old = queue.done;
		uint32_t n = queue.done_capacity;
		queue.done_capacity = n ? 2 * n : 1024;
		queue.done = calloc(queue.done_capacity, sizeof *queue.done);
		if (!queue.done)
			VM_BUG("out of memory");
		queue.done_count = 0;
		for (uint32_t i = 0; i < n; i++)
			if (old[i])
				insert(old[i]);
		free(old);
	}
	for (uint32_t at = slot_of(key); queue.done[at]; at = (at + 1) & (queue.done_capacity - 1))
		if (queue.done[at] == key)
			return false;
	insert(key);
	return true;
}

/* Take the steps of a node that cost less than `most` in all. */
static void expand(uint32_t number, uint32_t cost, uint32_t most)
{
	struct node node = queue.nodes[number];
	bool leaves = node.last == NOBODY || vm_bound_leaves(node.state, node.last);
	unsigned slots = vm_state_words(vm_ref_of(node.state))[1];
	for (unsigned slot = 0; slot < slots; slot++) {
		bool switches = slot != node.last && node.last != NOBODY;
		if (switches && cost % PREEMPTION + 1 == PREEMPTION) {
			queue.cut = true;
			continue;
		}
		uint32_t total = cost + switches + (switches && !leaves ? PREEMPTION : 0);
		for (unsigned choice = 0; total < most && vm_enabled(node.state, (int)slot, (int)choice); choice++) {
			struct vm_found found;
			int next = vm_step_quietly(node.state, (int)slot, (int)choice, &found);
			queue.work++;
			queue.cut = queue.cut || vm_ref_of(next) == vm_this.cut;
			if (!found.violates || is_target(&found))
				put(total,
				    (struct node){ next, number, NO_NODE, (unsigned char)slot, (unsigned char)choice,
						   found.violates });
		}
	}
}

static void take_path(uint32_t number, struct schedule *schedule)
{
	for (uint32_t n = number; queue.nodes[n].parent != NO_NODE; n = queue.nodes[n].parent)
		schedule_add(schedule, queue.nodes[n].last, queue.nodes[n].choice);
	for (uint32_t i = 0, j = schedule->count; i + 1 < j; i++) {
		struct schedule_step step = schedule->steps[i];
		schedule->steps[i] = schedule->steps[--j];
		schedule->steps[j] = step;
	}
}

/* Find the cheapest schedule of all that costs less than `most`.  Return false if none is found, or if more than `work` is done
 * before.  Set *complete if no schedule is cheaper than the one found, or than `most` if none is found. */
static bool search(uint32_t most, uint64_t work, struct schedule *schedule, bool *complete)
{
	*complete = false;
	assert(most <= MOST_COST && queue.count == 0);
	put(0, (struct node){ .last = NOBODY });
	for (uint32_t cost = 0; cost < most; cost++)
		for (uint32_t number; (number = queue.first[cost]) != NO_NODE;) {
			queue.first[cost] = queue.nodes[number].next;
			if (queue.nodes[number].is_goal) {
				*complete = !queue.cut;
				take_path(number, schedule);
				return true;
			}
			if (queue.work > work)
				return false;
			if (first_visit(&queue.nodes[number]))
				expand(number, cost, most);
		}
	*complete = !queue.cut;
	return false;
}

static void close_queue(void)
{
	free(queue.nodes);
	free(queue.done);
	memset(&queue, 0, sizeof queue);
}

/* ---- changes to a schedule ----------------------------------------------------------------------------------------- */

/* where a schedule has come to */
struct point {
	int state, last;
	struct schedule_cost cost;
};

static const struct point start = { 0, -1, { 0, 0, 0 } };

/* a schedule that leads to the target with its last step, and the points before each step */
struct path {
	struct schedule schedule;
	struct schedule_cost cost;
	struct point *points;
	uint32_t capacity;
};

/* steps [begin, end) of a path */
struct range {
	uint32_t begin, end;
};

static void note_points(struct path *path, uint32_t from)
{
	assert(from <= path->schedule.count);
	path->points = vm_grow(path->points, &path->capacity, (uint64_t)path->schedule.count + 1, sizeof *path->points);
	if (from == 0)
		path->points[0] = start;
	for (uint32_t i = from; i < path->schedule.count; i++) {
		struct vm_found found;
		path->points[i + 1] = path->points[i];
		struct point *point = &path->points[i + 1];
		if (!schedule_step(path->schedule.steps[i], &point->state, &point->last, &point->cost, &found))
			VM_BUG("step %u of a schedule is not possible", (unsigned)i);
	}
	path->cost = path->points[path->schedule.count].cost;
}

/* Take the first `from` steps of a path, and those of the ranges, as far as they are possible.  Does that lead to the target,
 * at less than the path costs?  `taken` gets the steps. */
static bool reaches(const struct path *path, uint32_t from, const struct range ranges[4], struct schedule *taken)
{
	struct point point = path->points[from];
	taken->count = 0;
	for (uint32_t i = 0; i < from; i++)
		schedule_add(taken, path->schedule.steps[i].slot, path->schedule.steps[i].choice);
	for (unsigned r = 0; r < 4; r++)
		for (uint32_t i = ranges[r].begin; i < ranges[r].end; i++) {
			assert(i < path->schedule.count);
			struct schedule_step step = path->schedule.steps[i];
			struct vm_found found = { 0 };
			bool done = schedule_step(step, &point.state, &point.last, &point.cost, &found);
			queue.work++;
			if (!schedule_is_better(&point.cost, &path->cost))
				return false;
			if (done)
				schedule_add(taken, step.slot, step.choice);
			if (found.violates)
				return is_target(&found);
		}
	return false;
}

/* Return the end of the steps of one thread that begin at step `i`. */
static uint32_t block_end(const struct schedule *schedule, uint32_t i)
{
	unsigned slot = schedule->steps[i].slot;
	while (i < schedule->count && schedule->steps[i].slot == slot)
		i++;
	return i;
}

/* Return where the next block of steps of the thread in `slot` begins, at or after `end`; the number of steps if there is none. */
static uint32_t next_block(const struct schedule *schedule, uint32_t end, unsigned slot)
{
	while (end < schedule->count && schedule->steps[end].slot != slot)
		end++;
	return end;
}

/* Improve the path at its block of steps [i, end): leave out the block, move it, or bring forward the next one of its
 * thread.  Return false if nothing of that leads to the violation at a lower cost. */
static bool improve_at(struct path *path, uint32_t i, uint32_t end, struct schedule *taken)
{
	assert(i < end && end <= path->schedule.count);
	const struct schedule *old = &path->schedule;
	uint32_t n = old->count, next = next_block(old, end, old->steps[i].slot);
	uint32_t next_end = next < n ? block_end(old, next) : n;
	const struct range moves[][4] = {
		{ { end, n } },                                                     /* leave it out */
		{ { end, next }, { i, end }, { next, n } },                         /* later */
		{ { i, end }, { next, next_end }, { end, next }, { next_end, n } }, /* bring the next one forward */
	};
	for (unsigned m = 0; m < sizeof moves / sizeof *moves; m++)
		if ((m == 0 || next < n) && reaches(path, i, moves[m], taken)) {
			struct schedule kept = path->schedule;
			path->schedule = *taken;
			*taken = kept;
			note_points(path, i);
			return true;
		}
	return false;
}

static void improve(struct path *path, uint64_t work)
{
	struct schedule taken = { 0 };
	for (bool changed = true; changed && queue.work < work;) {
		changed = false;
		for (uint32_t i = 0; i < path->schedule.count && queue.work < work;) {
			uint32_t end = block_end(&path->schedule, i);
			if (improve_at(path, i, end, &taken))
				changed = true;
			else
				i = end;
		}
	}
	schedule_release(&taken);
}

/* ---- both ---------------------------------------------------------------------------------------------------------- */

/* Follow the schedule `given` to its violation, which becomes the target.  What comes after that is left out.  Return false if
 * there is no violation. */
static bool follow(struct path *path, const struct schedule *given)
{
	struct point point = start;
	for (uint32_t i = 0; i < given->count; i++) {
		struct vm_found found = { 0 };
		if (!schedule_step(given->steps[i], &point.state, &point.last, &point.cost, &found))
			return false;
		schedule_add(&path->schedule, given->steps[i].slot, given->steps[i].choice);
		if (!found.violates)
			continue;
		target.kind = found.kind;
		target.location = found.location;
		free(target.message);
		target.message = strdup(found.message);
		note_points(path, 0);
		return target.message != NULL;
	}
	return false;
}

static uint32_t cost_in_buckets(const struct schedule_cost *cost)
{
	uint64_t total = (uint64_t)cost->preemptions * PREEMPTION + cost->switches;
	return cost->switches >= PREEMPTION || total > MOST_COST ? MOST_COST : (uint32_t)total;
}

bool vm_shorten(const struct schedule *given, uint64_t work, struct shortened *result)
{
	struct path path = { 0 };
	struct schedule best = { 0 };
	vm_driver.passes_hangs = true; /* nothing that violates comes after a hang */
	bool complete = false, good = follow(&path, given);
	if (!good || target.kind == VIOLATION_DEADLOCK) {
		vm_driver.passes_hangs = false;
		schedule_release(&path.schedule);
		free(path.points);
		path = (struct path){ 0 };
		good = follow(&path, given);
	}
	struct schedule_cost cost = path.cost;
	uint32_t most = good ? cost_in_buckets(&cost) : 0;
	if (good && search(most, work, &best, &complete)) {
		schedule_release(&path.schedule);
		path.schedule = best;
		note_points(&path, 0);
	} else if (most == MOST_COST) {
		complete = false; /* that it costs more than this was not all that was to be known */
	}
	close_queue();
	if (good && !complete)
		improve(&path, work);
	free(path.points);
	*result = (struct shortened){ path.schedule, path.cost, cost, complete };
	return good;
}

/* ---- what preemptions are needed for ------------------------------------------------------------------------------- */

enum { FARTHEST = 100 }; /* steps by which a switch is moved */

/* Return the location of the operation that thread `slot` is about to do. */
static uint32_t location_at(const struct point *point, unsigned slot)
{
	vm_state_load(vm_ref_of(point->state));
	return vm_thread_location(vm_thread_load(slot));
}

/* Do the steps of the schedule, all of them possible, lead from `point` to the target? */
static bool leads_on(struct point point, const struct schedule *steps)
{
	struct vm_found found = { 0 };
	for (uint32_t i = 0; i < steps->count && !found.violates; i++)
		if (!schedule_step(steps->steps[i], &point.state, &point.last, &point.cost, &found))
			return false;
	return is_target(&found);
}

static void add_range(struct schedule *to, const struct schedule *from, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; i++)
		schedule_add(to, from->steps[i].slot, from->steps[i].choice);
}

/* Move the switch at step `at` to ever earlier steps, before those that thread `of` has taken last, until the violation
 * changes.  Return the location of the operation of `of` that has to be done before the switch, or 0 if none is known. */
static uint32_t latest_before(const struct path *path, uint32_t at, unsigned of)
{
	assert(at > 0 && at < path->schedule.count);
	const struct schedule *all = &path->schedule;
	uint32_t back = next_block(all, at, of), first = at;
	while (first > 0 && all->steps[first - 1].slot == of && at - first < FARTHEST)
		first--;
	for (uint32_t to = at; to-- > first;) {
		struct schedule moved = { 0 };
		add_range(&moved, all, at, back);
		add_range(&moved, all, to, at);
		add_range(&moved, all, back, all->count);
		bool same = leads_on(path->points[to], &moved);
		schedule_release(&moved);
		if (!same)
			return location_at(&path->points[to], of);
	}
	return 0;
}

/* Move the switch at step `at` to ever later steps, by bringing forward steps of thread `of`, until the violation
 * changes.  Return the location of the operation of `of` that must not be done before the switch, or 0 if none is known. */
static uint32_t first_after(const struct path *path, uint32_t at, unsigned of)
{
	const struct schedule *all = &path->schedule;
	struct point point = path->points[at];
	struct schedule rest = { 0 };
	uint32_t location = 0;
	add_range(&rest, all, at, all->count);
	for (unsigned i = 0; i < FARTHEST; i++) {
		uint32_t next = next_block(&rest, 0, of);
		struct schedule_step step = { (unsigned char)of, next < rest.count ? rest.steps[next].choice : 0 };
		struct vm_found found = { 0 };
		uint32_t here = location_at(&point, of);
		if (!schedule_step(step, &point.state, &point.last, &point.cost, &found) || found.violates)
			break;
		if (next < rest.count) {
			memmove(rest.steps + next, rest.steps + next + 1, (rest.count - next - 1) * sizeof *rest.steps);
			rest.count--;
		}
		if (!leads_on(point, &rest)) {
			location = here;
			break;
		}
	}
	schedule_release(&rest);
	return location;
}

struct preemption *vm_preemptions(const struct shortened *shortened, uint32_t *count)
{
	struct path path = { .schedule = shortened->schedule };
	struct preemption *all = calloc((size_t)shortened->cost.preemptions + 1, sizeof *all);
	note_points(&path, 0);
	*count = 0;
	for (uint32_t i = 1; all && i < path.schedule.count; i++) {
		if (path.points[i + 1].cost.preemptions == path.points[i].cost.preemptions)
			continue;
		unsigned of = (unsigned)path.points[i].last;
		assert(*count < shortened->cost.preemptions);
		all[(*count)++] = (struct preemption){
			.step = i + 1,
			.thread = path.schedule.steps[i].slot,
			.of = of,
			.after = latest_before(&path, i, of),
			.before = first_after(&path, i, of),
		};
	}
	free(path.points);
	return all;
}
