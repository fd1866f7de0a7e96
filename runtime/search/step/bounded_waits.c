/* SPDX-License-Identifier: MIT
 *
 * See bounded_waits.h.  A layer (layers.h).  `for (i = 0; i < 128; i++) { if (try_lock(l)) break; pause(); }` multiplies the states
 * by the values of i, and nothing depends on them.
 *
 * The translator finds the loops that may be like that (translator/lower/bounded_waits.c): all that their rounds hand on in
 * registers are counters, and these do nothing but end the loop.  Call a step *idle* if it leads back to the same state, but for
 * counters of loops that the thread is in.  After an idle step the thread goes on at once, as in one step, until a step is not
 * idle.  That is right if (*) no round of the loop changes anything and stays in the loop.
 *
 * Why nothing is lost: take any execution, and a visit of the loop by thread t in it.  By (*), the rounds before the last change
 * nothing that others see.
 *   - The visit ends by success, not by the number of rounds, or does not end: take the idle steps out of it.  What is left is an
 *     execution, as they change nothing but counters, which the rounds after them do not look at but to end the loop, and fewer
 *     have passed; it comes to the same states, but for counters, and the counters are not used behind the loop.
 *   - It ends by the number of rounds: let t go through all the rounds that are left at its last idle step, where all of them are
 *     idle; the rounds that it makes after that in the execution changed nothing, and can be left out.  So t is at the end of
 *     the loop earlier, with the same registers, and waits there; the others do not notice.
 * What is reported is real: to go through all rounds at once is a schedule, too.
 * Races: an idle step leaves the open segment as it is.  It may learn what happened before, as its thread acquires from what it
 * reads in vain.  To know more leads to fewer races and to nothing else, so what races with the step races without it; and to
 * learn the same twice is to learn it once.  A step that lets others know something (vm_this.orders) is not idle.
 *
 * (*) is not known: a round may lock, work and unlock, all without leaving the loop.  But then the search comes to it:  until the
 * first round that breaks (*) the argument holds.  Such a round changes something in a step that begins and ends in the loop.
 * When any step does that, the search ends, and the command begins another one without this reduction.  More than a change
 * counts: also what the thread itself holds, as by cancellation.  A round without any step of its own does the same each time,
 * and tells nothing.
 *
 * Idle steps are not taken one by one.  A chain of them goes through states s(0), s(1), ... that differ in counters.  Say the last
 * 2p steps were two *laps* of p steps each, after each of which each counter has grown by the same: by its stride, modulo its
 * width.  (p = 1 if it is one loop; where loops are nested, a lap is a round of the outer one, after which counters of the inner
 * one are as before, with stride 0.)  What a step does depends on counters by the outcomes of comparisons only.  So a lap is like
 * the last one, and adds the strides again, as long as all these outcomes are the same.  The variables of comparisons are known to
 * be linear in the number of the lap, so rounds.c can tell after how many laps K, from the first of the two, one changes.
 * A step may compare what a variable was in the step before, is, or will be in the next one, depending on where in the loop the
 * thread rests: so to be like the second lap is sure for the laps before K - 1 only.  From there on steps are taken again.
 * In a lap may be steps that were gone ahead of, too; there the variables with strides must have stood still, so that their
 * outcomes are those before and after.
 * Where no comparison ever changes, or a state comes again, the thread goes round for ever if nobody else does anything.  Then the
 * step leads back to the first state: all idle steps are left out, and there is no end by the number of rounds.
 * A chain that is not of this kind is cut after VM_MOST_ROUNDS steps: to rest there is a schedule, too.
 */
#include "bounded_waits.h"
#include "layers.h"
#include "rounds.h"
#include "single.h"
#include "../base/report.h"
#include "../../memory/footprint.h"
#include "../../state/reads.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

VM_OWN uint64_t vm_spin_rounds;

/* Does the register only count rounds, in this frame? */
static bool counts(const uint32_t *live, uint32_t reg)
{
	for (uint32_t i = 0; i < live[-1]; i++)
		if (live[-2 - (int64_t)i] == reg)
			return true;
	return false;
}

/* A thread as it lies in the table. */
struct stored {
	const uint8_t *bytes, *frames, *registers, *end;
	const vm_stored_header *header;
};

static struct stored thread_of(vm_ref state, unsigned slot)
{
	vm_ref thread = vm_state_thread(vm_state_words(state), slot);
	struct stored stored = { .bytes = vm_table_get(thread) };
	stored.header = (const vm_stored_header *)stored.bytes;
	stored.frames = stored.bytes + sizeof *stored.header + stored.header->ranges * sizeof(struct vm_range);
	stored.registers = stored.frames + stored.header->frames * 2 * sizeof(uint32_t);
	stored.end = stored.bytes + vm_table_size(thread);
	return stored;
}

static struct vm_frame frame_of(const struct stored *thread, uint32_t number)
{
	struct vm_frame frame = { 0 };
	memcpy(&frame.function, thread->frames + number * 2 * sizeof(uint32_t), sizeof frame.function);
	memcpy(&frame.pc, thread->frames + number * 2 * sizeof(uint32_t) + sizeof(uint32_t), sizeof frame.pc);
	return frame;
}

/* Do `a` and `b` have the same frames, open segment and registers, except for counters? */
static bool same_but_counters(const struct stored *a, const struct stored *b)
{
	size_t size = (size_t)(a->end - a->bytes), fixed = (size_t)(a->registers - a->bytes);
	if (size != (size_t)(b->end - b->bytes) || memcmp(a->bytes, b->bytes, fixed) != 0)
		return false;
	size_t at = fixed;
	for (uint32_t i = 0; i < a->header->frames; i++) {
		const struct vm_frame frame = frame_of(a, i);
		const uint32_t *live = vm_frame_live(&frame);
		for (uint32_t k = 1; k <= live[0]; k++, at += sizeof(uint64_t))
			if (memcmp(a->bytes + at, b->bytes + at, sizeof(uint64_t)) != 0 && !counts(live, live[k]))
				return false;
	}
	return memcmp(a->bytes + at, b->bytes + at, size - at) == 0; /* which bits are set */
}

/* Do the words of two states differ only by the thread in `slot`, and, if `records`, by what is known of earlier accesses? */
static bool same_but_thread(const uint32_t *a, const uint32_t *b, unsigned slot, bool records)
{
	unsigned thread = STATE_WORDS + slot * STATE_SLOT_WORDS;
	if (a[1] != b[1])
		return false;
	for (unsigned i = 0; i < STATE_WORDS + a[1] * STATE_SLOT_WORDS; i++)
		if (a[i] != b[i] && i != thread && !(i == STATE_RECORDS && records))
			return false;
	return true;
}

/* Has the thread in `slot`, in its step from `before` to `after`, only counted a round of a wait, so that the step may go on? */
static bool is_idle(vm_ref before, vm_ref after, unsigned slot)
{
	if (after == 0 || after == before)
		return false;
	const uint32_t *a = vm_state_words(before), *b = vm_state_words(after);
	if (vm_this.orders || !same_but_thread(a, b, slot, true) || memcmp(vm_state_outcomes(a), vm_state_outcomes(b), a[1]) != 0 ||
	    vm_state_outcomes(b)[slot] != 1)
		return false;
	struct stored from = thread_of(before, slot), to = thread_of(after, slot);
	return from.header->atomic == 0 && same_but_counters(&from, &to);
}

/* ---- chains of idle steps ---------------------------------------------------------------------------------------------- */

enum { MOST_COUNTERS = 16, NOTES = 128, FEW_LAPS = 3 };

/* A counter that is live in a frame, and where the stored thread has it. */
struct place {
	size_t at;
	uint32_t frame, reg;
	const struct image_counter *counter; /* NULL: rounds may change it in any way */
};

/* A state of the chain. */
struct note {
	uint64_t values[MOST_COUNTERS];
	uint64_t rounds; /* before it */
	bool ahead;      /* comes from the one before not by a step */
};

static VM_OWN struct {
	uint32_t places; /* 0: too many */
	struct place place[MOST_COUNTERS];
	uint32_t count; /* of notes; the last ones are kept */
	struct note notes[NOTES];
	vm_ref anchor; /* the last whose number is a power of two (Brent 1980) */
	uint64_t strides[MOST_COUNTERS], laps, lap_rounds;
	bool ends; /* after `laps` laps, else never */
} chain;

static const struct image_waits *waits_of(uint32_t function)
{
	uint32_t at = vm_this.image.functions[function].waits;
	return at ? (const struct image_waits *)(vm_this.image.pool + at) : NULL;
}

static const struct image_counter *counters_of(const struct image_waits *waits)
{
	return (const struct image_counter *)(waits + 1);
}

static const struct image_counter *counter_of(uint32_t function, uint32_t reg)
{
	const struct image_waits *waits = waits_of(function);
	for (uint32_t i = 0; waits && i < waits->counters; i++)
		if (counters_of(waits)[i].reg == reg)
			return &counters_of(waits)[i];
	return NULL;
}

static uint64_t mask_of(const struct image_counter *counter)
{
	return counter ? UINT64_MAX >> (64 - counter->bits) : UINT64_MAX;
}

static void find_places(const struct stored *thread)
{
	size_t at = (size_t)(thread->registers - thread->bytes);
	chain.places = 0;
	for (uint32_t i = 0; i < thread->header->frames; i++) {
		const struct vm_frame frame = frame_of(thread, i);
		const uint32_t *live = vm_frame_live(&frame);
		for (uint32_t k = 1; k <= live[0]; k++, at += sizeof(uint64_t)) {
			if (!counts(live, live[k]))
				continue;
			if (chain.places == MOST_COUNTERS) {
				chain.places = 0;
				return;
			}
			chain.place[chain.places++] = (struct place){
				.at = at, .frame = i, .reg = live[k], .counter = counter_of(frame.function, live[k])
			};
		}
	}
}

static struct note *note_at(uint32_t number)
{
	assert(number <= chain.count && number + NOTES >= chain.count);
	return &chain.notes[number % NOTES];
}

static void add_note(const struct stored *thread)
{
	struct note *note = note_at(chain.count++);
	for (uint32_t i = 0; i < chain.places; i++)
		memcpy(&note->values[i], thread->bytes + chain.place[i].at, sizeof note->values[i]);
	note->rounds = vm_spin_rounds;
	note->ahead = false;
}

/* Begin a chain of idle steps. */
static void begin(vm_ref state, unsigned slot)
{
	struct stored thread = thread_of(state, slot);
	vm_spin_rounds = 0;
	chain.count = 0;
	chain.anchor = state;
	find_places(&thread);
	add_note(&thread);
}

/* Put into *value the register `reg` of a frame, as it lies in the stored thread.  Return false if it is not live there. */
static bool stored_register(const struct stored *thread, uint32_t frame, uint32_t reg, uint64_t *value)
{
	const uint8_t *at = thread->registers;
	for (uint32_t i = 0; i < thread->header->frames; i++) {
		const struct vm_frame other = frame_of(thread, i);
		const uint32_t *live = vm_frame_live(&other);
		for (uint32_t k = 1; k <= live[0]; k++, at += sizeof(uint64_t))
			if (i == frame && live[k] == reg) {
				memcpy(value, at, sizeof *value);
				return true;
			}
	}
	return false;
}

/* Return the place that tells what a variable is in this frame.  Put into *lives whether a place is live that moves with the
 * variable. */
static const struct place *place_of(uint32_t frame, uint32_t variable, bool *lives)
{
	*lives = false;
	for (uint32_t i = 0; i < chain.places; i++) {
		const struct place *place = &chain.place[i];
		if (place->frame != frame || !place->counter || place->counter->variable != variable)
			continue;
		*lives = true;
		if (place->counter->exact)
			return place;
	}
	return NULL;
}

/* Lower chain.laps to the least number of laps, from one of the places of the lap that begins at note `first`, after which the
 * comparison changes.  Return false if that is not known. */
static bool look_at_bound(const struct stored *thread, uint32_t frame, const struct image_bound *bound, uint32_t first,
			  uint32_t period)
{
	bool lives;
	uint64_t reg = 0, limit, laps;
	const struct place *place = place_of(frame, bound->variable, &lives);
	if (!place)
		return !lives; /* else the thread is in another loop */
	uint32_t number = (uint32_t)(place - chain.place);
	assert(number < chain.places);
	if (chain.strides[number] == 0)
		return true;
	if (bound->reg != IMAGE_NONE && !stored_register(thread, frame, bound->reg, &reg))
		return false;
	limit = vm_limit_of(bound, reg);
	for (uint32_t i = first; i < first + period; i++) {
		uint64_t from = note_at(i)->values[number] - image_halves(place->counter->offset);
		if (vm_rounds_to_change(bound, limit, from, chain.strides[number], &laps)) {
			chain.laps = laps < chain.laps ? laps : chain.laps;
			chain.ends = true;
		}
	}
	return true;
}

/* Set chain.ends and chain.laps.  Return false if they are not known. */
static bool count_laps(const struct stored *thread, uint32_t first, uint32_t period)
{
	chain.laps = UINT64_MAX;
	chain.ends = false;
	for (uint32_t i = 0; i < thread->header->frames; i++) {
		const struct image_waits *waits = waits_of(frame_of(thread, i).function);
		if (!waits)
			continue;
		const struct image_bound *bounds = (const struct image_bound *)(counters_of(waits) + waits->counters);
		for (uint32_t k = 0; k < waits->bounds; k++)
			if (!look_at_bound(thread, i, &bounds[k], first, period))
				return false;
	}
	return true;
}

/* Have the last two times `period` steps added the same to each counter? */
static bool are_laps(uint32_t first, uint32_t period)
{
	const struct note *a = note_at(first), *b = note_at(first + period), *c = note_at(first + 2 * period);
	for (uint32_t i = 0; i < chain.places; i++) {
		const struct image_counter *counter = chain.place[i].counter;
		uint64_t mask = mask_of(counter);
		chain.strides[i] = (b->values[i] - a->values[i]) & mask;
		if (((c->values[i] - b->values[i]) & mask) != chain.strides[i] || (chain.strides[i] && !counter))
			return false;
		for (uint32_t n = first + 1; chain.strides[i] && n <= first + 2 * period; n++)
			if (note_at(n)->ahead && note_at(n)->values[i] != note_at(n - 1)->values[i])
				return false;
	}
	chain.lap_rounds = c->rounds - b->rounds;
	return true;
}

/* The chain has come to this state after vm_spin_rounds rounds.  What then? */
enum next { ON, AHEAD, ENDLESS }; /* the next round; go_ahead(); no round will ever be another */
static enum next look(vm_ref state, unsigned slot)
{
	struct stored thread = thread_of(state, slot);
	if (chain.places == 0)
		return ON;
	if (state == chain.anchor)
		return ENDLESS;
	if ((chain.count & (chain.count - 1)) == 0)
		chain.anchor = state;
	add_note(&thread);
	for (uint32_t period = 1; 2 * period < chain.count && 2 * period < NOTES; period++) {
		uint32_t first = chain.count - 1 - 2 * period;
		if (!are_laps(first, period) || !count_laps(&thread, first, period))
			continue;
		if (!chain.ends)
			return ENDLESS;
		if (chain.laps > FEW_LAPS) {
			chain.laps -= FEW_LAPS;
			return AHEAD;
		}
	}
	return ON;
}

/* Let the counters of the thread, in the working state, be what they are after all rounds that are sure to be like the last ones,
 * and count these rounds. */
static void go_ahead(unsigned slot)
{
	assert(chain.count > 0 && chain.places > 0 && chain.ends && chain.laps > 0);
	struct vm_thread *thread = vm_thread_change(slot);
	struct note *note = note_at(chain.count);
	*note = *note_at(chain.count - 1);
	chain.count++;
	for (uint32_t i = 0; i < chain.places; i++) {
		const struct place *place = &chain.place[i];
		if (chain.strides[i]) {
			note->values[i] = (note->values[i] + chain.laps * chain.strides[i]) & mask_of(place->counter);
			thread->registers[thread->frames[place->frame].base + place->reg] = note->values[i];
		}
	}
	vm_event(ACTION_CALL, "%" PRIu64 " more rounds, which change nothing", chain.laps * chain.lap_rounds);
	vm_spin_rounds += chain.laps * chain.lap_rounds;
	note->rounds = vm_spin_rounds;
	note->ahead = true;
}

/* Are both frames in one loop that may be a wait? */
static bool share_loop(const struct vm_frame *a, const struct vm_frame *b)
{
	if (a->function != b->function)
		return false;
	const uint32_t *live = vm_frame_live(a), *other = vm_frame_live(b);
	for (uint32_t i = 0; i < live[-1]; i++)
		if (counts(other, live[-2 - (int64_t)i]))
			return true;
	return false;
}

/* Have both threads the same beside their places?  Compare all of the header that calls may change for good. */
static bool same_status(const vm_stored_header *a, const vm_stored_header *b)
{
	return a->status == b->status && a->detached == b->detached && a->cancel == b->cancel && a->atomic == b->atomic &&
		a->held == b->held && a->cleanup == b->cleanup && a->parted == b->parted && a->escaped == b->escaped;
}

/* Has the thread in `slot`, in its step from `before` to `after`, changed something without leaving the loop, so that the loop is
 * no wait? */
static bool is_none(vm_ref before, vm_ref after, unsigned slot)
{
	if (after == 0 || after == before)
		return false;
	const vm_stored_header *from_header = vm_thread_stored(before, slot), *to_header = vm_thread_stored(after, slot);
	if (!from_header || !to_header || from_header->frames == 0 || to_header->frames == 0)
		return false;
	struct stored from = thread_of(before, slot), to = thread_of(after, slot);
	bool inside = false;
	for (uint32_t i = 0; !inside && i < from_header->frames && i < to_header->frames; i++) {
		const struct vm_frame a = frame_of(&from, i), b = frame_of(&to, i);
		inside = share_loop(&a, &b);
	}
	return inside &&
		!(same_but_thread(vm_state_words(before), vm_state_words(after), slot, true) &&
		  same_status(from_header, to_header));
}

/* ---- the layer --------------------------------------------------------------------------------------------------------- */

static bool suits(void)
{
	return vm_reduces(REDUCTION_SPINS);
}

typedef vm_ref take_step(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint);

/* Go on with a step from `first` to `next`, which `take` has taken, as long as it only counts rounds.  Add what that touches to
 * the footprint, if there is one.  Return the state in which the wait comes to rest. */
static vm_ref join(take_step *take, vm_ref first, vm_ref next, unsigned slot, struct footprint *footprint)
{
	assert(slot < vm_this.max_threads && !vm_this.stepping);
	static VM_OWN struct footprint round;
	vm_ref state = first;
	for (unsigned steps = 0; steps < VM_MOST_ROUNDS && is_idle(state, next, slot); steps++) {
		if (steps == 0)
			begin(state, slot);
		state = next;
		enum next what = look(state, slot);
		assert(vm_state_outcomes(vm_state_words(state))[slot] == 1); /* else it is no step that goes on */
		if (what == ENDLESS) {
			vm_state_load(first);
			return first;
		}
		if (what == AHEAD) {
			go_ahead(slot);
			state = vm_rest();
		}
		vm_reads_resume();
		vm_spin_rounds++;
		next = take(state, slot, 0, footprint ? &round : NULL);
		if (footprint)
			vm_footprint_merge(footprint, &round);
		if (next == state) {
			vm_state_load(first);
			return first; /* endless, too */
		}
	}
	vm_saved[REDUCTION_SPINS_NUMBER] += vm_spin_rounds;
	if (!is_none(state, next, slot))
		return next;
	vm_cut_after(LIMIT_SPINS, "a loop that looked like a wait does more than that");
	return 0;
}

vm_ref vm_joined(vm_ref state, unsigned slot, uint32_t choice)
{
	vm_ref next = vm_single(state, slot, choice);
	vm_spin_rounds = 0;
	return suits() ? join(vm_layer_single.step, state, next, slot, NULL) : next;
}

static vm_ref step(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint)
{
	vm_ref next = vm_below[LAYER_spins].step(state, slot, choice, footprint);
	vm_spin_rounds = 0;
	return join(vm_below[LAYER_spins].step, state, next, slot, footprint);
}

const struct vm_layer vm_layer_spins = { .suits = suits, .step = step };
