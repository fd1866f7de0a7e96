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
#include "placed.h"
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
	unsigned step;
	uint64_t address; /* read, write */
	const char *what;
	bool strong, modifies;   /* read: it acquires; write: it releases; fence: see `acquires` */
	bool total;              /* read, write: it is seq_cst */
	uint32_t met;            /* 1 + the number of the store that is read, or is before it in modification order; 0: none */
	bool acquires, releases; /* fence */
	unsigned to;             /* pass: the thread that goes on */
	struct vm_range range;   /* access */
} * events;
static VM_OWN uint32_t count, capacity;

static struct event *note(enum event_kind kind, unsigned slot)
{
	events = vm_grow(events, &capacity, (uint64_t)count + 1, sizeof *events);
	struct event *event = &events[count++];
	*event = (struct event){ .kind = kind, .slot = slot, .location = vm_this.location, .step = vm_this.step };
	return event;
}

static bool is_wanted(void)
{
	return vm_tracing && vm_has_records() && !vm_this.evaluating;
}

/* Return the place of the store in front of the `newer` newest ones; count: there is none. */
static uint32_t place_of(uint64_t address, uint32_t newer, const struct vm_placed **stores, uint32_t *number)
{
	*stores = vm_placed_at(address, number);
	return newer < *number ? *number - 1 - newer : *number;
}

static uint32_t met_at(uint64_t address, uint32_t newer)
{
	const struct vm_placed *stores;
	uint32_t number, place = place_of(address, newer, &stores, &number);
	return place < number ? stores[place].store : 0;
}

void vm_cause_read(uint64_t address, uint32_t newer, bool acquires, const char *what)
{
	if (!is_wanted())
		return;
	struct event *event = note(EVENT_READ, vm_this.current->slot);
	event->address = address;
	event->strong = acquires;
	event->total = true;
	event->what = what;
	event->met = met_at(address, newer);
}

void vm_cause_write(uint64_t address, uint32_t newer, bool releases, bool modifies, const char *what)
{
	if (!is_wanted())
		return;
	struct event *event = note(EVENT_WRITE, vm_this.current->slot);
	event->address = address;
	event->strong = releases;
	event->total = true;
	event->modifies = modifies;
	event->what = what;
	event->met = met_at(address, newer);
	vm_placed_add(address, newer, count);
}

void vm_cause_weaker(void)
{
	if (is_wanted() && count)
		events[count - 1].total = false;
}

void vm_cause_values(uint64_t before, uint64_t value)
{
	if (is_wanted() && count)
		vm_placed_value(events[count - 1].address, count, before, value);
}

void vm_cause_merge(uint64_t address, uint32_t newer)
{
	if (is_wanted())
		vm_placed_merge(address, newer);
}

void vm_cause_forget(uint32_t object, uint32_t low, uint32_t high)
{
	if (is_wanted())
		vm_placed_forget(image_address(object, low), image_address(object, high));
}

const uint32_t *vm_cause_steps(uint64_t address, uint32_t newer, uint64_t value, uint32_t *steps)
{
	static const uint32_t before_all;
	const struct vm_placed *stores;
	uint32_t number, place = place_of(address, newer, &stores, &number);
	*steps = newer || number ? 0 : 1;
	if (place == number || !stores[place].has_value || stores[place].value != value)
		return &before_all;
	*steps = number - place;
	uint32_t *all = vm_scratch(*steps * sizeof *all);
	for (uint32_t i = 0; i < *steps; i++)
		all[i] = stores[place + i].store ? events[stores[place + i].store - 1].step : 0;
	return all;
}

/* Return the number of the event that has made the store behind the one that an access meets; count: it is not known. */
static uint32_t next_store(const struct vm_cause_now *now)
{
	if (!is_wanted() || !now->newer)
		return count;
	const struct vm_placed *stores;
	uint32_t number, place = place_of(now->address, now->newer - 1, &stores, &number);
	bool known = place < number && stores[place].store && stores[place].has_value && stores[place].value == now->next;
	return known ? stores[place].store - 1 : count;
}

const char *vm_cause_store(const struct vm_cause_now *now)
{
	uint32_t i = next_store(now);
	if (i == count)
		return "a newer one";
	char *text = vm_text();
	snprintf(text, VM_TEXT, "the %s of %s by thread %u at %s", events[i].what,
		 vm_describe_value(now->address, now->size, now->next), events[i].slot, vm_place_name(events[i].location));
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
	bool is_total; /* the edge from there goes from an access to one that comes later in coherence, and is no read of it */
};

/* Note an edge.  Return whether it is the best so far. */
static bool reach(struct step *steps, uint32_t from, uint32_t to, bool weak)
{
	if (steps[from].weak == UINT32_MAX || steps[from].weak + weak >= steps[to].weak)
		return false;
	steps[to] = (struct step){ .weak = steps[from].weak + weak, .from = from, .is_weak = weak };
	return true;
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

/* Reach the event `read`: it has seen a store, and the stores that this one continues. */
static bool reach_read(struct step *steps, uint32_t read, uint32_t end)
{
	uint32_t fence_after = acquire_fence_after(read, end);
	bool better = false;
	for (uint32_t k, met = events[read].met; met; met = events[k].modifies ? events[k].met : 0) {
		k = met - 1;
		uint32_t fence_before = release_fence_before(k);
		better |= reach(steps, k, read, !(events[k].strong && events[read].strong));
		if (events[k].strong && fence_after != read)
			better |= reach(steps, k, fence_after, false);
		if (fence_before != k && events[read].strong)
			better |= reach(steps, fence_before, read, false);
		if (fence_before != k && fence_after != read)
			better |= reach(steps, fence_before, fence_after, false);
	}
	return better;
}

/* Reach event `i`, not before event `first`, from the one before it in its thread, and from those that let the thread go on. */
static bool reach_next(struct step *steps, uint32_t first, uint32_t i)
{
	bool better = false, own = false;
	for (uint32_t k = i; k-- > first && !own;) {
		own = events[k].slot == events[i].slot;
		if (own || (events[k].kind == EVENT_PASS && events[k].to == events[i].slot))
			better |= reach(steps, k, i, false);
	}
	return better;
}

static struct step *no_steps(uint32_t first, uint32_t end)
{
	assert(first <= end && end < count);
	struct step *steps = malloc((end + 1) * sizeof *steps);
	for (uint32_t i = 0; steps && i <= end; i++)
		steps[i] = (struct step){ .weak = i == first ? 0 : UINT32_MAX, .from = i };
	return steps;
}

/* Return how each event up to `end` is reached from event `first`; NULL if there is no memory.  All edges lead forward. */
static struct step *all_steps(uint32_t first, uint32_t end)
{
	struct step *steps = no_steps(first, end);
	for (uint32_t i = first + 1; steps && i <= end; i++) {
		reach_next(steps, first, i);
		if (events[i].kind == EVENT_READ)
			reach_read(steps, i, end);
	}
	return steps;
}

/* Reach the store that is next in modification order to the one that event `i` has read or made. */
static bool reach_later(struct step *steps, uint32_t i, uint32_t end)
{
	uint32_t number, own = events[i].kind == EVENT_READ ? events[i].met : i + 1;
	const struct vm_placed *stores = vm_placed_at(events[i].address, &number);
	uint32_t place = 0;
	while (place < number && stores[place].store != own)
		place++;
	uint32_t next = place + 1 < number ? stores[place + 1].store - 1 : count;
	if (next > end || !reach(steps, i, next, true))
		return false;
	steps[next].is_total = true;
	return true;
}

/* The same with the edges of coherence, which lead backward too. */
static struct step *all_total_steps(uint32_t first, uint32_t end)
{
	struct step *steps = no_steps(first, end);
	for (bool better = steps; better;) {
		better = false;
		for (uint32_t i = 0; i <= end; i++) {
			better |= reach_next(steps, 0, i);
			if (events[i].kind == EVENT_READ)
				better |= reach_read(steps, i, end);
			if ((events[i].kind == EVENT_READ || events[i].kind == EVENT_WRITE) && reach_later(steps, i, end))
				better = true;
		}
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

/* ---- which orders would forbid an older value ---------------------------------------------------------------------------- */

enum { MOST_DEMANDED = 6, MOST_TOTAL = 2000 /* events; their edges go backward too */ };

static const char total[] = "seq_cst", acquire[] = "acquire", release[] = "release";

/* orders that are demanded; `missing`: there are more */
struct demand {
	struct {
		uint32_t location;
		const char *order;
		bool fails; /* of a compare-exchange that fails */
	} items[MOST_DEMANDED];
	unsigned count;
	bool missing;
};

/* Demand an order of an access; that of seq_cst is the strongest. */
static void demand(struct demand *all, const char *order, uint32_t location, bool fails)
{
	unsigned i = 0;
	for (; i < all->count; i++) {
		bool same = all->items[i].location == location && all->items[i].fails == fails;
		if (same && order == total)
			all->items[i].order = order;
		if (same && (all->items[i].order == order || all->items[i].order == total))
			return;
	}
	all->missing = all->missing || i == MOST_DEMANDED;
	if (i == MOST_DEMANDED)
		return;
	all->items[i].location = location;
	all->items[i].order = order;
	all->items[i].fails = fails;
	all->count++;
}

static void demand_of(struct demand *all, const char *order, const struct event *event)
{
	demand(all, order, event->location, strcmp(event->what, "failed compare-exchange") == 0);
}

/* Return the demands as " (release at x.c:1 and acquire at x.c:2 would forbid that)", or "". */
static const char *demanded(const struct demand *all)
{
	static const size_t size = 600;
	char *text = vm_scratch(size);
	size_t used = (size_t)snprintf(text, size, " (");
	for (unsigned i = all->count; i-- > 0 && used < size;) {
		bool first = i + 1 == all->count;
		bool same = !first && all->items[i].order == all->items[i + 1].order &&
			all->items[i].fails == all->items[i + 1].fails;
		used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s",
					 first     ? "" :
						 i ? ", " :
						     " and ",
					 same ? "" : all->items[i].order, same || !all->items[i].fails ? "" : " on failure",
					 same ? "" : " at ", vm_place_name(all->items[i].location));
	}
	if (used < size)
		used += (size_t)snprintf(text + used, size - used, " would forbid that)");
	return all->count && !all->missing && used < size ? text : "";
}

/* Demand what makes the edges on the way to event `last` strong. */
static void demand_path(struct demand *all, const struct step *steps, uint32_t last)
{
	for (uint32_t i = last; steps[i].from != i; i = steps[i].from) {
		const struct event *to = &events[i], *from = &events[steps[i].from];
		const struct event *ends[] = { to, from };
		for (unsigned k = 0; k < 2 && steps[i].is_weak; k++)
			if (steps[i].is_total ? !ends[k]->total : !ends[k]->strong)
				demand_of(all, steps[i].is_total ? total : k ? release : acquire, ends[k]);
	}
}

/* If all weak edges of the path with the fewest were strong, then the store would happen before the running thread's next access,
 * which could not go below it. */
static const char *forbidden_by_happening(uint32_t store, uint32_t last)
{
	struct demand all = { .count = 0 };
	struct step *steps = store <= last ? all_steps(store, last) : NULL;
	if (steps && steps[last].weak != UINT32_MAX)
		demand_path(&all, steps, last);
	free(steps);
	return demanded(&all);
}

/* places behind which seq_cst fences would be needed; `missing`: there are more, or that is no place for one */
struct fences {
	uint32_t after[MOST_DEMANDED];
	unsigned count;
	bool missing;
};

/* Let there be a fence behind event `i`, between it and what thread `slot` does next. */
static void fence_after(struct fences *fences, uint32_t i, unsigned slot)
{
	bool access = events[i].kind == EVENT_READ || events[i].kind == EVENT_WRITE;
	for (unsigned k = 0; k < fences->count; k++)
		if (fences->after[k] == events[i].location)
			return;
	fences->missing = fences->missing || fences->count == MOST_DEMANDED || !access || slot != events[i].slot;
	if (!fences->missing)
		fences->after[fences->count++] = events[i].location;
}

/* Find the seq_cst fences that would forbid that the running thread's next access comes before the store.  The path from the store
 * to the access consists of parts in which each event happens before the next one.  From part to part it goes along coherence or
 * reads-from, as it does from the access, which comes before the store in coherence, to the first part.  So with a fence between
 * the first and the last access of each part, the relation psc of RC11 would have a cycle.  A part of one access needs none: it is
 * a link between accesses to one location, which are in coherence without it. */
static struct fences find_fences(const struct step *steps, uint32_t store, uint32_t last)
{
	struct fences fences = { .count = 0 };
	uint32_t length = 1, *path = vm_scratch(((uint64_t)count + 1) * sizeof *path);
	for (uint32_t i = last; i != store; i = steps[i].from)
		length++;
	for (uint32_t i = last, k = length; k-- > 0; i = steps[i].from)
		path[k] = i;
	for (uint32_t first = 0, end; first < length; first = end) {
		for (end = first + 1; end < length && !steps[path[end]].is_weak;)
			end++;
		if (end > first + 1)
			fence_after(&fences, path[first], events[path[first + 1]].slot);
		else if (end == length)
			fence_after(&fences, path[first], vm_this.current->slot);
	}
	return fences;
}

/* Add the fences to what is said of orders that would forbid an older value. */
static const char *with_fences(const char *orders, const struct fences *fences)
{
	static const size_t size = 1000;
	char *text = vm_scratch(size);
	size_t length = strlen(orders);
	if (fences->missing || !fences->count)
		return orders;
	size_t used = (size_t)snprintf(text, size, "%.*s%satomic_thread_fence(memory_order_seq_cst)", length ? (int)length - 1 : 0,
				       orders, length ? "; so would " : " (");
	for (unsigned i = fences->count; i-- > 0 && used < size;)
		used += (size_t)snprintf(text + used, size - used, "%safter %s",
					 i + 1 == fences->count ? " " :
						 i              ? ", " :
								  " and ",
					 vm_place_name(fences->after[i]));
	if (used < size)
		used += (size_t)snprintf(text + used, size - used, length ? ")" : " would forbid that)");
	return used < size ? text : orders;
}

/* The access would come before the store in S, the order of seq_cst, if both had places there.
 * A path from the store to the access of happens-before and of coherence, from access to access that is seq_cst, would say the
 * opposite. */
static const char *forbidden_by_total(uint32_t store, uint32_t last, const struct vm_cause_now *now)
{
	struct demand all = { .count = 0 };
	struct step *steps = count <= MOST_TOTAL ? all_total_steps(store, last > store ? last : store) : NULL;
	bool found = steps && steps[last].weak != UINT32_MAX;
	if (found && !now->total)
		demand(&all, total, vm_this.location, now->fails);
	if (found)
		demand_path(&all, steps, last);
	if (found && !events[store].total)
		demand_of(&all, total, &events[store]);
	struct fences fences = { .missing = true };
	if (found)
		fences = find_fences(steps, store, last);
	free(steps);
	return with_fences(demanded(&all), &fences);
}

const char *vm_cause_forbids(const struct vm_cause_now *now)
{
	uint32_t store = next_store(now), last = last_own();
	if (store == count || last == count || count > MOST)
		return "";
	const char *text = forbidden_by_happening(store, last);
	return *text ? text : forbidden_by_total(store, last, now);
}
