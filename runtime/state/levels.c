/* SPDX-License-Identifier: MIT
 *
 * See levels.h.
 */
#include "levels.h"

#include <assert.h>

VM_OWN struct vm_levels_accessed vm_levels_accessed;

static void refuse(const char *what)
{
	if (!vm_this.trusting)
		vm_inconclusive(LIMIT_SLICING, "%s", what);
}

/* ---- objects --------------------------------------------------------------------------------------------------------- */

/* Return the flags of objects that `maker` makes; 0: all their bytes have LEVEL_VALUE. */
static uint32_t flags_of(uint32_t maker)
{
	const struct image *image = &vm_this.image;
	uint64_t low = 0, high = image->counts[IMAGE_MAKERS];
	while (low < high) {
		uint64_t middle = (low + high) / 2;
		if (image->makers[middle].maker < maker)
			low = middle + 1;
		else
			high = middle;
	}
	assert(low == 0 || image->makers[low - 1].maker < maker); /* they are sorted */
	bool found = low < image->counts[IMAGE_MAKERS] && image->makers[low].maker == maker;
	return found ? (image->makers[low].levels + 1) << OBJECT_LEVELS : 0;
}

uint32_t vm_levels_of_global(uint32_t global)
{
	return vm_this.image.counts[IMAGE_MAKERS] ? flags_of(global) : 0;
}

/* Return the running thread's instruction; IMAGE_NONE if the thread has not begun. */
static uint32_t instruction(void)
{
	const struct vm_thread *thread = vm_this.current;
	if (thread->header.frames == 0)
		return IMAGE_NONE;
	const struct vm_frame *frame = &thread->frames[thread->header.frames - 1];
	return vm_this.image.functions[frame->function].code + frame->pc;
}

uint32_t vm_levels_of_new(void)
{
	return vm_this.image.counts[IMAGE_MAKERS] ? flags_of(IMAGE_MADE_BY | instruction()) : 0;
}

/* ---- accesses -------------------------------------------------------------------------------------------------------- */

static enum image_level level_at(uint32_t levels, uint64_t offset)
{
	if (levels == 0)
		return LEVEL_VALUE;
	const struct image_levels *row = &vm_this.image.levels[levels - 1];
	assert(levels <= vm_this.image.counts[IMAGE_LEVELS] && row->modulus);
	return (enum image_level)vm_this.image.data[row->data + offset % row->modulus];
}

void vm_levels_refuse_lower(uint64_t size, enum image_level least)
{
	for (uint64_t i = 0; i < size; i++)
		if (level_at(vm_levels_accessed.levels, vm_levels_accessed.offset + i) < least)
			refuse("something is read that was left out");
}

void vm_levels_refuse_higher(uint64_t size, enum image_level most)
{
	for (uint64_t i = 0; i < size; i++)
		if (level_at(vm_levels_accessed.levels, vm_levels_accessed.offset + i) > most)
			refuse("something was left out where it could matter");
}

void vm_levels_refuse_unset(void)
{
	vm_inconclusive(LIMIT_SLICING_UNSET, "something was left out that decides what is set");
}

enum image_level vm_levels_printed(void)
{
	assert(vm_this.current->header.frames > 0);
	const struct image_insn *insn = &vm_this.image.code[instruction()];
	return insn->op == IMAGE_CALL && (insn->aux & IMAGE_UNSEEN) ? LEVEL_SET : LEVEL_VALUE;
}

void vm_levels_copied(uint64_t to, uint64_t from, uint64_t size)
{
	struct vm_place source = vm_place_look(from), target = vm_place_look(to);
	uint32_t levels = source.object ? source.object->header.flags >> OBJECT_LEVELS : 0;
	if (!vm_this.slices || levels == 0 || !target.object)
		return;
	uint32_t become = target.object->header.flags >> OBJECT_LEVELS;
	for (uint64_t i = 0; i < size; i++)
		if (level_at(levels, (uint64_t)source.offset + i) < level_at(become, (uint64_t)target.offset + i))
			refuse("something is copied that was left out");
}

void vm_levels_left_out(uint64_t word)
{
	if (image_names_dynamic(word) && vm_place_look(word).object)
		refuse("an address was left out");
}

/* ---- calls ----------------------------------------------------------------------------------------------------------- */

void vm_levels_called(const struct image_insn *insn, uint32_t function)
{
	if (!vm_this.slices)
		return;
	const uint32_t *callees = image_callees(vm_this.image.pool, insn);
	for (uint32_t i = 0; i < callees[0]; i++)
		if (callees[1 + i] == function)
			return;
	refuse("a function is called by a pointer that was not passed as one");
}

void vm_levels_invoked(uint32_t function)
{
	if (vm_this.slices && !(vm_this.image.functions[function].flags & FUNCTION_INVOKED))
		refuse("a function is called by a pointer that was not passed as one");
}
