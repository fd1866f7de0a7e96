/* SPDX-License-Identifier: MIT
 *
 * See lookahead.h.  Equal states have equal refs, so a bit for each ref is all that a set of states needs: no hash, no state vector,
 * and no collisions.
 *
 * Looking ahead: pan asks for a thread's options one by one, thread by thread, the last one first.  It gets no for those that lead
 * to states which have been visited.  The first that does not is offered, and those behind it are looked at when pan comes back from
 * there, as more may have been visited by then.  pan visits the same states in the same order as if it had taken these steps and
 * found out by itself; they are counted here.  If pan asks in another order, there is no looking ahead from then on: what was kept
 * from pan until then led to visited states in any order.
 */
#include "lookahead.h"
#include "../bitspin_vm.h"
#include "transition_cache.h"
#include "../state/notes.h"

#include <string.h>

extern long depth __attribute__((weak)); /* pan's: of the state that it asks about */

int vm_visits __attribute__((weak)); /* a model has its own */

/* How far pan has got in a state of its path. */
struct place {
	vm_ref state;
	unsigned short thread, option; /* that was offered last; thread NOBODY: none is left */
};

enum { NOBODY = 0xffff };

static VM_OWN struct {
	struct place *places; /* by depth */
	uint32_t capacity;
	struct place offered; /* that pan will take; state 0: nobody has looked */
	vm_ref next;          /* where that leads; 0: not known */
	bool off;             /* pan asks in another order */
	uint64_t skipped;
} ahead;

static struct place *place_here(void)
{
	ahead.places = vm_grow(ahead.places, &ahead.capacity, (uint64_t)depth + 1, sizeof *ahead.places);
	return &ahead.places[depth];
}

static bool looks_ahead(void)
{
	return !ahead.off && vm_transitions_are_cached();
}

/* The place of this state, which pan has come to, or come back to; what it is past is no longer on offer. */
static struct place *arrive(vm_ref state, unsigned slots, unsigned short *options)
{
	struct place *place = place_here();
	if (place->state != state) {
		*place = (struct place){ .state = state, .thread = (unsigned short)slots };
		return place;
	}
	unsigned past = place->thread == NOBODY ? 0 : place->thread + 1u;
	for (unsigned thread = past; thread < slots; thread++)
		options[thread] = 0;
	if (place->thread < slots)
		options[place->thread] &= (unsigned short)~((2u << place->option) - 1);
	return place;
}

void vm_lookahead(vm_ref state, unsigned slots, unsigned short *options)
{
	ahead.offered.state = 0;
	if (!looks_ahead())
		return;
	struct place *place = arrive(state, slots, options);
	unsigned thread = place->thread == NOBODY ? 0 : place->thread < slots ? place->thread + 1u : slots;
	while (thread-- > 0) {
		for (unsigned left = options[thread]; left; left &= left - 1) {
			unsigned option = (unsigned)__builtin_ctz(left);
			vm_ref next = vm_cached_step(state, thread, option);
			if (next == 0 || !vm_visited(next)) {
				*place = ahead.offered = (struct place){ state, (unsigned short)thread, (unsigned short)option };
				ahead.next = next;
				return;
			}
			options[thread] &= (unsigned short)~(1u << option);
			ahead.skipped++;
			vm_this.step++;
		}
	}
	place->thread = NOBODY;
}

vm_ref vm_lookahead_take(vm_ref state, unsigned thread, unsigned option)
{
	const struct place *offered = &ahead.offered, here = { state, (unsigned short)thread, (unsigned short)option };
	bool looked = offered->state == state, same = looked && offered->thread == thread && offered->option == option;
	*place_here() = here;
	ahead.off = ahead.off || (looked && !same);
	return same ? ahead.next : 0;
}

uint64_t vm_lookahead_skipped(void)
{
	return ahead.skipped;
}

int vm_visit(char *vector, int size)
{
	int state;
	if (vm_this.image.options->preemptions || vm_this.image.counts[IMAGE_VIEWS])
		VM_BUG("a pan that has more than states to visit was compiled with -DVM_VISITED");
	memcpy(&state, vector + size - sizeof state, sizeof state);
	return vm_visited_set(vm_ref_of(state));
}
