/* SPDX-License-Identifier: MIT
 *
 * See inject.h.  The budgets are a hidden global of the program, so they are part of a state like all memory, and a step
 * that takes from a budget depends on every step that looks at it.
 */
#include "inject.h"
#include "builtin.h"
#include "../trace/turns.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <threads.h>

static const char *const names[] = {
#define INJECTION(name, text, usual, meaning) text,
#include "../image/inject.def"
#undef INJECTION
};

/* Return the address of the budgets; 0 if they are the usual ones. */
static uint64_t budgets(void)
{
	static VM_OWN uint64_t address;
	static VM_OWN bool known;
	const struct image *image = &vm_this.image;
	for (uint32_t i = 0; !known && i < image->counts[IMAGE_GLOBALS]; i++)
		if (image->globals[i].flags & GLOBAL_BUDGETS)
			address = image_global_address(i, 0);
	known = true;
	return address;
}

static uint32_t initial_budget(enum image_injection injection)
{
	assert(injection < IMAGE_INJECTIONS);
	uint64_t address = budgets();
	uint32_t initial = builtin_injection_usual(injection);
	if (address) {
		const struct image_global *global = &vm_this.image.globals[(address >> IMAGE_OFFSET_BITS) - 1];
		memcpy(&initial, vm_this.image.data + global->data + injection * sizeof initial, sizeof initial);
	}
	return initial;
}

bool vm_injection_wanted(enum image_injection injection)
{
	return initial_budget(injection) != 0;
}

bool vm_injection_limited(enum image_injection injection)
{
	return initial_budget(injection) != UINT32_MAX;
}

uint32_t vm_injection_budget(enum image_injection injection)
{
	uint32_t left = builtin_injection_usual(injection);
	if (budgets())
		memcpy(&left, vm_place_of(budgets()).object->bytes + injection * sizeof left, sizeof left);
	return left;
}

void vm_injection_offer(struct vm_thread *thread, enum image_injection injection)
{
	thread->header.wait = WAIT_INJECTION;
	thread->header.low = 0;
	thread->header.count = (uint32_t)injection;
}

static uint32_t read_budget(enum image_injection injection)
{
	assert(budgets() && injection < IMAGE_INJECTIONS);
	return (uint32_t)vm_load64(budgets() + injection * sizeof(uint32_t), sizeof(uint32_t), ACCESS_SYNC_READ);
}

bool vm_injection_is_left(enum image_injection injection)
{
	return budgets() ? read_budget(injection) > 0 : builtin_injection_usual(injection) > 0;
}

bool vm_injection_happens(enum image_injection injection)
{
	return read_budget(injection) && vm_this.choice && vm_injection_spend(injection);
}

bool vm_injection_spend(enum image_injection injection)
{
	if (!budgets())
		return builtin_injection_usual(injection) != 0;
	uint64_t at = budgets() + injection * sizeof(uint32_t);
	uint32_t left = read_budget(injection);
	if (left == 0)
		return false;
	if (left != UINT32_MAX)
		vm_store64(at, sizeof left, left - 1, ACCESS_SYNC_WRITE);
	return true;
}

enum image_injection vm_injection_of(const struct builtin *builtin)
{
	if (!budgets())
		return IMAGE_INJECTIONS;
	enum image_injection injection = (enum image_injection)builtin_injection_of(builtin->flags);
	bool fails = injection == INJECT_MALLOC || injection == INJECT_CREATE;
	return fails && vm_injection_wanted(injection) ? injection : IMAGE_INJECTIONS;
}

void vm_injection_fail(struct vm_call *call, enum image_injection injection)
{
	assert(injection == INJECT_MALLOC || injection == INJECT_CREATE);
	unsigned flags = call->builtin->flags;
	int error = injection == INJECT_CREATE ? EAGAIN : ENOMEM;
	memset(call->results, 0, sizeof call->results);
	if (flags & BUILTIN_RETURNS_ERRNO) {
		call->results[0] = (uint64_t)error;
	} else if (flags & BUILTIN_RETURNS_THRD) {
		call->results[0] = thrd_error;
	} else {
		if (flags & BUILTIN_RETURNS_MINUS)
			call->results[0] = (uint32_t)-1;
		vm_set_errno(error);
	}
	vm_turn_fails();
	vm_event(ACTION_CALL, "%s fails (--faults %s)", call->builtin->name, names[injection]);
}
