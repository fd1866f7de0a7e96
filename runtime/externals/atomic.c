/* SPDX-License-Identifier: MIT
 *
 * The functions of libatomic for objects of any size: __atomic_load(), __atomic_store(), __atomic_exchange() and
 * __atomic_compare_exchange(), which compilers call where a machine has no instruction.  Those of one size are instructions
 * of the VM (translator/lower/libatomic.c).
 *
 * Each is one visible operation.  Its last argument is its order; a compare-and-exchange has two orders, the last one for the
 * case that it fails.
 */
#include "../state/levels.h"
#include "externals.h"
#include "../memory/messages.h"
#include "../memory/records.h"

#include <assert.h>
#include <string.h>

static bool acquires(uint64_t order)
{
	return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static bool releases(uint64_t order)
{
	return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* Refuse an access that could meet an older value of an object, or be put behind one: none are kept here. */
static void refuse_older(uint64_t object, uint64_t order)
{
	bool weaker = order != __ATOMIC_SEQ_CST || vm_has_messages(); /* S need not be the order of the schedule beside messages */
	if (vm_this.image.options->memory == MEMORY_C11 && weaker)
		vm_inconclusive(
			LIMIT_MIXED_SIZES,
			"atomic accesses to %s are calls of libatomic for objects of any size, which --memory c11 does not cover",
			vm_describe(object));
}

static void *duplicate(const void *from, size_t size)
{
	return from ? memcpy(vm_scratch(size), from, size) : NULL;
}

/* Return a copy, with shadows, of what lies at an address: the access that follows may move the original. */
static struct vm_bytes saved(uint64_t from, uint64_t size, enum vm_access access)
{
	struct vm_bytes at = vm_access_bits(from, size, access);
	vm_levels_read(size, LEVEL_VALUE);
	return (struct vm_bytes){ duplicate(at.bytes, size), duplicate(at.shadow, size) };
}

static void put(uint64_t to, struct vm_bytes value, uint64_t size, enum vm_access access)
{
	vm_write(to, value.bytes, value.shadow, size, access);
}

/* Load an object: (size, object, result, order). */
enum vm_outcome run_atomic_load(struct vm_call *call)
{
	uint64_t size = call->arguments[0], object = call->arguments[1];
	refuse_older(object, call->arguments[3]);
	vm_order_read(object, acquires(call->arguments[3]), "load");
	put(call->arguments[2], saved(object, size, ACCESS_SYNC_READ), size, ACCESS_WRITE);
	vm_event_about(ACTION_ATOMIC, VM_ABOUT(.address = object, .bytes = size, .reads = true), "%s is read", vm_describe(object));
	return CALL_DONE;
}

/* Store an object: (size, object, value, order). */
enum vm_outcome run_atomic_store(struct vm_call *call)
{
	uint64_t size = call->arguments[0], object = call->arguments[1];
	refuse_older(object, call->arguments[3]);
	put(object, saved(call->arguments[2], size, ACCESS_READ), size, ACCESS_SYNC_WRITE);
	vm_order_write(object, releases(call->arguments[3]), false, "store");
	vm_event_access(ACTION_WRITE, object, 0, size, NULL);
	return CALL_DONE;
}

/* Exchange an object: (size, object, value, result, order); value and result may be one. */
enum vm_outcome run_atomic_exchange(struct vm_call *call)
{
	uint64_t size = call->arguments[0], object = call->arguments[1], order = call->arguments[4];
	struct vm_bytes new = saved(call->arguments[2], size, ACCESS_READ);
	refuse_older(object, order);
	vm_order_read(object, acquires(order), "exchange");
	put(call->arguments[3], saved(object, size, ACCESS_SYNC_READ), size, ACCESS_WRITE);
	put(object, new, size, ACCESS_SYNC_WRITE);
	vm_order_write(object, releases(order), true, "exchange");
	vm_event_access(ACTION_WRITE, object, 0, size, NULL);
	return CALL_DONE;
}

/* Compare an object and exchange it: (size, object, expected, desired, order, order on failure). */
enum vm_outcome run_atomic_compare_exchange(struct vm_call *call)
{
	const uint64_t *arguments = call->arguments;
	uint64_t size = arguments[0], object = arguments[1], expected = arguments[2];
	refuse_older(object, arguments[4] == __ATOMIC_SEQ_CST ? arguments[5] : arguments[4]);
	struct vm_bytes wanted = saved(expected, size, ACCESS_READ);
	const uint8_t *now = vm_peek(object, size);
	bool looks_equal = now && memcmp(now, wanted.bytes, size) == 0;
	vm_order_read(object, acquires(arguments[looks_equal ? 4 : 5]),
		      looks_equal ? "compare-exchange" : "failed compare-exchange");
	struct vm_bytes old = saved(object, size, ACCESS_SYNC_READ);
	bool equal = vm_equal(old, wanted, size);
	assert(!equal || looks_equal); /* which order holds was decided by that */
	if (equal) {
		put(object, saved(arguments[3], size, ACCESS_READ), size, ACCESS_SYNC_WRITE);
		vm_order_write(object, releases(arguments[4]), true, "compare-exchange");
	} else {
		put(expected, old, size, ACCESS_WRITE);
		vm_event_about(ACTION_ATOMIC, VM_ABOUT(.address = object, .bytes = size, .reads = true), "%s: exchange fails",
			       vm_describe(object));
	}
	call->results[0] = equal;
	return CALL_DONE;
}
