/* SPDX-License-Identifier: MIT
 *
 * Attribute objects.  The rows of sync.def say where each attribute is kept and which values it may have; those that
 * mean nothing here (priorities, sharing between processes) are kept all the same, so that they read back.
 */
#include "attributes.h"
#include "../calls/builtin.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#define DESTROYED UINT32_MAX

struct field {
	unsigned offset, bytes, shift, width;
	unsigned long long lowest, highest;
};

static struct field field_of(const char *where)
{
	struct field field = { 0 };
	if (sscanf(where, "%u %u %u %u %llu %llu", &field.offset, &field.bytes, &field.shift, &field.width, &field.lowest,
		   &field.highest) != 6)
		VM_BUG("bad attribute '%s'", where);
	return field;
}

static uint64_t mask_of(const struct field *field)
{
	return (field->width < 64 ? (UINT64_C(1) << field->width) - 1 : UINT64_MAX) << field->shift;
}

static void check_alive(uint64_t object)
{
	uint32_t mark;
	memcpy(&mark, vm_access_initialised(object, sizeof mark, ACCESS_READ, "the function that initializes it"), sizeof mark);
	if (mark == DESTROYED)
		vm_fault(FAULT_MUTEX_MISUSE, "%s, an attributes object, has been destroyed", vm_describe(object));
}

uint64_t vm_attribute(uint64_t object, const char *where)
{
	struct field field = field_of(where);
	check_alive(object);
	uint64_t value = (vm_load64(object + field.offset, field.bytes, ACCESS_READ) & mask_of(&field)) >> field.shift;
	return value < field.lowest ? field.lowest : value; /* not set yet */
}

static void set(uint64_t object, const struct field *field, uint64_t value)
{
	uint64_t rest = vm_load64(object + field->offset, field->bytes, ACCESS_READ) & ~mask_of(field);
	vm_store64(object + field->offset, field->bytes, rest | value << field->shift, ACCESS_WRITE);
}

/* The data of a row: the object's size, then OFFSET:VALUE of words that do not begin as 0. */
enum vm_outcome run_attributes_init(struct vm_call *call)
{
	unsigned size, offset, at;
	unsigned long long value;
	const char *rest = call->builtin->data;
	sscanf(rest, "%u%n", &size, &at);
	memset(vm_access(call->arguments[0], size, ACCESS_WRITE), 0, size);
	for (rest += at; sscanf(rest, " %u:%llu%n", &offset, &value, &at) == 2; rest += at)
		vm_store64(call->arguments[0] + offset, 8, value, ACCESS_WRITE);
	return CALL_DONE;
}

enum vm_outcome run_attributes_destroy(struct vm_call *call)
{
	check_alive(call->arguments[0]);
	vm_store64(call->arguments[0], 4, DESTROYED, ACCESS_WRITE);
	return CALL_DONE;
}

enum vm_outcome run_attribute_set(struct vm_call *call)
{
	struct field field = field_of(call->builtin->data);
	uint64_t value = field.width <= 32 ? (uint32_t)call->arguments[1] : call->arguments[1];
	check_alive(call->arguments[0]);
	if (value < field.lowest || value > field.highest)
		call->results[0] = EINVAL;
	else
		set(call->arguments[0], &field, value);
	return CALL_DONE;
}

enum vm_outcome run_attribute_get(struct vm_call *call)
{
	unsigned bytes = field_of(call->builtin->data).bytes;
	vm_store64(call->arguments[1], bytes, vm_attribute(call->arguments[0], call->builtin->data), ACCESS_WRITE);
	return CALL_DONE;
}

/* Scheduling parameters are one int, the priority. */
enum vm_outcome run_attribute_set_parameter(struct vm_call *call)
{
	struct field field = field_of(call->builtin->data);
	uint64_t value = vm_load64(call->arguments[1], 4, ACCESS_READ);
	check_alive(call->arguments[0]);
	if (value > field.highest)
		call->results[0] = EINVAL;
	else
		set(call->arguments[0], &field, value);
	return CALL_DONE;
}

static const char stack_address[] = "24 8 0 64 0 18446744073709551615", stack_size[] = THREAD_ATTRIBUTE_STACK;

enum vm_outcome run_attribute_set_stack(struct vm_call *call)
{
	struct field address = field_of(stack_address), size = field_of(stack_size);
	check_alive(call->arguments[0]);
	if (call->arguments[2] < (uint64_t)PTHREAD_STACK_MIN) {
		call->results[0] = EINVAL;
		return CALL_DONE;
	}
	set(call->arguments[0], &address, call->arguments[1]);
	set(call->arguments[0], &size, call->arguments[2]);
	return CALL_DONE;
}

enum vm_outcome run_attribute_get_stack(struct vm_call *call)
{
	vm_store64(call->arguments[1], 8, vm_attribute(call->arguments[0], stack_address), ACCESS_WRITE);
	vm_store64(call->arguments[2], 8, vm_attribute(call->arguments[0], stack_size), ACCESS_WRITE);
	return CALL_DONE;
}
