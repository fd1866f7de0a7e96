/* SPDX-License-Identifier: MIT
 *
 * See offer.h.  A note has two bytes: the slots of two threads; or one slot, and in the place of the other NOBODY, or SECTIONS
 * if the runs of the thread go on to the end of their sections; or twice the same number, by how they are made, where all
 * threads are offered; or, from LARGE on, the number of a set of more threads, or of one whose runs are transactions.  The
 * command makes models with at most 248 slots, so no slot is one of these numbers.
 */
#include "offer.h"
#include "groups.h"
#include "../../state/driver.h"

#include <assert.h>

enum { NOBODY = 0xff, SECTIONS = 0xfe, ALL = 0xffff, ALL_AS_RUNS = 0xfefe, ALL_AS_STEPS = 0xfdfd };

/* Such sets get numbers as they come: LARGE and what follows in the low byte of the note, and the high byte.
 * Few are enough: threads that conflict in one state do so in many. */
enum { LARGE = 0xf8, MOST_LARGE = 5 * 256 };
static VM_OWN struct large {
	struct set set;
	bool transactions;
} * large;
static VM_OWN uint32_t large_count, large_capacity;

unsigned vm_offer_room(void)
{
	return vm_driver.has_processes || large_count == MOST_LARGE ? 2 : PERSISTENT_THREADS;
}

/* Return the number of the set that is offered, which is made if it has none. */
static unsigned number_of(const struct offer *offer)
{
	struct large new = { .transactions = offer->way == VM_AS_TRANSACTION };
	for (unsigned i = 0; i < offer->count; i++)
		set_add(&new.set, offer->slots[i]);
	for (unsigned i = 0; i < large_count; i++)
		if (set_equal(&large[i].set, &new.set) && large[i].transactions == new.transactions)
			return i;
	assert(large_count < MOST_LARGE);
	large = vm_grow(large, &large_capacity, large_count + 1, sizeof *large);
	large[large_count] = new;
	return large_count++;
}

static struct offer large_offer(unsigned number)
{
	assert(number < large_count);
	struct offer offer = { .way = large[number].transactions ? VM_AS_TRANSACTION : VM_AS_RUN };
	for (unsigned slot = 0; slot < MOST_GROUPS; slot++)
		if (set_has(&large[number].set, slot))
			offer.slots[offer.count++] = slot;
	return offer;
}

struct offer vm_offer_set(const struct persistent_set *set)
{
	assert(set->count > 0 && set->count <= PERSISTENT_THREADS);
	assert(set->count == 1 || !set->whole);
	struct offer offer = { .count = set->count,
			       .way = set->whole         ? VM_AS_SECTIONS :
				       set->transactions ? VM_AS_TRANSACTION :
							   VM_AS_RUN };
	memcpy(offer.slots, set->slots, set->count * sizeof *set->slots);
	return offer;
}

bool vm_offers(struct offer offer, unsigned slot)
{
	assert(offer.count <= PERSISTENT_THREADS);
	bool found = offer.count == 0;
	for (unsigned i = 0; i < offer.count && !found; i++)
		found = offer.slots[i] == slot;
	return found;
}

uint16_t vm_offer_note(struct offer offer)
{
	assert(offer.count == 0 || offer.way != VM_AS_STEP);
	if (offer.count == 0)
		return offer.way == VM_AS_TRANSACTION ? ALL : offer.way == VM_AS_STEP ? ALL_AS_STEPS : ALL_AS_RUNS;
	if (offer.count > 2 || offer.way == VM_AS_TRANSACTION) {
		unsigned number = number_of(&offer);
		return (uint16_t)((LARGE + number / 256) | number % 256 << 8);
	}
	unsigned second = offer.way == VM_AS_SECTIONS ? SECTIONS : offer.count > 1 ? offer.slots[1] : NOBODY;
	assert(offer.slots[0] < LARGE && second != offer.slots[0]);
	return (uint16_t)(offer.slots[0] | second << 8);
}

struct offer vm_offer_of(uint16_t note)
{
	assert(note);
	if (note == ALL || note == ALL_AS_RUNS || note == ALL_AS_STEPS)
		return (struct offer){ .way = note == ALL ? VM_AS_TRANSACTION : note == ALL_AS_STEPS ? VM_AS_STEP : VM_AS_RUN };
	unsigned first = note & 0xff, second = note >> 8;
	if (first >= LARGE)
		return large_offer((first - LARGE) * 256 + second);
	bool two = second < SECTIONS;
	return (struct offer){
		.count = two ? 2 : 1,
		.slots = { first, two ? second : 0 },
		.way = second == SECTIONS ? VM_AS_SECTIONS : VM_AS_RUN,
	};
}
