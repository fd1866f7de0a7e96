/* SPDX-License-Identifier: MIT
 *
 * Mutexes.  The fields are glibc's: how often locked, by whom, of what kind; in place of glibc's lock word, whether a robust
 * mutex is consistent; in place of its list of robust mutexes, the mark of an initialised one (sync.h).
 *
 * A robust mutex whose owner has ended is found out by the next thread that locks it: owners are slots, and the slot of a
 * thread that ended with locks is not used again (THREAD_DEAD).  Priorities do not exist, so neither do their protocols.
 */
#include "mutex.h"
#include "attributes.h"
#include "../memory/footprint.h"
#include "../symbolic/symbolic.h"
#include "../memory/records.h"
#include "../state/symmetry.h"
#include "sync.h"
#include "../state/stored.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

enum { MUTEX_SIZE = sizeof(pthread_mutex_t), OFFSET_STATE = 0, OFFSET_COUNT = 4, OFFSET_OWNER = 8, OFFSET_KIND = 16 };
enum { OFFSET_INIT = 28 };
enum { KIND_TYPE = 3, KIND_ROBUST = 16, KIND_DESTROYED = 0x7d }; /* the first two as in glibc */
enum { STATE_CONSISTENT, STATE_INCONSISTENT, STATE_LOST };

struct mutex {
	uint32_t state; /* of a robust one */
	uint32_t count; /* times locked */
	uint32_t owner; /* slot + 1; 0: free */
	uint32_t type;  /* PTHREAD_MUTEX_NORMAL, _RECURSIVE, _ERRORCHECK */
	bool robust, destroyed;
};

static struct mutex mutex_from(const uint8_t *bytes)
{
	struct mutex mutex = { 0 };
	uint32_t kind;
	memcpy(&mutex.state, bytes + OFFSET_STATE, sizeof mutex.state);
	memcpy(&mutex.count, bytes + OFFSET_COUNT, sizeof mutex.count);
	memcpy(&mutex.owner, bytes + OFFSET_OWNER, sizeof mutex.owner);
	memcpy(&kind, bytes + OFFSET_KIND, sizeof kind);
	mutex.type = (kind & KIND_TYPE) == PTHREAD_MUTEX_ADAPTIVE_NP ? PTHREAD_MUTEX_NORMAL : kind & KIND_TYPE;
	mutex.robust = kind & KIND_ROBUST;
	mutex.destroyed = kind == KIND_DESTROYED;
	return mutex;
}

static struct mutex mutex_read(uint64_t address)
{
	struct mutex mutex = mutex_from(vm_access_initialised(address, MUTEX_SIZE, ACCESS_SYNC_READ, "pthread_mutex_init"));
	if (mutex.destroyed)
		vm_violation(VIOLATION_MUTEX_MISUSE, "%s has been destroyed", vm_describe(address));
	if (mutex.owner > vm_this.max_threads)
		vm_violation(VIOLATION_MUTEX_MISUSE,
			     "%s is used without pthread_mutex_init: its bytes name a thread that cannot exist",
			     vm_describe(address));
	if (mutex.robust && mutex.owner) /* whether the owner lives is part of what the mutex is */
		vm_footprint_add_thread(mutex.owner - 1);
	return mutex;
}

static void mutex_write(uint64_t address, const struct mutex *mutex)
{
	uint8_t *bytes = vm_access(address, MUTEX_SIZE, ACCESS_SYNC_WRITE);
	vm_symmetry_locks(address, MUTEX_SIZE);
	memcpy(bytes + OFFSET_STATE, &mutex->state, sizeof mutex->state);
	memcpy(bytes + OFFSET_COUNT, &mutex->count, sizeof mutex->count);
	memcpy(bytes + OFFSET_OWNER, &mutex->owner, sizeof mutex->owner);
}

static bool owner_has_ended(const struct mutex *mutex)
{
	assert(mutex->owner > 0);
	return mutex->owner > vm_this.slots || vm_thread_load(mutex->owner - 1)->header.status != THREAD_RUNNING;
}

/* Does a thread hold the mutex that the thread in `slot` must wait for, if it still runs?  A mutex that names none leads into a
 * violation. */
static bool keeps_out(const struct mutex *mutex, unsigned slot)
{
	if (mutex->owner == 0 || mutex->owner > vm_this.max_threads || mutex->destroyed || mutex->state == STATE_LOST)
		return false;
	return mutex->owner != slot + 1 || mutex->type == PTHREAD_MUTEX_NORMAL;
}

bool vm_mutex_holds(uint64_t address, unsigned slot)
{
	const uint8_t *bytes = vm_peek(address, MUTEX_SIZE);
	return bytes && mutex_from(bytes).owner == slot + 1;
}

bool vm_mutex_free(uint64_t address, const struct vm_thread *thread)
{
	const uint8_t *bytes = vm_peek(address, MUTEX_SIZE);
	if (!bytes)
		return true; /* the thread goes on, into a violation */
	struct mutex mutex = mutex_from(bytes);
	if (!keeps_out(&mutex, thread->slot))
		return true;
	return mutex.owner != thread->slot + 1 && mutex.robust && owner_has_ended(&mutex);
}

bool vm_mutex_keeps_out(const uint8_t *bytes, unsigned slot, unsigned *holder, bool *robust)
{
	struct mutex mutex = mutex_from(bytes);
	*holder = mutex.owner - 1;
	*robust = mutex.robust;
	return keeps_out(&mutex, slot);
}

bool vm_mutex_awaited(const vm_stored_header *header, struct vm_range *mutex)
{
	uint64_t number = image_number(header->address), low = header->address - (number << IMAGE_OFFSET_BITS);
	if (header->wait != WAIT_MUTEX || header->timed || number >= IMAGE_END_DYNAMIC || low > INT32_MAX)
		return false;
	*mutex = (struct vm_range){ .object = (uint32_t)number, .low = (uint32_t)low, .high = (uint32_t)low + MUTEX_SIZE };
	return true;
}

/* Put into *mutex what a stored state has there.  Return false if it has no mutex there. */
static bool read_stored(vm_ref state, const struct vm_range *range, struct mutex *mutex)
{
	uint8_t bytes[MUTEX_SIZE];
	struct vm_range whole = { .object = range->object, .low = range->low, .high = range->low + MUTEX_SIZE };
	if (!vm_object_copy(vm_state_words(state), &whole, bytes))
		return false;
	*mutex = mutex_from(bytes);
	return true;
}

bool vm_mutex_only_blocks_in(vm_ref state, const struct vm_range *range)
{
	struct mutex mutex;
	return read_stored(state, range, &mutex) && mutex.owner == 0 && !mutex.robust && !mutex.destroyed &&
		mutex.state == STATE_CONSISTENT;
}

unsigned vm_mutex_holder_in(vm_ref state, const struct vm_range *range)
{
	struct mutex mutex;
	return read_stored(state, range, &mutex) && mutex.owner ? mutex.owner - 1 : vm_this.max_threads;
}

unsigned vm_mutex_holder(uint64_t address)
{
	const uint8_t *bytes = vm_peek(address, MUTEX_SIZE);
	struct mutex mutex = { 0 };
	if (bytes)
		mutex = mutex_from(bytes);
	return mutex.owner ? mutex.owner - 1 : vm_this.max_threads;
}

void vm_mutex_explain(char *text, size_t size, const struct vm_thread *thread)
{
	uint64_t address = thread->header.address;
	size_t used = (size_t)snprintf(text, size, "waits for %s", vm_describe(address));
	if (used < size)
		vm_holder_explain(text + used, size - used, thread, address, vm_mutex_holder(address));
}

static const char refused_lock[] = "failed attempt to lock";

static const char *holder(const struct mutex *mutex)
{
	static VM_OWN char text[32];
	if (mutex->owner == 0)
		return "nobody holds it";
	snprintf(text, sizeof text, "thread %u holds it", mutex->owner - 1);
	return text;
}

/* ---- lock and unlock ----------------------------------------------------------------------------------------------- */

void prepare_mutex_lock(struct vm_call *call)
{
	vm_wait_for(call, WAIT_MUTEX);
}

static int lock_again(uint64_t address, struct mutex *mutex)
{
	if (mutex->type == PTHREAD_MUTEX_ERRORCHECK)
		return EDEADLK;
	if (mutex->count == UINT32_MAX)
		return EAGAIN;
	mutex->count++;
	mutex_write(address, mutex);
	return 0;
}

int vm_mutex_acquire(uint64_t address, const struct vm_thread *thread)
{
	if (vm_mutex_free(address, thread))
		vm_order_read(address, true, "lock");
	struct mutex mutex = mutex_read(address);
	if (mutex.state == STATE_LOST)
		return ENOTRECOVERABLE;
	if (!vm_mutex_free(address, thread))
		return EBUSY;
	if (mutex.owner == thread->slot + 1)
		return lock_again(address, &mutex);
	if (mutex.owner) {
		vm_order_follow(mutex.owner - 1, thread->slot, "end of its holder");
		vm_thread_releases(mutex.owner - 1);
		mutex.state = STATE_INCONSISTENT;
	}
	vm_note_lock(address, vm_mutex_holds);
	vm_thread_holds(thread->slot);
	mutex.owner = thread->slot + 1;
	mutex.count = 1;
	mutex_write(address, &mutex);
	vm_order_taken(address, "lock");
	return mutex.state == STATE_INCONSISTENT ? EOWNERDEAD : 0;
}

static const char *remark(uint64_t error)
{
	switch (error) {
	case 0: return "";
	case EDEADLK: return " fails: this thread holds it";
	case EOWNERDEAD: return ", whose owner has ended";
	case ENOTRECOVERABLE: return " fails: it was unlocked in an inconsistent state";
	case ETIMEDOUT: return " times out";
	default: return " fails";
	}
}

enum vm_outcome run_mutex_lock(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	if (!vm_mutex_free(address, call->thread))
		vm_order_refused(address, refused_lock);
	vm_footprint_blocking(vm_is_timed(call) ? NULL : &call->thread->header);
	int error = vm_mutex_acquire(address, call->thread);
	vm_footprint_blocking(NULL);
	vm_footprint_section(error || vm_is_timed(call) || call->thread->header.atomic ? 0 : address);
	call->results[0] = (uint64_t)(error == EBUSY ? vm_timed_out(call) : error);
	vm_event_about(ACTION_LOCK,
		       VM_ABOUT(.address = address, .writes = call->results[0] == 0 || call->results[0] == EOWNERDEAD,
				.reads = true),
		       "%s%s", vm_describe(address), remark(call->results[0]));
	return CALL_DONE;
}

enum vm_outcome run_mutex_trylock(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	vm_order_attempt(address, vm_mutex_free(address, call->thread), "lock", refused_lock);
	struct mutex mutex = mutex_read(address);
	bool mine = mutex.owner == call->thread->slot + 1;
	call->results[0] = mine && mutex.type != PTHREAD_MUTEX_RECURSIVE ? EBUSY :
									   (uint64_t)vm_mutex_acquire(address, call->thread);
	if (call->results[0] == EBUSY)
		vm_event_about(ACTION_LOCK, VM_ABOUT(.address = address, .reads = true), "%s fails: %s", vm_describe(address),
			       holder(&mutex));
	else
		vm_event_about(ACTION_LOCK, VM_ABOUT(.address = address, .writes = true), "%s%s", vm_describe(address),
			       remark(call->results[0]));
	return CALL_DONE;
}

static void unlock(uint64_t address, struct mutex *mutex)
{
	bool last = --mutex->count == 0;
	if (last) {
		vm_thread_releases(mutex->owner - 1);
		mutex->owner = 0;
		if (mutex->state == STATE_INCONSISTENT)
			mutex->state = STATE_LOST;
	}
	mutex_write(address, mutex);
	if (last)
		vm_order_write(address, true, false, "unlock");
}

/* Do what glibc does when a thread unlocks a mutex that it does not hold: then nobody holds the mutex. */
static void set_free(uint64_t address, struct mutex *mutex)
{
	mutex->count = 1;
	if (mutex->owner == 0) { /* the mutex is written all the same */
		vm_order_write(address, true, false, "unlock");
		return;
	}
	vm_footprint_add_thread(mutex->owner - 1);
	unlock(address, mutex);
}

/* Unlock the mutex.  Return 0 or the error that pthread_mutex_unlock() returns. */
static int give_back(uint64_t address, const struct vm_thread *thread)
{
	struct mutex mutex = mutex_read(address);
	if (mutex.owner != thread->slot + 1) {
		if (mutex.type != PTHREAD_MUTEX_NORMAL || mutex.robust)
			return EPERM;
		vm_fault(VIOLATION_MUTEX_MISUSE, "unlock of %s by a thread that does not hold it: %s", vm_describe(address),
			 holder(&mutex));
		set_free(address, &mutex);
		return 0;
	}
	unlock(address, &mutex);
	return 0;
}

enum vm_outcome run_mutex_unlock(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	vm_footprint_blocking(&call->thread->header);
	call->results[0] = (uint64_t)give_back(address, call->thread);
	vm_footprint_blocking(NULL);
	vm_footprint_section(0);
	if (call->results[0] == 0)
		vm_event_about(ACTION_UNLOCK, VM_ABOUT(.address = address, .writes = true), "%s", vm_describe(address));
	return CALL_DONE;
}

/* ---- locks of streams (libc/streams.c) ------------------------------------------------------------------------------- */

/* Let a mutex be a robust one, or not.  It is one while a call of the library holds it of its own accord: then it is free when the
 * thread has been cancelled meanwhile. */
static void set_robust(uint64_t address, struct mutex *mutex, bool robust)
{
	uint32_t kind = PTHREAD_MUTEX_RECURSIVE | (robust ? KIND_ROBUST : 0);
	if (mutex->robust != robust)
		memcpy((uint8_t *)vm_access(address, MUTEX_SIZE, ACCESS_SYNC_WRITE) + OFFSET_KIND, &kind, sizeof kind);
	mutex->robust = robust;
}

/* Lock the mutex of a stream: (mutex, orders). */
enum vm_outcome run_stream_lock(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	const struct vm_thread *thread = call->thread;
	bool orders = (uint32_t)call->arguments[1], is_free = vm_mutex_free(address, thread);
	if (orders)
		vm_order_attempt(address, is_free, "lock", refused_lock);
	struct mutex mutex = mutex_read(address);
	call->results[0] = is_free ? 0 : EBUSY;
	vm_event_about(ACTION_LOCK, VM_ABOUT(.address = address, .writes = is_free, .reads = true), "%s%s", vm_describe(address),
		       is_free ? "" : ": busy");
	if (!is_free)
		return CALL_DONE;
	if (mutex.owner != thread->slot + 1) {
		if (mutex.owner)
			vm_thread_releases(mutex.owner - 1);
		vm_note_lock(address, vm_mutex_holds);
		vm_thread_holds(thread->slot);
		mutex.owner = thread->slot + 1;
		mutex.count = 0;
	}
	mutex.count++;
	mutex_write(address, &mutex);
	if (mutex.count == 1)
		set_robust(address, &mutex, !orders);
	if (orders)
		vm_order_taken(address, "lock");
	return CALL_DONE;
}

enum vm_outcome run_stream_unlock(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	struct mutex mutex = mutex_read(address);
	call->results[0] = mutex.owner == call->thread->slot + 1 ? 0 : EPERM;
	if (call->results[0])
		return CALL_DONE;
	if (--mutex.count == 0) {
		vm_thread_releases(mutex.owner - 1);
		mutex.owner = 0;
		set_robust(address, &mutex, false);
	}
	mutex_write(address, &mutex);
	if (!mutex.count && (uint32_t)call->arguments[1])
		vm_order_write(address, true, true, "unlock");
	vm_event_about(ACTION_UNLOCK, VM_ABOUT(.address = address, .writes = true), "%s", vm_describe(address));
	return CALL_DONE;
}

/* Access a byte that stands for a stream: (mutex, byte, writes). */
enum vm_outcome run_stream_use(struct vm_call *call)
{
	bool holds = vm_mutex_holds(call->arguments[0], call->thread->slot), writes = (uint32_t)call->arguments[2];
	vm_access(call->arguments[1], 1,
		  holds ? (writes ? ACCESS_SYNC_WRITE : ACCESS_SYNC_READ) : (writes ? ACCESS_WRITE : ACCESS_READ));
	return CALL_DONE;
}

/* Access the buffer of a stream: (bytes, size). */
enum vm_outcome run_stream_buffer(struct vm_call *call)
{
	vm_access_bits(call->arguments[0], call->arguments[1], ACCESS_READ); /* what is in it may be anything */
	return CALL_DONE;
}

int vm_mutex_yield(uint64_t address, const struct vm_thread *thread, uint64_t condition)
{
	struct mutex mutex = mutex_read(address);
	if (mutex.owner != thread->slot + 1) {
		if (mutex.robust || mutex.type == PTHREAD_MUTEX_ERRORCHECK)
			return EPERM;
		vm_fault(VIOLATION_MUTEX_MISUSE, "wait on %s without holding %s: %s", vm_describe(condition), vm_describe(address),
			 holder(&mutex));
		if (mutex.type == PTHREAD_MUTEX_NORMAL)
			set_free(address, &mutex);
		return mutex.type == PTHREAD_MUTEX_NORMAL ? 0 : EPERM;
	}
	if (mutex.count > 1)
		vm_fault(VIOLATION_MUTEX_MISUSE, "wait on %s with %s locked %u times", vm_describe(condition), vm_describe(address),
			 mutex.count);
	unlock(address, &mutex);
	return 0;
}

enum vm_outcome run_mutex_consistent(struct vm_call *call)
{
	struct mutex mutex = mutex_read(call->arguments[0]);
	if (!mutex.robust || mutex.state != STATE_INCONSISTENT || mutex.owner != call->thread->slot + 1) {
		call->results[0] = EINVAL;
		return CALL_DONE;
	}
	mutex.state = STATE_CONSISTENT;
	mutex_write(call->arguments[0], &mutex);
	return CALL_DONE;
}

/* ---- init and destroy ---------------------------------------------------------------------------------------------- */

/* Report that a mutex is initialized while a thread holds it.  It is free then.  Threads that wait for it sleep on, on a
 * machine, or do not. */
static void replace_held(uint64_t address, unsigned owner)
{
	assert(owner < vm_this.slots);
	static const char format[] = "%s is initialized while thread %u holds it%s";
	if (vm_waiting(WAIT_MUTEX, address))
		vm_violation(VIOLATION_MUTEX_MISUSE, format, vm_describe(address), owner, ", and others wait for it");
	vm_fault(VIOLATION_MUTEX_MISUSE, format, vm_describe(address), owner, "");
	vm_footprint_add_thread(owner);
	vm_thread_releases(owner);
}

void vm_mutex_init(uint64_t address, uint32_t type, bool robust)
{
	struct mutex old = { 0 };
	vm_symbolic_need_at(address, MUTEX_SIZE, "the initialization of a mutex");
	if (vm_is_set(address, MUTEX_SIZE))
		old = mutex_from(vm_access(address, MUTEX_SIZE, ACCESS_READ));
	if (old.owner > 0 && old.owner <= vm_this.slots && old.count && !old.destroyed)
		replace_held(address, old.owner - 1);
	else
		vm_refuse_second_init(address, MUTEX_SIZE, OFFSET_INIT);
	vm_overwrite(address, MUTEX_SIZE, OFFSET_KIND, type | (robust ? KIND_ROBUST : 0), OFFSET_INIT, vm_init_mark(address));
}

enum vm_outcome run_mutex_init(struct vm_call *call)
{
	uint64_t attributes = call->arguments[1], type = 0, robust = 0;
	if (attributes) {
		type = vm_attribute_value(attributes, &vm_attribute_mutex_type);
		robust = vm_attribute_value(attributes, &vm_attribute_mutex_robust);
	}
	vm_mutex_init(call->arguments[0], (uint32_t)type, robust);
	return CALL_DONE;
}

enum vm_outcome run_mutex_destroy(struct vm_call *call)
{
	static const char held[] = "%s is destroyed while thread %u holds it";
	uint64_t address = call->arguments[0];
	struct mutex mutex = mutex_read(address);
	if (mutex.owner && mutex.robust && !owner_has_ended(&mutex))
		vm_violation(VIOLATION_MUTEX_MISUSE, held, vm_describe(address), mutex.owner - 1);
	if (mutex.owner && !mutex.robust) {
		vm_fault(VIOLATION_MUTEX_MISUSE, held, vm_describe(address), mutex.owner - 1);
		call->results[0] = EBUSY;
		return CALL_DONE;
	}
	for (unsigned i = 0; i < vm_this.slots; i++) {
		const struct vm_thread_header *other = &vm_thread_load(i)->header;
		if (other->wait != WAIT_CONDITION || other->other != address)
			continue;
		vm_fault(VIOLATION_MUTEX_MISUSE, "%s is destroyed while thread %u waits on %s with it", vm_describe(address), i,
			 vm_describe(other->address));
		call->results[0] = EBUSY; /* to glibc, such threads use it */
		return CALL_DONE;
	}
	vm_overwrite(address, MUTEX_SIZE, OFFSET_KIND, KIND_DESTROYED, OFFSET_INIT, 0);
	return CALL_DONE;
}
