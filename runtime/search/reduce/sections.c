/* SPDX-License-Identifier: MIT
 *
 * See sections.h.
 */
#include "sections.h"
#include "../hang/hangs.h"
#include "../../sync/mutex.h"
#include "../../sync/sync.h"

#include <assert.h>

void vm_sections_clear(struct sections *sections)
{
	vm_footprint_clear(&sections->mutexes);
	sections->count = 0;
}

static bool same(const struct vm_range *a, const struct vm_range *b)
{
	return a->object == b->object && a->low == b->low && a->high == b->high;
}

static bool overlap(const struct vm_range *a, const struct vm_range *b)
{
	return a->object == b->object && a->low < b->high && b->low < a->high;
}

static void add_nesting(struct sections *sections, const struct nesting *new)
{
	assert(new->held.low < new->held.high);
	for (unsigned i = 0; i < sections->count; i++)
		if (same(&sections->nestings[i].held, &new->held) && same(&sections->nestings[i].wanted, &new->wanted))
			return;
	sections->nestings = vm_grow(sections->nestings, &sections->capacity, sections->count + 1, sizeof *sections->nestings);
	sections->nestings[sections->count++] = *new;
}

/* Is the thread in `slot` about to wait in `state`, or has it ended? */
static bool stops(vm_ref state, unsigned slot)
{
	const uint32_t *words = vm_state_words(state);
	const vm_stored_header *header = slot < words[1] ? vm_thread_stored(state, slot) : NULL;
	return !header || vm_state_outcomes(words)[slot] == 0 || vm_thread_may_block(header);
}

/* Note what the thread in `slot`, which holds `mutex`, is about to do in `state`, if that is to lock another one, or to wait. */
static void note_holder(struct sections *sections, const struct vm_range *mutex, unsigned slot, vm_ref state)
{
	struct nesting nesting = { .held = *mutex };
	if (slot == vm_this.max_threads || !stops(state, slot))
		return;
	const vm_stored_header *header = slot < vm_state_words(state)[1] ? vm_thread_stored(state, slot) : NULL;
	if (header)
		vm_mutex_awaited(header, &nesting.wanted);
	add_nesting(sections, &nesting);
}

static bool holds(const struct vm_range *mutex, unsigned slot, vm_ref state)
{
	return vm_mutex_holder_in(state, mutex) == slot;
}

void vm_sections_add(struct sections *sections, unsigned slot, const struct footprint *step, vm_ref before, vm_ref state)
{
	for (uint32_t i = 0; i < step->count; i++)
		if (vm_footprint_is_blocking(&step->ranges[i]))
			vm_footprint_add_range(&sections->mutexes, &step->ranges[i]);
	if (state == 0 || sections->mutexes.count == 0)
		return;
	/* Only mutexes that are free in the state that is looked at can be left out, so a step has locked it that was added here.  What
	 * its holder is about to do changes with the holder's own steps.  Other threads change it only where it waits, and that
	 * was noted when it came there. */
	bool news = stops(state, slot);
	for (uint32_t i = 0; i < sections->mutexes.count; i++) {
		struct nesting nesting = { .held = sections->mutexes.ranges[i] };
		unsigned holder = vm_mutex_holder_in(state, &nesting.held);
		if (news)
			note_holder(sections, &nesting.held, holder, state);
		/* to go round for ever is worse than to wait while it holds them */
		if (holder == slot && vm_hang_holds(before, state, slot, &nesting.held))
			add_nesting(sections, &nesting);
	}
}

void vm_sections_merge(struct sections *to, const struct sections *from)
{
	assert(to != from);
	vm_footprint_merge(&to->mutexes, &from->mutexes);
	for (unsigned i = 0; i < from->count; i++)
		add_nesting(to, &from->nestings[i]);
}

bool vm_sections_keep(const struct sections *sections, unsigned slot, vm_ref before, vm_ref after)
{
	for (uint32_t i = 0; i < sections->mutexes.count; i++) {
		const struct vm_range *mutex = &sections->mutexes.ranges[i];
		if (holds(mutex, slot, after) && !holds(mutex, slot, before))
			return true;
	}
	return false;
}

/* ---- which mutexes may be left out ------------------------------------------------------------------------------------ */

/* what is known of mutexes in the state that is looked at */
static VM_OWN struct {
	vm_ref state;
	unsigned count, capacity;
	struct known {
		struct vm_range mutex;
		bool left_out;
	} * items;
	struct sections order; /* of those that are left out: which are locked in sections of which */
	bool changed;          /* one has been taken out, or is new, since vm_sections_settle() */
} known;

void vm_sections_begin(vm_ref state)
{
	assert(state);
	known.state = state;
	known.count = 0;
	vm_sections_settle();
}

void vm_sections_settle(void)
{
	known.changed = false;
	vm_sections_clear(&known.order);
}

static struct known *look_up(const struct vm_range *mutex)
{
	assert(known.state && mutex->low < mutex->high);
	for (unsigned i = 0; i < known.count; i++)
		if (same(&known.items[i].mutex, mutex))
			return &known.items[i];
	known.items = vm_grow(known.items, &known.capacity, known.count + 1, sizeof *known.items);
	known.changed = true;
	known.items[known.count] = (struct known){
		.mutex = *mutex,
		.left_out = vm_mutex_only_blocks_in(known.state, mutex),
	};
	return &known.items[known.count++];
}

bool vm_sections_left_out(const struct vm_range *mutex)
{
	return look_up(mutex)->left_out;
}

bool vm_sections_matter(void)
{
	return known.count > 0;
}

static void drop(const struct vm_range *mutex)
{
	struct known *item = look_up(mutex);
	known.changed |= item->left_out;
	item->left_out = false;
}

void vm_sections_drop_held(const struct sections *sections, unsigned slot, vm_ref state)
{
	for (uint32_t i = 0; i < sections->mutexes.count; i++)
		if (holds(&sections->mutexes.ranges[i], slot, state))
			drop(&sections->mutexes.ranges[i]);
}

void vm_sections_drop_accessed(const struct footprint *footprint)
{
	for (uint32_t i = 0; i < footprint->count; i++)
		for (unsigned k = 0; k < known.count && !vm_footprint_is_blocking(&footprint->ranges[i]); k++)
			if (overlap(&footprint->ranges[i], &known.items[k].mutex))
				drop(&known.items[k].mutex);
}

void vm_sections_drop_nested(const struct sections *sections)
{
	for (unsigned i = 0; i < sections->count; i++) {
		const struct nesting *nesting = &sections->nestings[i];
		if (!vm_sections_left_out(&nesting->held))
			continue;
		if (nesting->wanted.object && vm_sections_left_out(&nesting->wanted))
			add_nesting(&known.order, nesting);
		else
			drop(&nesting->held);
	}
}

/* Does a section of the wanted mutex lead on to one of another mutex? */
static bool leads_on(const struct nesting *nesting)
{
	assert(nesting->wanted.object); /* one that is left out */
	for (unsigned i = 0; i < known.order.count; i++)
		if (same(&known.order.nestings[i].held, &nesting->wanted))
			return true;
	return false;
}

/* Drop mutexes that lead in a circle: what leads on for ever does. */
static void drop_circles(void)
{
	struct sections *order = &known.order;
	for (bool changed = true; changed;) {
		changed = false;
		for (unsigned i = 0; i < order->count; i++) {
			if (leads_on(&order->nestings[i]))
				continue;
			order->nestings[i--] = order->nestings[--order->count];
			changed = true;
		}
	}
	for (unsigned i = 0; i < order->count; i++)
		drop(&order->nestings[i].held);
}

bool vm_sections_settled(void)
{
	drop_circles();
	return !known.changed;
}
