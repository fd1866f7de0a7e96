/* SPDX-License-Identifier: MIT
 *
 * See lookahead.h.  Equal states have equal refs, so a bit for each ref is all that a set of states needs: no hash, no state
 * vector, and no collisions.
 *
 * Looking ahead: pan asks for a thread's options one by one, thread by thread, the last one first.  It gets no for those that
 * lead to states which have been visited.  The first that does not is offered, and those behind it are looked at when pan comes
 * back from there, as more may have been visited by then.  pan visits the same states in the same order as if it had taken
 * these steps and found out by itself; they are counted here.  If pan asks in another order, there is no looking ahead from
 * then on: what was kept from pan until then led to visited states in any order.
 */
#include "lookahead.h"
#include "../reduce/search_step.h"
#include "../../bitspin_vm.h"
#include "options.h"
#include "pan.h"
#include "crew.h"
#include "../step/layers.h"
#include "../base/plan.h"
#include "several.h"
#include "../hang/hangs.h"
#include "../reduce/transition_cache.h"
#include "../../state/notes.h"

#include <assert.h>
#include <string.h>

/* A state of pan's path. */
struct place {
	vm_ref state;
	struct vm_link taken;          /* the step that pan has taken from there last */
	unsigned short thread, option; /* so far has been looked; thread NOBODY: nothing is left */
};

enum { NOBODY = 0xffff };

static VM_OWN struct {
	struct place *places; /* by depth */
	uint32_t capacity;
	struct place offered; /* what pan will take; state 0: nobody has looked */
	vm_ref next;          /* where that leads; 0: not known */
	bool off;             /* pan asks in another order */
	uint64_t taken, skipped;
} ahead;

/* The step that another process has given, and from which this one searches on. */
static VM_OWN struct {
	const struct vm_gift *gift; /* NULL: none so far, this one began with the first state */
	uint32_t depth;             /* of the state where that begins */
	bool passes;                /* pan comes to where it leads, which counts as visited */
} base;

static VM_OWN struct {
	uint32_t from;  /* no state before has anything left */
	uint64_t after; /* so many steps; before that, nothing was found */
	struct vm_link *steps;
	uint32_t capacity;
} giving;

static struct place *place_here(void)
{
	assert(depth >= 0);
	if ((uint64_t)depth >= ahead.capacity)
		ahead.places = vm_grow(ahead.places, &ahead.capacity, (uint64_t)depth + 1, sizeof *ahead.places);
	return &ahead.places[depth];
}

static bool looks_ahead(void)
{
	return !ahead.off && (vm_crew() || vm_transitions_are_cached());
}

/* Does the step to where this run leads end in a violation, which is told by who takes it? */
static bool is_told(const struct vm_run *run)
{
	return run->end == 0 || (!run->goes_on && vm_nothing_enabled(run->end)) || (run->quiet && vm_hangs(run->end));
}

static void look_no_further(struct place *place, unsigned thread, unsigned option)
{
	place->thread = (unsigned short)thread;
	place->option = (unsigned short)option;
}

/* Take out what has been looked at. */
static void take_out(const struct place *place, unsigned slots, unsigned short *options)
{
	assert(slots <= VM_MAX_SLOTS);
	unsigned past = place->thread == NOBODY ? 0 : place->thread + 1u;
	for (unsigned thread = past; thread < slots; thread++)
		options[thread] = 0;
	if (place->thread < slots)
		options[place->thread] &= (unsigned short)~((2u << place->option) - 1);
}

/* Find the first option left in `place` that does not lead to a visited state, and take those before it out of `options`.  Put
 * into *next where it leads, or 0 if there is a violation.  Return false if no option is left. */
static bool look(struct place *place, unsigned slots, unsigned short *options, vm_ref *next)
{
	unsigned thread = place->thread == NOBODY ? 0 : place->thread < slots ? place->thread + 1u : slots;
	const struct vm_layer *top = vm_top();
	while (thread-- > 0) {
		for (unsigned left = options[thread]; left; left &= left - 1) {
			unsigned option = (unsigned)__builtin_ctz(left);
			struct vm_run run = top->run(place->state, thread, option);
			look_no_further(place, thread, option);
			*next = is_told(&run) ? 0 : run.end;
			if (*next == 0 || !vm_visited(*next))
				return true;
			options[thread] &= (unsigned short)~(1u << option);
			vm_goes_round(place->state, *next, thread, run.changes);
			ahead.skipped++;
			vm_this.step++;
		}
	}
	place->thread = NOBODY;
	return false;
}

/* ---- work for others -------------------------------------------------------------------------------------------------- */

/* Give another process the option just looked at, of state number `at` on the path; `next` is where it leads, or 0.  Return false
 * if another process has visited that meanwhile. */
static bool give(uint32_t at, vm_ref next)
{
	const struct place *place = &ahead.places[at];
	assert(at >= base.depth && at < ahead.capacity && place->thread < VM_MAX_SLOTS);
	uint32_t before = base.gift ? base.gift->count : 0, count = before + at - base.depth + 1;
	if (next && vm_visited_set(next)) {
		ahead.skipped++;
		return false;
	}
	giving.steps = vm_grow(giving.steps, &giving.capacity, count, sizeof *giving.steps);
	for (uint32_t i = 0; i < count - 1; i++)
		giving.steps[i] = i < before ? base.gift->steps[i] : ahead.places[base.depth + i - before].taken;
	giving.steps[count - 1] = (struct vm_link){ (uint8_t)place->thread, (uint8_t)place->option };
	if (next)
		vm_census_reached(next);
	ahead.taken++;
	vm_crew_give(&(struct vm_gift){ .state = place->state, .next = next, .count = count, .steps = giving.steps });
	return true;
}

/* Give another process an option that is left in state number `at` on the path.  Return false if none is left. */
static bool give_of(uint32_t at)
{
	assert(at < ahead.capacity);
	struct place *place = &ahead.places[at];
	unsigned short options[VM_MAX_SLOTS];
	vm_ref next;
	if (place->thread == NOBODY)
		return false;
	unsigned slots = vm_options_at(place->state, options);
	take_out(place, slots, options);
	while (look(place, slots, options, &next)) {
		if (give(at, next))
			return true;
		options[place->thread] &= (unsigned short)~(1u << place->option);
	}
	return false;
}

/* Give away what is nearest to the first state, of what pan has left behind. */
static void share(void)
{
	enum { PAUSE = 512 }; /* steps */
	uint32_t here = (uint32_t)depth;
	bool may = !ahead.off && here > base.depth && vm_this.step >= giving.after;
	if (!may || !vm_crew_has_room((base.gift ? base.gift->count : 0) + (uint64_t)here) || !vm_crew_begin())
		return;
	giving.from = giving.from < base.depth ? base.depth : giving.from < here ? giving.from : here - 1;
	if (vm_crew_is_eager())
		giving.from = base.depth + (here - base.depth) / 2;
	for (; giving.from < here; giving.from++)
		if (give_of(giving.from))
			return;
	giving.after = vm_this.step + PAUSE;
	vm_crew_end();
}

/* Wait for a step of another process, as nothing is left for this one, and offer it to pan as a jump from `state`.  Offer none if
 * no process has any left.  pan takes each option once, so the next jump is from the state to which this one leads. */
static void offer_jump(vm_ref state, unsigned short *options)
{
	base.gift = vm_crew_wait();
	if (!base.gift)
		return;
	options[0] |= 1u << VM_JUMP;
	ahead.offered = (struct place){ .state = state, .taken = { 0, VM_JUMP } };
	ahead.next = 0;
}

static void jump(void)
{
	assert(base.gift);
	assert(base.gift->count > 0);
	base.depth = giving.from = (uint32_t)depth + 1;
	base.passes = base.gift->next != 0;
}

const struct vm_gift *vm_lookahead_jump(uint32_t step)
{
	return step == base.depth ? base.gift : NULL;
}

bool vm_lookahead_jumped(uint32_t step)
{
	return base.gift && step <= base.depth;
}

/* ---- what pan asks ---------------------------------------------------------------------------------------------------- */

/* Return the place of this state, to which pan has come, or come back. */
static struct place *arrive(vm_ref state, unsigned slots)
{
	struct place *place = place_here();
	if (place->state != state)
		*place = (struct place){ .state = state, .thread = (unsigned short)slots };
	if ((uint32_t)depth < giving.from)
		giving.from = (uint32_t)depth;
	if (vm_crew() && !vm_crew_is_first() && !base.gift)
		place->thread = NOBODY; /* the first state is the first process's */
	return place;
}

void vm_lookahead(vm_ref state, unsigned slots, unsigned short *options)
{
	ahead.offered.state = 0;
	if (!looks_ahead())
		return;
	if (vm_crew_wants())
		share();
	struct place *place = arrive(state, slots);
	vm_ref next;
	take_out(place, slots, options);
	if (look(place, slots, options, &next)) {
		ahead.offered = *place;
		ahead.offered.taken = (struct vm_link){ (uint8_t)place->thread, (uint8_t)place->option };
		ahead.next = next;
	} else if (vm_crew() && (uint32_t)depth == base.depth) {
		offer_jump(state, options);
	}
}

vm_ref vm_lookahead_take(vm_ref state, unsigned thread, unsigned option)
{
	assert(state);
	const struct place *offered = &ahead.offered;
	bool looked = offered->state == state;
	bool same = looked && offered->taken.slot == thread && offered->taken.option == option;
	struct place *here = place_here();
	here->state = state;
	here->taken = (struct vm_link){ (uint8_t)thread, (uint8_t)option };
	ahead.off = ahead.off || (looked && !same);
	if (option == VM_JUMP) {
		jump();
		return base.gift->next;
	}
	look_no_further(here, thread, option);
	ahead.taken++;
	return same ? ahead.next : 0;
}

uint64_t vm_lookahead_skipped(void)
{
	return ahead.skipped;
}

uint64_t vm_lookahead_taken(void)
{
	return ahead.taken;
}

int vm_visit(char *vector, int size)
{
	assert((size_t)size >= sizeof(int));
	int state;
	bool passes = base.passes;
	if (vm_is_bounded() || vm_this.image.counts[IMAGE_VIEWS])
		VM_BUG("a pan that has more than states to visit was compiled with -DVM_VISITED");
	memcpy(&state, vector + size - sizeof state, sizeof state);
	base.passes = false;
	return vm_visited_set(vm_ref_of(state)) && !passes;
}
