/* SPDX-License-Identifier: MIT
 *
 * See found_paths.h.
 */
#include "found_paths.h"

#include <assert.h>

struct place {
	uint32_t child, sibling; /* 0: none */
	unsigned char thread, choice;
	unsigned preemptions;
};

static VM_OWN struct {
	struct place *places; /* number 0 is the beginning of all paths */
	uint32_t count, capacity;
} tree;

static VM_OWN struct {
	struct violation {
		uint32_t kind, location;
	} * items;
	uint32_t count, capacity;
} told;

uint32_t vm_walk_after(uint32_t place, int thread, int choice)
{
	uint32_t next = place < tree.count ? tree.places[place].child : 0;
	while (next && (tree.places[next].thread != thread || tree.places[next].choice != choice))
		next = tree.places[next].sibling;
	return next;
}

uint32_t vm_walk_add(uint32_t before, unsigned thread, unsigned choice, unsigned preemptions)
{
	uint32_t next = vm_walk_after(before, (int)thread, (int)choice);
	if (next)
		return next;
	tree.places = vm_grow(tree.places, &tree.capacity, (uint64_t)tree.count + 2, sizeof *tree.places);
	if (tree.count == 0)
		tree.places[tree.count++] = (struct place){ 0 };
	next = tree.count++;
	tree.places[next] = (struct place){
		.sibling = tree.places[before].child,
		.thread = (unsigned char)thread,
		.choice = (unsigned char)choice,
		.preemptions = preemptions,
	};
	assert(before < next); /* so the places are a tree */
	tree.places[before].child = next;
	return next;
}

unsigned vm_walk_preemptions(uint32_t place)
{
	return place < tree.count ? tree.places[place].preemptions : 0;
}

bool vm_walk_is_news(uint32_t kind, uint32_t location)
{
	for (uint32_t i = 0; i < told.count; i++)
		if (told.items[i].kind == kind && image_same_line(&vm_this.image, told.items[i].location, location))
			return false;
	told.items = vm_grow(told.items, &told.capacity, (uint64_t)told.count + 1, sizeof *told.items);
	told.items[told.count++] = (struct violation){ kind, location };
	return true;
}
