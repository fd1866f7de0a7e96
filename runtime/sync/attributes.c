/* SPDX-License-Identifier: MIT
 *
 * Attribute objects.  attribute.def says where each attribute is kept and which values it may have; those that mean nothing
 * here (priorities, sharing between processes) are kept all the same, so that they read back.
 */
#include "attributes.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#define DESTROYED   UINT32_MAX
#define GUARD_BYTES 4096
#define OF_THREAD   (UINT32_C(1) << 30) /* in the first word, beside what attribute.def keeps there: pthread_getattr_np() made it */

static uint64_t mask_of(const struct vm_attribute *a)
{
	assert(a->width > 0 && a->shift + a->width <= 8 * a->bytes);
	return (a->width < 64 ? (UINT64_C(1) << a->width) - 1 : UINT64_MAX) << a->shift;
}

static void check_alive(uint64_t object)
{
	uint32_t mark;
	memcpy(&mark, vm_access_initialised(object, sizeof mark, ACCESS_READ, "the function that initializes it"), sizeof mark);
	if (mark == DESTROYED)
		vm_violation(VIOLATION_MUTEX_MISUSE, "%s, an attributes object, has been destroyed", vm_describe(object));
}

uint64_t vm_attribute_value(uint64_t object, const struct vm_attribute *a)
{
	check_alive(object);
	uint64_t value = (vm_load64(object + a->offset, a->bytes, ACCESS_READ) & mask_of(a)) >> a->shift;
	return value < a->lowest ? a->lowest : value; /* not set yet */
}

static void put(uint64_t object, const struct vm_attribute *a, uint64_t value)
{
	assert((value << a->shift & ~mask_of(a)) == 0); /* else it would change another attribute */
	uint64_t rest = vm_load64(object + a->offset, a->bytes, ACCESS_READ) & ~mask_of(a);
	vm_store64(object + a->offset, a->bytes, rest | value << a->shift, ACCESS_WRITE);
}

/* ---- getting and setting ------------------------------------------------------------------------------------------- */

static enum vm_outcome set(struct vm_call *call, const struct vm_attribute *a)
{
	uint64_t value = a->by_address ? vm_load64(call->arguments[1], 4, ACCESS_READ) :
		a->width <= 32         ? (uint32_t)call->arguments[1] :
					 call->arguments[1];
	check_alive(call->arguments[0]);
	if (value < a->lowest || value > a->highest)
		call->results[0] = EINVAL;
	else
		put(call->arguments[0], a, value);
	return CALL_DONE;
}

/* Refuse to say where the stack is of a thread whose attributes are at `object`: here a stack is no memory, its variables are
 * objects. */
static void refuse_address(uint64_t object)
{
	if (vm_load64(object, 4, ACCESS_READ) & OF_THREAD)
		vm_inconclusive(LIMIT_FUNCTION, "the address of a thread's stack is not modelled");
}

static enum vm_outcome get(struct vm_call *call, const struct vm_attribute *a)
{
	if (a == &vm_attribute_thread_stack_address)
		refuse_address(call->arguments[0]);
	vm_store64(call->arguments[1], a->bytes, vm_attribute_value(call->arguments[0], a), ACCESS_WRITE);
	return CALL_DONE;
}

enum { VALUE, ADDRESS };

#define ATTRIBUTE(name, takes, offset, bytes, shift, width, lowest, highest) \
	const struct vm_attribute vm_attribute_##name = { takes, offset, bytes, shift, width, lowest, highest }; \
	enum vm_outcome run_set_##name(struct vm_call *call) \
	{ \
		return set(call, &vm_attribute_##name); \
	} \
	enum vm_outcome run_get_##name(struct vm_call *call) \
	{ \
		return get(call, &vm_attribute_##name); \
	}
#include "attribute.def"
#undef ATTRIBUTE

/* Set the address and the size of a stack. */
enum vm_outcome run_set_whole_stack(struct vm_call *call)
{
	check_alive(call->arguments[0]);
	if (call->arguments[2] < (uint64_t)PTHREAD_STACK_MIN) {
		call->results[0] = EINVAL;
		return CALL_DONE;
	}
	put(call->arguments[0], &vm_attribute_thread_stack_address, call->arguments[1]);
	put(call->arguments[0], &vm_attribute_thread_stack, call->arguments[2]);
	return CALL_DONE;
}

enum vm_outcome run_get_whole_stack(struct vm_call *call)
{
	refuse_address(call->arguments[0]);
	vm_store64(call->arguments[1], 8, vm_attribute_value(call->arguments[0], &vm_attribute_thread_stack_address), ACCESS_WRITE);
	vm_store64(call->arguments[2], 8, vm_attribute_value(call->arguments[0], &vm_attribute_thread_stack), ACCESS_WRITE);
	return CALL_DONE;
}

/* ---- init and destroy ---------------------------------------------------------------------------------------------- */

#define INIT(object, type) \
	enum vm_outcome run_init_##object##_attributes(struct vm_call *call) \
	{ \
		memset(vm_access(call->arguments[0], sizeof(type), ACCESS_WRITE), 0, sizeof(type)); \
		return CALL_DONE; \
	}
INIT(mutex, pthread_mutexattr_t)
INIT(condition, pthread_condattr_t)
INIT(rwlock, pthread_rwlockattr_t)
INIT(barrier, pthread_barrierattr_t)

static void init_thread(uint64_t object, uint64_t flags, uint64_t stack)
{
	memset(vm_access(object, sizeof(pthread_attr_t), ACCESS_WRITE), 0, sizeof(pthread_attr_t));
	vm_store64(object, 4, flags, ACCESS_WRITE);
	vm_store64(object + vm_attribute_thread_guard.offset, 8, GUARD_BYTES, ACCESS_WRITE);
	vm_store64(object + vm_attribute_thread_stack.offset, 8, stack, ACCESS_WRITE);
}

enum vm_outcome run_init_thread_attributes(struct vm_call *call)
{
	init_thread(call->arguments[0], 0, VM_STACK_BYTES);
	return CALL_DONE;
}

void vm_attributes_of_thread(uint64_t object, bool detached, uint64_t stack)
{
	init_thread(object, OF_THREAD | (detached ? UINT64_C(1) << vm_attribute_thread_detached.shift : 0), stack);
}

enum vm_outcome run_attributes_destroy(struct vm_call *call)
{
	check_alive(call->arguments[0]);
	vm_store64(call->arguments[0], 4, DESTROYED, ACCESS_WRITE);
	return CALL_DONE;
}
