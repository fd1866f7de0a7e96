/* SPDX-License-Identifier: MIT
 *
 * See found_paths.h.
 */
#include "found_paths.h"

#include <assert.h>

static VM_OWN struct place {
	uint32_t child, sibling; /* 0: none */
	unsigned char thread, choice;
	unsigned preemptions;
} * places;
static VM_OWN uint32_t place_count, place_capacity;

uint32_t vm_walk_after(uint32_t place, int thread, int choice)
{
	uint32_t next = place < place_count ? places[place].child : 0;
	while (next && (places[next].thread != thread || places[next].choice != choice))
		next = places[next].sibling;
	return next;
}

uint32_t vm_walk_add(uint32_t before, unsigned thread, unsigned choice, unsigned preemptions)
{
	uint32_t next = vm_walk_after(before, (int)thread, (int)choice);
	if (next)
		return next;
	places = vm_grow(places, &place_capacity, (uint64_t)place_count + 2, sizeof *places);
	if (place_count == 0)
		places[place_count++] = (struct place){ 0 };
	next = place_count++;
	places[next] = (struct place){
		.sibling = places[before].child,
		.thread = (unsigned char)thread,
		.choice = (unsigned char)choice,
		.preemptions = preemptions,
	};
	assert(before < next); /* so the places are a tree */
	places[before].child = next;
	return next;
}

unsigned vm_walk_preemptions(uint32_t place)
{
	return place < place_count ? places[place].preemptions : 0;
}

bool vm_walk_is_news(uint32_t kind, uint32_t location)
{
	static VM_OWN struct {
		uint32_t kind, location;
	} * told;
	static VM_OWN uint32_t count, capacity;
	for (uint32_t i = 0; i < count; i++)
		if (told[i].kind == kind && image_same_line(&vm_this.image, told[i].location, location))
			return false;
	told = vm_grow(told, &capacity, (uint64_t)count + 1, sizeof *told);
	told[count].kind = kind;
	told[count++].location = location;
	return true;
}
