/* SPDX-License-Identifier: MIT
 *
 * See transition_cache.h.
 *
 * Why an entry tells what a step does: it is made from a summary of the step, which says what the step looked at (summary.c).  If
 * that lies in the thread's own node (its registers, variables and heap), in the head (globals), and in the node of at most one
 * other thread, then a step from the same nodes does the same to them.  Equal nodes have equal refs, so nothing else is compared.
 * What is not in these nodes is decided anew for each state, as a summary has it decided:
 * - whether the step races with the open segment of another thread: then there is no answer;
 * - whether other threads can go on: who waits for a mutex, by the node that has the mutex; who waits for something else that the
 *   step may have changed: then there is no answer;
 * - whether the thread itself can: the same; if it waits for a mutex, and the holder waits, too, there is no answer, as the
 * step may
 *   close a circle;
 * - whether others run at all, as an access is recorded only then.
 * An entry is tried on the state that it was made from, and thrown away if that does not give the same state.
 *
 * Entries also tell at once of most states that they do not hang (hangs.h): some thread that can go on comes, by steps that change
 * nothing but its own node, to one that changes what others can read.  Whether a step has an answer does not matter for that: where
 * a step races or closes a circle, its thread is not stuck either.
 */
#include "transition_cache.h"
#include "../hang/hangs.h"
#include "../step/layers.h"
#include "../base/gain.h"
#include "../base/plan.h"
#include "../step/bounded_waits.h"
#include "../step/single.h"
#include "../step/summary.h"
#include "../step/summary_parts.h"
#include "superstep.h"
#include "worth.h"
#include "../../calls/inject.h"
#include "../../state/notes.h"
#include "../../state/reads.h"
#include "../../state/stored.h"
#include "../../state/trees.h"
#include "../../sync/mutex.h"
#include "../../sync/sync.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SCENES       64u        /* states that were looked at last; a power of two */
#define SETS         (1u << 15) /* of entries; a power of two */
#define WAYS         2u         /* entries of a set */
#define WAITERS      (1u << 12) /* a power of two */
#define NOBODY       VM_MAX_SLOTS
#define WOKEN        (1u << 10) /* a power of two */
#define MOST_CHANGES 32u

/* A state as it is looked at for all its steps. */
struct scene {
	vm_ref state; /* 0: none */
	struct vm_tree *tree;
	const vm_stored_header **threads; /* of each slot; NULL: none */
	uint8_t *outcomes;
	uint8_t *waiters; /* slots of threads that wait for what another may change */
	unsigned nwaiters, running, enabled;
	unsigned segments; /* threads that have an open one */
	bool atomic;       /* some thread is in an atomic section */
};

/* nodes by which a step is known, and those in their places after it */
struct nodes {
	vm_ref own, head, other;
};

struct transition {
	struct nodes before, after;
	const struct footprint *footprint; /* NULL: no entry */
	const vm_stored_header *thread;    /* the thread after the step */
	uint64_t age;                      /* of the summary's memory */
	uint64_t sleepers;                 /* the condition variable whose sleepers it looks at; 0: none */
	uint64_t with;                     /* the mutex that they must sleep with; 0: any */
	uint32_t wakes;                    /* which of them it wakes, see reads.h */
	uint16_t slot, other;              /* whose node is before.other; NOBODY: it looks at none */
	uint8_t choice;
	bool alone; /* no other thread runs */
	bool quiet; /* what it leads to may hang, see vm_may_hang() */
	bool moves; /* what it begins in does not, see vm_hang_is_left() */
};

/* A thread that waits for a mutex: its node, by the node that the mutex is in. */
struct waiter {
	vm_ref before, place, after;
	uint16_t slot, holder;
};

static VM_OWN struct {
	struct scene scenes[SCENES];
	struct transition *entries; /* SETS x WAYS */
	struct waiter *waiters;     /* WAITERS */
	struct woken {
		vm_ref before, after; /* nodes */
	} woken[WOKEN];
} cache;

/* How often a step was asked for and found of late.  Where that does not help, the cache rests. */
enum { WINDOW = 4096, LEAST = WINDOW / 4, REST = 32 * WINDOW }; /* steps */

static VM_OWN struct vm_gain tally; /* useful: found */

/* ---- where it can be used -------------------------------------------------------------------------------------------- */

static bool has_memory(void)
{
	if (!cache.entries)
		cache.entries = calloc(SETS * WAYS, sizeof *cache.entries);
	if (!cache.waiters)
		cache.waiters = calloc(WAITERS, sizeof *cache.waiters);
	return cache.entries && cache.waiters;
}

/* Is each move one step?  That the end of the program comes last is said of states, not of steps. */
static bool takes_steps(void)
{
	return !vm_reduces(~(unsigned)REDUCTION_EXITS);
}

static bool suits(void)
{
	return vm_plan_has(CACHE_TRANSITIONS) && vm_plan_has(CACHE_SUMMARIES) && (takes_steps() || vm_reductions_may_rest()) &&
		!vm_plan_has(COMPACT_STATES) && has_memory();
}

/* Is it worth while to look, just now? */
static bool is_worth_it(vm_ref state)
{
	if (vm_is_transient(state) || vm_transient_is_on() || !(takes_steps() || vm_reductions_rest()))
		return false;
	if (tally.rest)
		return --tally.rest == 0;
	vm_gain_settle(&tally, WINDOW, LEAST, REST);
	return true;
}

/* ---- scenes ---------------------------------------------------------------------------------------------------------- */

/* Whether a thread at rest can go on: what that depends on. */
enum need {
	NEEDS_NOTHING, /* on itself alone: others who let it go on change its node */
	NEEDS_MUTEX,
	NEEDS_END,      /* of the thread that it joins */
	NEEDS_SLEEPERS, /* who may be woken, one for each outcome */
	NEEDS_MORE
};

static enum need need_of(const vm_stored_header *header)
{
	if (header->status != THREAD_RUNNING)
		return NEEDS_NOTHING;
	if (header->timed || header->cancel & CANCEL_AT_ONCE)
		return NEEDS_MORE;
	switch ((enum vm_wait)header->wait) {
	case WAIT_NONE:
	case WAIT_CHOICE:
	case WAIT_EXIT:
	case WAIT_DEATH:
	case WAIT_END:
	case WAIT_CONDITION: /* spurious wake-ups are off here */
	case WAIT_BARRIER: return NEEDS_NOTHING;
	case WAIT_MUTEX: return NEEDS_MUTEX;
	case WAIT_SIGNAL: return NEEDS_SLEEPERS;
	case WAIT_JOIN: return header->cancel ? NEEDS_MORE : NEEDS_END;
	default: return NEEDS_MORE;
	}
}

static void add_thread(struct scene *scene, unsigned slot, const struct vm_node *node)
{
	const vm_stored_header *header = node->words[SLOT_THREAD] ? vm_table_get(node->words[SLOT_THREAD]) : NULL;
	scene->threads[slot] = header;
	scene->outcomes[slot] = (uint8_t)node->words[SLOT_OUTCOMES];
	scene->enabled += scene->outcomes[slot] != 0;
	if (!header)
		return;
	scene->atomic = scene->atomic || header->atomic;
	scene->segments += header->ranges != 0;
	scene->running += header->status == THREAD_RUNNING;
	if (need_of(header) != NEEDS_NOTHING)
		scene->waiters[scene->nwaiters++] = (uint8_t)slot;
}

static void get_memory(struct scene *scene)
{
	unsigned slots = vm_this.thread_capacity + 1;
	scene->tree = vm_tree_new();
	scene->threads = calloc(slots, sizeof *scene->threads);
	scene->outcomes = calloc(slots, 2);
	if (!scene->threads || !scene->outcomes)
		vm_inconclusive(LIMIT_MEMORY, "the memory limit is reached");
	scene->waiters = scene->outcomes + slots;
}

static struct scene *scene_place(vm_ref state)
{
	return &cache.scenes[(state * 2654435761u >> 16) & (SCENES - 1)];
}

bool vm_transitions_view(vm_ref state, struct vm_scene_view *view)
{
	const struct scene *scene = scene_place(state);
	if (scene->state != state)
		return false;
	*view = (struct vm_scene_view){ scene->tree->slots, scene->threads, scene->outcomes };
	return true;
}

static struct scene *scene_of(vm_ref state)
{
	struct scene *scene = scene_place(state);
	if (scene->state == state)
		return scene;
	if (!scene->tree)
		get_memory(scene);
	scene->state = state;
	scene->nwaiters = scene->running = scene->enabled = scene->segments = 0;
	scene->atomic = false;
	vm_tree_of(state, scene->tree);
	assert(scene->tree->slots <= vm_this.thread_capacity + 1); /* what get_memory() has room for */
	const struct vm_node *nodes = vm_nodes();
	for (unsigned i = 0; i < scene->tree->slots; i++)
		add_thread(scene, i, &nodes[scene->tree->nodes[i]]);
	return scene;
}

static unsigned look(vm_ref state, uint8_t *outcomes)
{
	if (!is_worth_it(state))
		return vm_below[LAYER_transitions].look(state, outcomes);
	const struct scene *scene = scene_of(state);
	for (unsigned i = 0; i < scene->tree->slots; i++)
		outcomes[i] = (uint8_t)vm_offered(scene->outcomes[i]);
	return scene->tree->slots;
}

static const vm_stored_header *thread_of(vm_ref node)
{
	vm_ref thread = vm_nodes()[node].words[SLOT_THREAD];
	return thread ? vm_table_get(thread) : NULL;
}

static bool is_enabled(vm_ref node)
{
	return vm_nodes()[node].words[SLOT_OUTCOMES] != 0;
}

/* ---- threads that wait for a mutex ----------------------------------------------------------------------------------- */

/* the state after a step, in the making */
struct draft {
	const struct scene *before;
	const struct transition *step;
	struct vm_change changes[MOST_CHANGES];
	unsigned count, enabled;
	uint8_t woken[MOST_CHANGES]; /* slots */
	unsigned nwoken;
};

static vm_ref node_in(const struct draft *draft, unsigned slot)
{
	assert(slot < draft->before->tree->slots);
	const struct transition *step = draft->step;
	return slot == step->slot ? step->after.own : slot == step->other ? step->after.other : draft->before->tree->nodes[slot];
}

/* Return the node that has the mutex with this number: the head, or the node of a thread; 0 if it is elsewhere.  Put into *word
 * which word of the node leads to it, and into *index its index there. */
static vm_ref place_of(const struct draft *draft, uint32_t number, uint32_t *word, uint32_t *index)
{
	uint32_t slots[STATE_GLOBALS] = { 0, draft->before->tree->slots };
	if (number >= IMAGE_END_DYNAMIC || !vm_object_locate(number, slots, word, index))
		return 0;
	if (*word < STATE_WORDS) {
		*word = HEAD_GLOBALS;
		return draft->step->after.head;
	}
	unsigned slot = (*word - STATE_WORDS) / STATE_SLOT_WORDS;
	*word = (*word - STATE_WORDS) % STATE_SLOT_WORDS;
	return node_in(draft, slot);
}

static bool find_holder(vm_ref place, uint32_t word, uint32_t index, const vm_stored_header *header, struct waiter *waiter,
			bool *blocked)
{
	uint8_t bytes[sizeof(pthread_mutex_t)];
	uint64_t low = header->address - (image_number(header->address) << IMAGE_OFFSET_BITS);
	vm_ref map = vm_nodes()[place].words[word];
	vm_ref object = map ? vm_object_stored(&map, 0, index) : 0;
	unsigned holder;
	bool robust;
	if (!object || low + sizeof bytes > ((const struct vm_object_header *)vm_table_get(object))->size)
		return false;
	vm_object_read(object, (uint32_t)low, (uint32_t)(low + sizeof bytes), bytes);
	*blocked = vm_mutex_keeps_out(bytes, waiter->slot, &holder, &robust);
	waiter->holder = (uint16_t)(holder < NOBODY ? holder : NOBODY);
	return !robust;
}

/* Return what becomes of the thread in `slot`, which waits for a mutex, and whose node is `own`; NULL if that is not known. */
static const struct waiter *waiter_after(const struct draft *draft, unsigned slot, vm_ref own)
{
	const struct vm_node *node = &vm_nodes()[own];
	const vm_stored_header *header = vm_table_get(node->words[SLOT_THREAD]);
	uint32_t word, index;
	bool blocked;
	vm_ref place = place_of(draft, (uint32_t)image_number(header->address), &word, &index);
	assert(header->wait == WAIT_MUTEX);
	struct waiter *waiter = &cache.waiters[((own * 2654435761u ^ place * 2246822519u) >> 12) & (WAITERS - 1)];
	if (!place)
		return NULL;
	if (waiter->after && waiter->before == own && waiter->place == place && waiter->slot == slot)
		return waiter;
	struct waiter found = { .before = own, .place = place, .slot = (uint16_t)slot };
	if (!find_holder(place, word, index, header, &found, &blocked))
		return NULL;
	struct vm_node after = *node;
	after.words[SLOT_OUTCOMES] = !blocked;
	found.after = vm_node_put(&after);
	*waiter = found;
	return found.after ? waiter : NULL;
}

/* ---- threads that join another one ----------------------------------------------------------------------------------- */

/* Has the thread ended that this one joins?  As in wait.c: a handle that stands for none is misuse, which it goes on to. */
static bool may_join(const struct draft *draft, unsigned slot, unsigned joined)
{
	const vm_stored_header *header = joined < draft->before->tree->slots && joined != slot ? thread_of(node_in(draft, joined)) :
												 NULL;
	return !header || header->status != THREAD_RUNNING || header->detached;
}

/* Return the node of a thread that was `own`, and has so many outcomes now; 0 if there is no room. */
static vm_ref with_outcomes(vm_ref own, uint32_t outcomes)
{
	struct vm_node node = vm_nodes()[own];
	if (node.words[SLOT_OUTCOMES] == outcomes)
		return own;
	node.words[SLOT_OUTCOMES] = outcomes;
	return vm_node_put(&node);
}

/* Return the new node of the thread in `slot`, which joins another one; 0 if there is no room.  Put the other one's slot into
 * *joined. */
static vm_ref joiner_after(const struct draft *draft, unsigned slot, vm_ref own, unsigned *joined)
{
	assert(need_of(thread_of(own)) == NEEDS_END);
	*joined = vm_slot_named(thread_of(own)->address);
	return with_outcomes(own, may_join(draft, slot, *joined));
}

/* ---- the state after a step ------------------------------------------------------------------------------------------ */

/* Add the new node of the thread in `slot` to the changes, which are in ascending order.  Return false if there are too many. */
static bool change(struct draft *draft, unsigned slot, vm_ref node)
{
	unsigned i = draft->count;
	if (i == MOST_CHANGES)
		return false;
	for (; i && draft->changes[i - 1].at > slot; i--)
		draft->changes[i] = draft->changes[i - 1];
	assert(i == 0 || draft->changes[i - 1].at < slot); /* each once */
	draft->changes[i] = (struct vm_change){ slot, node };
	draft->count++;
	return true;
}

/* Note that the thread in `slot` has this node after the step.  Return false if there are too many changes. */
static bool note(struct draft *draft, unsigned slot, vm_ref node)
{
	if (node == draft->before->tree->nodes[slot])
		return true;
	draft->enabled += (unsigned)is_enabled(node) - (draft->before->outcomes[slot] != 0);
	assert(slot < draft->before->tree->slots && draft->enabled <= draft->before->tree->slots);
	return change(draft, slot, node);
}

/* Return the node of the thread in `slot` in the new state, as far as that is known. */
static vm_ref node_now(const struct draft *draft, unsigned slot)
{
	for (unsigned i = 0; i < draft->count; i++)
		if (draft->changes[i].at == slot)
			return draft->changes[i].ref;
	return draft->before->tree->nodes[slot];
}

static bool sleeps(const vm_stored_header *header, uint64_t condition)
{
	return header && header->status == THREAD_RUNNING && header->wait == WAIT_CONDITION && header->address == condition;
}

/* Return the new node of a thread that is about to signal: the signal may go to any thread that sleeps then. */
static vm_ref signaller_after(const struct draft *draft, vm_ref own)
{
	const vm_stored_header *header = thread_of(own);
	uint32_t sleepers = header->count;
	for (unsigned i = 0; !header->count && i < draft->before->tree->slots; i++)
		sleepers += sleeps(i == draft->step->slot ? draft->step->thread : thread_of(node_now(draft, i)), header->address);
	return with_outcomes(own, sleepers ? sleepers : 1);
}

/* Return the new node of the thread in `slot`, which may wait for what the step has changed; 0 if it is not known.  Put into
 * *holder who has what the thread waits for, or NOBODY if that is nobody in particular. */
static vm_ref settled(const struct draft *draft, unsigned slot, vm_ref own, const vm_stored_header *header, unsigned *holder)
{
	const struct transition *step = draft->step;
	const struct waiter *waiter;
	*holder = NOBODY;
	switch (need_of(header)) {
	case NEEDS_MUTEX:
		waiter = waiter_after(draft, slot, own);
		*holder = waiter ? waiter->holder : NOBODY;
		return waiter ? waiter->after : 0;
	case NEEDS_END: return joiner_after(draft, slot, own, holder);
	case NEEDS_SLEEPERS: return signaller_after(draft, own);
	case NEEDS_MORE:
		if (vm_step_concerns(step->footprint, step->slot, draft->before->threads[step->slot], step->thread, header))
			return 0;
		return own;
	default: return own;
	}
}

/* Can the other threads go on?  False: that is not known. */
static bool settle_others(struct draft *draft)
{
	const struct scene *scene = draft->before;
	unsigned other = draft->step->other, holder;
	for (unsigned i = 0; i < scene->nwaiters; i++) {
		unsigned slot = scene->waiters[i];
		if (slot == draft->step->slot)
			continue;
		vm_ref own = settled(draft, slot, node_in(draft, slot), scene->threads[slot], &holder);
		if (!own || !note(draft, slot, own))
			return false;
		other = slot == other ? NOBODY : other;
	}
	return other == NOBODY || note(draft, other, draft->step->after.other);
}

/* Might the thread in slot `first` be in a circle of threads that wait for each other?  It waits for what `holder` has, and the
 * nodes of the others are settled.  A thread is in no circle if what it waits for may come from anybody. */
static bool may_be_in_circle(const struct draft *draft, unsigned first, unsigned holder)
{
	unsigned slots = draft->before->tree->slots;
	for (unsigned length = 0; length < slots && holder < slots && holder != first; length++) {
		vm_ref node = node_now(draft, holder);
		const vm_stored_header *header = thread_of(node);
		const struct waiter *waiter;
		if (!header || header->status != THREAD_RUNNING)
			return true;
		if (is_enabled(node))
			return false;
		switch (need_of(header)) {
		case NEEDS_NOTHING: return false;
		case NEEDS_MUTEX:
			waiter = waiter_after(draft, holder, node);
			holder = waiter ? waiter->holder : NOBODY;
			break;
		case NEEDS_END: holder = vm_slot_named(header->address); break;
		default: return true;
		}
	}
	return true;
}

/* Can the thread itself go on?  False: that is not known. */
static bool settle_own(struct draft *draft)
{
	const struct transition *step = draft->step;
	unsigned holder;
	vm_ref own = settled(draft, step->slot, step->after.own, step->thread, &holder);
	if (!own || !note(draft, step->slot, own))
		return false;
	return need_of(step->thread) == NEEDS_NOTHING || is_enabled(own) || !may_be_in_circle(draft, step->slot, holder);
}

/* ---- threads that are woken ------------------------------------------------------------------------------------------ */

/* Return the node of a thread that slept on a condition variable, and has been woken; 0 if there is no room. */
static vm_ref woken_after(vm_ref own)
{
	struct woken *woken = &cache.woken[(own * 2654435761u >> 16) & (WOKEN - 1)];
	if (woken->before == own)
		return woken->after;
	struct vm_node node = vm_nodes()[own];
	uint32_t size = vm_table_size(node.words[SLOT_THREAD]);
	struct vm_thread_header *copy = malloc(size);
	if (!copy)
		return 0;
	memcpy(copy, vm_table_get(node.words[SLOT_THREAD]), size);
	vm_condition_wakes(copy, WOKEN_SIGNAL);
	node.words[SLOT_THREAD] = vm_table_put(copy, size);
	free(copy);
	vm_ref after = node.words[SLOT_THREAD] ? vm_node_put(&node) : 0;
	if (after)
		*woken = (struct woken){ own, after };
	return after;
}

static bool wake(struct draft *draft, unsigned slot)
{
	const vm_stored_header *header = draft->before->threads[slot];
	bool plain = !header->timed && !header->cancel && slot != draft->step->other;
	vm_ref own = plain ? woken_after(draft->before->tree->nodes[slot]) : 0;
	const struct waiter *waiter = own ? waiter_after(draft, slot, own) : NULL;
	if (!waiter || !note(draft, slot, waiter->after))
		return false;
	assert(draft->nwoken < MOST_CHANGES);
	draft->woken[draft->nwoken++] = (uint8_t)slot;
	return true;
}

static bool wake_sleepers(struct draft *draft)
{
	const struct transition *step = draft->step;
	uint32_t number = 0;
	for (unsigned i = 0; step->sleepers && i < draft->before->tree->slots; i++) {
		if (i == step->slot || !sleeps(draft->before->threads[i], step->sleepers))
			continue;
		bool wakes = step->wakes == WAKES_ALL || step->wakes == number++;
		if ((step->with && draft->before->threads[i]->other != step->with) || (wakes && !wake(draft, i)))
			return false;
	}
	return true;
}

/* Might any of the threads that are woken be in a circle? */
static bool may_close_circles(const struct draft *draft)
{
	for (unsigned i = 0; i < draft->nwoken; i++) {
		unsigned slot = draft->woken[i];
		vm_ref own = node_now(draft, slot);
		const struct waiter *waiter = is_enabled(own) ? NULL : waiter_after(draft, slot, own);
		if (!is_enabled(own) && may_be_in_circle(draft, slot, waiter ? waiter->holder : NOBODY))
			return true;
	}
	return false;
}

static bool may_race(const struct scene *scene, const struct transition *step)
{
	assert(scene->threads[step->slot]); /* it has moved */
	unsigned others = scene->segments - (scene->threads[step->slot]->ranges != 0);
	for (unsigned i = 0; others && i < scene->tree->slots; i++) {
		const vm_stored_header *header = scene->threads[i];
		if (i != step->slot && header && header->ranges && vm_step_may_race(step->footprint, header))
			return true;
	}
	return false;
}

/* Return the state after the step, in which some thread can go on; 0 if that is not known. */
static vm_ref apply(const struct scene *scene, const struct transition *step)
{
	struct draft draft; /* most of it is arrays, which need not be cleared */
	draft.before = scene;
	draft.step = step;
	draft.enabled = scene->enabled;
	draft.count = draft.nwoken = 0;
	if (may_race(scene, step) || !wake_sleepers(&draft) || !settle_others(&draft) || !settle_own(&draft) ||
	    may_close_circles(&draft) || draft.enabled == 0)
		return 0;
	return vm_tree_put(scene->tree, draft.changes, draft.count, step->after.head);
}

/* ---- entries --------------------------------------------------------------------------------------------------------- */

static struct transition *set_of(vm_ref own, vm_ref head, unsigned slot, uint32_t choice)
{
	uint64_t key = (uint64_t)own << 32 | head;
	key = (key + slot * 256 + choice) * UINT64_C(0x9e3779b97f4a7c15);
	return &cache.entries[(key >> 32 & (SETS - 1)) * WAYS];
}

/* Return the entry of a step of the thread in `slot` whose node is `own`, while the other nodes are those of `tree`; NULL if there
 * is none. */
static const struct transition *find(const struct vm_tree *tree, vm_ref own, unsigned slot, uint32_t choice, bool alone)
{
	const struct transition *set = set_of(own, tree->head, slot, choice);
	for (unsigned i = 0; i < WAYS; i++) {
		const struct transition *entry = &set[i];
		if (entry->footprint && entry->before.own == own && entry->before.head == tree->head && entry->slot == slot &&
		    entry->choice == choice && entry->age == vm_parts_age() && entry->alone == alone &&
		    (entry->other == NOBODY || (entry->other < tree->slots && entry->before.other == tree->nodes[entry->other])))
			return entry;
	}
	return NULL;
}

/* Find in the log the one other thread than that in `slot` on whose node a step depends, and put its slot into *other, or
 * NOBODY.  Return false if the step depends on more. */
static bool find_other(const struct scene *scene, unsigned slot, uint16_t *other)
{
	const uint32_t words[STATE_GLOBALS] = { 0, scene->tree->slots };
	*other = (uint16_t)(vm_reads.looked ? vm_reads.looked - 1 : NOBODY);
	for (uint32_t i = 0, word, index; i < vm_reads.count; i++) {
		if (!vm_object_locate(vm_reads.items[i].object, words, &word, &index))
			return false;
		unsigned owner = word == STATE_GLOBALS ? slot : (word - STATE_WORDS) / STATE_SLOT_WORDS;
		if (owner == slot || owner == *other)
			continue;
		if (*other != NOBODY)
			return false;
		*other = (uint16_t)owner;
	}
	return true;
}

/* Note in `entry` what its step depends on.  Steps that look at other threads have no summary, but a log.  Return false if that is
 * too much. */
static bool reach(struct transition *entry, const struct scene *scene, const struct footprint *footprint)
{
	uint32_t word;
	if (vm_reads.kept && !vm_reads.unknown && vm_spin_rounds == 0 && vm_reads.refused && !footprint->everything) {
		struct footprint *kept = vm_part_allocate(sizeof *kept);
		entry->sleepers = vm_reads.sleepers;
		entry->with = vm_reads.with;
		entry->wakes = vm_reads.wakes;
		entry->footprint = kept && vm_footprint_keep(kept, footprint) ? kept : NULL;
		return entry->footprint && find_other(scene, entry->slot, &entry->other);
	}
	entry->footprint = vm_summary_reach(scene->state, entry->slot, entry->choice, &word);
	entry->other = (uint16_t)(word < STATE_WORDS ? NOBODY : (word - STATE_WORDS) / STATE_SLOT_WORDS);
	return entry->footprint && (word == 0 || word >= STATE_WORDS);
}

/* Return the nodes of `scene` by which the step of `entry` is known, or which it has led to. */
static struct nodes nodes_of(const struct transition *entry, const struct scene *scene)
{
	const struct vm_tree *tree = scene->tree;
	return (struct nodes){ tree->nodes[entry->slot], tree->head, entry->other == NOBODY ? 0 : tree->nodes[entry->other] };
}

static bool has_slots(const struct transition *entry, const struct scene *scene)
{
	return entry->slot < scene->tree->slots && (entry->other == NOBODY || entry->other < scene->tree->slots);
}

/* Is the other thread as it was, or changed only so far that it has ended, or been joined? */
static bool leaves_alone(const struct transition *entry, const vm_stored_header *before, const vm_stored_header *after)
{
	return entry->other == NOBODY || before == after || !after || after->status != THREAD_RUNNING;
}

/* Note in `entry` what its step has led to.  Return false if it is not known how to find out whether the thread can go on then. */
static bool note_after(struct transition *entry, const struct scene *scene, const vm_stored_header *other)
{
	if (!has_slots(entry, scene) || !leaves_alone(entry, other, entry->other == NOBODY ? NULL : scene->threads[entry->other]))
		return false;
	entry->after = nodes_of(entry, scene);
	entry->thread = scene->threads[entry->slot];
	return entry->thread && need_of(entry->thread) != NEEDS_MORE;
}

/* Make an entry of a step with this footprint that led to `next`, if that is possible.  `quiet`: see struct transition. */
static void learn(vm_ref state, unsigned slot, uint32_t choice, vm_ref next, const struct footprint *footprint, bool quiet)
{
	const struct scene *scene = scene_of(state); /* until another is asked for */
	struct transition entry = {
		.age = vm_parts_age(),
		.slot = (uint16_t)slot,
		.choice = (uint8_t)choice,
		.alone = scene->running == 1,
		.quiet = quiet,
		.moves = vm_hang_is_left(state, next, slot, footprint),
	};
	if (scene->atomic || !reach(&entry, scene, footprint) || !has_slots(&entry, scene))
		return;
	entry.before = nodes_of(&entry, scene);
	const vm_stored_header *other = entry.other == NOBODY ? NULL : scene->threads[entry.other];
	if (!note_after(&entry, scene_of(next), other) || apply(scene_of(state), &entry) != next)
		return;
	struct transition *set = set_of(entry.before.own, entry.before.head, slot, choice);
	for (unsigned i = WAYS - 1; i > 0; i--)
		set[i] = set[i - 1];
	set[0] = entry;
}

/* ---- states that do not hang ------------------------------------------------------------------------------------------- */

/* Do entries say that the thread in `slot`, which can go on, is not stuck? */
static bool is_not_stuck(const struct scene *scene, unsigned slot)
{
	enum { MOST = 16 }; /* steps */
	const struct vm_tree *tree = scene->tree;
	vm_ref own = tree->nodes[slot];
	for (unsigned length = 0; length < MOST; length++) {
		const struct transition *entry = find(tree, own, slot, 0, scene->running == 1);
		if (!entry || entry->moves)
			return entry;
		bool own_only = !entry->sleepers && entry->after.head == entry->before.head &&
			entry->after.other == entry->before.other;
		if (!own_only || need_of(entry->thread) != NEEDS_NOTHING || !is_enabled(entry->after.own))
			return false;
		own = entry->after.own;
		if (own == tree->nodes[slot])
			return false;
	}
	return false;
}

/* Is the thread in `slot` the first that can go on, and is offered? */
static bool is_first(const struct scene *scene, unsigned slot)
{
	for (unsigned i = 0; i < slot; i++)
		if (scene->outcomes[i] && scene->threads[i]->wait != WAIT_END)
			return false;
	return true;
}

/* May the state to which a step of the thread in `slot` leads from `before` hang, as far as entries tell, and is it to be asked
 * about?  All states hang to which steps lead from a state that does, so one of them is enough. */
static bool may_hang(vm_ref before, vm_ref state, unsigned slot)
{
	if (!is_first(scene_of(before), slot))
		return false;
	const struct scene *scene = scene_of(state);
	for (unsigned i = 0; i < scene->tree->slots && !scene->atomic; i++)
		if (scene->outcomes[i] && is_not_stuck(scene, i))
			return false;
	return true;
}

/* ---- steps ------------------------------------------------------------------------------------------------------------- */

/* Take the step, and learn from it. */
static struct vm_run run_and_learn(vm_ref state, unsigned slot, uint32_t choice)
{
	static VM_OWN struct footprint footprint;
	if (vm_summaries_rest())
		return vm_below[LAYER_transitions].run(state, slot, choice);
	vm_reads.kept = false;
	vm_ref next = vm_below[LAYER_transitions].step(state, slot, choice, &footprint);
	bool quiet = next && vm_may_hang(state, next, slot);
	if (next)
		learn(state, slot, choice, next, &footprint, quiet);
	return (struct vm_run){ .end = next, .length = 1, .taken = true, .quiet = quiet && may_hang(state, next, slot) };
}

static void check(vm_ref state, unsigned slot, uint32_t choice, vm_ref next)
{
	static VM_OWN struct footprint footprint;
	vm_ref real = vm_summary_is_checked() ? vm_below[LAYER_transitions].step(state, slot, choice, &footprint) : next;
	if (real != next)
		VM_BUG("a cached step is wrong: state %u, not %u", (unsigned)next, (unsigned)real);
}

/* ---- the layer --------------------------------------------------------------------------------------------------------- */

static struct vm_run run(vm_ref state, unsigned slot, uint32_t choice)
{
	if (!is_worth_it(state))
		return vm_below[LAYER_transitions].run(state, slot, choice);
	const struct scene *scene = scene_of(state);
	const struct vm_tree *tree = scene->tree;
	const struct transition *entry = scene->atomic ? NULL : find(tree, tree->nodes[slot], slot, choice, scene->running == 1);
	vm_ref next = entry ? apply(scene, entry) : 0;
	tally.tried++;
	tally.useful += next != 0;
	if (!next)
		return run_and_learn(state, slot, choice);
	vm_summaries_found(1);
	check(state, slot, choice, next);
	return (struct vm_run){ .end = next, .length = 1, .goes_on = true, .quiet = entry->quiet && may_hang(state, next, slot) };
}

bool vm_transitions_are_cached(void)
{
	return vm_below[LAYER_transitions + 1].look == look && tally.rest == 0 && (takes_steps() || vm_reductions_rest());
}

const struct vm_layer vm_layer_transitions = { .suits = suits, .look = look, .run = run, .take = run };
