/* SPDX-License-Identifier: MIT
 *
 * External functions that the VM does itself: memory, the end of the program, choice.  Threads and their synchronisation
 * are in files of their own (sync.def names them), the host's pure functions in host.c, printf in print.c.
 */
#include "../memory/hidden.h"
#include "../trace/history.h"
#include "../sync/attributes.h"
#include "externals.h"
#include "../calls/inject.h"
#include "../memory/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ----------------------------------------------------------------------------------------------------- */

static const struct builtin builtins[] = {
#define ROW(policy, name, run, prepare, arguments, flags, data, assumption) \
	{ name, run_##run, prepare_##prepare, arguments, flags, data, assumption },
#include "libc.def"
#undef ROW
};

const struct builtin builtin_havoc = { "(undefined)", run_choose_signed, prepare_choose_signed, 0, BUILTIN_VISIBLE, NULL, NULL };

static VM_OWN const struct builtin **resolved; /* by function of the image */

const struct builtin *builtin_find(const char *name)
{
	for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
		if (strcmp(builtins[i].name, name) == 0)
			return &builtins[i];
	return NULL;
}

void builtin_resolve(void)
{
	const struct image *image = &vm_this.image;
	resolved = calloc(image->counts[IMAGE_FUNCTIONS] + 1, sizeof *resolved);
	if (!resolved)
		vm_inconclusive(LIMIT_MEMORY, "out of memory");
	for (uint32_t i = 0; i < image->counts[IMAGE_FUNCTIONS]; i++) {
		const struct image_function *f = &image->functions[i];
		if (f->flags & FUNCTION_HAVOC)
			resolved[i] = &builtin_havoc;
		else if (f->flags & FUNCTION_DECLARED)
			resolved[i] = builtin_declared(f->name);
		else if (f->flags & FUNCTION_EXTERN)
			resolved[i] = builtin_find(image_string(image, f->name));
	}
	builtin_bind(resolved);
}

void prepare_none(struct vm_call *call)
{
	(void)call;
}

enum vm_outcome run_nothing(struct vm_call *call)
{
	(void)call;
	return CALL_DONE;
}

enum vm_outcome run_view(struct vm_call *call)
{
	if (vm_this.evaluating && vm_this.view)
		vm_this.view(vm_access(call->arguments[0], call->arguments[1], ACCESS_READ), call->arguments[1]);
	return CALL_DONE;
}

/* The translator lets no program pass that calls one of these. */
enum vm_outcome run_library(struct vm_call *call)
{
	VM_BUG("%s has no body", call->builtin->name);
}

enum vm_outcome run_refused(struct vm_call *call)
{
	VM_BUG("%s is called", call->builtin->name);
}

/* ---- memory -------------------------------------------------------------------------------------------------------- */

static uint64_t allocate(uint64_t size, bool zeroed)
{
	uint64_t address = vm_allocate_heap(size, zeroed);
	vm_name_heap(address);
	vm_event(ACTION_ALLOCATE, "%s, %llu bytes", vm_describe(address), (unsigned long long)size);
	return address;
}

/* A request for more than an address space holds fails on every machine.  One for more than the VM has room for would succeed
 * elsewhere: that is a limit of ours, which vm_allocate_heap() tells. */
static bool is_too_much(uint64_t size)
{
	return size > IMAGE_POINTER_MASK;
}

static bool too_much(uint64_t size)
{
	if (!is_too_much(size))
		return false;
	vm_event(ACTION_ALLOCATE, "nothing: %s are asked for", vm_byte_count(size));
	vm_set_errno(ENOMEM);
	return true;
}

enum vm_outcome run_calloc(struct vm_call *call)
{
	uint64_t size;
	if (__builtin_mul_overflow(call->arguments[0], call->arguments[1], &size))
		size = UINT64_MAX;
	if (!too_much(size))
		call->results[0] = allocate(size, true);
	return CALL_DONE;
}

static bool is_power(uint64_t n)
{
	return n && !(n & (n - 1));
}

enum vm_outcome run_aligned_alloc(struct vm_call *call)
{
	if (!too_much(call->arguments[1]))
		call->results[0] = allocate(call->arguments[1], false);
	return CALL_DONE;
}

enum vm_outcome run_posix_memalign(struct vm_call *call)
{
	if (!is_power(call->arguments[1]) || call->arguments[1] % sizeof(void *))
		call->results[0] = EINVAL;
	else if (is_too_much(call->arguments[2]))
		call->results[0] = ENOMEM;
	else
		vm_store64(call->arguments[0], 8, allocate(call->arguments[2], false), ACCESS_WRITE);
	return CALL_DONE;
}

enum vm_outcome run_malloc_usable_size(struct vm_call *call)
{
	if (call->arguments[0])
		call->results[0] = vm_room(call->arguments[0], ACCESS_READ);
	return CALL_DONE;
}

enum vm_outcome run_free(struct vm_call *call)
{
	if (call->arguments[0])
		vm_event(ACTION_FREE, "%s", vm_describe_whole(call->arguments[0]));
	vm_free(call->arguments[0]);
	return CALL_DONE;
}

static void copy(uint64_t to, uint64_t from, uint64_t size)
{
	struct vm_bytes source = vm_access_bits(from, size, ACCESS_READ);
	if (size == 0)
		return;
	uint8_t *copy = vm_scratch(2 * size),
		*shadow = source.shadow ? copy + size : NULL; /* the write may move what the read saw */
	memcpy(copy, source.bytes, size);
	if (shadow)
		memcpy(shadow, source.shadow, size);
	struct vm_place place = vm_place_of(from);
	vm_hidden_read(&place, size, to - from);
	vm_write_moved(to, copy, shadow, size, ACCESS_WRITE, to - from);
}

enum vm_outcome run_malloc(struct vm_call *call)
{
	if (!too_much(call->arguments[0]))
		call->results[0] = allocate(call->arguments[0], false);
	return CALL_DONE;
}

/* As glibc does it: a size of zero frees. */
enum vm_outcome run_realloc(struct vm_call *call)
{
	uint64_t old = call->arguments[0], size = call->arguments[1];
	if (call->builtin->data && __builtin_mul_overflow(call->arguments[1], call->arguments[2], &size))
		size = UINT64_MAX;
	if (too_much(size))
		return CALL_DONE;
	if (size || !old)
		call->results[0] = allocate(size, false);
	if (old == 0)
		return CALL_DONE;
	struct vm_place place = vm_place_of(old);
	if (place.object && (place.object->header.flags & OBJECT_HEAP) && place.offset == 0)
		copy(call->results[0], old, place.object->header.size < size ? place.object->header.size : size);
	vm_free(old);
	return CALL_DONE;
}

void vm_refuse_overlap(const char *what, uint64_t to, uint64_t written, uint64_t from, uint64_t read)
{
	struct vm_place one = vm_place_of(to), other = vm_place_of(from);
	if (!one.object || one.object != other.object || (to - from >= read && from - to >= written))
		return;
	uint64_t size = one.object->header.size, most = written > read ? written : read;
	int64_t first = one.offset < other.offset ? one.offset : other.offset;
	if (first < 0 || most > size || (uint64_t)(one.offset > other.offset ? one.offset : other.offset) > size - most)
		return; /* it is out of bounds, which is worse */
	vm_violation(VIOLATION_OVERLAP, "%s writes %s to %s and reads %s from %s, which overlap", what, vm_byte_count(written),
		     vm_describe(to), vm_byte_count(read), vm_describe(from));
}

/* An assignment between structures is a memcpy too in bitcode, and there the two may be the same. */
static void refuse_memcpy(const struct vm_call *call)
{
	uint64_t to = call->arguments[0], from = call->arguments[1], size = call->arguments[2];
	const char *name = call->builtin ? call->builtin->name : "memcpy";
	bool moves = call->builtin ? strcmp(name, "memmove") == 0 : call->insn->op == IMAGE_MEMMOVE;
	if (!moves && to != from)
		vm_refuse_overlap(call->builtin ? name : "memcpy or an assignment", to, size, from, size);
}

enum vm_outcome run_memmove(struct vm_call *call)
{
	refuse_memcpy(call);
	copy(call->arguments[0], call->arguments[1], call->arguments[2]);
	call->results[0] = call->arguments[0] + (call->builtin && call->builtin->data ? call->arguments[2] : 0);
	vm_event_access(ACTION_WRITE, call->arguments[0], 0, call->arguments[2]);
	return CALL_DONE;
}

static void fill(uint64_t to, uint8_t byte, uint64_t size)
{
	memset(vm_access(to, size, ACCESS_WRITE), byte, size);
	vm_event_access(ACTION_WRITE, to, 0, size);
}

enum vm_outcome run_memset(struct vm_call *call)
{
	fill(call->arguments[0], (uint8_t)call->arguments[1], call->arguments[2]);
	call->results[0] = call->arguments[0];
	return CALL_DONE;
}

enum vm_outcome run_bzero(struct vm_call *call)
{
	fill(call->arguments[0], 0, call->arguments[1]);
	return CALL_DONE;
}

enum vm_outcome run_strcpy(struct vm_call *call)
{
	uint64_t length;
	vm_string(call->arguments[1], UINT64_MAX, &length);
	vm_refuse_overlap(call->builtin->name, call->arguments[0], length + 1, call->arguments[1], length + 1);
	copy(call->arguments[0], call->arguments[1], length + 1);
	call->results[0] = call->arguments[0] + (call->builtin->data ? length : 0);
	return CALL_DONE;
}

enum vm_outcome run_strncpy(struct vm_call *call)
{
	uint64_t length, n = call->arguments[2];
	call->results[0] = call->arguments[0];
	if (n == 0)
		return CALL_DONE;
	vm_string(call->arguments[1], n, &length);
	vm_refuse_overlap(call->builtin->name, call->arguments[0], n, call->arguments[1], length < n ? length + 1 : n);
	copy(call->arguments[0], call->arguments[1], length);
	memset(vm_access(call->arguments[0] + length, n - length, ACCESS_WRITE), 0, n - length);
	call->results[0] += call->builtin->data ? length : 0;
	return CALL_DONE;
}

enum vm_outcome run_strcat(struct vm_call *call)
{
	uint64_t before, length = 0, n = call->builtin->data ? call->arguments[2] : UINT64_MAX;
	vm_string(call->arguments[0], UINT64_MAX, &before);
	if (n)
		vm_string(call->arguments[1], n, &length);
	if (n)
		vm_refuse_overlap(call->builtin->name, call->arguments[0] + before, length + 1, call->arguments[1],
				  length < n ? length + 1 : n);
	copy(call->arguments[0] + before, call->arguments[1], length);
	*vm_access(call->arguments[0] + before + length, 1, ACCESS_WRITE) = 0;
	call->results[0] = call->arguments[0];
	return CALL_DONE;
}

enum vm_outcome run_strdup(struct vm_call *call)
{
	uint64_t length;
	vm_string(call->arguments[0], call->builtin->data ? call->arguments[1] : UINT64_MAX, &length);
	call->results[0] = allocate(length + 1, true);
	copy(call->results[0], call->arguments[0], length);
	return CALL_DONE;
}

/* `data`: of an int, not a long. */
enum vm_outcome run_abs(struct vm_call *call)
{
	unsigned bits = call->builtin->data ? 32 : 64;
	int64_t value = vm_signed(call->arguments[0], bits);
	if (vm_this.image.options->overflow && value == (bits == 32 ? INT32_MIN : INT64_MIN))
		vm_violation(VIOLATION_SIGNED_OVERFLOW, "%s of the least integer does not fit its type", call->builtin->name);
	call->results[0] = value < 0 ? -(uint64_t)value : (uint64_t)value;
	vm_hidden_combined(call->arguments[0], 0, call->results[0]);
	return CALL_DONE;
}

/* ---- the end of the program, and claims about it ------------------------------------------------------------------- */

enum vm_outcome run_exit(struct vm_call *call)
{
	vm_event(ACTION_EXIT, "the program ends with status %d", (int)call->arguments[0]);
	vm_exit();
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

enum vm_outcome run_atomic_begin(struct vm_call *call)
{
	vm_order_section(true);
	call->thread->header.atomic++;
	return CALL_DONE;
}

enum vm_outcome run_atomic_end(struct vm_call *call)
{
	if (call->thread->header.atomic == 0)
		return CALL_DONE;
	vm_order_section(false);
	call->thread->header.atomic--;
	return CALL_DONE;
}

/* ---- choice -------------------------------------------------------------------------------------------------------- */

void vm_offer(struct vm_call *call, uint64_t count)
{
	if (count > UINT32_MAX)
		vm_inconclusive(LIMIT_CHOICE, "a choice among %llu values is too wide to explore", (unsigned long long)count);
	call->thread->header.wait = WAIT_CHOICE;
	call->thread->header.low = 0;
	call->thread->header.count = (uint32_t)count;
}

void prepare_choose(struct vm_call *call)
{
	int32_t low = (int32_t)call->arguments[0], high = (int32_t)call->arguments[1];
	if (high < low)
		vm_violation(VIOLATION_ASSERTION, "bitspin_choose from %d to %d has no value to choose", low, high);
	vm_offer(call, (uint64_t)((int64_t)high - low + 1));
}

static enum vm_outcome chosen(struct vm_call *call, int64_t value)
{
	call->results[0] = (uint64_t)value;
	vm_event(ACTION_CHOOSE, "%lld", (long long)value);
	return CALL_DONE;
}

enum vm_outcome run_choose(struct vm_call *call)
{
	return chosen(call, (int32_t)call->arguments[0] + (int64_t)vm_this.choice);
}

/* The values of the functions that return any of their type: so many, from the lowest on. */
#define VALUES(type, lowest, count) \
	enum vm_outcome run_choose_##type(struct vm_call *call) \
	{ \
		return chosen(call, (lowest) + (int64_t)vm_this.choice); \
	} \
	void prepare_choose_##type(struct vm_call *call) \
	{ \
		vm_offer(call, count); \
	}
VALUES(bool, 0, 2)
VALUES(signed, -1, 4)
VALUES(unsigned, 0, 4)

enum vm_outcome run_choose_float(struct vm_call *call)
{
	enum vm_outcome outcome = run_choose_signed(call);
	float value = (float)(int64_t)call->results[0];
	call->results[0] = 0;
	memcpy(call->results, &value, sizeof value);
	return outcome;
}

enum vm_outcome run_choose_double(struct vm_call *call)
{
	enum vm_outcome outcome = run_choose_signed(call);
	double value = (double)(int64_t)call->results[0];
	memcpy(call->results, &value, sizeof value);
	return outcome;
}
