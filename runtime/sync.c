/* SPDX-License-Identifier: MIT
 *
 * Mutexes and condition variables.
 *
 * A mutex lives in the bytes of the program's own pthread_mutex_t, so that copies, static initialisers and zero-filled
 * memory mean what they mean on Linux.  The fields are glibc's: how often locked, by whom, of what kind.  A condition
 * variable has no bytes at all: its waiters are the threads that wait for its address.
 *
 * A step of pthread_cond_wait is two operations of the thread: give up the mutex and sleep; once signalled, take the mutex
 * again.  A signal wakes any one of the waiters: one outcome each.
 */
#include "builtin.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

enum { MUTEX_SIZE = sizeof(pthread_mutex_t), OFFSET_COUNT = 4, OFFSET_OWNER = 8, OFFSET_KIND = 16 };
enum { KIND_MASK = 3, KIND_DESTROYED = 0x7d }; /* glibc keeps flags above the type */

struct mutex {
	uint32_t count; /* times locked */
	uint32_t owner; /* slot + 1; 0: free */
	uint32_t kind;  /* PTHREAD_MUTEX_NORMAL, _RECURSIVE, _ERRORCHECK, or KIND_DESTROYED */
};

static struct mutex mutex_from(const uint8_t *bytes)
{
	struct mutex mutex;
	memcpy(&mutex.count, bytes + OFFSET_COUNT, sizeof mutex.count);
	memcpy(&mutex.owner, bytes + OFFSET_OWNER, sizeof mutex.owner);
	memcpy(&mutex.kind, bytes + OFFSET_KIND, sizeof mutex.kind);
	if (mutex.kind != KIND_DESTROYED)
		mutex.kind &= KIND_MASK;
	return mutex;
}

static struct mutex mutex_read(uint64_t address)
{
	struct mutex mutex = mutex_from(vm_access(address, MUTEX_SIZE, ACCESS_SYNC_READ));
	if (mutex.kind == KIND_DESTROYED)
		vm_fault(FAULT_MUTEX_MISUSE, "%s has been destroyed", vm_describe(address));
	return mutex;
}

static void mutex_write(uint64_t address, const struct mutex *mutex)
{
	uint8_t *bytes = vm_access(address, MUTEX_SIZE, ACCESS_SYNC_WRITE);
	memcpy(bytes + OFFSET_COUNT, &mutex->count, sizeof mutex->count);
	memcpy(bytes + OFFSET_OWNER, &mutex->owner, sizeof mutex->owner);
}

bool vm_mutex_free(uint64_t address, const struct vm_thread *thread)
{
	struct vm_place place = vm_place(address);
	if (!place.object || place.offset < 0 || place.offset + MUTEX_SIZE > place.object->header.size)
		return true; /* the thread goes on, into a fault */
	struct mutex mutex = mutex_from(place.object->bytes + place.offset);
	if (mutex.owner == 0 || mutex.kind == KIND_DESTROYED)
		return true;
	return mutex.owner == thread->slot + 1 && mutex.kind != PTHREAD_MUTEX_NORMAL;
}

unsigned vm_mutex_holder(uint64_t address)
{
	struct vm_place place = vm_place(address);
	if (!place.object || place.offset < 0 || place.offset + MUTEX_SIZE > place.object->header.size)
		return vm_this.max_threads;
	struct mutex mutex = mutex_from(place.object->bytes + place.offset);
	return mutex.owner ? mutex.owner - 1 : vm_this.max_threads;
}

static const char *holder(const struct mutex *mutex)
{
	static char text[32];
	if (mutex->owner == 0)
		return "nobody holds it";
	snprintf(text, sizeof text, "thread %u holds it", mutex->owner - 1);
	return text;
}

void prepare_mutex_lock(struct vm_call *call)
{
	call->thread->header.wait = WAIT_MUTEX;
	call->thread->header.address = call->arguments[0];
}

/* Lock a mutex that the thread may lock; the errno to return. */
static int acquire(uint64_t address, const struct vm_thread *thread)
{
	struct mutex mutex = mutex_read(address);
	if (mutex.owner == thread->slot + 1) {
		if (mutex.kind == PTHREAD_MUTEX_ERRORCHECK)
			return EDEADLK;
		if (mutex.kind == PTHREAD_MUTEX_RECURSIVE) {
			if (++mutex.count == 0)
				return EAGAIN;
			mutex_write(address, &mutex);
			return 0;
		}
	}
	if (mutex.owner != 0)
		return EBUSY;
	vm_note_lock(address);
	mutex.owner = thread->slot + 1;
	mutex.count = 1;
	mutex_write(address, &mutex);
	return 0;
}

enum vm_outcome run_mutex_lock(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	call->results[0] = (uint64_t)acquire(address, call->thread);
	vm_event(ACTION_LOCK, "%s%s", vm_describe(address), call->results[0] ? " fails: this thread holds it" : "");
	return CALL_DONE;
}

enum vm_outcome run_mutex_trylock(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	struct mutex mutex = mutex_read(address);
	bool mine = mutex.owner == call->thread->slot + 1;
	call->results[0] = mine && mutex.kind != PTHREAD_MUTEX_RECURSIVE ? EBUSY : (uint64_t)acquire(address, call->thread);
	if (call->results[0])
		vm_event(ACTION_LOCK, "try %s: busy, %s", vm_describe(address), holder(&mutex));
	else
		vm_event(ACTION_LOCK, "try %s: locked", vm_describe(address));
	return CALL_DONE;
}

enum vm_outcome run_mutex_unlock(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	struct mutex mutex = mutex_read(address);
	if (mutex.owner != call->thread->slot + 1) {
		if (mutex.kind == PTHREAD_MUTEX_NORMAL)
			vm_fault(FAULT_MUTEX_MISUSE, "unlock of %s by a thread that does not hold it: %s", vm_describe(address),
				 holder(&mutex));
		call->results[0] = EPERM;
		return CALL_DONE;
	}
	if (--mutex.count == 0)
		mutex.owner = 0;
	mutex_write(address, &mutex);
	vm_event(ACTION_UNLOCK, "%s", vm_describe(address));
	return CALL_DONE;
}

enum vm_outcome run_mutex_init(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	uint32_t kind = call->arguments[1] ? (uint32_t)vm_load64(call->arguments[1], 4, ACCESS_READ) & KIND_MASK : 0;
	struct mutex old = mutex_from(vm_access(address, MUTEX_SIZE, ACCESS_READ));
	if (old.owner > 0 && old.owner <= vm_this.slots && old.count && old.kind != KIND_DESTROYED)
		vm_fault(FAULT_MUTEX_MISUSE, "%s is initialised while thread %u holds it", vm_describe(address), old.owner - 1);
	uint8_t *bytes = vm_access(address, MUTEX_SIZE, ACCESS_WRITE);
	memset(bytes, 0, MUTEX_SIZE);
	memcpy(bytes + OFFSET_KIND, &kind, sizeof kind);
	return CALL_DONE;
}

enum vm_outcome run_mutex_destroy(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	struct mutex mutex = mutex_read(address);
	if (mutex.owner)
		vm_fault(FAULT_MUTEX_MISUSE, "%s is destroyed while thread %u holds it", vm_describe(address), mutex.owner - 1);
	uint32_t kind = KIND_DESTROYED;
	uint8_t *bytes = vm_access(address, MUTEX_SIZE, ACCESS_WRITE);
	memset(bytes, 0, MUTEX_SIZE);
	memcpy(bytes + OFFSET_KIND, &kind, sizeof kind);
	return CALL_DONE;
}

enum vm_outcome run_mutexattr_init(struct vm_call *call)
{
	memset(vm_access(call->arguments[0], sizeof(pthread_mutexattr_t), ACCESS_WRITE), 0, sizeof(pthread_mutexattr_t));
	return CALL_DONE;
}

enum vm_outcome run_mutexattr_settype(struct vm_call *call)
{
	uint32_t kind = (uint32_t)call->arguments[1];
	if (kind > PTHREAD_MUTEX_ERRORCHECK)
		call->results[0] = EINVAL;
	else
		vm_store64(call->arguments[0], 4, kind, ACCESS_WRITE);
	return CALL_DONE;
}

/* ---- condition variables ------------------------------------------------------------------------------------------- */

/* Every operation counts as a write: who waits is part of what a condition variable is. */
static void check_condition(uint64_t address)
{
	vm_access(address, sizeof(pthread_cond_t), ACCESS_SYNC_WRITE);
}

static void fall_asleep(struct vm_call *call)
{
	uint64_t condition = call->arguments[0], address = call->arguments[1];
	check_condition(condition);
	struct mutex mutex = mutex_read(address);
	if (mutex.owner != call->thread->slot + 1)
		vm_fault(FAULT_MUTEX_MISUSE, "wait on %s without holding %s: %s", vm_describe(condition), vm_describe(address),
			 holder(&mutex));
	if (mutex.count > 1)
		vm_fault(FAULT_MUTEX_MISUSE, "wait on %s with %s locked %u times", vm_describe(condition), vm_describe(address),
			 mutex.count);
	for (unsigned i = 0; i < vm_this.slots; i++) {
		const struct vm_thread_header *other = &vm_thread_load(i)->header;
		if (other->wait == WAIT_CONDITION && other->address == condition && other->other != address)
			vm_fault(FAULT_MUTEX_MISUSE, "threads wait on %s with different mutexes: %s, and thread %u with %s",
				 vm_describe(condition), vm_describe(address), i, vm_describe(other->other));
	}
	mutex.owner = mutex.count = 0;
	mutex_write(address, &mutex);
	call->thread->header.wait = WAIT_CONDITION;
	call->thread->header.address = condition;
	call->thread->header.other = address;
	vm_event(ACTION_WAIT, "on %s, releasing %s", vm_describe(condition), vm_describe(address));
}

enum vm_outcome run_cond_wait(struct vm_call *call)
{
	if (!call->thread->header.woken) {
		fall_asleep(call);
		return CALL_REST;
	}
	uint64_t address = call->arguments[1];
	if (acquire(address, call->thread))
		VM_BUG("woken thread cannot have its mutex");
	call->thread->header.woken = 0;
	call->thread->header.other = 0;
	vm_event(ACTION_LOCK, "%s, woken on %s", vm_describe(address), vm_describe(call->arguments[0]));
	return CALL_DONE;
}

static void wake(struct vm_thread *thread)
{
	thread = vm_thread_change(thread->slot);
	thread->header.wait = WAIT_MUTEX;
	thread->header.address = thread->header.other;
	thread->header.other = 0;
	thread->header.woken = 1;
}

void prepare_cond_signal(struct vm_call *call)
{
	call->thread->header.wait = WAIT_SIGNAL;
	call->thread->header.address = call->arguments[0];
}

enum vm_outcome run_cond_signal(struct vm_call *call)
{
	uint64_t condition = call->arguments[0];
	check_condition(condition);
	uint32_t skip = vm_this.choice;
	for (unsigned i = 0; i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_load(i);
		if (thread->header.wait != WAIT_CONDITION || thread->header.address != condition || skip-- > 0)
			continue;
		wake(thread);
		vm_event(ACTION_SIGNAL, "%s: wakes thread %u", vm_describe(condition), i);
		return CALL_DONE;
	}
	vm_event(ACTION_SIGNAL, "%s: nobody waits", vm_describe(condition));
	return CALL_DONE;
}

enum vm_outcome run_cond_broadcast(struct vm_call *call)
{
	uint64_t condition = call->arguments[0];
	check_condition(condition);
	unsigned woken = 0;
	for (unsigned i = 0; i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_load(i);
		if (thread->header.wait == WAIT_CONDITION && thread->header.address == condition) {
			wake(thread);
			woken++;
		}
	}
	vm_event(ACTION_SIGNAL, "%s: broadcast wakes %u thread%s", vm_describe(condition), woken, woken == 1 ? "" : "s");
	return CALL_DONE;
}

enum vm_outcome run_cond_init(struct vm_call *call)
{
	memset(vm_access(call->arguments[0], sizeof(pthread_cond_t), ACCESS_WRITE), 0, sizeof(pthread_cond_t));
	return CALL_DONE;
}

enum vm_outcome run_cond_destroy(struct vm_call *call)
{
	unsigned waiters = vm_waiters(call->arguments[0]);
	if (waiters)
		vm_fault(FAULT_MUTEX_MISUSE, "%s is destroyed while %u thread%s on it", vm_describe(call->arguments[0]), waiters,
			 waiters == 1 ? " waits" : "s wait");
	vm_access(call->arguments[0], sizeof(pthread_cond_t), ACCESS_WRITE);
	return CALL_DONE;
}
