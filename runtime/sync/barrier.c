/* SPDX-License-Identifier: MIT
 *
 * Barriers.  The bytes hold the number of threads to wait for; those there already are the threads that wait at the address.
 * A count of 0 is a barrier that was never initialised, or has been destroyed.
 *
 * The last thread to arrive is the one that gets PTHREAD_BARRIER_SERIAL_THREAD.  POSIX leaves open which; nothing is lost, as
 * a thread that arrives does nothing more before the barrier opens, so whatever happens can happen with it coming last.
 */
#include "../memory/records.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

enum { BARRIER_SIZE = sizeof(pthread_barrier_t), OFFSET_COUNT = 8, OFFSET_INIT = 12 };

static uint32_t count_from(const uint8_t *bytes)
{
	uint32_t count;
	memcpy(&count, bytes + OFFSET_COUNT, sizeof count);
	return count;
}

/* Return how many threads the barrier is for.  The access is a write, as in every operation: who waits is part of what a barrier
 * is. */
static uint32_t count_of(uint64_t address)
{
	uint32_t count = count_from(vm_access_initialised(address, BARRIER_SIZE, ACCESS_SYNC_WRITE, "pthread_barrier_init"));
	if (count == 0)
		vm_violation(VIOLATION_MUTEX_MISUSE, "%s is used without pthread_barrier_init", vm_describe(address));
	return count;
}

static void set_count(uint64_t address, uint32_t count)
{
	uint8_t *bytes = vm_access(address, BARRIER_SIZE, ACCESS_WRITE);
	uint32_t mark = count ? vm_init_mark(address) : 0;
	memset(bytes, 0, BARRIER_SIZE);
	memcpy(bytes + OFFSET_COUNT, &count, sizeof count);
	memcpy(bytes + OFFSET_INIT, &mark, sizeof mark);
}

void vm_barrier_explain(char *text, size_t size, const struct vm_thread *thread)
{
	uint64_t address = thread->header.address;
	const uint8_t *bytes = vm_peek(address, BARRIER_SIZE);
	snprintf(text, size, "waits at %s, where %u of %u threads are", vm_describe(address), vm_waiting(WAIT_BARRIER, address),
		 bytes ? count_from(bytes) : 0);
}

/* Let the threads go that wait at the barrier, put their slots into `slots`, and return how many they are. */
static unsigned open_barrier(uint64_t address, uint8_t *slots)
{
	unsigned count = 0;
	for (unsigned i = 0; i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_load(i);
		if (!vm_thread_sleeps(thread, WAIT_BARRIER, address))
			continue;
		assert(thread != vm_this.current);
		vm_thread_change(i);
		struct vm_paused paused = vm_thread_paused(thread, WAIT_BARRIER, address);
		vm_thread_exchange(thread, paused);
		thread->header.wait = WAIT_NONE;
		thread->header.address = 0;
		thread->header.woken = WOKEN_SIGNAL;
		vm_thread_exchange(thread, paused);
		vm_order_follow(vm_this.current->slot, i, "barrier");
		slots[count++] = (uint8_t)i;
	}
	return count;
}

enum vm_outcome run_barrier_wait(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	if (call->thread->header.woken) {
		call->thread->header.woken = WOKEN_NOT;
		assert(call->thread->header.wait == WAIT_NONE);
		vm_event_about(ACTION_WAIT, VM_ABOUT(.address = address), "at %s is over", vm_describe(address));
		return CALL_DONE;
	}
	unsigned there = vm_waiting(WAIT_BARRIER, address) + 1, count = count_of(address);
	if (there < count) {
		vm_order_write(address, true, true, "arrival");
		vm_wait_for(call, WAIT_BARRIER);
		vm_event_about(ACTION_WAIT, VM_ABOUT(.address = address), "at %s, as number %u of %u", vm_describe(address), there,
			       count);
		return CALL_REST;
	}
	vm_order_read(address, true, "arrival");
	uint8_t slots[UINT8_MAX + 1];
	unsigned woken = open_barrier(address, slots);
	assert(woken == there - 1);
	vm_order_reset(address); /* the next round starts from nothing */
	call->results[0] = (uint32_t)PTHREAD_BARRIER_SERIAL_THREAD;
	vm_event_about(ACTION_SIGNAL, VM_ABOUT(.address = address, .threads = slots, .nthreads = woken),
		       "%s opens: all %u are there", vm_describe(address), count);
	return CALL_DONE;
}

enum vm_outcome run_barrier_init(struct vm_call *call)
{
	uint32_t count = (uint32_t)call->arguments[2];
	vm_refuse_waiters(WAIT_BARRIER, call->arguments[0], "initialized", "at");
	vm_refuse_second_init(call->arguments[0], BARRIER_SIZE, OFFSET_INIT);
	if (count == 0 || count > INT_MAX)
		call->results[0] = EINVAL;
	else
		set_count(call->arguments[0], count);
	return CALL_DONE;
}

enum vm_outcome run_barrier_destroy(struct vm_call *call)
{
	count_of(call->arguments[0]);
	vm_refuse_waiters(WAIT_BARRIER, call->arguments[0], "destroyed", "at");
	set_count(call->arguments[0], 0);
	return CALL_DONE;
}
