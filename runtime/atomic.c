/* SPDX-License-Identifier: MIT
 *
 * The functions of libatomic for objects of any size: __atomic_load(), __atomic_store(), __atomic_exchange() and
 * __atomic_compare_exchange(), which compilers call where a machine has no instruction.  Those of one size are instructions
 * of the VM (translator/lower_atomic.c).
 *
 * Each is one visible operation.  What it touches is recorded like plain accesses; as the operation closes the segment of its
 * thread (BUILTIN_SYNC), it races with what others access plainly in an open segment, and with nothing else.
 */
#include "builtin.h"
#include "shadow.h"

#include <string.h>

static void copy(const struct vm_call *call, uint64_t to, uint64_t from)
{
	const uint64_t arguments[] = { to, from, call->arguments[0] };
	run_memmove(&(struct vm_call){ .thread = call->thread, .insn = call->insn, .arguments = arguments, .count = 3 });
}

static void *duplicate(const void *from, size_t size)
{
	return from ? memcpy(vm_scratch(size), from, size) : NULL;
}

/* A copy, with shadows, of what lies at an address. */
static struct vm_bytes saved(uint64_t from, uint64_t size)
{
	struct vm_bytes at = vm_access_bits(from, size, ACCESS_READ);
	return (struct vm_bytes){ duplicate(at.bytes, size), duplicate(at.shadow, size) };
}

/* (size, object, result, order) */
enum vm_outcome run_atomic_load(struct vm_call *call)
{
	copy(call, call->arguments[2], call->arguments[1]);
	vm_event(ACTION_ATOMIC, "%s is read", vm_describe(call->arguments[1]));
	return CALL_DONE;
}

/* (size, object, value, order) */
enum vm_outcome run_atomic_store(struct vm_call *call)
{
	copy(call, call->arguments[1], call->arguments[2]);
	return CALL_DONE;
}

/* (size, object, value, result, order); value and result may be one. */
enum vm_outcome run_atomic_exchange(struct vm_call *call)
{
	uint64_t size = call->arguments[0], object = call->arguments[1], value = call->arguments[2], result = call->arguments[3];
	struct vm_bytes new = saved(value, size);
	copy(call, result, object);
	vm_write(object, new.bytes, new.shadow, size, ACCESS_WRITE);
	vm_event_access(ACTION_WRITE, object, 0, size);
	return CALL_DONE;
}

/* (size, object, expected, desired, order, order) */
enum vm_outcome run_atomic_compare_exchange(struct vm_call *call)
{
	uint64_t size = call->arguments[0], object = call->arguments[1], expected = call->arguments[2];
	bool equal = vm_equal(vm_access_bits(object, size, ACCESS_READ), vm_access_bits(expected, size, ACCESS_READ), size);
	if (equal)
		copy(call, object, call->arguments[3]);
	else
		copy(call, expected, object);
	call->results[0] = equal;
	if (!equal)
		vm_event(ACTION_ATOMIC, "%s: exchange fails", vm_describe(object));
	return CALL_DONE;
}
