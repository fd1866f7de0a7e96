/* SPDX-License-Identifier: MIT
 *
 * What the files of synchronisation objects (mutex.c, condition.c, rwlock.c, barrier.c, ...) share.
 *
 * An object lives in the bytes of the program's own pthread_mutex_t, sem_t and so on, so that copies, static initialisers
 * and zero-filled memory mean what they mean on Linux.  A free lock has the same bytes whoever used it before.  Who waits is
 * not written there: waiters are the threads whose wait names the address.
 *
 * An operation that may block rests at its call with the thread's `wait` set (prepare_*), and is stepped when the wait is
 * over, or, when timed or cancelled, although it is not.  Its footprint is the object's bytes in all cases.
 */
#ifndef BITSPIN_SYNC_H
#define BITSPIN_SYNC_H

#include "../calls/builtin.h"

/* The functions that the rows of sync.def name; see calls/builtin.h. */
#define BUILTIN(name, run, prepare, arguments, flags, data, assumption) \
	enum vm_outcome run_##run(struct vm_call *call); \
	void prepare_##prepare(struct vm_call *call);
#define NOTHING(name, arguments, assumption)
#define REFUSED(name, reason)
#include "sync.def"
#undef REFUSED
#undef NOTHING
#undef BUILTIN

/* Put a new thread that will run `function` into a slot; its first registers, for the arguments. */
uint64_t *vm_thread_start(unsigned slot, uint32_t function);

/* names.c: a free slot for a new thread; and what to call the thread in a story. */
unsigned vm_thread_slot(unsigned creator);
const char *vm_thread_title(unsigned slot, unsigned creator);

/* joins.c, while threads are symmetric (state/symmetry.h).  The thread rests before a join; can it go on; and which thread
 * does a join of this one take?  A step of the thread is over: is it at rest?  What a thread before a join waits for. */
/* Has the thread accessed nothing but objects that keep handles since its last step? */
bool vm_only_handles(const struct vm_thread *thread);
void vm_joins_begin(const struct vm_thread *thread);
bool vm_joins_can(const struct vm_thread *thread);
unsigned vm_joins_any(struct vm_thread *thread, uint64_t name);
void vm_joins_rest(const struct vm_thread *thread, bool at_rest);
void vm_joins_await(void);

/* The running thread has no frames left.  True: it has a frame of something that it must run before it ends, as destructors of
 * thread-specific values, or exit() if it is the last.  False: it has ended, which is an event if `tell`. */
bool vm_thread_leave(struct vm_thread *thread, bool tell);

/* May the end of a thread be the end of the program that runs exit handlers?  Then it matters who ends last. */
bool vm_last_thread_exits(void);

void vm_thread_forget(struct vm_thread *thread);

/* Is the thread's next step its end, which only who joins it can notice (superstep.c, rule E)?  What destructors and memory
 * that it shares add to that, the footprint of the step tells. */
bool vm_thread_ends_quietly(const struct vm_thread *thread);

/* pthread_t <-> slot; a value that is no thread gives max_threads. */
uint64_t vm_thread_name(unsigned slot);
unsigned vm_thread_of(uint64_t name);

/* The slot that a handle stands for, whether a thread is there or not; VM_MAX_SLOTS: it stands for none. */
unsigned vm_slot_named(uint64_t name);

/* A thread that sleeps on a condition variable is woken, if it sleeps without a deadline: what becomes of its header. */
void vm_condition_wakes(struct vm_thread_header *header, enum vm_woken why);

/* Threads that wait in this way for this address. */
unsigned vm_waiting(enum vm_wait wait, uint64_t address);

/* What they wait for `how` ("on", "at") is "destroyed" or the like: a violation if there are any. */
void vm_refuse_waiters(enum vm_wait wait, uint64_t address, const char *what, const char *how);

/* The thread blocks, although a time-out can let it go on: leaving it is no preemption, and no break of an atomic section. */
bool vm_thread_idles(struct vm_thread *thread);

/* It sleeps, and nothing but a spurious wakeup can let it go on.  That is no remedy: if all do, that is a deadlock. */
bool vm_thread_only_wakes_spuriously(const struct vm_thread *thread);

/* Is the thread blocked until others have let go of what they hold, or have ended, with nothing else that could end the wait:
 * no deadline, no cancellation?  If so: is the one in this slot among them? */
bool vm_thread_is_held_up(const struct vm_thread *thread);
bool vm_thread_is_held_up_by(const struct vm_thread *thread, unsigned slot);

/* Circular waits (circle.c): is the thread part of one?  A violation if one that the step under way has changed is. */
bool vm_thread_closes_circle(unsigned slot);
void vm_check_circles(void);

/* A thread has become the holder of a lock, or has ceased to be. */
void vm_thread_holds(unsigned slot);
void vm_thread_releases(unsigned slot);

/* Does a thread with this wait want a lock? */
bool vm_wait_is_lock(enum vm_wait wait);

/* What a thread that cannot go on waits for, for people; in a static buffer. */
const char *vm_thread_waits_for(const struct vm_thread *thread);
void vm_thread_tell_blocked(const struct vm_thread *thread, const char *waits); /* ... as an event */

/* Is what the thread does next something that may have to wait, be it now or in another state? */
bool vm_thread_may_block(const struct vm_thread *thread);

/* Slot that holds the mutex at `address`; max_threads if none. */
unsigned vm_mutex_holder(uint64_t address);

/* Is the mutex free, and not of a kind that tells who gets it more than to wait until it is free (robust, destroyed)? */
bool vm_mutex_only_blocks(uint64_t address);

/* Is the call a lock or an unlock of a mutex that is passed over (memory/peeking.h)?  Then it is about to be made. */
bool vm_mutex_is_elided(const struct vm_call *call);
void vm_mutex_elide(const struct vm_call *call);

/* Does a request of cancellation end this wait? */
bool vm_wait_is_cancellable(enum vm_wait wait);

/* Number of outcomes of what `thread` is about to do, in the working state.  Ignores atomic sections of others. */
unsigned vm_thread_outcomes(struct vm_thread *thread);

/* Outcomes of every slot in the working state, atomic sections taken into account: vm_this.exclusive tells whether one keeps
 * other threads out. */
void vm_outcomes(uint8_t *outcomes);

/* The step under way depends on whatever a thread that cannot go on waits for: all that could let it go on writes to one of
 * these. */
void vm_footprint_add_awaited(const struct vm_thread *thread);

/* ---- what operations have in common --------------------------------------------------------------------------------- */

/* The thread of the call waits for arguments[0] in this way; with a time-out if the row's data is the number of the
 * argument that is the deadline. */
void vm_wait_for(struct vm_call *call, enum vm_wait wait);

/* The thread of a timed call goes on without what it waited for: what the call returns, EINVAL for a bad deadline, else
 * ETIMEDOUT, and the budget of time-outs shrinks. */
int vm_timed_out(const struct vm_call *call);

bool vm_is_timed(const struct vm_call *call);

/* Is the deadline of a timed call one? */
bool vm_deadline_is_valid(const struct vm_call *call);

/* Is this row the variant of its family that never waits? */
bool vm_only_tries(const struct vm_call *call);

/* The bytes of an object for a look from outside of any step: nothing is recorded.  NULL if they are not there. */
const uint8_t *vm_peek(uint64_t address, uint64_t size);

/* Set the thread's errno and return -1, as functions of semaphore.h do. */
uint64_t vm_fail(struct vm_call *call, int error);

/* Memory that the translator provides for a function of the C library (translator/provided.c), by its name: the address
 * for the running thread; 0 if the program does not have it. */
uint64_t vm_provided(const char *name);

/* ---- init twice ----------------------------------------------------------------------------------------------------
 *
 * What an init function writes into an object beside its fields: a number made of the address.  So a copy of the object, which
 * may be initialised, does not bear it; neither does one that was zeroed or assigned PTHREAD_MUTEX_INITIALIZER, which may be
 * initialised once; destroying clears it.  It is a constant of the address, so objects that differ only in who used them have
 * equal bytes as before.  It lies in the upper half of an aligned word and is never taken for part of a pointer.  */
uint32_t vm_init_mark(uint64_t address);

/* A violation, if the object of `size` bytes bears its mark at `offset`. */
void vm_refuse_second_init(uint64_t address, uint64_t size, unsigned offset);

/* Fill an object of `size` bytes with zeros, except for two words at these offsets: a field, and the mark. */
void vm_overwrite(uint64_t address, uint64_t size, unsigned field_at, uint32_t field, unsigned mark_at, uint32_t mark);

/* ---- could `thread` go on, if it waits for the object at `address`?  Pure functions of the state. ------------------- */

bool vm_mutex_free(uint64_t address, const struct vm_thread *thread);
bool vm_readable(uint64_t address, const struct vm_thread *thread);
bool vm_writable(uint64_t address, const struct vm_thread *thread);
bool vm_spin_free(uint64_t address, const struct vm_thread *thread);
bool vm_semaphore_free(uint64_t address, const struct vm_thread *thread);
bool vm_once_free(uint64_t address, const struct vm_thread *thread);

/* ---- events (await.c) ------------------------------------------------------------------------------------------------ */

bool vm_event_is_there(uint64_t object, const struct vm_thread *thread);
void vm_event_explain(char *text, size_t size, const struct vm_thread *thread);

/* A new thread blocks the signals that its creator does. */
void vm_signals_inherit(unsigned creator, unsigned slot);

/* ---- signals that interrupt threads (interrupt.c) --------------------------------------------------------------------- */

/* Can the thread be interrupted where it rests?  That is one more outcome, behind its own: is it this one? */
bool vm_interruptible(const struct vm_thread *thread);
bool vm_interrupt_is_chosen(const struct vm_thread *thread, uint32_t choice);

/* It is: it will run the handler, and then be here again. */
void vm_interrupt(struct vm_thread *thread);

/* The results of a call that has been interrupted. */
void vm_interrupt_fails(struct vm_call *call);
void vm_await_fails(struct vm_call *call); /* of __bitspin_await() */

/* Does the thread wait for the address in this way, or will it once its handlers have returned?  Who waits on a condition variable
 * or at a barrier can be woken while it runs a handler. */
bool vm_thread_sleeps(const struct vm_thread *thread, enum vm_wait wait, uint64_t address);

/* Exchange the wait in its header, and the one of vm_thread_sleeps(), if that is another.  The thread has been
 * vm_thread_change()d. */
struct vm_paused {
	uint64_t *words; /* NULL: it is the one in the header */
};
struct vm_paused vm_thread_paused(const struct vm_thread *thread, enum vm_wait wait, uint64_t address);
void vm_thread_exchange(struct vm_thread *thread, struct vm_paused paused);

/* Is it blocked where it rests, but for time-outs and the like? */
bool vm_thread_is_blocked(const struct vm_thread *thread);

/* ---- the clock (clock.c) --------------------------------------------------------------------------------------------- */

/* The time, in nanoseconds since the start of the program; 0 if it stands still. */
int64_t vm_clock(void);

/* It cannot be before `then`; before the timespec at `address`. */
void vm_clock_reach(int64_t then);
void vm_clock_reach_deadline(uint64_t address);

/* Keep the deadline of a thread that falls asleep, if it has one; and when it is awake, take it back: 0, if there is none. */
void vm_clock_keep(struct vm_thread_header *header, uint64_t address, bool relative);
int64_t vm_clock_kept(struct vm_thread_header *header);

void vm_sleep_is_over(struct vm_call *call);

/* Is it a sleep for a time, or by a clock, that nobody can sleep by?  Then it fails. */
bool vm_sleep_fails(struct vm_call *call);

/* ---- futexes (futex.c) ----------------------------------------------------------------------------------------------- */

static inline bool vm_wait_is_futex(enum vm_wait wait)
{
	return wait == WAIT_FUTEX || wait == WAIT_PRIVATE;
}

/* In how many ways can a thread at rest before a wake-up (WAIT_WAKE) choose whom it wakes? */
uint32_t vm_futex_outcomes(const struct vm_thread *thread);

/* The step under way depends on what a thread waits for that sleeps on this futex. */
void vm_futex_footprint(uint64_t address);

void vm_futex_explain(char *text, size_t size, const struct vm_thread *thread);

/* ---- and does the thread in this slot keep it from that?  Of locks that are held, and an initialisation under way. ---- */

bool vm_mutex_holds(uint64_t address, unsigned slot);
bool vm_rwlock_writes(uint64_t address, unsigned slot);
bool vm_rwlock_keeps_out(uint64_t address, unsigned slot); /* readers: it writes, or waits to, and the lock prefers that */
bool vm_rwlock_holds(uint64_t address, unsigned slot);     /* for reading, or for writing */
bool vm_spin_holds(uint64_t address, unsigned slot);
bool vm_once_runs(uint64_t address, unsigned slot);

/* ---- what does it wait for?  For people. --------------------------------------------------------------------------- */

void vm_mutex_explain(char *text, size_t size, const struct vm_thread *thread);
void vm_rwlock_explain(char *text, size_t size, const struct vm_thread *thread);
void vm_spin_explain(char *text, size_t size, const struct vm_thread *thread);
void vm_barrier_explain(char *text, size_t size, const struct vm_thread *thread);
void vm_semaphore_explain(char *text, size_t size, const struct vm_thread *thread);
void vm_once_explain(char *text, size_t size, const struct vm_thread *thread);

/* ", held by thread 1, which has ended", or the like. */
void vm_holder_explain(char *text, size_t size, const struct vm_thread *thread, uint64_t lock, unsigned holder);

/* ---- functions that call back -------------------------------------------------------------------------------------- */

/* Push a frame of the program's function at `entry`, which `what` ("a destructor") is to run and must be of the type `type`
 * (signature.h); its first registers, for the arguments, at least one.  The external function returns CALL_ENTERED; its call is
 * made again when the frame returns. */
uint64_t *vm_enter(struct vm_thread *thread, uint64_t entry, const char *what, const char *type);

/* ---- leaving frames without a return (jump.c) ---------------------------------------------------------------------- */

/* Drop the thread's frames above depth `keep`. */
void vm_drop_frames(struct vm_thread *thread, uint32_t keep);

/* Return again, with a value, from the setjmp that filled the buffer; what the call that asks for it comes to. */
enum vm_outcome vm_jump(struct vm_thread *thread, uint64_t buffer, uint32_t value);

/* ---- the end of a thread (cancel.c, keys.c, once.c) ---------------------------------------------------------------- */

/* Must the thread end at its next cancellation point? */
bool vm_cancel_pending(const struct vm_thread *thread);

/* The same of the running thread at a cancellation point, whose step then depends on it. */
bool vm_cancel_due(const struct vm_thread *thread);

/* The running thread ends with a value, its cleanup handlers and destructors first; what its call then comes to. */
enum vm_outcome vm_unwind(struct vm_thread *thread, uint64_t result);

/* A thread without frames is about to finish: push the next destructor of its thread-specific values; false if none. */
bool vm_push_destructor(struct vm_thread *thread);

/* The running thread leaves the frame at the top, in which it is inside an external call. */
void vm_once_abandon(struct vm_thread *thread);

#endif
