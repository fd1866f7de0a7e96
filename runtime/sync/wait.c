/* SPDX-License-Identifier: MIT
 *
 * What threads wait for: whether they can go on, and what to say of it.
 *
 * A time-out is a possibility, never a duty: a thread in a timed wait can always go on, without what it waits for, unless
 * time-outs are limited (--faults timeout) and used up.  When what it waits for is there, it takes it; that loses nothing,
 * as the time-out may come before.
 *
 * A wait is for one object, and whatever else ends it (a request of cancellation, the end of a lock's owner, a time-out) is there
 * for good once it is there, or gone for good: until the thread goes on, it is not taken back and given again.  The reductions
 * need that.  With two objects that come and go, steps that touch nothing in common could be swapped, and decide between them
 * whether the thread is ever able to go on: fairness and rule T would see the difference.  The exception is a deadline that
 * becomes a bad one, where time-outs are used up; see plan.def in search/.
 */
#include "../bitspin_vm.h"
#include "../calls/atomic.h"
#include "../calls/inject.h"
#include "../memory/footprint.h"
#include "../memory/interrupts.h"
#include "../state/reads.h"
#include "../state/symmetry.h"
#include "../symbolic/symbolic.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NANOSECONDS = 1000000000 }; /* of a second */

struct wait {
	bool (*ready)(uint64_t address, const struct vm_thread *thread); /* NULL: only others can wake it */
	void (*explain)(char *text, size_t size, const struct vm_thread *thread);
	bool cancellable;                               /* a request of cancellation ends the wait */
	bool lock;                                      /* it is for a lock */
	bool (*holds)(uint64_t address, unsigned slot); /* does this thread keep it from being over?  NULL: who knows */
	uint32_t size;                                  /* bytes of what it waits for, if that is an object in memory */
};

static void explain_condition(char *text, size_t size, const struct vm_thread *thread)
{
	snprintf(text, size, "waits for a signal on %s", vm_describe(thread->header.address));
}

static void explain_join(char *text, size_t size, const struct vm_thread *thread)
{
	snprintf(text, size, "waits for thread %u to end", vm_thread_of(thread->header.address));
}

static bool join_ready(uint64_t name, const struct vm_thread *thread)
{
	if (vm_is_symmetric())
		return vm_joins_can(thread);
	unsigned joined = vm_thread_of(name);
	if (joined == vm_this.max_threads || joined == thread->slot)
		return true;
	const struct vm_thread_header *header = &vm_thread_load(joined)->header;
	return header->status == THREAD_FINISHED || header->detached; /* the latter is misuse */
}

static bool mutex_holds(uint64_t address, unsigned slot)
{
	return vm_mutex_holder(address) == slot;
}

static bool join_holds(uint64_t name, unsigned slot)
{
	return !vm_is_symmetric() && vm_thread_of(name) == slot;
}

static const struct wait waits[VM_WAITS] = {
	[WAIT_MUTEX] = { vm_mutex_free, vm_mutex_explain, false, true, mutex_holds, sizeof(pthread_mutex_t) },
	[WAIT_CONDITION] = { NULL, explain_condition, true, false, NULL, sizeof(pthread_cond_t) },
	[WAIT_JOIN] = { join_ready, explain_join, true, false, join_holds, 0 },
	[WAIT_READ] = { vm_readable, vm_rwlock_explain, false, true, vm_rwlock_keeps_out, sizeof(pthread_rwlock_t) },
	[WAIT_WRITE] = { vm_writable, vm_rwlock_explain, false, true, vm_rwlock_holds, sizeof(pthread_rwlock_t) },
	[WAIT_SPIN] = { vm_spin_free, vm_spin_explain, false, true, vm_spin_holds, sizeof(pthread_spinlock_t) },
	[WAIT_BARRIER] = { NULL, vm_barrier_explain, false, false, NULL, sizeof(pthread_barrier_t) },
	[WAIT_SEMAPHORE] = { vm_semaphore_free, vm_semaphore_explain, true, false, NULL, sizeof(sem_t) },
	[WAIT_ONCE] = { vm_once_free, vm_once_explain, false, false, vm_once_runs, sizeof(pthread_once_t) },
	[WAIT_FUTEX] = { NULL, vm_futex_explain, false, false, NULL, 0 },
	[WAIT_PRIVATE] = { NULL, vm_futex_explain, false, false, NULL, 0 },
	[WAIT_OWNED] = { NULL, vm_futex_owned_explain, false, false, NULL, 0 },
	[WAIT_OPERATION] = { vm_operation_may_begin, vm_operation_explain, false, false, NULL, sizeof(uint64_t) },
	[WAIT_EVENT] = { vm_event_is_there, vm_event_explain, true, false, NULL, 4 },
};

bool vm_wait_is_lock(enum vm_wait wait)
{
	return waits[wait].lock;
}

bool vm_wait_is_cancellable(enum vm_wait wait)
{
	return waits[wait].cancellable;
}

unsigned vm_waiting(enum vm_wait wait, uint64_t address)
{
	unsigned waiting = 0;
	if (wait == WAIT_CONDITION)
		vm_reads_sleepers(address, WAKES_NONE, 0);
	for (unsigned i = 0; i < vm_this.slots; i++) {
		const struct vm_thread *thread = wait == WAIT_CONDITION ? vm_thread_look(i) : vm_thread_load(i);
		waiting += vm_thread_sleeps(thread, wait, address);
	}
	return waiting;
}

void vm_refuse_waiters(enum vm_wait wait, uint64_t address, const char *what, const char *how)
{
	unsigned waiting = vm_waiting(wait, address);
	if (waiting)
		vm_violation(VIOLATION_MUTEX_MISUSE, "%s is %s while %u thread%s %s it", vm_describe(address), what, waiting,
			     waiting == 1 ? " waits" : "s wait", how);
}

uint32_t vm_init_mark(uint64_t address)
{
	enum { IN_POINTERS = 0x7fff, OF_ANY = 1 }; /* of the upper half of a word: the rest is a tag */
	if (vm_symmetry_renames(address))
		return OF_ANY;
	return (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32 & ~(uint64_t)IN_POINTERS) | 1;
}

void vm_refuse_marked(uint64_t address)
{
	if (vm_symmetry_renames(address))
		vm_symmetry_ends("a thread initializes a lock, or the like, that may be initialized already or is a copy");
	vm_fault(VIOLATION_MUTEX_MISUSE, "%s is initialized a second time", vm_describe(address));
}

void vm_refuse_second_init(uint64_t address, uint64_t size, unsigned offset)
{
	struct vm_place place = vm_place_of(address);
	bool unmarked = vm_this.image.options->unmarked && place.map && !place.heap; /* it may be another round's */
	vm_symbolic_need_at(address, size, "an initialization");
	if (unmarked || !vm_is_set(address, size))
		return;
	if (vm_load64(address + offset, sizeof(uint32_t), ACCESS_READ) == vm_init_mark(address))
		vm_refuse_marked(address);
}

void vm_overwrite(uint64_t address, uint64_t size, unsigned field_at, uint32_t field, unsigned mark_at, uint32_t mark)
{
	assert(field_at + sizeof field <= size && mark_at + sizeof mark <= size && field_at != mark_at);
	uint8_t *bytes = vm_access(address, size, ACCESS_WRITE);
	memset(bytes, 0, size);
	memcpy(bytes + field_at, &field, sizeof field);
	memcpy(bytes + mark_at, &mark, sizeof mark);
}

static bool is_blocked(const struct vm_thread *thread)
{
	const struct wait *wait = &waits[thread->header.wait];
	return wait->explain && !(wait->ready && wait->ready(thread->header.address, thread));
}

/* Does the thread wait for others to wake it? */
static bool is_asleep(const struct vm_thread *thread)
{
	return thread->header.wait == WAIT_CONDITION || vm_wait_is_futex(thread->header.wait);
}

/* May the thread, which sleeps, wake although no thread has signalled?  That is a fault that --faults allows. */
static bool may_wake_spuriously(const struct vm_thread *thread)
{
	return is_asleep(thread) && vm_injection_budget(INJECT_SPURIOUS_WAKEUP) > 0;
}

/* Return the address of the nanoseconds in the deadline of the timed call that the thread is at. */
static uint64_t nanoseconds_of(const struct vm_thread *thread)
{
	const struct builtin *builtin = vm_resting_call(thread);
	unsigned argument = builtin ? builtin_deadline(builtin->flags) : 0;
	uint64_t deadline = argument ? vm_resting_argument(thread, argument) : 0;
	return deadline + offsetof(struct timespec, tv_nsec);
}

/* Can the thread go on because it has waited too long, or because its deadline is bad?  A bad deadline is an error at once, whether
 * time-outs are left or not; a thread that is asleep had a good one. */
static bool may_time_out(const struct vm_thread *thread)
{
	if (!thread->header.timed || vm_injection_budget(INJECT_TIMEOUT) > 0)
		return thread->header.timed;
	if (is_asleep(thread) || thread->header.wait == WAIT_EVENT)
		return false;
	uint64_t nanoseconds, at = nanoseconds_of(thread);
	vm_symbolic_need_at(at, sizeof nanoseconds, "a deadline");
	if (!vm_is_set(at, sizeof nanoseconds))
		return true; /* into a violation */
	const uint8_t *bytes = vm_peek(at, sizeof nanoseconds);
	assert(bytes); /* as they are set */
	memcpy(&nanoseconds, bytes, sizeof nanoseconds);
	return nanoseconds >= NANOSECONDS;
}

/* Can a thread in a wait go on without what it waits for? */
static bool may_give_up(const struct vm_thread *thread)
{
	return may_time_out(thread) || (waits[thread->header.wait].cancellable && vm_cancel_pending(thread));
}

/* Could a request to end be the end of what the thread waits in? */
static bool may_be_cancelled(const struct vm_thread *thread)
{
	return (waits[thread->header.wait].cancellable && vm_program_cancels() &&
		!(thread->header.cancel & (CANCEL_DISABLED | CANCEL_ENDING))) ||
		vm_cancel_may_strike(thread);
}

bool vm_thread_is_held_up(const struct vm_thread *thread)
{
	const struct vm_thread_header *header = &thread->header;
	const struct wait *wait = &waits[header->wait];
	return header->status == THREAD_RUNNING && wait->holds && !header->timed && is_blocked(thread) && !may_be_cancelled(thread);
}

unsigned vm_thread_joined_next(const struct vm_thread *thread)
{
	const struct vm_thread_header *header = &thread->header;
	bool joins = header->status == THREAD_RUNNING && header->wait == WAIT_JOIN && !header->timed && !may_be_cancelled(thread);
	unsigned joined = joins ? vm_thread_of(header->address) : vm_this.max_threads;
	bool misuse = joined == thread->slot || (joined < vm_this.max_threads && vm_thread_load(joined)->header.detached);
	return misuse ? vm_this.max_threads : joined;
}

bool vm_thread_is_held_up_by(const struct vm_thread *thread, unsigned slot)
{
	assert(waits[thread->header.wait].holds);
	return waits[thread->header.wait].holds(thread->header.address, slot);
}

bool vm_thread_may_block(const vm_stored_header *header)
{
	return waits[header->wait].explain || header->timed;
}

static bool may_sleep(const struct builtin *builtin)
{
	return builtin->run == run_cond_wait || builtin->run == run_cnd_wait || builtin->run == run_futex;
}

bool vm_wakes_spuriously(void)
{
	static VM_OWN bool known, sleeps;
	sleeps = known ? sleeps : builtin_is_used(may_sleep);
	known = true;
	return sleeps && vm_injection_wanted(INJECT_SPURIOUS_WAKEUP);
}

bool vm_thread_only_wakes_spuriously(const struct vm_thread *thread)
{
	return thread->header.status == THREAD_RUNNING && may_wake_spuriously(thread) && !may_give_up(thread) &&
		!vm_interruptions(thread);
}

/* Return how many outcomes the next step of a running thread has, without those that it is interrupted. */
static unsigned own_outcomes(const struct vm_thread *thread)
{
	const struct vm_thread_header *header = &thread->header;
	assert(header->wait < VM_WAITS);
	if (header->wait == WAIT_CHOICE)
		return header->count;
	if (header->wait == WAIT_SIGNAL) {
		unsigned waiters = header->count ? header->count : vm_waiting(WAIT_CONDITION, header->address);
		return waiters ? waiters : 1;
	}
	if (header->wait == WAIT_ACCESS || header->wait == WAIT_DRAIN)
		return header->count ? header->count : vm_atomic_outcomes(thread);
	if (header->wait == WAIT_WAKE)
		return vm_futex_outcomes(thread);
	if (header->wait == WAIT_INJECTION)
		return vm_injection_budget((enum image_injection)header->count) ? 2 : 1;
	return (!is_blocked(thread) || may_give_up(thread)) + (unsigned)may_wake_spuriously(thread);
}

/* Return how many outcomes the next step has.  A choice among more values than VM_CHOICES is narrowed first. */
unsigned vm_thread_outcomes(struct vm_thread *thread)
{
	if (thread->header.status != THREAD_RUNNING)
		return 0;
	unsigned own = own_outcomes(thread);
	unsigned interruptions = vm_interruptions(thread);
	return own + interruptions <= VM_CHOICES ? own + interruptions : own;
}

enum vm_interruption vm_interruption_chosen(const struct vm_thread *thread, uint32_t choice)
{
	if (!vm_has_interrupts())
		return INTERRUPTED_NOT;
	unsigned own = own_outcomes(thread), interruptions = vm_interruptions(thread);
	if (choice < own || own + interruptions > VM_CHOICES)
		return INTERRUPTED_NOT;
	return choice == own && vm_interruptible(thread) ? INTERRUPTED_BY_SIGNAL : INTERRUPTED_BY_REQUEST;
}

bool vm_thread_is_blocked(const struct vm_thread *thread)
{
	return is_blocked(thread);
}

bool vm_thread_idles(struct vm_thread *thread)
{
	return is_blocked(thread) && (may_time_out(thread) || may_wake_spuriously(thread));
}

/* Return how strong the claim of a thread that can go on is to keep the others out, because it is in an atomic section; 0 if it has
 * none.  One thread at most is in the midst of its section: it had no need to wait when it came to rest, and goes on before all
 * others.  Threads that had to wait get their sections back as soon as they can go on: if several can, any may be the first.  A
 * thread that could time out keeps nobody out while it waits. */
static unsigned claim(struct vm_thread *thread)
{
	if (!thread->header.atomic || vm_thread_idles(thread))
		return 0;
	return thread->header.parted ? 1 : 2;
}

void vm_outcomes(uint8_t *outcomes)
{
	struct vm *vm = &vm_this;
	unsigned most = 0, insiders = 0;
	for (unsigned i = 0; i < vm->slots; i++) {
		struct vm_thread *thread = vm_thread_load(i);
		unsigned n = vm_thread_outcomes(thread), claimed = n ? claim(thread) : 0;
		outcomes[i] = (uint8_t)(n > 255 ? 255 : n);
		most = claimed > most ? claimed : most;
		insiders += claimed == 2;
	}
	assert(insiders <= 1);
	vm->exclusive = most > 0;
	for (unsigned i = 0; most && i < vm->slots; i++)
		if (outcomes[i] && claim(vm_thread_load(i)) < most)
			outcomes[i] = 0;
}

static void add_object(uint64_t address, enum vm_wait wait)
{
	assert(wait < VM_WAITS);
	struct vm_place place = vm_place_of(address);
	uint32_t low = (uint32_t)place.offset;
	if (place.object && place.offset >= 0 && waits[wait].size)
		vm_footprint_add(place.number, low, low + waits[wait].size, false);
}

static void add_mutex(uint64_t address, const struct vm_thread_header *header)
{
	vm_footprint_blocking(header);
	add_object(address, WAIT_MUTEX);
	vm_footprint_blocking(NULL);
}

static void add_objects(const struct vm_thread_header *header)
{
	if (header->wait == WAIT_MUTEX && !header->timed)
		add_mutex(header->address, header);
	else
		add_object(header->address, header->wait);
	if (header->wait == WAIT_CONDITION)
		add_mutex(header->other, header);
}

static void add_thread(unsigned slot)
{
	if (slot < vm_this.max_threads)
		vm_footprint_add(FOOTPRINT_THREAD + slot, 0, 1, false);
}

/* Add to the footprint the thread that is joined.  A join of one that somebody detaches waits no longer: it is misuse. */
static void add_joined(unsigned slot)
{
	if (slot < vm_this.max_threads)
		vm_footprint_add(FOOTPRINT_THREAD + slot, 0, 2, false);
}

void vm_footprint_add_awaited(const struct vm_thread *thread)
{
	const struct vm_thread_header *header = &thread->header;
	if (header->status != THREAD_RUNNING)
		return;
	if (header->wait == WAIT_JOIN && vm_is_symmetric())
		vm_joins_await();
	else if (header->wait == WAIT_JOIN)
		add_joined(vm_thread_of(header->address));
	else if (vm_wait_is_futex(header->wait) || header->wait == WAIT_OWNED)
		vm_futex_footprint(header->address);
	else
		add_objects(header);
	if (header->wait == WAIT_MUTEX) /* a robust one can be locked when its owner has ended */
		add_thread(vm_mutex_holder(header->address));
	if (vm_wait_is_cancellable(header->wait))
		add_thread(thread->slot);
	if (header->timed) { /* its deadline may become a bad one */
		struct vm_place place = vm_place_of(nanoseconds_of(thread));
		if (place.object && place.offset >= 0)
			vm_footprint_add(place.number, (uint32_t)place.offset, (uint32_t)place.offset + 8, false);
	}
}

const char *vm_thread_waits_for(const struct vm_thread *thread)
{
	static VM_OWN char text[512];
	const struct wait *wait = &waits[thread->header.wait];
	if (!wait->explain)
		return "can go on";
	wait->explain(text, sizeof text, thread);
	if (thread->header.timed && !may_time_out(thread))
		strncat(text, ", and time-outs are used up (--faults timeout)", sizeof text - strlen(text) - 1);
	return text;
}

/* Tell what a thread waits for.  In a join the address is no object of the program's: it names the thread. */
void vm_thread_tell_blocked(const struct vm_thread *thread, const char *waits_for)
{
	const struct vm_thread_header *header = &thread->header;
	bool futex = vm_wait_is_futex(header->wait) || header->wait == WAIT_OWNED;
	struct vm_about about = { .address = waits[header->wait].size || futex ? header->address : 0 };
	unsigned joined = header->wait == WAIT_JOIN ? vm_thread_of(header->address) : vm_this.max_threads;
	uint8_t slot = (uint8_t)joined;
	if (joined < vm_this.max_threads) {
		about.threads = &slot;
		about.nthreads = 1;
	}
	vm_event_of(ACTION_BLOCKED, vm_thread_location(thread), thread, &about, waits_for);
}

void vm_holder_explain(char *text, size_t size, const struct vm_thread *thread, uint64_t lock, unsigned holder)
{
	const struct image *image = &vm_this.image;
	uint32_t location = vm_locked_at(lock);
	const char *file = image_file(image, location), *slash = strrchr(file, '/');
	char where[200] = "";
	if (location)
		snprintf(where, sizeof where, " (locked at %s:%u)", slash ? slash + 1 : file,
			 (unsigned)image_line(image, location));
	bool alive = holder < vm_this.slots && vm_thread_load(holder)->header.status == THREAD_RUNNING;
	if (holder == thread->slot)
		snprintf(text, size, ", which it holds itself%s", where);
	else
		snprintf(text, size, ", held by thread %u%s%s", holder, where, alive ? "" : ", which has ended");
}

/* ---- what calls that wait have in common --------------------------------------------------------------------------- */

bool vm_is_timed(const struct vm_call *call)
{
	return builtin_deadline(call->builtin->flags) > 0;
}

bool vm_only_tries(const struct vm_call *call)
{
	return call->builtin->flags & BUILTIN_TRIES;
}

void vm_wait_place(uint64_t address)
{
	struct vm_place place = vm_place_look(address);
	vm_reads_note(&place, 0, 0, false);
	if (place.object && place.number != image_number(address))
		vm_inconclusive(LIMIT_OBJECT_SIZE, "a thread waits for %s, in the upper half of a multiple of 256 MB",
				vm_describe(address));
}

void vm_wait_for(struct vm_call *call, enum vm_wait wait)
{
	assert(call->count > 0 && call->thread->header.wait == WAIT_NONE);
	if (vm_only_tries(call))
		return;
	for (unsigned i = 0; i < call->count && i < 2; i++) /* the mutex of a condition variable is the second */
		vm_wait_place(call->arguments[i]);
	call->thread->header.wait = wait;
	call->thread->header.address = call->arguments[0];
	call->thread->header.timed = vm_is_timed(call);
}

bool vm_deadline_is_valid(const struct vm_call *call)
{
	if (!vm_is_timed(call))
		return true;
	uint64_t deadline = call->arguments[builtin_deadline(call->builtin->flags)];
	uint64_t nanoseconds = vm_load64(deadline + offsetof(struct timespec, tv_nsec), 8, ACCESS_READ);
	return nanoseconds < NANOSECONDS;
}

int vm_timed_out(const struct vm_call *call)
{
	assert(vm_is_timed(call)); /* an untimed call that has to wait is not stepped */
	if (!vm_deadline_is_valid(call))
		return EINVAL;
	if (!vm_injection_spend(INJECT_TIMEOUT))
		VM_BUG("a wait times out, and none may any more");
	vm_clock_reach_deadline(call->arguments[builtin_deadline(call->builtin->flags)]);
	return ETIMEDOUT;
}

const uint8_t *vm_peek(uint64_t address, uint64_t size)
{
	struct vm_place place = vm_place_look(address);
	vm_reads_note(&place, 0, 0, false);
	if (!place.object || place.offset < 0 || (uint64_t)place.offset + size > place.object->header.size)
		return NULL;
	vm_reads_note(&place, (uint64_t)place.offset, (uint64_t)place.offset + size, false);
	vm_symbolic_need_at(address, size, "a look at memory");
	return place.object->bytes + place.offset;
}

uint64_t vm_provided(const char *name)
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = 0; i < image->counts[IMAGE_GLOBALS]; i++) {
		const struct image_global *global = &image->globals[i];
		if (!(global->flags & GLOBAL_PROVIDED) || strcmp(image_string(image, global->name), name) != 0)
			continue;
		if (global->flags & GLOBAL_THREAD_LOCAL)
			return image_address(vm_this.current->locals.first + global->tls, 0);
		return image_global_address((uint32_t)i, 0);
	}
	return 0;
}

uint64_t vm_fail(struct vm_call *call, int error)
{
	vm_set_errno(error);
	return call->results[0] = UINT64_MAX;
}
