/* SPDX-License-Identifier: MIT
 *
 * See history.h.
 */
#include "history.h"
#include "story.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFERS 64

char *vm_text(void)
{
	static VM_OWN char buffers[BUFFERS][VM_TEXT];
	static VM_OWN unsigned next;
	char *text = buffers[next++ % BUFFERS];
	text[0] = '\0';
	return text;
}

const char *vm_place_name(uint32_t location)
{
	char *text = vm_text();
	const char *file = image_file(&vm_this.image, location), *slash = strrchr(file, '/');
	snprintf(text, VM_TEXT, "%.180s:%u", slash ? slash + 1 : file, (unsigned)image_line(&vm_this.image, location));
	return text;
}

const char *vm_byte_count(uint64_t size)
{
	char *text = vm_text();
	if (size <= INT64_MAX)
		snprintf(text, VM_TEXT, "%llu byte%s", (unsigned long long)size, size == 1 ? "" : "s");
	else
		snprintf(text, VM_TEXT, "%lld bytes (%llu unsigned)", (long long)size, (unsigned long long)size);
	return text;
}

/* ---- objects ------------------------------------------------------------------------------------------------------- */

static VM_OWN struct vm_past *origins; /* by object number, from IMAGE_FIRST_DYNAMIC on */

struct vm_past *vm_past_of(uint32_t number)
{
	if (!vm_tracing || number < IMAGE_FIRST_DYNAMIC || number >= IMAGE_END_DYNAMIC)
		return NULL;
	if (!origins)
		origins = calloc(IMAGE_END_DYNAMIC - IMAGE_FIRST_DYNAMIC, sizeof *origins);
	return origins ? &origins[number - IMAGE_FIRST_DYNAMIC] : NULL;
}

void vm_name_stack(uint64_t address, uint32_t symbol)
{
	struct vm_past *origin = vm_past_of((uint32_t)(address >> IMAGE_OFFSET_BITS));
	if (origin)
		*origin = (struct vm_past){ .symbol = symbol };
}

void vm_note_free(uint32_t number)
{
	struct vm_past *origin = vm_past_of(number);
	if (!origin)
		return;
	origin->freed_at = vm_this.location;
	origin->freed_by = vm_this.current->slot;
}

void vm_note_left(uint32_t number)
{
	const struct vm_thread *thread = vm_this.current;
	struct vm_past *origin = vm_past_of(number);
	if (!origin || !thread)
		return;
	bool inside = thread->loaded && thread->header.frames; /* else the thread ends */
	uint32_t function = inside ? thread->frames[thread->header.frames - 1].function : IMAGE_NONE;
	origin->left = (struct vm_left){ true, function, vm_this.location, thread->slot, vm_this.step, vm_events_taken() };
}

static VM_OWN const struct vm_past *dead;

void vm_note_dead(uint32_t number)
{
	const struct vm_past *origin = vm_past_of(number);
	dead = origin && origin->left.known ? origin : NULL;
}

const struct vm_past *vm_noted_dead(void)
{
	return dead;
}

const char *vm_fate(uint32_t number)
{
	const struct vm_past *origin = vm_past_of(number);
	char *text = vm_text();
	if (origin && origin->freed_at && origin->allocated_at)
		snprintf(text, VM_TEXT, " (%.60s%sallocated at %.40s by thread %u, freed at %.40s by thread %u)",
			 origin->name ? vm_name_of_block(number) : "", origin->name ? ", " : "",
			 vm_place_name(origin->allocated_at), origin->allocated_by, vm_place_name(origin->freed_at),
			 origin->freed_by);
	else if (origin && !origin->allocated_at && (origin->symbol || origin->left.location) && origin->symbol != IMAGE_NONE)
		snprintf(text, VM_TEXT, " (its variable %.100s%s%.40s)",
			 image_string(&vm_this.image, vm_this.image.symbols[origin->symbol].name),
			 origin->left.location ? ", gone since it returned at " : "",
			 origin->left.location ? vm_place_name(origin->left.location) : "");
	return text;
}

/* ---- locks --------------------------------------------------------------------------------------------------------- */

/* Where locks were locked last. */
static VM_OWN struct {
	uint64_t address;
	uint32_t location;
	vm_held_by *holds;
} locks[256];
static VM_OWN unsigned nlocks;

void vm_note_lock(uint64_t address, vm_held_by *holds)
{
	unsigned i = 0;
	while (i < nlocks && locks[i].address != address)
		i++;
	if (!vm_tracing || i == sizeof locks / sizeof *locks)
		return;
	locks[i].address = address;
	locks[i].location = vm_this.location;
	locks[i].holds = holds;
	if (i == nlocks)
		nlocks++;
}

uint32_t vm_locked_at(uint64_t address)
{
	for (unsigned i = 0; vm_tracing && i < nlocks; i++)
		if (locks[i].address == address)
			return locks[i].location;
	return 0;
}

bool vm_next_lock_of(unsigned slot, unsigned *next, uint64_t *address)
{
	assert(*next <= nlocks);
	while (*next < nlocks) {
		*address = locks[(*next)++].address;
		if (locks[*next - 1].holds(*address, slot))
			return true;
	}
	return false;
}

/* ---- accesses ------------------------------------------------------------------------------------------------------ */

static VM_OWN struct access {
	struct vm_range range;
	struct vm_noted noted;
} * accesses; /* the latest come last */
static VM_OWN uint32_t naccesses, capacity;

#define WINDOW 64 /* of the latest accesses in which none is remembered twice */

struct vm_stack_frame *vm_stack(const struct vm_thread *thread, uint32_t *frames)
{
	struct vm_stack_frame *stack = thread->header.frames ? malloc(thread->header.frames * sizeof *stack) : NULL;
	*frames = 0;
	for (uint32_t i = thread->header.frames; stack && i-- > 0;) {
		const struct vm_frame *frame = &thread->frames[i];
		uint32_t code = vm_this.image.functions[frame->function].code + frame->pc;
		stack[(*frames)++] = (struct vm_stack_frame){ frame->function, vm_this.image.code[code].location };
	}
	return stack;
}

static VM_OWN struct vm_noted raced;
static VM_OWN bool has_raced;

void vm_note_race(const struct vm_noted *other)
{
	raced = *other;
	has_raced = true;
}

const struct vm_noted *vm_noted_race(void)
{
	return has_raced ? &raced : NULL;
}

const struct image_insn *vm_instruction(void)
{
	const struct vm_thread *thread = vm_this.current;
	if (!thread || !thread->loaded || thread->header.frames == 0)
		return NULL;
	const struct vm_frame *top = &thread->frames[thread->header.frames - 1];
	assert(top->pc < vm_this.image.functions[top->function].ncode);
	return vm_insn_at(top);
}

bool vm_is_volatile(void)
{
	const struct image_insn *insn = vm_instruction();
	return insn && (insn->op == IMAGE_LOAD || insn->op == IMAGE_STORE) && (insn->aux & IMAGE_VOLATILE) &&
		!(insn->aux & IMAGE_ATOMIC);
}

/* Forget an access that is about to be repeated, if it was among the latest: paths are long, and their loops are short. */
static void forget_same(const struct vm_range *range)
{
	for (uint32_t i = naccesses; i-- > 0 && naccesses - i <= WINDOW;) {
		struct access *a = &accesses[i];
		if (a->noted.slot != vm_this.current->slot || a->noted.location != vm_this.location ||
		    memcmp(&a->range, range, sizeof *range) != 0)
			continue;
		free((void *)a->noted.stack);
		memmove(a, a + 1, (naccesses - i - 1) * sizeof *a);
		naccesses--;
		return;
	}
}

void vm_note_access(const struct vm_range *range)
{
	if (!vm_tracing)
		return;
	assert(range->low < range->high);
	forget_same(range);
	accesses = vm_grow(accesses, &capacity, (uint64_t)naccesses + 1, sizeof *accesses);
	struct vm_noted noted = { .location = vm_this.location,
				  .slot = vm_this.current->slot,
				  .step = vm_this.step,
				  .event = vm_events_taken(),
				  .is_volatile = vm_is_volatile() };
	noted.stack = vm_stack(vm_this.current, &noted.frames);
	accesses[naccesses++] = (struct access){ *range, noted };
}

/* Return the latest access of the thread that meets the range.  One that lies in the open segment is later than any that does
 * not. */
struct vm_noted vm_noted_access(unsigned slot, const struct vm_range *range, uint32_t location)
{
	assert(range->low < range->high);
	for (uint32_t i = naccesses; vm_tracing && i-- > 0;) {
		const struct access *a = &accesses[i];
		if (a->noted.slot == slot && a->range.object == range->object && a->range.write == range->write &&
		    a->range.high > range->low && range->high > a->range.low &&
		    (!location || image_same_line(&vm_this.image, a->noted.location, location)))
			return a->noted;
	}
	return (struct vm_noted){ .location = location, .slot = slot };
}
