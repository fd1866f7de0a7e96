/* SPDX-License-Identifier: MIT
 *
 * Condition variables.  One has no bytes but the marks of a destroyed one and of one that was initialised: its waiters are
 * the threads that wait for its address.
 *
 * A wait is two operations of the thread: give up the mutex and sleep; once signalled, timed out or cancelled, take the mutex
 * again.  A time-out is a step of its own between the two, since from then on a signal no longer finds the thread.  A signal
 * wakes any one of the waiters: one outcome each.
 */
#include "../calls/inject.h"
#include "mutex.h"
#include "../memory/footprint.h"
#include "../memory/records.h"
#include "../state/reads.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

enum { CONDITION_SIZE = sizeof(pthread_cond_t), OFFSET_MARK = 40, MARK_DESTROYED = 0xdead, OFFSET_INIT = 44 };

/* Check that the condition variable can be used.  The access is a write, as in every operation: who waits is part of what a
 * condition variable is. */
static void check_condition(uint64_t address)
{
	const uint8_t *bytes = vm_access_initialised(address, CONDITION_SIZE, ACCESS_SYNC_WRITE, "pthread_cond_init");
	uint32_t mark;
	memcpy(&mark, bytes + OFFSET_MARK, sizeof mark);
	if (mark == MARK_DESTROYED)
		vm_violation(VIOLATION_MUTEX_MISUSE, "%s has been destroyed", vm_describe(address));
}

static enum vm_outcome fall_asleep(struct vm_call *call)
{
	uint64_t condition = call->arguments[0], address = call->arguments[1];
	struct vm_thread_header *header = &call->thread->header;
	if (!vm_deadline_is_valid(call)) {
		call->results[0] = EINVAL;
		return CALL_DONE;
	}
	check_condition(condition);
	vm_footprint_blocking(&call->thread->header);
	call->results[0] = (uint64_t)vm_mutex_yield(address, call->thread, condition);
	vm_footprint_blocking(NULL);
	vm_footprint_section(0);
	if (call->results[0])
		return CALL_DONE;
	vm_reads_sleepers(condition, WAKES_NONE, address);
	for (unsigned i = 0; i < vm_this.slots; i++) {
		const struct vm_thread_header *other = &vm_thread_look(i)->header;
		if (other->wait == WAIT_CONDITION && other->address == condition && other->other != address)
			vm_fault(VIOLATION_MUTEX_MISUSE, "threads wait on %s with different mutexes: %s, and thread %u with %s",
				 vm_describe(condition), vm_describe(address), i, vm_describe(other->other));
	}
	vm_wait_for(call, WAIT_CONDITION);
	header->other = address;
	if (header->timed)
		vm_clock_keep(header, call->arguments[builtin_deadline(call->builtin->flags)], false);
	vm_event_about(ACTION_WAIT, VM_ABOUT(.address = condition, .releases = address), "on %s, releasing %s",
		       vm_describe(condition), vm_describe(address));
	return CALL_REST;
}

void vm_condition_wakes(struct vm_thread_header *header, enum vm_woken why)
{
	assert(header->other && why != WOKEN_NOT); /* there is a mutex to take back */
	header->wait = WAIT_MUTEX;
	header->timed = 0;
	header->address = header->other;
	header->other = 0;
	header->woken = (uint8_t)why;
}

/* Wake a thread that sleeps on a condition variable.  POSIX counts signals and broadcasts among what synchronizes memory: what came
 * before one happens before what the thread does next. */
static void wake(struct vm_thread *thread, uint64_t condition, enum vm_woken why)
{
	thread->dirty = true;
	bool asleep = thread->header.wait == WAIT_CONDITION && thread->header.address == condition;
	struct vm_paused paused = { NULL };
	if (!asleep)
		paused = vm_thread_paused(thread, WAIT_CONDITION, condition);
	assert(asleep || paused.words || thread == vm_this.current); /* the last gives up, and its wait is over already */
	vm_thread_exchange(thread, paused);
	if (why == WOKEN_SIGNAL)
		vm_order_follow(vm_this.current->slot, thread->slot, "signal");
	vm_condition_wakes(&thread->header, why);
	vm_clock_kept(&thread->header);
	vm_thread_exchange(thread, paused);
}

static const char *const reasons[] = {
	/* by enum vm_woken */
	"", "woken", "timed out", "cancelled", "ended by a spurious wakeup",
};

/* Wake the thread of the call, although no thread has signalled. */
static enum vm_outcome give_up(struct vm_call *call)
{
	assert(call->thread->header.other && !call->thread->header.woken); /* it sleeps */
	bool cancelled = vm_cancel_due(call->thread);
	bool gives_up = cancelled || (vm_is_timed(call) && vm_injection_is_left(INJECT_TIMEOUT));
	enum vm_woken why = cancelled ? WOKEN_CANCEL : WOKEN_TIMEOUT;
	check_condition(call->arguments[0]);
	if (!gives_up) {
		if (!vm_injection_spend(INJECT_SPURIOUS_WAKEUP))
			VM_BUG("a sleeping thread goes on for no reason");
		why = WOKEN_SPURIOUSLY;
	} else if (vm_injection_wanted(INJECT_SPURIOUS_WAKEUP) && vm_injection_happens(INJECT_SPURIOUS_WAKEUP)) {
		why = WOKEN_SPURIOUSLY;
	} else if (!cancelled && !vm_injection_spend(INJECT_TIMEOUT)) {
		VM_BUG("a wait on a condition variable times out, and none may any more");
	}
	if (why == WOKEN_TIMEOUT)
		vm_clock_reach(vm_clock_kept(&call->thread->header));
	wake(call->thread, call->arguments[0], why);
	vm_event_about(ACTION_WAIT, VM_ABOUT(.address = call->arguments[0]), "on %s %s%s", vm_describe(call->arguments[0]),
		       why == WOKEN_TIMEOUT ? "times out" : "is ", why == WOKEN_TIMEOUT ? "" : reasons[why]);
	return CALL_REST;
}

static enum vm_outcome take_back(struct vm_call *call)
{
	uint64_t address = call->arguments[1];
	uint8_t woken = call->thread->header.woken;
	assert(woken < sizeof reasons / sizeof *reasons && woken != WOKEN_NOT);
	vm_footprint_blocking(&call->thread->header);
	int error = vm_mutex_acquire(address, call->thread);
	vm_footprint_blocking(NULL);
	if (error == EBUSY)
		VM_BUG("woken thread cannot have its mutex");
	call->thread->header.woken = WOKEN_NOT;
	vm_event_about(ACTION_LOCK, VM_ABOUT(.address = address, .writes = true), "%s, %s on %s", vm_describe(address),
		       reasons[woken], vm_describe(call->arguments[0]));
	if (woken == WOKEN_CANCEL)
		return vm_unwind(call->thread, (uint64_t)PTHREAD_CANCELED);
	call->results[0] = (uint64_t)(error ? error : woken == WOKEN_TIMEOUT ? ETIMEDOUT : 0);
	return CALL_DONE;
}

enum vm_outcome run_cond_wait(struct vm_call *call)
{
	if (call->thread->header.woken)
		return take_back(call);
	if (call->thread->header.other)
		return give_up(call);
	if (vm_cancel_due(call->thread))
		return vm_unwind(call->thread, (uint64_t)PTHREAD_CANCELED);
	return fall_asleep(call);
}

void prepare_cond_signal(struct vm_call *call)
{
	vm_wait_for(call, WAIT_SIGNAL);
}

enum vm_outcome run_cond_signal(struct vm_call *call)
{
	uint64_t condition = call->arguments[0];
	check_condition(condition);
	uint32_t skip = vm_this.choice;
	vm_reads_sleepers(condition, skip, 0);
	for (unsigned i = 0; i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_look(i);
		if (!vm_thread_sleeps(thread, WAIT_CONDITION, condition) || skip-- > 0)
			continue;
		wake(thread, condition, WOKEN_SIGNAL);
		vm_event_about(ACTION_SIGNAL, VM_ABOUT(.address = condition, VM_ABOUT_SLOT(i)), "%s: wakes thread %u",
			       vm_describe(condition), i);
		return CALL_DONE;
	}
	assert(vm_this.choice == 0); /* else a signal would be lost */
	vm_event_about(ACTION_SIGNAL, VM_ABOUT(.address = condition), "%s: nobody waits", vm_describe(condition));
	return CALL_DONE;
}

enum vm_outcome run_cond_broadcast(struct vm_call *call)
{
	uint64_t condition = call->arguments[0];
	check_condition(condition);
	unsigned woken = 0;
	uint8_t slots[UINT8_MAX + 1];
	vm_reads_sleepers(condition, WAKES_ALL, 0);
	for (unsigned i = 0; i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_look(i);
		if (vm_thread_sleeps(thread, WAIT_CONDITION, condition)) {
			wake(thread, condition, WOKEN_SIGNAL);
			slots[woken++] = (uint8_t)i;
		}
	}
	vm_event_about(ACTION_SIGNAL, VM_ABOUT(.address = condition, .threads = slots, .nthreads = woken),
		       "%s: broadcast wakes %u thread%s", vm_describe(condition), woken, woken == 1 ? "" : "s");
	return CALL_DONE;
}

enum vm_outcome run_cond_init(struct vm_call *call)
{
	vm_refuse_waiters(WAIT_CONDITION, call->arguments[0], "initialized", "on");
	uint32_t mark = vm_init_mark(call->arguments[0]);
	vm_refuse_second_init(call->arguments[0], CONDITION_SIZE, OFFSET_INIT);
	vm_overwrite(call->arguments[0], CONDITION_SIZE, OFFSET_MARK, 0, OFFSET_INIT, mark);
	return CALL_DONE;
}

enum vm_outcome run_cond_destroy(struct vm_call *call)
{
	vm_refuse_waiters(WAIT_CONDITION, call->arguments[0], "destroyed", "on");
	check_condition(call->arguments[0]);
	vm_overwrite(call->arguments[0], CONDITION_SIZE, OFFSET_MARK, MARK_DESTROYED, OFFSET_INIT, 0);
	return CALL_DONE;
}
