/* SPDX-License-Identifier: MIT
 *
 * See causes.h.  The events of a replay make a graph: an event comes after the one before it in its thread, after the event that
 * let its thread start or go on, and after the writes whose values it has seen.  An edge of the last kind is weak if the two do not
 * synchronise.  An earlier access is not ordered before a later one if every path between them has a weak edge; the path with the
 * fewest shows which orders are too weak.
 *
 * A release fence makes a later relaxed write of its thread synchronise, but only for what comes before the fence; an acquire
 * fence likewise makes an earlier relaxed read do so for what comes after it.  So there are edges from fences and to fences.
 */
#include "causes.h"
#include "../trace/history.h"
#include "race.h"
#include "records.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000 }; /* events; among more, a cause is not looked for, as that takes time with the square */

enum event_kind { EVENT_ACCESS, EVENT_READ, EVENT_WRITE, EVENT_FENCE, EVENT_PASS };

static VM_OWN struct event {
	enum event_kind kind;
	unsigned slot;
	uint32_t location;
	uint64_t address, value; /* read, write; write, where others read older values */
	const char *what;
	bool strong, modifies;   /* read: it acquires; write: it releases; fence: see `acquires` */
	bool old;                /* read, write: what it has met is not the newest */
	bool acquires, releases; /* fence */
	unsigned to;             /* pass: the thread that goes on */
	struct vm_range range;   /* access */
} * events;
static VM_OWN uint32_t count, capacity;

static struct event *note(enum event_kind kind, unsigned slot)
{
	events = vm_grow(events, &capacity, (uint64_t)count + 1, sizeof *events);
	struct event *event = &events[count++];
	*event = (struct event){ .kind = kind, .slot = slot, .location = vm_this.location };
	return event;
}

static bool is_wanted(void)
{
	return vm_tracing && vm_has_records() && !vm_this.evaluating;
}

void vm_cause_read(uint64_t address, bool acquires, const char *what)
{
	if (!is_wanted())
		return;
	struct event *event = note(EVENT_READ, vm_this.current->slot);
	event->address = address;
	event->strong = acquires;
	event->what = what;
}

void vm_cause_write(uint64_t address, bool releases, bool modifies, const char *what)
{
	if (!is_wanted())
		return;
	struct event *event = note(EVENT_WRITE, vm_this.current->slot);
	event->address = address;
	event->strong = releases;
	event->modifies = modifies;
	event->what = what;
}

void vm_cause_value(uint64_t value)
{
	if (is_wanted() && count)
		events[count - 1].value = value;
}

void vm_cause_old(void)
{
	if (is_wanted() && count)
		events[count - 1].old = true;
}

/* Return 1 + the number of the last event below `end` that has put a value into a location; 0 if there is none. */
static uint32_t store_of(uint64_t address, uint64_t value, uint32_t end)
{
	while (end &&
	       !(events[end - 1].kind == EVENT_WRITE && events[end - 1].address == address && events[end - 1].value == value))
		end--;
	return end;
}

const char *vm_cause_store(uint64_t address, uint64_t value)
{
	uint32_t i = store_of(address, value, count);
	if (!i)
		return "a newer one";
	char *text = vm_text();
	snprintf(text, VM_TEXT, "the %s of %lld by thread %u at %s", events[i - 1].what, (long long)value, events[i - 1].slot,
		 vm_place_name(events[i - 1].location));
	return text;
}

void vm_cause_fence(bool acquires, bool releases)
{
	if (!is_wanted())
		return;
	struct event *event = note(EVENT_FENCE, vm_this.current->slot);
	event->acquires = acquires;
	event->releases = releases;
}

void vm_cause_follow(unsigned from, unsigned to, const char *what)
{
	if (!is_wanted())
		return;
	struct event *event = note(EVENT_PASS, from);
	event->to = to;
	event->what = what;
}

void vm_cause_access(const struct vm_range *range)
{
	if (is_wanted())
		note(EVENT_ACCESS, vm_this.current->slot)->range = *range;
}

/* ---- edges --------------------------------------------------------------------------------------------------------- */

/* how an event is reached with the fewest weak edges */
struct step {
	uint32_t weak; /* so many; UINT32_MAX: not reached */
	uint32_t from; /* the event before */
	bool is_weak;  /* the edge from there is */
};

static void reach(struct step *steps, uint32_t from, uint32_t to, bool weak)
{
	assert(from < to); /* events are in the order in which they happened */
	if (steps[from].weak == UINT32_MAX || steps[from].weak + weak >= steps[to].weak)
		return;
	steps[to] = (struct step){ steps[from].weak + weak, from, weak };
}

/* Return the latest release fence before event `i` in the same thread; `i` if there is none. */
static uint32_t release_fence_before(uint32_t i)
{
	for (uint32_t k = i; k-- > 0;)
		if (events[k].slot == events[i].slot && events[k].kind == EVENT_FENCE && events[k].releases)
			return k;
	return i;
}

static uint32_t acquire_fence_after(uint32_t i, uint32_t end)
{
	for (uint32_t k = i + 1; k < end; k++)
		if (events[k].slot == events[i].slot && events[k].kind == EVENT_FENCE && events[k].acquires)
			return k;
	return i;
}

/* Reach the event `read`: the read has seen the latest write to its location, and what that write continues; or it has
 * read an older value, and nobody knows whose.  A write behind an older value is not the latest. */
static void reach_read(struct step *steps, uint32_t read, uint32_t end)
{
	uint32_t fence_after = acquire_fence_after(read, end);
	for (uint32_t k = read; k-- > 0 && !events[read].old;) {
		const struct event *write = &events[k];
		if (write->kind != EVENT_WRITE || write->address != events[read].address || write->old)
			continue;
		uint32_t fence_before = release_fence_before(k);
		reach(steps, k, read, !(write->strong && events[read].strong));
		if (write->strong && fence_after != read)
			reach(steps, k, fence_after, false);
		if (fence_before != k && events[read].strong)
			reach(steps, fence_before, read, false);
		if (fence_before != k && fence_after != read)
			reach(steps, fence_before, fence_after, false);
		if (!write->modifies)
			return;
	}
}

/* Return how each event up to `end` is reached from event `first`; NULL if there is no memory.  All edges lead forward. */
static struct step *all_steps(uint32_t first, uint32_t end)
{
	assert(first <= end && end < count);
	struct step *steps = malloc((end + 1) * sizeof *steps);
	if (!steps)
		return NULL;
	for (uint32_t i = 0; i <= end; i++)
		steps[i] = (struct step){ UINT32_MAX, i, false };
	steps[first].weak = 0;
	for (uint32_t i = first + 1; i <= end; i++) {
		const struct event *event = &events[i];
		for (uint32_t k = i; k-- > first;)
			if (events[k].slot == event->slot || (events[k].kind == EVENT_PASS && events[k].to == event->slot)) {
				reach(steps, k, i, false);
				if (events[k].slot == event->slot)
					break;
			}
		if (event->kind == EVENT_READ)
			reach_read(steps, i, end);
	}
	return steps;
}

/* ---- words --------------------------------------------------------------------------------------------------------- */

static const char *weakness(const struct event *event)
{
	assert(event->what && (event->kind == EVENT_READ || event->kind == EVENT_WRITE));
	if (strstr(event->what, "attempt"))
		return "orders nothing";
	if (strcmp(event->what, "load") == 0 || strcmp(event->what, "store") == 0)
		return "is relaxed";
	return event->kind == EVENT_READ ? "does not acquire" : "does not release";
}

/* Does a fence of the thread that writes, before that, release for the write? */
static bool has_release_fence(const struct event *write)
{
	for (const struct event *e = write; e-- > events;)
		if (e->slot == write->slot && e->kind == EVENT_FENCE && e->releases)
			return true;
	return false;
}

/* Does a fence of the thread that reads, after that, acquire for the read? */
static bool has_acquire_fence(const struct event *read)
{
	for (const struct event *e = read; e < events + count; e++)
		if (e->slot == read->slot && e->kind == EVENT_FENCE && e->acquires)
			return true;
	return false;
}

static void explain_edge(char *text, size_t size, const struct event *write, const struct event *read)
{
	char at[2][60];
	snprintf(at[0], sizeof at[0], "%.55s", vm_place_name(write->location));
	snprintf(at[1], sizeof at[1], "%.55s", vm_place_name(read->location));
	bool writes_well = write->strong || has_release_fence(write), reads_well = read->strong || has_acquire_fence(read);
	if (writes_well && !reads_well && !write->strong)
		snprintf(text, size,
			 "the %s at %s %s, and no acquire fence follows it, so what precedes the %s at %s is not ordered with what "
			 "follows it",
			 read->what, at[1], weakness(read), write->what, at[0]);
	else if (reads_well && !writes_well && !read->strong)
		snprintf(text, size,
			 "the %s at %s %s, and no release fence precedes it, so what precedes it is not ordered with the %s at %s",
			 write->what, at[0], weakness(write), read->what, at[1]);
	else if (!write->strong && !read->strong && strcmp(weakness(write), weakness(read)) == 0)
		snprintf(text, size,
			 "the %s at %s and the %s at %s are relaxed, so what precedes the one is not ordered with "
			 "what follows the other",
			 write->what, at[0], read->what, at[1]);
	else if (!read->strong)
		snprintf(text, size, "the %s at %s %s, so what precedes the %s at %s is not ordered with what follows it",
			 read->what, at[1], weakness(read), write->what, at[0]);
	else
		snprintf(text, size, "the %s at %s %s, so what precedes it is not ordered with the %s at %s", write->what, at[0],
			 weakness(write), read->what, at[1]);
}

/* Say in `cause` which edges on the way to event `last` are weak. */
static void explain(struct vm_cause *cause, const struct step *steps, uint32_t last)
{
	size_t used = 0;
	for (uint32_t i = last; steps[i].from != i && used < sizeof cause->text; i = steps[i].from) {
		if (!steps[i].is_weak)
			continue;
		if (used)
			used += (size_t)snprintf(cause->text + used, sizeof cause->text - used, "; ");
		if (used < sizeof cause->text)
			explain_edge(cause->text + used, sizeof cause->text - used, &events[steps[i].from], &events[i]);
		used = strlen(cause->text);
	}
}

static bool meet(const struct event *event, const struct vm_range *range)
{
	return event->kind == EVENT_ACCESS && event->slot != vm_this.current->slot && event->range.object == range->object &&
		event->range.low < range->high && range->low < event->range.high &&
		vm_accesses_conflict(event->range.write, range->write);
}

struct vm_cause vm_cause_of_race(const struct vm_range *range)
{
	struct vm_cause cause = { .slot = vm_this.max_threads };
	if (!is_wanted() || count > MOST)
		return cause;
	vm_cause_access(range);
	uint32_t last = count - 1;
	for (uint32_t i = last; i-- > 0;) {
		struct step *steps = meet(&events[i], range) ? all_steps(i, last) : NULL;
		bool found = steps && steps[last].weak != 0;
		if (found) {
			cause.slot = events[i].slot;
			cause.location = events[i].location;
			if (steps[last].weak != UINT32_MAX)
				explain(&cause, steps, last);
		}
		free(steps);
		if (found)
			break;
	}
	return cause;
}

/* Return the last event after which the running thread goes on; count: there is none. */
static uint32_t last_own(void)
{
	unsigned own = vm_this.current->slot;
	for (uint32_t i = count; i-- > 0;)
		if (events[i].slot == own || (events[i].kind == EVENT_PASS && events[i].to == own))
			return i;
	return count;
}

/* Add to the text, after "and" if it has something, that an event must have an order. */
static void demand(char *text, size_t size, const char *order, const struct event *event)
{
	size_t used = strlen(text);
	snprintf(text + used, size - used, "%s%s at %s", used ? " and " : "", order, vm_place_name(event->location));
}

/* If all weak edges of the path with the fewest were strong, then the store would happen before the running thread's next access,
 * which could not go below it. */
const char *vm_cause_forbids(uint64_t address, uint64_t value)
{
	uint32_t store = is_wanted() && count <= MOST ? store_of(address, value, count) : 0, last = last_own();
	if (!store || store_of(address, value, store - 1) || last == count || last < store)
		return "";
	struct step *steps = all_steps(store - 1, last);
	if (!steps)
		return "";
	char orders[300] = "", *text = vm_text();
	for (uint32_t i = last; steps[last].weak != UINT32_MAX && steps[i].from != i; i = steps[i].from) {
		if (steps[i].is_weak && !events[i].strong)
			demand(orders, sizeof orders, "acquire", &events[i]);
		if (steps[i].is_weak && !events[steps[i].from].strong)
			demand(orders, sizeof orders, "release", &events[steps[i].from]);
	}
	free(steps);
	if (!*orders)
		return "";
	snprintf(text, VM_TEXT, " (%s would forbid that)", orders);
	return text;
}
