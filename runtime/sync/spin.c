/* SPDX-License-Identifier: MIT
 *
 * Spin locks.  A thread that would spin waits: spinning has no effect but to pass time.
 *
 * The word of a lock that was never initialised, or has been destroyed, is 0; else it has, beside the owner, the mark of its
 * address (sync.h).
 */
#include "../memory/records.h"
#include "../symbolic/symbolic.h"
#include "../state/symmetry.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

enum { SPIN_SIZE = sizeof(pthread_spinlock_t), INITIALISED = 0x10000, OWNER = 0xffff, MARK_SHIFT = 17 };

static uint32_t free_word(uint64_t address)
{
	return INITIALISED | vm_init_mark(address) >> MARK_SHIFT << MARK_SHIFT;
}

static uint32_t spin_read(uint64_t address)
{
	uint32_t word;
	memcpy(&word, vm_access_initialised(address, SPIN_SIZE, ACCESS_SYNC_READ, "pthread_spin_init"), sizeof word);
	if (!(word & INITIALISED) || (word & OWNER) > vm_this.max_threads)
		vm_violation(VIOLATION_MUTEX_MISUSE, "%s is used without pthread_spin_init", vm_describe(address));
	return word & OWNER;
}

static void spin_write(uint64_t address, uint32_t owner)
{
	assert(owner <= vm_this.max_threads);
	vm_store64(address, SPIN_SIZE, free_word(address) | owner, ACCESS_SYNC_WRITE);
}

static uint32_t spin_peek(uint64_t address)
{
	const uint8_t *bytes = vm_peek(address, SPIN_SIZE);
	uint32_t word = 0;
	if (bytes)
		memcpy(&word, bytes, sizeof word);
	return (word & OWNER) <= vm_this.max_threads ? word & OWNER : 0; /* the thread goes on, into a violation */
}

bool vm_spin_free(uint64_t address, const struct vm_thread *thread)
{
	(void)thread;
	return spin_peek(address) == 0;
}

bool vm_spin_holds(uint64_t address, unsigned slot)
{
	return spin_peek(address) == slot + 1;
}

void vm_spin_explain(char *text, size_t size, const struct vm_thread *thread)
{
	size_t used = (size_t)snprintf(text, size, "waits for spin lock %s", vm_describe(thread->header.address));
	if (used < size)
		vm_holder_explain(text + used, size - used, thread, thread->header.address, spin_peek(thread->header.address) - 1);
}

void prepare_spin_lock(struct vm_call *call)
{
	vm_wait_for(call, WAIT_SPIN);
}

enum vm_outcome run_spin_lock(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	vm_order_attempt(address, vm_spin_free(address, call->thread), "lock", "failed attempt to lock");
	uint32_t owner = spin_read(address);
	if (owner) { /* only a try comes here */
		call->results[0] = EBUSY;
		vm_event_about(ACTION_LOCK, VM_ABOUT(.address = address, .reads = true), "%s fails: thread %u holds it",
			       vm_describe(address), owner - 1);
		return CALL_DONE;
	}
	spin_write(address, call->thread->slot + 1);
	vm_symmetry_locks(address, sizeof(pthread_spinlock_t));
	vm_order_taken(address, "lock");
	vm_note_lock(address, vm_spin_holds);
	vm_thread_holds(call->thread->slot);
	vm_event_about(ACTION_LOCK, VM_ABOUT(.address = address, .writes = true), "%s", vm_describe(address));
	return CALL_DONE;
}

enum vm_outcome run_spin_unlock(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	uint32_t owner = spin_read(address);
	if (owner != call->thread->slot + 1) {
		vm_fault(VIOLATION_MUTEX_MISUSE, "unlock of %s by a thread that does not hold it", vm_describe(address));
		if (owner)
			vm_footprint_add_thread(owner - 1);
	}
	spin_write(address, 0);
	vm_order_write(address, true, false, "unlock");
	if (owner)
		vm_thread_releases(owner - 1);
	vm_event_about(ACTION_UNLOCK, VM_ABOUT(.address = address, .writes = true), "%s", vm_describe(address));
	return CALL_DONE;
}

enum vm_outcome run_spin_init(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	vm_symbolic_need_at(address, SPIN_SIZE, "the initialization of a lock");
	uint64_t old = vm_is_set(address, SPIN_SIZE) ? vm_load64(address, SPIN_SIZE, ACCESS_READ) : 0;
	if ((old & ~(uint64_t)OWNER) == free_word(address)) {
		vm_refuse_marked(address);
		if (old & OWNER)
			vm_footprint_add_thread((unsigned)(old & OWNER) - 1);
		if (old & OWNER)
			vm_thread_releases((unsigned)(old & OWNER) - 1);
	}
	vm_store64(address, SPIN_SIZE, free_word(address), ACCESS_WRITE);
	return CALL_DONE;
}

enum vm_outcome run_spin_destroy(struct vm_call *call)
{
	uint32_t owner = spin_read(call->arguments[0]);
	if (owner) { /* glibc does nothing here, ever */
		vm_fault(VIOLATION_MUTEX_MISUSE, "%s is destroyed while thread %u holds it", vm_describe(call->arguments[0]),
			 owner - 1);
		return CALL_DONE;
	}
	vm_store64(call->arguments[0], SPIN_SIZE, 0, ACCESS_WRITE);
	return CALL_DONE;
}
