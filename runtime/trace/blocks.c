/* SPDX-License-Identifier: MIT
 *
 * What memory from malloc is called; the rule is in history.h.
 */
#include "../state/whole.h"
#include "describe.h"
#include "history.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 40 /* a name of a holder that is longer is cut to its last member */

/* How many blocks each holder has named. */
static VM_OWN struct holder {
	char *name;
	unsigned blocks;
} * holders;
static VM_OWN uint32_t nholders, capacity;

static unsigned next_of(const char *name)
{
	for (uint32_t i = 0; i < nholders; i++)
		if (strcmp(holders[i].name, name) == 0)
			return ++holders[i].blocks;
	holders = vm_grow(holders, &capacity, (uint64_t)nholders + 1, sizeof *holders);
	holders[nholders++] = (struct holder){ strdup(name), 1 };
	return 1;
}

void vm_name_heap(uint64_t address)
{
	static VM_OWN uint32_t *allocated; /* by location */
	struct vm_past *past = vm_past_of((uint32_t)image_number(address));
	if (!past)
		return;
	assert(vm_this.location < vm_this.image.counts[IMAGE_LOCATIONS]);
	if (!allocated)
		allocated = calloc(vm_this.image.counts[IMAGE_LOCATIONS], sizeof *allocated);
	free(past->name);
	free(past->lost);
	free(past->stack);
	*past = (struct vm_past){
		.symbol = IMAGE_NONE,
		.allocated_at = vm_this.location,
		.allocated_by = vm_this.current->slot,
		.nth = allocated ? ++allocated[vm_this.location] : 1,
	};
	struct vm_whole whole = vm_whole_of(address);
	for (uint32_t i = 1; i < whole.parts; i++) {
		struct vm_past *part = vm_past_of(whole.first + i);
		free(part->name);
		*part = (struct vm_past){ .symbol = IMAGE_NONE,
					  .allocated_at = past->allocated_at,
					  .allocated_by = past->allocated_by };
	}
	if (vm_this.image.options->leaks)
		past->stack = vm_stack(vm_this.current, &past->frames);
}

void vm_note_unit(uint64_t address, uint64_t unit)
{
	struct vm_past *past = vm_past_of((uint32_t)image_number(address));
	if (past && unit <= UINT32_MAX)
		past->unit = (uint32_t)unit;
}

/* how well a pointer type says what the block is */
enum strength { NOTHING, WEAK, STRONG };

static enum strength strength_of(uint32_t pointer, const struct vm_place *place)
{
	assert(pointer < vm_this.image.counts[IMAGE_TYPES]);
	const struct image_type *p = &vm_this.image.types[pointer], *target = &vm_this.image.types[p->element];
	if (p->kind != TYPE_POINTER || !place->object || !place->heap || place->offset)
		return NOTHING;
	if (target->size == 0 || target->size > place->object->header.size)
		return p->element ? NOTHING : WEAK; /* void * */
	return target->size == 1 && target->kind != TYPE_ENUM && target->kind != TYPE_STRUCT && target->kind != TYPE_UNION ? WEAK :
															     STRONG;
}

void vm_note_pointer(uint64_t address, uint32_t type, const char *holder)
{
	struct vm_past *past = vm_past_of((uint32_t)image_number(address));
	if (!past || !past->allocated_at || !holder[0] || vm_this.in_library || (past->name && !past->weak) || past->told)
		return;
	struct vm_place place = vm_place_of(address);
	enum strength strength = strength_of(type, &place);
	const struct image_type *target = &vm_this.image.types[vm_this.image.types[type].element];
	if (strength == NOTHING || (strength == WEAK && past->name && (past->type || !target->size)))
		return;
	free(past->name);
	past->name = NULL;
	past->weak = strength == WEAK;
	past->type = target->size ? vm_this.image.types[type].element : 0;
	char name[VM_TEXT];
	snprintf(name, sizeof name, "%.100s", holder);
	if (strength == STRONG) /* others are counted when they are told */
		snprintf(name, sizeof name, "%.100s#%u", holder, next_of(holder));
	past->name = strdup(name);
}

/* Copy the name of a holder without what changes: "grid#1[2].next" is grid[].next. */
static void generalise(char *to, const char *from)
{
	char *begin = to;
	while (*from && *from != ' ') {
		if (*from == '#') {
			from += 1 + strspn(from + 1, "0123456789");
		} else if (*from == '[') {
			*to++ = '[';
			from += strcspn(from, "]");
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
	char *member = strrchr(begin, '.');
	if (to - begin > LONGEST && member)
		memmove(begin, member + 1, strlen(member));
}

/* ---- leaks --------------------------------------------------------------------------------------------------------- */

void vm_note_lost(uint32_t number, const char *place, const char *how)
{
	struct vm_past *past = vm_past_of(number);
	if (!past || !past->allocated_at)
		return;
	free(past->lost);
	past->lost = NULL;
	past->lost_at = vm_this.location;
	past->lost_by = vm_this.current->slot;
	if (asprintf(&past->lost, "%s, %s", place, how) < 0)
		past->lost = NULL;
}

static VM_OWN const struct vm_past *leak;

void vm_note_leak(uint32_t number)
{
	leak = vm_past_of(number);
}

const struct vm_past *vm_noted_leak(void)
{
	return leak && leak->allocated_at ? leak : NULL;
}

/* ---- what is stored ------------------------------------------------------------------------------------------------ */

void vm_note_stored(uint64_t where, uint64_t address)
{
	struct vm_past *past = vm_past_of((uint32_t)image_number(address));
	if (past)
		past->lost_at = 0;
	if (!past || !past->allocated_at || (past->name && !past->weak) || past->told)
		return;
	char *text = vm_text(), holder[VM_TEXT];
	const struct vm_target target = { .bytes = 8, .number = NUMBER_INTEGER };
	struct vm_way way = vm_describe_target(text, where, &target);
	if (way.end != WAY_SCALAR)
		return;
	generalise(holder, text);
	vm_note_pointer(address, way.type, holder);
}

const char *vm_name_of_block(uint32_t number)
{
	struct vm_past *past = vm_past_of(number);
	char *text = vm_text();
	assert(past && past->allocated_at);
	if (past->name && past->weak && !past->told) {
		char name[VM_TEXT];
		snprintf(name, sizeof name, "%.100s#%u", past->name, next_of(past->name));
		free(past->name);
		past->name = strdup(name);
	}
	past->told = true;
	if (past->name)
		vm_add(text, "%s", past->name);
	else if (past->nth == 1)
		vm_add(text, "the block allocated at %s", vm_place_name(past->allocated_at));
	else
		vm_add(text, "block %u allocated at %s", past->nth, vm_place_name(past->allocated_at));
	return text;
}
