/* SPDX-License-Identifier: MIT
 *
 * Read-write locks.  The bytes of a pthread_rwlock_t hold the writer and a list of readers, sorted, each with the number of
 * its locks; the flags are where glibc's initialisers put them.
 *
 * As in glibc, readers are preferred: a thread can get a read lock while no thread writes, even if one waits to write.  Not so with
 * PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP: who wants to write and cannot announces that in the lock, and from then on keeps
 * readers out, also those that read already.  To announce is a step of its own: before it, the thread may rest at its call, and
 * readers come in.  The other PREFER_WRITER kind is like PREFER_READER, as there.  Which of the writers is the next is open.
 */
#include "attributes.h"
#include "../memory/records.h"
#include "../symbolic/symbolic.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

enum { RWLOCK_SIZE = sizeof(pthread_rwlock_t), OFFSET_WRITER = 0, OFFSET_READERS = 4, OFFSET_FLAGS = 48, FLAGS_DESTROYED = 0xdead };
enum { OFFSET_WAITING = 44, OFFSET_INIT = 52 };
enum { MOST_READERS = 20, MOST_LOCKS = UINT8_MAX };

struct reader {
	uint8_t thread; /* slot + 1; 0 ends the list */
	uint8_t locks;
};

struct rwlock {
	uint32_t writer;  /* slot + 1; 0: nobody */
	uint32_t waiting; /* writers that have announced themselves, if it prefers writers; else 0 */
	uint32_t flags;   /* PTHREAD_RWLOCK_PREFER_READER_NP and so on */
	struct reader readers[MOST_READERS + 1];
};

static struct rwlock rwlock_from(const uint8_t *bytes)
{
	struct rwlock lock = { 0 };
	memcpy(&lock.writer, bytes + OFFSET_WRITER, sizeof lock.writer);
	memcpy(&lock.waiting, bytes + OFFSET_WAITING, sizeof lock.waiting);
	memcpy(&lock.flags, bytes + OFFSET_FLAGS, sizeof lock.flags);
	memcpy(lock.readers, bytes + OFFSET_READERS, MOST_READERS * sizeof *lock.readers);
	return lock;
}

static struct rwlock rwlock_read(uint64_t address)
{
	struct rwlock lock = rwlock_from(vm_access_initialised(address, RWLOCK_SIZE, ACCESS_SYNC_READ, "pthread_rwlock_init"));
	if (lock.flags == FLAGS_DESTROYED)
		vm_violation(VIOLATION_MUTEX_MISUSE, "%s has been destroyed", vm_describe(address));
	return lock;
}

static void rwlock_write(uint64_t address, const struct rwlock *lock)
{
	uint8_t *bytes = vm_access(address, RWLOCK_SIZE, ACCESS_SYNC_WRITE);
	memcpy(bytes + OFFSET_WRITER, &lock->writer, sizeof lock->writer);
	memcpy(bytes + OFFSET_WAITING, &lock->waiting, sizeof lock->waiting);
	memcpy(bytes + OFFSET_READERS, lock->readers, MOST_READERS * sizeof *lock->readers);
}

/* Return where the thread in `slot` stands in the list of readers, or would. */
static unsigned reader_index(const struct rwlock *lock, unsigned slot)
{
	unsigned i = 0;
	while (lock->readers[i].thread && lock->readers[i].thread < slot + 1)
		i++;
	return i;
}

static bool reads(const struct rwlock *lock, unsigned slot)
{
	return lock->readers[reader_index(lock, slot)].thread == slot + 1;
}

static unsigned reader_count(const struct rwlock *lock)
{
	unsigned count = 0;
	while (lock->readers[count].thread)
		count++;
	return count;
}

/* ---- who can have it ----------------------------------------------------------------------------------------------- */

/* Can the thread in `slot` go on?  So it can if it holds the lock for writing already: glibc notices that, and says so. */
static bool has_room(const struct rwlock *lock, unsigned slot, bool writes)
{
	if (lock->flags == FLAGS_DESTROYED || lock->writer == slot + 1)
		return true;
	return lock->writer == 0 && (writes ? lock->readers[0].thread == 0 : lock->waiting == 0);
}

static bool is_announced(const struct vm_thread *thread)
{
	return thread->header.wait == WAIT_WRITE && thread->header.other;
}

/* Does the next step of a thread that wants to write announce that, unless there is room? */
static bool announces(const struct rwlock *lock, const struct vm_thread *thread)
{
	return lock->flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP && !thread->header.other;
}

bool vm_readable(uint64_t address, const struct vm_thread *thread)
{
	const uint8_t *bytes = vm_peek(address, RWLOCK_SIZE);
	if (!bytes)
		return true; /* the thread goes on, into a violation */
	struct rwlock lock = rwlock_from(bytes);
	return has_room(&lock, thread->slot, false);
}

bool vm_writable(uint64_t address, const struct vm_thread *thread)
{
	const uint8_t *bytes = vm_peek(address, RWLOCK_SIZE);
	if (!bytes)
		return true;
	struct rwlock lock = rwlock_from(bytes);
	return has_room(&lock, thread->slot, true) || announces(&lock, thread);
}

/* Does a thread keep readers out: does it write, or has it announced that it will? */
bool vm_rwlock_keeps_out(uint64_t address, unsigned slot)
{
	const struct vm_thread *thread = vm_thread_load(slot);
	if (vm_rwlock_writes(address, slot))
		return true;
	return thread->header.status == THREAD_RUNNING && thread->header.address == address && is_announced(thread);
}

bool vm_rwlock_writes(uint64_t address, unsigned slot)
{
	const uint8_t *bytes = vm_peek(address, RWLOCK_SIZE);
	return bytes && rwlock_from(bytes).writer == slot + 1;
}

bool vm_rwlock_holds(uint64_t address, unsigned slot)
{
	const uint8_t *bytes = vm_peek(address, RWLOCK_SIZE);
	if (!bytes)
		return false;
	struct rwlock lock = rwlock_from(bytes);
	return lock.writer == slot + 1 || reads(&lock, slot);
}

void vm_rwlock_explain(char *text, size_t size, const struct vm_thread *thread)
{
	uint64_t address = thread->header.address;
	const uint8_t *bytes = vm_peek(address, RWLOCK_SIZE);
	struct rwlock lock = { 0 };
	if (bytes)
		lock = rwlock_from(bytes);
	size_t used = (size_t)snprintf(text, size, "waits for %s for %s", vm_describe(address),
				       thread->header.wait == WAIT_READ ? "reading" : "writing");
	if (used >= size)
		return;
	if (lock.writer) {
		vm_holder_explain(text + used, size - used, thread, address, lock.writer - 1);
		return;
	}
	if (thread->header.wait == WAIT_READ) {
		used += (size_t)snprintf(text + used, size - used, ", after those who wait for writing:");
		for (unsigned i = 0, n = 0; i < vm_this.slots && used < size; i++)
			if (vm_rwlock_keeps_out(address, i))
				used += (size_t)snprintf(text + used, size - used, "%s thread %u", n++ ? "," : "", i);
		return;
	}
	used += (size_t)snprintf(text + used, size - used, ", held for reading by");
	for (unsigned i = 0; lock.readers[i].thread && used < size; i++) {
		unsigned slot = lock.readers[i].thread - 1u;
		used += (size_t)snprintf(text + used, size - used, "%s thread %u%s", i ? "," : "", slot,
					 slot == thread->slot ? " itself" : "");
	}
}

/* ---- locking ------------------------------------------------------------------------------------------------------- */

void prepare_rwlock_read(struct vm_call *call)
{
	vm_wait_for(call, WAIT_READ);
}

void prepare_rwlock_write(struct vm_call *call)
{
	vm_wait_for(call, WAIT_WRITE);
}

static int add_reader(struct rwlock *lock, unsigned slot)
{
	unsigned at = reader_index(lock, slot);
	if (!reads(lock, slot)) {
		if (reader_count(lock) == MOST_READERS)
			vm_inconclusive(LIMIT_READERS, "more than %d threads hold a read-write lock for reading",
					(int)MOST_READERS);
		memmove(&lock->readers[at + 1], &lock->readers[at], (MOST_READERS - at) * sizeof *lock->readers);
		lock->readers[at] = (struct reader){ .thread = (uint8_t)(slot + 1) };
	}
	assert(at < MOST_READERS && slot < UINT8_MAX);
	if (lock->readers[at].locks == MOST_LOCKS)
		vm_inconclusive(LIMIT_READERS, "a thread holds a read-write lock more than %d times", (int)MOST_LOCKS);
	lock->readers[at].locks++;
	return 0;
}

static int acquire(struct rwlock *lock, const struct vm_thread *thread, bool writes, bool tries)
{
	if (lock->writer == thread->slot + 1)
		return tries ? EBUSY : EDEADLK;
	if (!has_room(lock, thread->slot, writes) || (writes && tries && lock->waiting))
		return EBUSY;
	if (!writes)
		return add_reader(lock, thread->slot);
	lock->writer = thread->slot + 1;
	return 0;
}

/* Return the place in the lock that passes on what readers gave it.  A reader comes after the writers; a writer comes after the
 * readers, too.  So there are two places, and that of the writers is the lock itself. */
static uint64_t given_by_readers(uint64_t address)
{
	return address + OFFSET_READERS;
}

static bool is_free(uint64_t address, const struct vm_thread *thread, bool writes)
{
	const uint8_t *bytes = vm_peek(address, RWLOCK_SIZE);
	struct rwlock lock = { 0 };
	if (bytes)
		lock = rwlock_from(bytes);
	return has_room(&lock, thread->slot, writes);
}

static void order_lock(uint64_t address, bool free, bool writes)
{
	vm_order_attempt(address, free, "lock", "failed attempt to lock");
	if (free && writes)
		vm_order_read(given_by_readers(address), true, "lock");
}

/* Announce that the thread of the call waits to write.  The thread then rests at the same call. */
static enum vm_outcome announce(struct vm_call *call, struct rwlock *lock)
{
	uint64_t address = call->arguments[0];
	assert(!call->thread->header.other && !vm_only_tries(call));
	lock->waiting++;
	rwlock_write(address, lock);
	vm_wait_for(call, WAIT_WRITE);
	call->thread->header.other = 1;
	vm_event_about(ACTION_WAIT, VM_ABOUT(.address = address, .writes = true), "for %s for writing: new readers are kept out",
		       vm_describe(address));
	return CALL_REST;
}

/* Take back that the thread waits to write, because it has the lock or gives up. */
static void withdraw(struct vm_thread *thread, struct rwlock *lock)
{
	lock->waiting -= lock->waiting > 0; /* it may have been initialized meanwhile */
	thread->header.other = 0;
}

static enum vm_outcome lock_for(struct vm_call *call, bool writes)
{
	uint64_t address = call->arguments[0];
	const char *what = writes ? "writing" : "reading";
	bool tries = vm_only_tries(call), free = is_free(address, call->thread, writes), announced = call->thread->header.other;
	order_lock(address, free, writes);
	struct rwlock lock = rwlock_read(address);
	if (writes && !free && !tries && announces(&lock, call->thread) && vm_deadline_is_valid(call))
		return announce(call, &lock);
	if (announced)
		withdraw(call->thread, &lock);
	int error = acquire(&lock, call->thread, writes, tries);
	if (error == 0) {
		rwlock_write(address, &lock);
		vm_order_taken(address, "lock");
		vm_note_lock(address, vm_rwlock_holds);
		vm_thread_holds(call->thread->slot);
		vm_event_about(ACTION_LOCK, VM_ABOUT(.address = address, .writes = true), "%s for %s", vm_describe(address), what);
		return CALL_DONE;
	}
	if (announced)
		rwlock_write(address, &lock);
	if (error == EBUSY && !tries)
		error = vm_timed_out(call);
	call->results[0] = (uint64_t)error;
	const char *why = error == EBUSY ? "fails, others hold it" : error == EDEADLK ? "fails, this thread holds it" : "times out";
	vm_event_about(ACTION_LOCK, VM_ABOUT(.address = address, .reads = true), "%s for %s: %s", vm_describe(address), what, why);
	return CALL_DONE;
}

enum vm_outcome run_rwlock_read(struct vm_call *call)
{
	return lock_for(call, false);
}

enum vm_outcome run_rwlock_write(struct vm_call *call)
{
	return lock_for(call, true);
}

enum vm_outcome run_rwlock_unlock(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	struct rwlock lock = rwlock_read(address);
	unsigned slot = call->thread->slot, at = reader_index(&lock, slot);
	bool writes = lock.writer == slot + 1;
	if (writes)
		lock.writer = 0;
	else if (!reads(&lock, slot))
		vm_violation(VIOLATION_MUTEX_MISUSE, "unlock of %s by a thread that does not hold it", vm_describe(address));
	else if (--lock.readers[at].locks == 0)
		memmove(&lock.readers[at], &lock.readers[at + 1], (MOST_READERS - at) * sizeof *lock.readers);
	vm_thread_releases(slot);
	rwlock_write(address, &lock);
	vm_order_write(writes ? address : given_by_readers(address), true, !writes, "unlock");
	vm_event_about(ACTION_UNLOCK, VM_ABOUT(.address = address, .writes = true), "%s", vm_describe(address));
	return CALL_DONE;
}

/* ---- init and destroy ---------------------------------------------------------------------------------------------- */

static void check_free(uint64_t address, const struct rwlock *lock)
{
	unsigned holder = lock->writer ? lock->writer : lock->readers[0].thread;
	if (holder && lock->flags != FLAGS_DESTROYED)
		vm_violation(VIOLATION_MUTEX_MISUSE, "%s is initialized while thread %u holds it", vm_describe(address),
			     holder - 1);
}

enum vm_outcome run_rwlock_init(struct vm_call *call)
{
	uint64_t address = call->arguments[0], attributes = call->arguments[1];
	uint32_t flags = attributes ? (uint32_t)vm_attribute_value(attributes, &vm_attribute_rwlock_kind) : 0;
	struct rwlock old = { 0 };
	vm_symbolic_need_at(address, RWLOCK_SIZE, "the initialization of a lock");
	if (vm_is_set(address, RWLOCK_SIZE))
		old = rwlock_from(vm_access(address, RWLOCK_SIZE, ACCESS_READ));
	if (old.flags <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP && old.writer <= vm_this.slots)
		check_free(address, &old);
	vm_refuse_second_init(address, RWLOCK_SIZE, OFFSET_INIT);
	vm_overwrite(address, RWLOCK_SIZE, OFFSET_FLAGS, flags, OFFSET_INIT, vm_init_mark(address));
	return CALL_DONE;
}

enum vm_outcome run_rwlock_destroy(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	struct rwlock lock = rwlock_read(address);
	unsigned holder = lock.writer ? lock.writer : lock.readers[0].thread;
	if (holder) { /* glibc does nothing here, ever */
		vm_fault(VIOLATION_MUTEX_MISUSE, "%s is destroyed while thread %u holds it", vm_describe(address), holder - 1);
		return CALL_DONE;
	}
	vm_overwrite(address, RWLOCK_SIZE, OFFSET_FLAGS, FLAGS_DESTROYED, OFFSET_INIT, 0);
	return CALL_DONE;
}
