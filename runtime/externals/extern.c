/* SPDX-License-Identifier: MIT
 *
 * Functions without a body that the user has described (--extern, --nondet); struct image_extern has the rows.
 *
 * A pure function returns any value of its range, but the same one for the same arguments: what it has returned is kept in a hidden
 * global, its memo, so that the choice is part of the state.  Rows are sorted by arguments: then the order of calls makes no
 * difference to the state.
 */
#include "externals.h"
#include "../trace/turns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct declared {
	struct builtin builtin; /* first: the builtin is the way to the row */
	const struct image_extern *row;
};

static const struct image_extern *row_of(const struct vm_call *call)
{
	return ((const struct declared *)call->builtin)->row;
}

static const struct {
	enum vm_outcome (*run)(struct vm_call *call);
	void (*prepare)(struct vm_call *call);
	unsigned flags;
} policies[EXTERN_POLICIES] = {
	[EXTERN_NOP] = { run_declared_nop, prepare_none, 0 },
	[EXTERN_CHOOSE] = { run_declared_choice, prepare_declared_choice, BUILTIN_VISIBLE },
	[EXTERN_PURE] = { run_declared_pure, prepare_declared_pure, BUILTIN_VISIBLE },
	[EXTERN_NATIVE] = { run_declared_native, prepare_none, 0 },
	[EXTERN_FRESH] = { run_declared_fresh, prepare_none, 0 },
	[EXTERN_ARGUMENT] = { run_declared_argument, prepare_none, 0 },
	[EXTERN_REFUSE] = { run_declared_refusal, prepare_none, 0 },
	[EXTERN_UNSUPPORTED] = { run_unsupported, prepare_none, 0 },
};

const struct builtin *builtin_declared(uint32_t name)
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = 0; i < image->counts[IMAGE_EXTERNS]; i++) {
		const struct image_extern *row = &image->externs[i];
		if (row->name != name)
			continue;
		struct declared *declared = calloc(1, sizeof *declared);
		if (!declared)
			vm_inconclusive(LIMIT_MEMORY, "out of memory");
		assert(row->policy < EXTERN_POLICIES && policies[row->policy].run);
		declared->row = row;
		declared->builtin = (struct builtin){
			.name = image_string(image, name),
			.data = image_string(image, row->signature),
			.flags = policies[row->policy].flags,
			.run = policies[row->policy].run,
			.prepare = policies[row->policy].prepare,
		};
		return &declared->builtin;
	}
	VM_BUG("nothing is said of function %s", image_string(image, name));
}

enum vm_outcome run_declared_nop(struct vm_call *call)
{
	vm_event(ACTION_CALL, "%s, which does nothing", call->builtin->name);
	return CALL_DONE;
}

enum vm_outcome run_declared_native(struct vm_call *call)
{
	host_function *function = host_find(call->builtin->name);
	if (!function)
		vm_inconclusive(LIMIT_FUNCTION, "this machine has no function %s to call", call->builtin->name);
	host_call(call, function, call->builtin->data);
	return CALL_DONE;
}

enum vm_outcome run_declared_fresh(struct vm_call *call)
{
	call->results[0] = vm_allocate_heap((uint64_t)row_of(call)->low, true);
	vm_event_about(ACTION_ALLOCATE, VM_ABOUT(.address = call->results[0], .bytes = (uint64_t)row_of(call)->low),
		       "%s, for the result of %s", vm_describe(call->results[0]), call->builtin->name);
	return CALL_DONE;
}

enum vm_outcome run_declared_argument(struct vm_call *call)
{
	int64_t number = row_of(call)->low;
	assert(number >= 1);
	call->results[0] = number <= call->count ? call->arguments[number - 1] : 0;
	vm_event(ACTION_CALL, "%s, which returns its argument %lld", call->builtin->name, (long long)number);
	return CALL_DONE;
}

enum vm_outcome run_declared_refusal(struct vm_call *call)
{
	vm_inconclusive(LIMIT_FUNCTION, "%s is called, which is described as refused (--extern)", call->builtin->name);
}

enum vm_outcome run_unsupported(struct vm_call *call)
{
	const char *name = call->builtin->name;
	if (builtin_policy(name) == POLICY_REFUSED)
		vm_inconclusive(LIMIT_FUNCTION, "%s is called, which is not supported: %s (--extern '%s=nop' makes it do nothing)",
				name, builtin_reason(name), name);
	vm_inconclusive(LIMIT_FUNCTION, "%s is called, which bitspin has no model of (--extern '%s=nop' makes it do nothing)", name,
			name);
}

/* ---- choice ---------------------------------------------------------------------------------------------------------- */

/* Let the result be the set of all numbers of the range, as its type has them, where inputs are sets.  Return false if it is no
 * integer, or inputs are no sets. */
static bool await_range(struct vm_call *call)
{
	const struct image_extern *row = row_of(call);
	unsigned bits = vm_this.image.functions[call->function].result_bits;
	uint64_t most = (uint64_t)row->high - (uint64_t)row->low;
	bool integer = strchr("il", call->builtin->data[0]) && bits > 0 && bits <= 64;
	if (!image_inputs_are_whole(vm_this.image.options->inputs) || !integer || most == 0)
		return false;
	bool whole = most >= vm_mask(bits);
	vm_await_input(call, bits, whole ? 0 : (uint64_t)row->low, whole ? vm_mask(bits) : most);
	return true;
}

void prepare_declared_choice(struct vm_call *call)
{
	const struct image_extern *row = row_of(call);
	uint64_t count = (uint64_t)row->high - (uint64_t)row->low + 1;
	if (await_range(call))
		return;
	if (count > UINT32_MAX || count == 0)
		vm_inconclusive(LIMIT_CHOICE, "the values of %s are too many to explore", call->builtin->name);
	assert(call->thread->header.wait == WAIT_NONE);
	call->thread->header.wait = WAIT_CHOICE;
	call->thread->header.low = 0;
	call->thread->header.count = (uint32_t)count;
}

/* Return the chosen number as a value of the function's type. */
static uint64_t as_result(const struct vm_call *call, int64_t value)
{
	assert(call->builtin->data);
	uint64_t bits = (uint64_t)value;
	float single = (float)value;
	double real = (double)value;
	if (call->builtin->data[0] == 'f') {
		bits = 0;
		memcpy(&bits, &single, sizeof single);
	} else if (call->builtin->data[0] == 'd') {
		memcpy(&bits, &real, sizeof real);
	}
	return bits;
}

enum vm_outcome run_declared_choice(struct vm_call *call)
{
	if (call->awaited)
		return vm_input_given(call, false);
	int64_t value = row_of(call)->low + vm_this.choice;
	assert(value >= row_of(call)->low && value <= row_of(call)->high);
	call->results[0] = as_result(call, value);
	vm_event_about(ACTION_CHOOSE, VM_ABOUT(.input = true), "%s returns %lld", call->builtin->name, (long long)value);
	vm_turn_value(value);
	return CALL_DONE;
}

/* ---- pure functions -------------------------------------------------------------------------------------------------- */

enum { MEMO_ARGUMENTS = IMAGE_MEMO_WIDTH - 1 };

struct memo {
	uint64_t count;
	struct memo_row {
		uint64_t arguments[MEMO_ARGUMENTS], result;
	} rows[IMAGE_MEMO_ROWS];
};

static void key_of(const struct vm_call *call, uint64_t key[MEMO_ARGUMENTS])
{
	memset(key, 0, MEMO_ARGUMENTS * sizeof *key);
	memcpy(key, call->arguments, (call->count < MEMO_ARGUMENTS ? call->count : MEMO_ARGUMENTS) * sizeof *key);
}

/* Return where the arguments `key` stand in a memo, if `found`, or where they would have to. */
static uint64_t find_row(const struct memo *memo, const uint64_t key[MEMO_ARGUMENTS], bool *found)
{
	uint64_t i = 0;
	int order = 1;
	assert(memo->count <= IMAGE_MEMO_ROWS);
	while (i < memo->count && (order = memcmp(memo->rows[i].arguments, key, sizeof memo->rows[i].arguments)) < 0)
		i++;
	*found = i < memo->count && order == 0;
	assert(i + 1 >= memo->count ||
	       memcmp(memo->rows[i].arguments, memo->rows[i + 1].arguments, sizeof memo->rows[i].arguments) < 0);
	return i;
}

static uint64_t memo_address(const struct vm_call *call)
{
	return image_global_address(row_of(call)->memo, 0);
}

/* Offer the results of a pure function.  Others may call it with these arguments before this thread does; then the thread offers
 * more outcomes than there are, which all lead to the same state. */
void prepare_declared_pure(struct vm_call *call)
{
	bool found;
	uint64_t key[MEMO_ARGUMENTS];
	key_of(call, key);
	find_row((const struct memo *)vm_place_of(memo_address(call)).object->bytes, key, &found);
	if (!found)
		prepare_declared_choice(call);
}

enum vm_outcome run_declared_pure(struct vm_call *call)
{
	bool found;
	uint64_t key[MEMO_ARGUMENTS];
	key_of(call, key);
	struct memo *memo = (struct memo *)vm_access(memo_address(call), sizeof *memo, ACCESS_SYNC_WRITE);
	uint64_t at = find_row(memo, key, &found);
	if (!found) {
		if (memo->count == IMAGE_MEMO_ROWS)
			vm_inconclusive(LIMIT_CHOICE, "%s is called with more than %d different arguments", call->builtin->name,
					IMAGE_MEMO_ROWS);
		memmove(&memo->rows[at + 1], &memo->rows[at], (memo->count - at) * sizeof *memo->rows);
		memcpy(memo->rows[at].arguments, key, sizeof key);
		memo->rows[at].result = as_result(call, row_of(call)->low + vm_this.choice);
		memo->count++;
	}
	call->results[0] = memo->rows[at].result;
	vm_event_about(ACTION_CHOOSE, VM_ABOUT(.input = true), "%s returns %lld", call->builtin->name, (long long)call->results[0]);
	vm_turn_value((int64_t)call->results[0]);
	return CALL_DONE;
}
