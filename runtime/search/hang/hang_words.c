/* SPDX-License-Identifier: MIT
 *
 * See hangs.h: what threads wait for that go round for ever, in words.
 *
 * The steps of the last loop of each thread are taken once more, and what they read is named when they read it.  A replay does
 * that in the program's own state, where registers may count for ever that slicing has left out: then some hundred states must do.
 */
#include "../../calls/builtin.h"
#include "../../memory/footprint.h"
#include "../../symbolic/symbolic.h"
#include "../../sync/sync.h"
#include "../../trace/describe.h"
#include "../../trace/trace.h"
#include "hangs.h"
#include "../step/single.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
	MOST_STATES = 300, /* that are looked at */
	MOST_NAMES = 3,    /* of what one thread waits for */
};

static VM_OWN char texts[VM_MAX_SLOTS][400]; /* "": none */
static VM_OWN unsigned first;                /* slot of the first thread that waits in a loop */

/* the loop that is looked at */
static VM_OWN struct {
	char *text; /* NULL: only the place is wanted */
	unsigned slot, names;
	uint32_t location; /* the first place that reads; 0: none does */
	uint32_t passed;   /* a place in the loop */
} loop;

bool vm_hang_is_memory(const struct vm_range *range)
{
	return range->object < IMAGE_END_DYNAMIC;
}

/* ---- what is read -------------------------------------------------------------------------------------------------------- */

static const struct image_global *global_of(const struct vm_range *range)
{
	bool global = range->object > 0 && range->object <= vm_this.image.counts[IMAGE_GLOBALS];
	return global ? &vm_this.image.globals[range->object - 1] : NULL;
}

/* Is it a deadline, or the time that a thread sleeps, or read for that? */
static bool is_time(const struct vm_range *range)
{
	enum { SIZE = sizeof(struct timespec) };
	const struct vm_thread *thread = vm_this.current;
	assert(thread->header.frames);
	const struct vm_frame *frame = &thread->frames[thread->header.frames - 1];
	const struct image_insn *insn = vm_insn_at(frame);
	const struct builtin *builtin = vm_resting_call(thread);
	unsigned argument = builtin ? builtin_deadline(builtin->flags) : 0;
	uint64_t at = image_address(range->object, range->low), deadline = argument ? vm_resting_argument(thread, argument) : 0;
	return (insn->op == IMAGE_LOAD && (insn->aux & (IMAGE_ATOMIC | IMAGE_IDLE)) == IMAGE_IDLE) ||
		(builtin && builtin->flags & BUILTIN_SLEEPS) || (argument && at - deadline < SIZE);
}

/* Can a thread wait for `range`: is it memory that others may write, or the end of another thread? */
static bool is_awaited(const struct vm_range *range)
{
	const struct image_global *global = global_of(range);
	if (vm_footprint_is_blocking(range) || (global && global->flags & GLOBAL_CONSTANT))
		return false;
	if (vm_hang_is_memory(range) && vm_this.current->header.frames && is_time(range))
		return false;
	bool thread = range->object >= FOOTPRINT_THREAD && range->object < FOOTPRINT_THREAD + VM_MAX_SLOTS;
	return thread ? range->object != FOOTPRINT_THREAD + loop.slot : vm_hang_is_memory(range);
}

/* Return the function that the program has called, and that reads `range`, which is no variable of the program's.  Return NULL if
 * the program itself reads it. */
static const char *reader(const struct vm_range *range)
{
	const struct image_global *global = global_of(range);
	const struct image *image = &vm_this.image;
	const struct vm_thread *thread = vm_this.current;
	bool own = !global || !(global->flags & (GLOBAL_INTERNAL | GLOBAL_BUDGETS | GLOBAL_PROVIDED) || global->location == 0);
	if (own || thread->header.frames == 0)
		return NULL;
	const struct vm_frame *frame = &thread->frames[thread->header.frames - 1];
	while (frame > thread->frames && (image->functions[frame->function].flags & FUNCTION_LIBRARY))
		frame--;
	uint32_t called = vm_called_by(thread, frame);
	return called == IMAGE_NONE ? NULL : image_string(image, image->functions[called].name);
}

/* Put words for what a thread waits for into `name`, as "x to change" for the variable x in `range`.  Put words as " reads 0"
 * into `value` if the value is known, else "". */
static void name_range(char *name, size_t size, const struct vm_range *range, char *value, size_t room)
{
	uint64_t address = image_address(range->object, range->low), word = 0;
	uint32_t bytes = range->high - range->low;
	assert(vm_hang_is_memory(range) ||
	       (range->object >= FOOTPRINT_THREAD && range->object < FOOTPRINT_SLOTS)); /* it is awaited */
	const char *by = vm_hang_is_memory(range) ? reader(range) : NULL;
	bool known = vm_hang_is_memory(range) && bytes <= sizeof word && !by && (!vm_symbolic_on() || vm_is_set(address, bytes));
	const uint8_t *memory = known ? vm_peek(address, bytes) : NULL;
	value[0] = '\0';
	if (memory) {
		memcpy(&word, memory, bytes);
		snprintf(value, room, " reads %s", vm_describe_value(address, bytes, word));
	}
	if (!vm_hang_is_memory(range))
		snprintf(name, size, "thread %u to end", (unsigned)(range->object - FOOTPRINT_THREAD));
	else if (by)
		snprintf(name, size, "%s to return something else", by);
	else
		snprintf(name, size, "%s to change", vm_describe(address));
}

static void add_to_text(const char *name, const char *value, uint32_t location)
{
	const char *file = image_file(&vm_this.image, location), *slash = strrchr(file, '/');
	size_t used = strlen(loop.text), size = sizeof texts[0];
	if (loop.names > MOST_NAMES || strstr(loop.text, name))
		return;
	snprintf(loop.text + used, size - used, "%s%s (%s:%u%s)", used ? " or for " : "waits in a loop for ", name,
		 slash ? slash + 1 : file, (unsigned)image_line(&vm_this.image, location), value);
	loop.names++;
}

static void tell_range(const struct vm_range *range)
{
	char name[160], value[80];
	if (!is_awaited(range))
		return;
	uint32_t location = vm_thread_location(vm_this.current);
	if (!loop.location || location < loop.location)
		loop.location = location;
	if (!loop.text)
		return;
	name_range(name, sizeof name, range, value, sizeof value);
	add_to_text(name, value, location);
}

/* ---- loops --------------------------------------------------------------------------------------------------------------- */

static void take_steps(const struct vm_alone *alone, vm_ref state)
{
	static VM_OWN struct footprint unused;
	uint32_t offered = vm_offered(vm_state_outcomes(vm_state_words(state))[alone->slot]);
	vm_state_load(state);
	loop.passed = vm_thread_location(vm_thread_load(alone->slot));
	for (uint32_t choice = 0; choice < offered; choice++) {
		bool told;
		vm_footprint_tell(tell_range);
		vm_alone_step(state, alone->slot, choice, &unused, &told);
		vm_footprint_tell(NULL);
	}
}

static void look_at(const struct vm_alone *alone, char *text)
{
	const bool *last = vm_alone_last_loop(alone);
	loop.text = text;
	loop.slot = alone->slot;
	loop.names = 0;
	loop.location = 0;
	for (uint32_t i = 0; i < alone->count; i++)
		if (last[i])
			take_steps(alone, alone->states[i]);
}

bool vm_hang_awaits(const struct vm_alone *alone, uint32_t *location)
{
	look_at(alone, NULL);
	*location = loop.location ? loop.location : loop.passed;
	return loop.location != 0;
}

/* Write to `text` what the thread waits for that comes to be blocked: it does nothing else, so it waits like one that is blocked
 * now. */
static void tell_blocked(const struct vm_alone *alone, char *text)
{
	for (uint32_t i = 0; i < alone->count; i++) {
		if (vm_state_outcomes(vm_state_words(alone->states[i]))[alone->slot])
			continue;
		vm_state_load(alone->states[i]);
		snprintf(text, sizeof texts[0], "%s", vm_thread_waits_for(vm_thread_load(alone->slot)));
	}
}

static VM_OWN struct vm_alone alone;

static unsigned enabled(vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	unsigned count = 0;
	for (unsigned i = 0; i < words[1]; i++)
		count += vm_state_outcomes(words)[i] != 0;
	return count;
}

/* Return a state in which a thread has given back a mutex, so that others can go on that go round, too; 0 if nobody has a mutex. */
static vm_ref given_back(vm_ref state)
{
	for (unsigned slot = 0; slot < vm_state_words(state)[1]; slot++) {
		if (vm_state_outcomes(vm_state_words(state))[slot] == 0)
			continue;
		vm_alone_explore(&alone, state, slot, MOST_STATES, NULL);
		for (uint32_t i = 0; i < alone.count; i++)
			if (enabled(alone.states[i]) > enabled(state))
				return alone.states[i];
	}
	return 0;
}

static void tell_thread(vm_ref state, unsigned slot)
{
	assert(slot < VM_MAX_SLOTS);
	char *text = texts[slot];
	text[0] = '\0';
	if (vm_state_outcomes(vm_state_words(state))[slot] == 0)
		return;
	vm_alone_explore(&alone, state, slot, MOST_STATES, NULL);
	tell_blocked(&alone, text);
	if (text[0])
		return;
	look_at(&alone, text);
	if (text[0] && first == vm_this.max_threads)
		first = slot;
}

void vm_hang_tell(vm_ref state)
{
	struct vm_trial trial = vm_alone_begin(state);
	first = vm_this.max_threads;
	for (vm_ref next = state; next; next = given_back(state))
		state = next;
	for (unsigned i = 0; i < vm_state_words(state)[1]; i++)
		tell_thread(state, i);
	vm_alone_end(&trial);
}

const char *vm_hang_waits(unsigned slot)
{
	assert(slot < VM_MAX_SLOTS);
	return texts[slot][0] ? texts[slot] : NULL;
}

unsigned vm_hang_thread(void)
{
	return first;
}
