/* SPDX-License-Identifier: MIT
 *
 * See modular.h.  Let s be the state, and R the threads that rest: they are enabled in s and do not move.  Each other thread t has
 * views: states in which only what t has done is done.  Each write of a thread is kept as an effect: bytes of a place in memory.
 * Where a step from a view of t touches a place of which another thread has an effect, the step is tried with these bytes there as
 * well, and so on, until there is nothing new.  Of what such a step leads to, the new view takes what t has changed, and all else
 * from the view before.
 *
 * Why that is all the others can do, and more: let w be an execution from s in which R rests, which leads to a state g.  By
 * induction over w, each thread t has a view v with t as it is in g, and the bytes of each place in g are those in v, or those of
 * an effect of another thread.  For let t take a step in g, with v as its view.  If what the step looks at is in v as it is in g,
 * the step does from v what it does from g.  Else some place is different in g, and has the bytes of an effect there; with these
 * put into v, one more place is as in g; and so on.  The new view has what t has written, and all else as in v; what
 * the step has written is an effect for the others.  A thread that cannot go on in its view looks at what it waits for.
 *
 * For that, places must be whole: effects are on the same bytes, or have none in common.  Objects must not come, go or change but
 * in their bytes, save those that only their own thread can name; a thread is a place, too, which ends and is joined.  Where a
 * thread does something else, looks at other threads in any other way (state/reads.h), or fails, perhaps in a view that cannot be,
 * nothing is known.
 *
 * A mutex that t holds in its view is held by t in g, as other threads only lock it when it is free and unlock it when they hold
 * it: their effects on it do not count there.
 *
 * The plain accesses of threads outside R that are open in s are taken for closed: two of these threads may race with each other
 * unseen, but then they do so after the runs of R, too, which touch nothing that they do.
 */
#include "modular.h"
#include "single.h"
#include "summary_parts.h"
#include "../memory/records.h"
#include "../state/reads.h"
#include "../sync/sync.h"

#include <string.h>

enum {
	MOST_VIEWS = 1024,
	MOST_EFFECTS = 256,
	MOST_VALUES = 24,       /* of one place */
	MOST_BYTES = 16 * 1024, /* of all effects */
};

/* a thread, with what it has done */
struct view {
	unsigned slot;
	vm_ref state, own;          /* own: the same without effects of others put into it */
	bool known;                 /* its steps have been taken */
	struct footprint looked_at; /* what these touch, or what it waits for */
	unsigned effects;           /* of these, it is known whether they matter */
};

struct effect {
	unsigned slot;
	uint32_t object, low, high; /* FOOTPRINT_THREAD + slot: what state words tell of the thread and its locals */
	bool locks;                 /* by a lock that waits, or an unlock */
	const uint8_t *bytes;
};

/* the exploration */
static VM_OWN struct {
	vm_ref origin;
	const struct set *resting;
	bool (*meets)(const struct footprint *footprint, bool waits);
	struct view views[MOST_VIEWS];
	struct effect effects[MOST_EFFECTS];
	unsigned view_count, effect_count, used;
	unsigned steps, most; /* states that were made; at most */
	uint8_t bytes[MOST_BYTES];
	enum vm_modular answer;
	unsigned meeting;
} this;

enum { WORDS = STATE_WORDS + VM_MAX_SLOTS * STATE_SLOT_WORDS + VM_MAX_SLOTS / sizeof(uint32_t) + 4 };

static void stop(enum vm_modular answer, unsigned slot)
{
	this.answer = answer;
	this.meeting = slot;
}

static void give_up(void)
{
	stop(MODULAR_UNKNOWN, 0);
}

static bool goes_on(void)
{
	return this.answer == MODULAR_APART;
}

/* A state is about to be made.  May it be? */
static bool may_make(void)
{
	if (++this.steps > this.most || vm_transient_is_crowded())
		give_up();
	return goes_on();
}

/* ---- states ---------------------------------------------------------------------------------------------------------- */

static void copy_words(uint32_t *to, vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	memcpy(to, words, vm_words_size(words));
}

/* The word of a state that tells of a thread, or its locals (1), or its heap (2). */
static uint32_t word_of(unsigned slot, unsigned which)
{
	return STATE_WORDS + slot * STATE_SLOT_WORDS + which;
}

static vm_ref slot_word(const uint32_t *words, unsigned slot, unsigned which)
{
	return slot < words[1] ? words[word_of(slot, which)] : 0;
}

static struct vm_map *map_of(uint32_t word)
{
	if (word < STATE_WORDS)
		return &vm_this.globals;
	struct vm_thread *thread = &vm_this.threads[(word - STATE_WORDS) / STATE_SLOT_WORDS];
	return (word - STATE_WORDS) % STATE_SLOT_WORDS == 1 ? &thread->locals : &thread->heap;
}

/* Write bytes of an object of the working state, which is like the words of its maps.  False: it is not there. */
static bool put_bytes(const uint32_t *words, uint32_t number, uint32_t low, uint32_t high, const uint8_t *bytes)
{
	uint32_t word, index;
	if (!vm_object_locate(number, words, &word, &index))
		return false;
	struct vm_map *map = map_of(word);
	struct vm_object *object = vm_map_find(map, index);
	if (!object || object->shadow || high > object->header.size)
		return false;
	vm_object_change(map, object);
	memcpy(object->bytes + low, bytes, high - low);
	return true;
}

/* Bytes of an object in a stored state.  False: it is not there, or not all of it is set. */
static bool get_bytes(vm_ref state, uint32_t number, uint32_t low, uint32_t high, uint8_t *to)
{
	const uint32_t *words = vm_state_words(state);
	uint32_t word, index;
	vm_ref object = vm_object_locate(number, words, &word, &index) ? vm_object_stored(words, word, index) : 0;
	const struct vm_object_header *header = object ? vm_table_get(object) : NULL;
	if (!header || header->flags & OBJECT_SHADOWED || high > header->size)
		return false;
	vm_object_read(object, low, high, to);
	return true;
}

/* ---- views and effects ------------------------------------------------------------------------------------------------ */

static void add_view(unsigned slot, vm_ref state, vm_ref own)
{
	for (unsigned i = 0; i < this.view_count; i++)
		if (this.views[i].slot == slot && this.views[i].state == state && this.views[i].own == own)
			return;
	if (this.view_count == MOST_VIEWS) {
		give_up();
		return;
	}
	struct view *view = &this.views[this.view_count++];
	view->slot = slot;
	view->state = state;
	view->own = own;
	view->known = false;
	view->effects = 0;
	vm_footprint_clear(&view->looked_at);
}

static bool is_new(const struct effect *effect)
{
	unsigned values = 0;
	for (unsigned i = 0; i < this.effect_count; i++) {
		const struct effect *other = &this.effects[i];
		if (other->object != effect->object || other->low >= effect->high || effect->low >= other->high)
			continue;
		if (other->low != effect->low || other->high != effect->high || ++values == MOST_VALUES) {
			give_up();
			return false;
		}
		if (other->slot == effect->slot && memcmp(other->bytes, effect->bytes, effect->high - effect->low) == 0)
			return false;
	}
	return true;
}

static void add_effect(struct effect effect)
{
	uint32_t size = effect.high - effect.low;
	if (!is_new(&effect))
		return;
	if (this.effect_count == MOST_EFFECTS || this.used + size > MOST_BYTES) {
		give_up();
		return;
	}
	this.effects[this.effect_count++] = effect;
	this.used += size;
}

/* The view with the effect put into it. */
static void put_effect(const struct view *view, const struct effect *effect)
{
	uint32_t words[WORDS];
	unsigned slot = effect->object - FOOTPRINT_THREAD;
	bool of_thread = effect->object >= FOOTPRINT_THREAD;
	copy_words(words, view->state);
	if (of_thread && slot >= words[1]) {
		give_up();
		return;
	}
	if (of_thread)
		memcpy(words + word_of(slot, 0), effect->bytes, 2 * sizeof *words);
	vm_state_load_words(words);
	if (!of_thread && !put_bytes(words, effect->object, effect->low, effect->high, effect->bytes)) {
		give_up();
		return;
	}
	add_view(view->slot, vm_rest(), view->own);
}

static bool overlaps(const struct vm_range *range, const struct effect *effect)
{
	return range->object == effect->object && range->low < effect->high && effect->low < range->high;
}

/* Does the thread of the view hold the mutex that the effect is on? */
static bool is_held(const struct view *view, const struct effect *effect)
{
	if (!effect->locks)
		return false;
	vm_state_load(view->state);
	return vm_mutex_holder(image_address(effect->object, effect->low)) == view->slot;
}

static void consider(const struct view *view, const struct effect *effect)
{
	if (effect->slot == view->slot || effect->object == FOOTPRINT_THREAD + view->slot)
		return;
	for (uint32_t i = 0; i < view->looked_at.count; i++)
		if (overlaps(&view->looked_at.ranges[i], effect)) {
			if (!is_held(view, effect) && may_make())
				put_effect(view, effect);
			return;
		}
}

/* ---- what a step has done --------------------------------------------------------------------------------------------- */

/* Are the objects of two maps the same, but for their bytes?  `private`: those that only one thread can name may come and go. */
static bool same_objects(vm_ref old, vm_ref new, bool private)
{
	uint32_t old_count = old ? vm_table_size(old) / sizeof(vm_ref) : 0,
		 new_count = new ? vm_table_size(new) / sizeof(vm_ref) : 0;
	const vm_ref *olds = old ? vm_table_get(old) : NULL, *news = new ? vm_table_get(new) : NULL;
	for (uint32_t i = 0; old != new && (i < old_count || i < new_count); i++) {
		vm_ref one = i < old_count ? olds[i] : 0, other = i < new_count ? news[i] : 0;
		if (one == other)
			continue;
		const struct vm_object_header *a = one ? vm_table_get(one) : NULL, *b = other ? vm_table_get(other) : NULL;
		bool shared = (a && a->flags & OBJECT_SHARED) || (b && b->flags & OBJECT_SHARED);
		if ((shared || !private) && (!a || !b || memcmp(a, b, sizeof *a) != 0))
			return false;
	}
	return true;
}

static bool touches_thread(const struct footprint *step, unsigned slot)
{
	for (uint32_t i = 0; i < step->count; i++)
		if (step->ranges[i].object == FOOTPRINT_THREAD + slot && step->ranges[i].write)
			return true;
	return false;
}

/* Has the step changed nothing but its own thread, bytes of objects, and threads that have ended? */
static bool changes_bytes(const struct view *view, vm_ref next, const struct footprint *step)
{
	uint32_t old[WORDS];
	copy_words(old, view->state);
	const uint32_t *new = vm_state_words(next);
	if (old[0] != new[0] || old[3] != new[3] || old[STATE_RECORDS] != new[STATE_RECORDS] || new[1] > old[1] ||
	    !same_objects(old[2], new[2], false))
		return false;
	for (unsigned slot = 0; slot < old[1]; slot++) {
		vm_ref before = slot_word(old, slot, 0), after = slot_word(new, slot, 0);
		bool own = slot == view->slot;
		if (!own && before != after &&
		    (!before || ((const vm_stored_header *)vm_table_get(before))->status != THREAD_FINISHED ||
		     !touches_thread(step, slot)))
			return false;
		if (!same_objects(slot_word(old, slot, 1), slot_word(new, slot, 1), own) ||
		    !same_objects(slot_word(old, slot, 2), slot_word(new, slot, 2), false))
			return false;
	}
	return true;
}

/* What others may see of a step that led to a state. */
static void learn_effect(const struct view *view, vm_ref next, const struct vm_range *range)
{
	struct effect effect = { .slot = view->slot, .object = range->object, .low = range->low, .high = range->high };
	uint8_t *bytes = this.bytes + this.used;
	uint32_t threads[2];
	effect.bytes = bytes;
	effect.locks = vm_footprint_is_blocking(range);
	if (range->object == FOOTPRINT_PROPOSITIONS) {
		give_up();
	} else if (range->object >= FOOTPRINT_SLOTS) {
		return;
	} else if (range->object >= FOOTPRINT_THREAD) {
		unsigned slot = range->object - FOOTPRINT_THREAD;
		effect.low = 0;
		effect.high = sizeof threads;
		threads[0] = slot_word(vm_state_words(next), slot, 0);
		threads[1] = slot_word(vm_state_words(next), slot, 1);
		if (this.used + sizeof threads <= MOST_BYTES)
			memcpy(bytes, threads, sizeof threads);
		add_effect(effect);
	} else if (range->high - range->low > MOST_BYTES - this.used ||
		   !get_bytes(next, range->object, range->low, range->high, bytes)) {
		give_up();
	} else {
		add_effect(effect);
	}
}

/* The view after a step with effects of others put in: without these. */
static vm_ref own_view(const struct view *view, vm_ref next, const struct footprint *step)
{
	uint32_t words[WORDS], after[WORDS];
	copy_words(words, view->own);
	copy_words(after, next);
	for (unsigned slot = 0; slot < words[1]; slot++)
		if (slot == view->slot || touches_thread(step, slot))
			for (unsigned which = 0; which < 2 + (slot == view->slot); which++)
				words[word_of(slot, which)] = slot_word(after, slot, which);
	vm_state_load_words(words);
	for (uint32_t i = 0; i < step->count; i++) {
		const struct vm_range *range = &step->ranges[i];
		uint8_t bytes[MOST_BYTES];
		if (range->object >= FOOTPRINT_THREAD || !range->write)
			continue;
		if (range->high - range->low > sizeof bytes || !get_bytes(next, range->object, range->low, range->high, bytes) ||
		    !put_bytes(words, range->object, range->low, range->high, bytes))
			return 0;
	}
	return vm_rest();
}

static void learn(const struct view *view, vm_ref next, const struct footprint *step)
{
	if (!changes_bytes(view, next, step)) {
		give_up();
		return;
	}
	for (uint32_t i = 0; i < step->count && goes_on(); i++)
		if (step->ranges[i].write)
			learn_effect(view, next, &step->ranges[i]);
	vm_ref own = !goes_on() ? 0 : view->own == view->state ? next : own_view(view, next, step);
	if (own)
		add_view(view->slot, own, own);
	else
		give_up();
}

/* ---- exploring -------------------------------------------------------------------------------------------------------- */

static void take_steps(struct view *view, uint32_t outcomes)
{
	static VM_OWN struct footprint step;
	enum vm_wait wait = vm_thread_stored(view->state, view->slot)->wait;
	bool at_threads = wait == WAIT_EXIT || wait == WAIT_JOIN;
	for (uint32_t choice = 0; choice < vm_offered(outcomes) && goes_on() && may_make(); choice++) {
		vm_reads.refused = false;
		vm_ref next = vm_try_step(view->state, view->slot, choice, &step);
		if (next == 0 || step.everything || (vm_reads.refused && !at_threads)) {
			give_up();
		} else if (this.meets(&step, false)) {
			stop(MODULAR_MEETS, view->slot);
		} else {
			vm_footprint_merge(&view->looked_at, &step);
			learn(view, next, &step);
		}
	}
}

/* A thread that could not go on in the state, and has not moved, is none that anybody waits for. */
static void wait_for(struct view *view)
{
	const uint32_t *words = vm_state_words(view->state);
	vm_ref thread = vm_state_thread(words, view->slot);
	const uint32_t *first = vm_state_words(this.origin);
	bool moved = vm_state_thread(first, view->slot) != thread || vm_state_outcomes(first)[view->slot];
	vm_state_load(view->state);
	vm_footprint_record(&view->looked_at);
	vm_footprint_add_awaited(vm_thread_load(view->slot));
	vm_footprint_record(NULL);
	if (moved && this.meets(&view->looked_at, true))
		stop(MODULAR_MEETS, view->slot);
}

/* Does the thread wait for nothing but another's end, or for the bytes of a mutex?  One that ends must hold no lock: who waits for
 * that looks at its holder. */
static bool is_simple(const vm_stored_header *header)
{
	if (header->timed || header->atomic || header->cancel)
		return false;
	switch ((enum vm_wait)header->wait) {
	case WAIT_NONE:
	case WAIT_CHOICE:
	case WAIT_JOIN:
	case WAIT_MUTEX: return true;
	case WAIT_EXIT: return header->held == 0;
	default: return false;
	}
}

static void look(struct view *view)
{
	view->known = true;
	const vm_stored_header *header = vm_thread_stored(view->state, view->slot);
	if (!header || header->status != THREAD_RUNNING || vm_groups_leave_out_joins(view->state, view->slot))
		return;
	uint32_t outcomes = vm_state_outcomes(vm_state_words(view->state))[view->slot];
	if (outcomes && !is_simple(header))
		give_up();
	else if (outcomes)
		take_steps(view, outcomes);
	else
		wait_for(view);
}

/* The state with the plain accesses of the others closed. */
static vm_ref close_segments(vm_ref state)
{
	bool any = false;
	vm_state_load(state);
	for (unsigned slot = 0; slot < vm_this.slots; slot++) {
		const struct vm_thread_header *header = &vm_thread_load(slot)->header;
		if (header->ranges == 0 || set_has(this.resting, slot))
			continue;
		vm_thread_change(slot)->header.ranges = 0;
		any = true;
	}
	return any ? vm_rest() : state;
}

static void begin(vm_ref state)
{
	this.view_count = this.effect_count = this.used = this.steps = 0;
	this.answer = MODULAR_APART;
	this.origin = close_segments(state);
	unsigned slots = vm_state_words(state)[1];
	for (unsigned slot = 0; slot < slots; slot++)
		if (!set_has(this.resting, slot) && vm_state_thread(vm_state_words(state), slot))
			add_view(slot, this.origin, this.origin);
}

static void explore(void)
{
	for (bool changed = true; changed && goes_on();) {
		changed = false;
		for (unsigned i = 0; i < this.view_count && goes_on(); i++) {
			struct view *view = &this.views[i];
			changed = changed || !view->known || view->effects < this.effect_count;
			if (!view->known)
				look(view);
			while (view->effects < this.effect_count && goes_on())
				consider(view, &this.effects[view->effects++]);
		}
	}
}

enum vm_modular vm_modular_explore(vm_ref state, const struct set *resting, bool (*meets)(const struct footprint *, bool waits),
				   unsigned *steps, unsigned *slot)
{
	struct vm_met met; /* what is tried need not happen */
	unsigned most_slots = vm_this.most_slots;
	vm_met_hold(&met);
	this.resting = resting;
	this.meets = meets;
	this.most = *steps;
	vm_reads.needed = true;
	begin(state);
	explore();
	vm_reads.needed = false;
	vm_met_release(&met);
	vm_this.most_slots = most_slots;
	*slot = this.meeting;
	*steps = this.steps;
	return this.answer;
}

bool vm_modular_is_possible(void)
{
	const struct image *image = &vm_this.image;
	return !vm_has_records() && !image->counts[IMAGE_PROPERTIES] && !vm_this.peeking && !image->options->hidden;
}
