/* SPDX-License-Identifier: MIT
 *
 * See offer.h.  A note has two bytes: the slots of two threads; or one slot, and in the place of the other NOBODY, or SECTIONS if
 * the runs of the thread go on to the end of their sections; or twice the same number, by how they are made, where all threads are
 * offered.  The command makes models with at most 248 slots, so no slot is one of these numbers.
 */
#include "offer.h"

#include <assert.h>

enum { NOBODY = 0xff, SECTIONS = 0xfe, ALL = 0xffff, ALL_AS_RUNS = 0xfefe, ALL_AS_STEPS = 0xfdfd };

struct offer vm_offer_set(const struct persistent_set *set)
{
	assert(set->count > 0 && set->count <= PERSISTENT_THREADS);
	assert(set->count == 1 || set->slots[0] != set->slots[1]);
	assert(set->count == 1 || !set->whole);
	return (struct offer){
		.count = set->count,
		.slots = { set->slots[0], set->slots[1] },
		.way = set->whole ? VM_AS_SECTIONS : VM_AS_RUN,
	};
}

bool vm_offers(struct offer offer, unsigned slot)
{
	assert(offer.count <= PERSISTENT_THREADS);
	return offer.count == 0 || slot == offer.slots[0] || (offer.count > 1 && slot == offer.slots[1]);
}

uint16_t vm_offer_note(struct offer offer)
{
	assert(offer.count == 0 || offer.way == VM_AS_RUN || offer.way == VM_AS_SECTIONS);
	if (offer.count == 0)
		return offer.way == VM_AS_TRANSACTION ? ALL : offer.way == VM_AS_STEP ? ALL_AS_STEPS : ALL_AS_RUNS;
	unsigned second = offer.way == VM_AS_SECTIONS ? SECTIONS : offer.count > 1 ? offer.slots[1] : NOBODY;
	assert(offer.slots[0] < (ALL_AS_STEPS & 0xff) && second != offer.slots[0]);
	return (uint16_t)(offer.slots[0] | second << 8);
}

struct offer vm_offer_of(uint16_t note)
{
	assert(note);
	if (note == ALL || note == ALL_AS_RUNS || note == ALL_AS_STEPS)
		return (struct offer){ .way = note == ALL ? VM_AS_TRANSACTION : note == ALL_AS_STEPS ? VM_AS_STEP : VM_AS_RUN };
	unsigned first = note & 0xff, second = note >> 8;
	bool two = second < SECTIONS;
	return (struct offer){
		.count = two ? 2 : 1,
		.slots = { first, two ? second : 0 },
		.way = second == SECTIONS ? VM_AS_SECTIONS : VM_AS_RUN,
	};
}
