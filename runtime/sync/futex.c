/* SPDX-License-Identifier: MIT
 *
 * The system call futex.  A futex has no bytes of its own: its waiters are the threads that wait for its address.
 *
 * A wait is two operations of the thread: compare the word and fall asleep, which is one step; and go on, once woken, timed out or
 * for no reason.  A wake-up finds the threads that sleep, and makes them able to go on; if it takes some of them only, any may be
 * the ones: an outcome each.  Linux keeps processes apart by the flag FUTEX_PRIVATE_FLAG: a private wait and a wake-up that is not
 * private do not meet, and so it is here.
 *
 * It orders nothing: happens-before comes from the atomic accesses around it.  So it is among what makes records needed
 * (translator/analyse/happens_before.c).  A wake-up reads no memory, as it may come after the memory was freed.
 *
 * Futexes that have owners, as FUTEX_LOCK_PI makes them, are in futex_owned.c.
 *
 * Every operation but a wait that fails at once counts as a write of the word: who waits is part of what a futex is.
 */
#include "../calls/inject.h"
#include "../memory/footprint.h"
#include "../memory/records.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <time.h>

enum { WORD = 4, NANOSECONDS = 1000000000, MOST_OUTCOMES = 1 << 20 };

/* The arguments, by their numbers. */
enum { ADDRESS, OPERATION, VALUE, TIMEOUT, SECOND, THIRD };

struct request {
	unsigned operation; /* one of FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET, FUTEX_CMP_REQUEUE, FUTEX_REQUEUE; else not known */
	uint32_t bits;      /* of a wait or wake-up: who of the others is meant */
	bool private;
	uint32_t wake, move; /* so many at most */
};

/* Return the bits by which those who wait for an owner, and that owner, keep processes apart. */
static uint32_t bits_of_owned(bool private)
{
	return private ? 1 : 2;
}

static struct request request_of(uint64_t operation, uint64_t value, uint64_t second_value, uint64_t third)
{
	struct request request = {
		.operation = (unsigned)operation & (unsigned)FUTEX_CMD_MASK,
		.bits = (uint32_t)third,
		.private = operation & FUTEX_PRIVATE_FLAG,
	};
	bool all = request.operation == FUTEX_WAIT || request.operation == FUTEX_WAKE;
	if (all)
		request.operation = request.operation == FUTEX_WAIT ? FUTEX_WAIT_BITSET : FUTEX_WAKE_BITSET;
	bool moves = request.operation == FUTEX_REQUEUE || request.operation == FUTEX_CMP_REQUEUE;
	if (all || moves)
		request.bits = FUTEX_BITSET_MATCH_ANY;
	request.wake = (uint32_t)value;
	if (request.operation == FUTEX_UNLOCK_PI) {
		request.bits = bits_of_owned(request.private);
		request.wake = 1;
	}
	if (!moves && (int32_t)request.wake < 1)
		request.wake = 1; /* as Linux does */
	request.move = moves ? (uint32_t)second_value : 0;
	return request;
}

/* Note that the step depends on who waits for the futex, or, if `write`, changes that. */
static void touch(uint64_t address, bool write)
{
	uint64_t number = image_number(address);
	uint32_t low = (uint32_t)(address - (number << IMAGE_OFFSET_BITS));
	if (number < IMAGE_END_DYNAMIC)
		vm_footprint_add((uint32_t)number, low, low + WORD, write);
}

void vm_futex_footprint(uint64_t address)
{
	touch(address, false);
}

void vm_futex_explain(char *text, size_t size, const struct vm_thread *thread)
{
	snprintf(text, size, "waits for a wake-up on futex %s", vm_describe(thread->header.address));
}

/* ---- who is woken --------------------------------------------------------------------------------------------------- */

static enum vm_wait wait_of(const struct request *request)
{
	return request->operation == FUTEX_UNLOCK_PI ? WAIT_OWNED : request->private ? WAIT_PRIVATE : WAIT_FUTEX;
}

static bool is_meant(const struct vm_thread *thread, uint64_t address, const struct request *request)
{
	const struct vm_thread_header *header = &thread->header;
	return header->wait == wait_of(request) && header->address == address && (header->count & request->bits);
}

static uint32_t count_meant(uint64_t address, const struct request *request)
{
	uint32_t count = 0;
	for (unsigned i = 0; i < vm_this.slots; i++)
		count += is_meant(vm_thread_load(i), address, request);
	return count;
}

/* Return the number of ways to take k of n; MOST_OUTCOMES + 1 if there are more. */
static uint64_t ways(uint32_t n, uint32_t k)
{
	uint64_t count = 1;
	if (k > n)
		return 0;
	k = k > n - k ? n - k : k;
	for (uint32_t i = 1; i <= k; i++) {
		count = count * (n - k + i) / i;
		if (count > MOST_OUTCOMES)
			return MOST_OUTCOMES + 1;
	}
	return count;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Return in how many ways some waiters can be woken, and some of the others moved. */
static uint64_t all_ways(uint64_t address, const struct request *request)
{
	uint32_t n = count_meant(address, request), wake = least(n, request->wake);
	return ways(n, wake) * ways(n - wake, least(n - wake, request->move));
}

static void refuse_too_many(uint64_t address, const struct request *request)
{
	if (all_ways(address, request) > MOST_OUTCOMES)
		vm_inconclusive(LIMIT_CHOICE, "there are more than %d ways to choose whom the futex %s wakes", (int)MOST_OUTCOMES,
				vm_describe(address));
}

uint32_t vm_futex_outcomes(const struct vm_thread *thread)
{
	if (thread->header.count)
		return thread->header.count;
	struct request request = request_of(vm_resting_argument(thread, OPERATION), vm_resting_argument(thread, VALUE),
					    vm_resting_argument(thread, TIMEOUT), vm_resting_argument(thread, THIRD));
	uint64_t count = all_ways(thread->header.address, &request);
	return count > MOST_OUTCOMES ? MOST_OUTCOMES : (uint32_t)count;
}

/* Is the first of n threads in the `choice`-th set of k of them?  Go on to the others: fewer are left then in `n` and `k`, and
 * `choice` counts the sets of them. */
static bool takes(uint32_t *n, uint32_t *k, uint64_t *choice)
{
	assert(*k <= *n && *choice < ways(*n, *k));
	uint64_t with = *k ? ways(*n - 1, *k - 1) : 0;
	bool taken = *choice < with;
	if (taken)
		--*k;
	else
		*choice -= with;
	--*n;
	return taken;
}

static void wake(unsigned slot, enum vm_woken why)
{
	struct vm_thread_header *header = &vm_thread_change(slot)->header;
	assert((vm_wait_is_futex((enum vm_wait)header->wait) || header->wait == WAIT_OWNED) && slot != vm_this.current->slot);
	header->wait = WAIT_NONE;
	header->timed = 0;
	header->count = 0;
	header->address = header->other = 0;
	header->woken = (uint8_t)why;
	vm_clock_kept(header);
}

/* Wake some of those who are meant; *last becomes the slot of one of them. */
static uint32_t wake_some(const struct vm_call *call, const struct request *request, uint64_t *choice, unsigned *last)
{
	vm_this.outward = true;
	uint64_t address = call->arguments[ADDRESS];
	uint32_t n = count_meant(address, request), k = least(n, request->wake), woken = 0;
	for (unsigned i = 0; i < vm_this.slots && k; i++) {
		if (!is_meant(vm_thread_load(i), address, request) || !takes(&n, &k, choice))
			continue;
		wake(i, WOKEN_SIGNAL);
		*last = i;
		vm_event_about(ACTION_SIGNAL, VM_ABOUT(.address = address, VM_ABOUT_SLOT(i)), "futex %s: wakes thread %u",
			       vm_describe(address), i);
		woken++;
	}
	assert(k == 0);
	if (!woken)
		vm_event_about(ACTION_SIGNAL, VM_ABOUT(.address = address), "futex %s: wakes nobody", vm_describe(address));
	return woken;
}

static uint32_t move_some(const struct vm_call *call, const struct request *request, uint64_t *choice)
{
	uint64_t from = call->arguments[ADDRESS], to = call->arguments[SECOND];
	uint32_t n = count_meant(from, request), k = least(n, request->move), moved = 0;
	for (unsigned i = 0; i < vm_this.slots && k; i++) {
		if (!is_meant(vm_thread_load(i), from, request) || !takes(&n, &k, choice))
			continue;
		struct vm_thread_header *header = &vm_thread_change(i)->header;
		header->address = header->other = to;
		vm_event_about(ACTION_SIGNAL, VM_ABOUT(.address = from), "futex %s: thread %u now waits for another",
			       vm_describe(from), i);
		moved++;
	}
	assert(k == 0);
	return moved;
}

/* ---- the operations ------------------------------------------------------------------------------------------------- */

/* Is the word the one expected?  Linux reads it without ordering anything. */
static bool is_expected(uint64_t address, uint64_t expected)
{
	uint64_t value = vm_load64(address, WORD, ACCESS_SYNC_READ);
	vm_order_read(address, false, "look at a futex");
	return value == (uint32_t)expected;
}

static bool has_bad_timeout(uint64_t timeout)
{
	if (!timeout)
		return false;
	int64_t seconds = (int64_t)vm_load64(timeout + offsetof(struct timespec, tv_sec), 8, ACCESS_READ);
	return seconds < 0 || vm_load64(timeout + offsetof(struct timespec, tv_nsec), 8, ACCESS_READ) >= NANOSECONDS;
}

static enum vm_outcome fall_asleep(struct vm_call *call, const struct request *request)
{
	uint64_t address = call->arguments[ADDRESS];
	struct vm_thread_header *header = &call->thread->header;
	if (request->bits == 0 || has_bad_timeout(call->arguments[TIMEOUT])) {
		vm_fail(call, EINVAL);
		return CALL_DONE;
	}
	if (!is_expected(address, call->arguments[VALUE])) {
		vm_fail(call, EAGAIN);
		vm_event_about(ACTION_WAIT, VM_ABOUT(.address = address), "on futex %s does not begin: it is not %s",
			       vm_describe(address), vm_describe_value(address, 4, (uint32_t)call->arguments[VALUE]));
		return CALL_DONE;
	}
	touch(address, true);
	vm_wait_for(call, wait_of(request));
	header->other = address;
	header->timed = call->arguments[TIMEOUT] != 0;
	header->count = request->bits;
	bool relative = ((unsigned)call->arguments[OPERATION] & (unsigned)FUTEX_CMD_MASK) == FUTEX_WAIT;
	vm_clock_keep(header, call->arguments[TIMEOUT], relative);
	vm_event_about(ACTION_WAIT, VM_ABOUT(.address = address), "on futex %s, which is %s", vm_describe(address),
		       vm_describe_value(address, 4, (uint32_t)call->arguments[VALUE]));
	return CALL_REST;
}

static enum vm_outcome go_on(struct vm_call *call, bool timed_out, const char *why)
{
	vm_event_about(ACTION_WAIT, VM_ABOUT(.address = call->arguments[ADDRESS]), "on futex %s is over: %s",
		       vm_describe(call->arguments[ADDRESS]), why);
	if (timed_out)
		vm_fail(call, ETIMEDOUT);
	return CALL_DONE;
}

/* Let the thread of the call go on although nobody has woken it. */
static enum vm_outcome give_up(struct vm_call *call)
{
	struct vm_thread_header *header = &call->thread->header;
	bool gives_up = call->arguments[TIMEOUT] && vm_injection_is_left(INJECT_TIMEOUT);
	bool spurious = !gives_up;
	touch(header->other, true);
	header->other = 0;
	if (!gives_up && !vm_injection_spend(INJECT_SPURIOUS_WAKEUP))
		VM_BUG("a thread that sleeps on a futex goes on for no reason");
	if (gives_up && vm_injection_wanted(INJECT_SPURIOUS_WAKEUP))
		spurious = vm_injection_happens(INJECT_SPURIOUS_WAKEUP);
	if (!spurious && !vm_injection_spend(INJECT_TIMEOUT))
		VM_BUG("a wait on a futex times out, and none may any more");
	int64_t deadline = vm_clock_kept(header);
	if (!spurious)
		vm_clock_reach(deadline);
	return go_on(call, !spurious, spurious ? "a spurious wakeup" : "timed out");
}

/* Let some waiters of one futex wake up, and others wait for another futex from now on. */
static enum vm_outcome requeue(struct vm_call *call, const struct request *request)
{
	uint64_t choice = vm_this.choice, from = call->arguments[ADDRESS];
	if ((int32_t)request->wake < 0 || (int32_t)request->move < 0 || call->arguments[SECOND] % WORD) {
		vm_fail(call, EINVAL);
		return CALL_DONE;
	}
	if (request->operation == FUTEX_CMP_REQUEUE && !is_expected(from, call->arguments[THIRD])) {
		vm_fail(call, EAGAIN);
		return CALL_DONE;
	}
	touch(from, true);
	touch(call->arguments[SECOND], true);
	refuse_too_many(from, request);
	uint32_t n = count_meant(from, request);
	uint64_t each = ways(n - least(n, request->wake), least(n - least(n, request->wake), request->move));
	assert(each > 0);
	uint64_t first = choice / each, second = choice % each;
	unsigned last;
	uint32_t woken = wake_some(call, request, &first, &last), moved = move_some(call, request, &second);
	call->results[0] = woken + (request->operation == FUTEX_CMP_REQUEUE ? moved : 0);
	return CALL_DONE;
}

static enum vm_outcome wake_up(struct vm_call *call, const struct request *request)
{
	uint64_t choice = vm_this.choice;
	unsigned last;
	if (request->bits == 0) {
		vm_fail(call, EINVAL);
		return CALL_DONE;
	}
	touch(call->arguments[ADDRESS], true);
	refuse_too_many(call->arguments[ADDRESS], request);
	call->results[0] = wake_some(call, request, &choice, &last);
	return CALL_DONE;
}

/* ---- futexes with owners --------------------------------------------------------------------------------------------- */

static enum vm_outcome lock_owned(struct vm_call *call, bool tries)
{
	uint64_t address = call->arguments[ADDRESS];
	if (!tries && has_bad_timeout(call->arguments[TIMEOUT])) {
		vm_fail(call, EINVAL);
		return CALL_DONE;
	}
	touch(address, true);
	int error = vm_futex_take(address, call->thread->slot, tries);
	if (error == 0)
		return CALL_DONE;
	if (error != EBUSY) {
		vm_fail(call, error);
		return CALL_DONE;
	}
	struct vm_thread_header *header = &call->thread->header;
	vm_wait_for(call, WAIT_OWNED);
	header->other = address;
	header->timed = call->arguments[TIMEOUT] != 0;
	header->count = bits_of_owned(call->arguments[OPERATION] & FUTEX_PRIVATE_FLAG);
	vm_clock_keep(header, call->arguments[TIMEOUT], false);
	vm_event_about(ACTION_WAIT, VM_ABOUT(.address = address), "on futex %s, which another thread owns", vm_describe(address));
	return CALL_REST;
}

static enum vm_outcome unlock_owned(struct vm_call *call, const struct request *request)
{
	uint64_t choice = vm_this.choice, address = call->arguments[ADDRESS];
	unsigned next = vm_this.max_threads;
	touch(address, true);
	if (!vm_futex_owns(address, call->thread->slot)) {
		vm_fail(call, EPERM);
		return CALL_DONE;
	}
	refuse_too_many(address, request);
	wake_some(call, request, &choice, &next);
	vm_futex_give(address, next);
	return CALL_DONE;
}

static struct request request_in(const struct vm_call *call)
{
	return request_of(call->arguments[OPERATION], call->arguments[VALUE], call->arguments[TIMEOUT], call->arguments[THIRD]);
}

void prepare_futex(struct vm_call *call)
{
	unsigned operation = request_in(call).operation;
	if (operation == FUTEX_WAIT_BITSET || operation == FUTEX_LOCK_PI || operation == FUTEX_TRYLOCK_PI)
		return;
	call->thread->header.wait = WAIT_WAKE;
	vm_wait_place(call->arguments[ADDRESS]);
	call->thread->header.address = call->arguments[ADDRESS];
}

enum vm_outcome run_futex(struct vm_call *call)
{
	struct request request = request_in(call);
	if (call->thread->header.woken) {
		call->thread->header.woken = WOKEN_NOT;
		return go_on(call, false, "woken");
	}
	if (call->thread->header.other)
		return give_up(call);
	if (call->arguments[ADDRESS] % WORD) {
		vm_fail(call, EINVAL);
		return CALL_DONE;
	}
	switch (request.operation) {
	case FUTEX_WAIT_BITSET: return fall_asleep(call, &request);
	case FUTEX_WAKE_BITSET: return wake_up(call, &request);
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE: return requeue(call, &request);
	case FUTEX_LOCK_PI: return lock_owned(call, false);
	case FUTEX_TRYLOCK_PI: return lock_owned(call, true);
	case FUTEX_UNLOCK_PI: return unlock_owned(call, &request);
	default:
		vm_inconclusive(LIMIT_FUNCTION,
				"operation %u of the system call futex is not modelled; known are the waits, "
				"wake-ups, requeues, FUTEX_LOCK_PI, TRYLOCK_PI and UNLOCK_PI",
				request.operation);
	}
}
