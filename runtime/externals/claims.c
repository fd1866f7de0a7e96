/* SPDX-License-Identifier: MIT
 *
 * The end of the program, claims about it, and choices.
 */
#include "../memory/buffers.h"
#include "../memory/interrupts.h"
#include "../memory/messages.h"
#include "../memory/records.h"
#include "../symbolic/symbolic.h"
#include "externals.h"
#include "../trace/turns.h"

#include <assert.h>
#include <string.h>

/* ---- the end of the program, and claims about it ------------------------------------------------------------------- */

/* Note the status here, too: where other threads go on for ever, the step is put off for ever (search/reduce/exits.c). */
void prepare_exit(struct vm_call *call)
{
	assert(call->thread->header.wait == WAIT_NONE);
	uint32_t location = vm_this.location;
	call->thread->header.wait = WAIT_END;
	vm_this.location = vm_thread_location(call->thread);
	vm_met_end((int)call->arguments[0]);
	vm_this.location = location;
}

void prepare_cut(struct vm_call *call)
{
	assert(call->thread->header.wait == WAIT_NONE);
	call->thread->header.wait = WAIT_END;
}

enum vm_outcome run_exit(struct vm_call *call)
{
	vm_event(ACTION_EXIT, "the program ends with status %d", (int)call->arguments[0]);
	vm_exit((int)call->arguments[0]);
}

enum vm_outcome run_abort(struct vm_call *call)
{
	(void)call;
	if (vm_this.image.options->svcomp)
		vm_prune();
	vm_violation(VIOLATION_ABORT, "abort is called");
}

enum vm_outcome run_assert_fail(struct vm_call *call)
{
	vm_violation(VIOLATION_ASSERTION, "assertion `%s' failed", vm_string(call->arguments[0], UINT64_MAX, NULL));
}

enum vm_outcome run_error(struct vm_call *call)
{
	bool own = strcmp(call->builtin->data, "text") == 0;
	vm_violation(VIOLATION_ASSERTION, "%s", own ? vm_string(call->arguments[0], UINT64_MAX, NULL) : call->builtin->data);
}

enum vm_outcome run_assert(struct vm_call *call)
{
	if ((uint32_t)call->arguments[0] == 0)
		vm_violation(VIOLATION_ASSERTION, "assertion failed");
	return CALL_DONE;
}

enum vm_outcome run_assume(struct vm_call *call)
{
	if ((uint32_t)call->arguments[0] == 0)
		vm_prune();
	return CALL_DONE;
}

/* ---- promises to the compiler: translator/lower/promises.c calls these ------------------------------------------------------- */

enum vm_outcome run_promise(struct vm_call *call)
{
	if (!(call->arguments[0] & 1))
		vm_violation(VIOLATION_UNREACHABLE, "what the program lets the compiler assume here is false");
	return CALL_DONE;
}

/* Check the promise that the pointer, less the offset, is a multiple of the alignment. */
enum vm_outcome run_promise_aligned(struct vm_call *call)
{
	uint64_t align = call->arguments[1];
	if (align && (call->arguments[0] - call->arguments[2]) % align)
		vm_violation(VIOLATION_MISALIGNED_ACCESS,
			     "the program lets the compiler assume that %s is aligned to %llu bytes, and it is not",
			     vm_describe(call->arguments[0]), (unsigned long long)align);
	return CALL_DONE;
}

enum vm_outcome run_promise_pointer(struct vm_call *call)
{
	if (call->arguments[0] == 0)
		vm_violation(VIOLATION_NULL_DEREFERENCE, "%s", call->builtin->data);
	return CALL_DONE;
}

enum vm_outcome run_atomic_begin(struct vm_call *call)
{
	vm_order_section(true);
	call->thread->header.atomic++;
	return CALL_DONE;
}

enum vm_outcome run_section_begin(struct vm_call *call)
{
	call->thread->header.atomic += LIBRARY_SECTION;
	return CALL_DONE;
}

enum vm_outcome run_section_end(struct vm_call *call)
{
	assert(call->thread->header.atomic >= LIBRARY_SECTION);
	call->thread->header.atomic -= LIBRARY_SECTION;
	return CALL_DONE;
}

/* Note that the step orders others, if `write`, or is ordered: the two depend on one another, even if nothing else that they
 * touch shows it. */
static void touch(uint64_t address, bool write)
{
	struct vm_place place = vm_place_of(address);
	if (vm_has_records() && place.object && place.offset >= 0)
		vm_footprint_add(place.number, (uint32_t)place.offset, (uint32_t)place.offset + 1, write);
}

enum vm_outcome run_order_before(struct vm_call *call)
{
	touch(call->arguments[0], true);
	vm_order_write(call->arguments[0], true, true, call->builtin->data);
	return CALL_DONE;
}

enum vm_outcome run_order_after(struct vm_call *call)
{
	touch(call->arguments[0], false);
	vm_order_read(call->arguments[0], true, call->builtin->data);
	return CALL_DONE;
}

enum vm_outcome run_atomic_end(struct vm_call *call)
{
	if (call->thread->header.atomic == 0)
		return CALL_DONE;
	vm_order_section(false);
	vm_section_leave(&call->thread->header);
	return CALL_DONE;
}

/* ---- choice -------------------------------------------------------------------------------------------------------- */

void vm_offer(struct vm_call *call, uint64_t count)
{
	if (count > UINT32_MAX)
		vm_inconclusive(LIMIT_CHOICE, "a choice among %llu values is too wide to explore", (unsigned long long)count);
	assert(count > 0 && call->thread->header.wait == WAIT_NONE);
	call->thread->header.wait = WAIT_CHOICE;
	call->thread->header.low = 0;
	call->thread->header.count = (uint32_t)count;
}

void vm_await_input(struct vm_call *call, unsigned bits, uint64_t low, uint64_t most)
{
	if (vm_has_interrupts() || vm_has_timers() || vm_this.keeps_unset)
		vm_inconclusive(LIMIT_VALUES, "--inputs %s does not go with signals, timers or suppressed uninitialized values",
				vm_symbolic_name());
	vm_symbolic_await(&call->thread->header, bits, low & vm_mask(bits), most);
}

void prepare_choose(struct vm_call *call)
{
	int32_t low = (int32_t)call->arguments[0], high = (int32_t)call->arguments[1];
	if (high < low)
		vm_violation(VIOLATION_ASSERTION, "bitspin_choose from %d to %d has no value to choose", low, high);
	if (image_inputs_are_whole(vm_this.image.options->inputs) && high > low)
		vm_await_input(call, 32, (uint64_t)(int64_t)low, (uint64_t)((int64_t)high - low));
	else
		vm_offer(call, (uint64_t)((int64_t)high - low + 1));
}

/* Return `value`, an unsigned number or not, from the call, and tell of it. */
static enum vm_outcome chosen(struct vm_call *call, int64_t value, bool is_unsigned, bool is_input)
{
	call->results[0] = (uint64_t)value;
	if (is_unsigned)
		vm_event_about(ACTION_CHOOSE, VM_ABOUT(.input = is_input), "%llu", (unsigned long long)value);
	else
		vm_event_about(ACTION_CHOOSE, VM_ABOUT(.input = is_input), "%lld", (long long)value);
	vm_turn_value(value);
	return CALL_DONE;
}

enum vm_outcome vm_input_given(struct vm_call *call, bool is_unsigned)
{
	unsigned given = vm_this.image.functions[call->function].result_bits, bits = given == 0 || given > 64 ? 64 : given;
	if (call->shadow)
		return CALL_DONE;
	uint64_t value = call->results[0];
	return chosen(call, is_unsigned ? (int64_t)(value & vm_mask(bits)) : vm_signed(value, bits), is_unsigned, true);
}

/* Return the values that the translator has chosen for the input at this call; NULL if it has not. */
static const uint32_t *input_values(const struct vm_call *call)
{
	if (vm_this.image.options->inputs != INPUTS_FEW)
		return NULL;
	bool any = call->insn->op == IMAGE_CALL && (call->insn->aux & IMAGE_REGIONS);
	return any ? image_input_values(vm_this.image.pool, call->insn) : NULL;
}

/* Return the width of an input that is a floating-point number, else 0. */
static unsigned width_of_real(const struct vm_call *call)
{
	return call->builtin->run == run_choose_float ? 32 : call->builtin->run == run_choose_double ? 64 : 0;
}

/* Return the width of an input that is an integer, else 0.  What _start calls for undefined variables has no type.  A pointer may
 * be compared as an integer may.  Where it leads, it is asked for its value, which is refused unless few are left. */
static unsigned width_of(const struct vm_call *call)
{
	const struct image_function *function = &vm_this.image.functions[call->function];
	bool any = strcmp(call->builtin->name, "bitspin_nondet_long") == 0 ||
		strcmp(image_string(&vm_this.image, function->name), "__VERIFIER_nondet_pointer") == 0;
	return function->result_bits == 0 && any ? 64 : function->result_bits;
}

/* Do so with all values of the type of the input.  Return false if inputs are no sets. */
static bool await_any(struct vm_call *call, uint64_t count)
{
	const struct image_function *function = &vm_this.image.functions[call->function];
	unsigned bits = width_of(call);
	if (!image_inputs_are_whole(vm_this.image.options->inputs) || function->results == 0)
		return false;
	if (width_of_real(call) && !vm_symbolic_relates())
		bits = width_of_real(call);
	if (bits == 0 || bits > 64)
		vm_inconclusive(LIMIT_INPUT_TYPE, "%s returns an input that is no integer of at most 64 bits (--inputs %s)",
				image_string(&vm_this.image, function->name), vm_symbolic_name());
	vm_await_input(call, bits, 0, count == 2 ? 1 : vm_mask(bits));
	return true;
}

/* Return how many values the input has, each of which is tried, or `few`. */
static uint64_t tried(const struct vm_call *call, uint64_t few)
{
	unsigned bits = vm_this.image.functions[call->function].result_bits;
	bool all = vm_this.image.options->inputs == INPUTS_ENUMERATED && few != 2;
	if (all && (bits == 0 || bits > 16))
		vm_inconclusive(LIMIT_VALUES, "%s returns one of more values than --inputs enumerate tries, 65536",
				call->builtin->name);
	return all ? UINT64_C(1) << bits : few;
}

/* Return the number that has been chosen: one from `lowest` on, unless the translator has chosen others. */
static int64_t choice_from(const struct vm_call *call, int64_t lowest)
{
	const uint32_t *values = input_values(call);
	assert(!values || vm_this.choice < values[0]);
	return values ? (int64_t)image_halves(values + 1 + 2 * vm_this.choice) : lowest + (int64_t)vm_this.choice;
}

/* Return the chosen value of an input. */
static enum vm_outcome input_chosen(struct vm_call *call, int64_t lowest)
{
	if (!call->awaited)
		call->results[0] = (uint64_t)choice_from(call, lowest);
	return vm_input_given(call, lowest >= 0);
}

enum vm_outcome run_choose(struct vm_call *call)
{
	if (call->awaited)
		return vm_input_given(call, false);
	assert((int32_t)call->arguments[0] + (int64_t)vm_this.choice <= (int32_t)call->arguments[1]);
	return chosen(call, (int32_t)call->arguments[0] + (int64_t)vm_this.choice, false, false);
}

/* The values of functions that return any value of their type: `count` of them from `lowest` on, or what the translator chose. */
#define VALUES(type, lowest, count) \
	enum vm_outcome run_choose_##type(struct vm_call *call) \
	{ \
		return input_chosen(call, lowest); \
	} \
	void prepare_choose_##type(struct vm_call *call) \
	{ \
		const uint32_t *values = input_values(call); \
		if (!await_any(call, count)) \
			vm_offer(call, values ? values[0] : tried(call, count)); \
	}
VALUES(bool, 0, 2)
VALUES(signed, -1, 4)
VALUES(unsigned, 0, 4)

/* Return a floating-point number: the one with the chosen integer, or an input, which is its bits.  The turn has the bits. */
static enum vm_outcome real_chosen(struct vm_call *call, bool is_float)
{
	if (call->shadow)
		return CALL_DONE;
	uint32_t half = (uint32_t)call->results[0];
	double d = call->awaited ? 0 : (double)choice_from(call, -1);
	float f = (float)d;
	if (call->awaited && is_float)
		memcpy(&f, &half, sizeof f);
	else if (call->awaited)
		memcpy(&d, call->results, sizeof d);
	call->results[0] = 0;
	memcpy(call->results, is_float ? (void *)&f : (void *)&d, is_float ? sizeof f : sizeof d);
	vm_event_about(ACTION_CHOOSE, VM_ABOUT(.input = true), "%.*g", is_float ? 9 : 17, is_float ? (double)f : d);
	vm_turn_value((int64_t)call->results[0]);
	return CALL_DONE;
}

enum vm_outcome run_choose_float(struct vm_call *call)
{
	return real_chosen(call, true);
}

enum vm_outcome run_choose_double(struct vm_call *call)
{
	return real_chosen(call, false);
}
