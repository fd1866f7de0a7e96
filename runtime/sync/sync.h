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

/* Put a new thread that will run `function` into a slot.  Return its first registers, for the arguments. */
uint64_t *vm_thread_start(unsigned slot, uint32_t function);

/* names.c: return a free slot for a new thread of `creator`; and what to call the thread in a story. */
unsigned vm_thread_slot(unsigned creator);
const char *vm_thread_title(unsigned slot, unsigned creator);

/* joins.c, while threads are symmetric (state/symmetry.h).  vm_only_handles: has the thread accessed nothing but objects that hold
 * handles since its last step?  vm_joins_begin: let the thread rest before a join.  vm_joins_can: can it go on?  vm_joins_any:
 * return the thread that a join of `name` takes.  vm_joins_rest: note that a step of the thread is over, and whether it is at rest.
 * vm_joins_await: note that the step depends on what a thread before a join waits for.  vm_joins_know: let main, which rests before
 * a join, know what all threads know that it can join; then those that have ended need know nothing. */
bool vm_only_handles(const struct vm_thread *thread);
void vm_joins_begin(const struct vm_thread *thread);
bool vm_joins_can(const struct vm_thread *thread);
unsigned vm_joins_any(struct vm_thread *thread, uint64_t name);
void vm_joins_rest(const struct vm_thread *thread, bool at_rest);
void vm_joins_await(void);
void vm_joins_know(void);

/* operations.c: is the call of an operation's beginning or end a scheduling point?  vm_operation_begins: the thread takes a step,
 * in which an operation begins that it has announced. */
bool vm_operation_is_visible(const struct vm_call *call);
void vm_operation_begins(const struct vm_thread *thread);
/* May a thread begin an operation in phase 1 of linearize?  Say why not. */
bool vm_operation_may_begin(uint64_t state, const struct vm_thread *thread);
void vm_operation_explain(char *text, size_t size, const struct vm_thread *thread);

/* Push a frame of what the running thread, which has no frames left, must run before it ends, such as destructors of
 * thread-specific values, or exit() if it is the last thread, and return true.  If there is nothing, end the thread, with an event
 * if `tell`, and return false. */
bool vm_thread_leave(struct vm_thread *thread, bool tell);

/* May the end of a thread be the end of the program that runs exit handlers?  Then it matters who ends last. */
bool vm_last_thread_exits(void);

void vm_thread_forget(struct vm_thread *thread);

/* Is the thread's next step its end, which only a thread that joins it can notice (superstep.c, rule E)?  The footprint of the step
 * tells what destructors and shared memory add to that. */
bool vm_thread_ends_quietly(const struct vm_thread *thread);

/* Convert a slot to a pthread_t, and back; a value that is no thread gives max_threads. */
uint64_t vm_thread_name(unsigned slot);
unsigned vm_thread_of(uint64_t name);

/* Return the slot that a handle stands for, with a thread or without; VM_MAX_SLOTS if it stands for none. */
unsigned vm_slot_named(uint64_t name);

/* Change the header of a thread that sleeps on a condition variable without a deadline as waking it does. */
void vm_condition_wakes(struct vm_thread_header *header, enum vm_woken why);

/* Return how many threads wait in this way for this address. */
unsigned vm_waiting(enum vm_wait wait, uint64_t address);

/* Report a violation if there are threads that wait in this way `how` ("on", "at") an object that is `what` ("destroyed"). */
void vm_refuse_waiters(enum vm_wait wait, uint64_t address, const char *what, const char *how);

/* Is the thread blocked, perhaps until a time-out, so that leaving it is no preemption and does not break an atomic section? */
bool vm_thread_idles(struct vm_thread *thread);

/* Can there be spurious wake-ups: are they asked for, and does the program call what they can end? */
bool vm_wakes_spuriously(void);

/* Can nothing but a spurious wake-up let the thread go on?  If that is so of all threads, it is a deadlock. */
bool vm_thread_only_wakes_spuriously(const struct vm_thread *thread);

/* Is the thread blocked until other threads release what they hold, or end, without a deadline or a cancellation that could end the
 * wait? vm_thread_is_held_up_by: is the thread in `slot` one of these others? */
bool vm_thread_is_held_up(const struct vm_thread *thread);
bool vm_thread_is_held_up_by(const struct vm_thread *thread, unsigned slot);

/* Return the slot of the thread that this one joins before it does anything else; vm_this.max_threads: there is none. */
unsigned vm_thread_joined_next(const struct vm_thread *thread);

/* Return whether the thread in `slot` is part of a circular wait (circle.c). vm_check_circles: report one that contains a thread
 * which the step under way has changed. */
bool vm_thread_closes_circle(unsigned slot);
void vm_check_circles(void);

/* Note that a thread has become the holder of a lock; that it has ceased to be. */
void vm_thread_holds(unsigned slot);
void vm_thread_releases(unsigned slot);

/* Does a thread with this wait want a lock? */
bool vm_wait_is_lock(enum vm_wait wait);

/* Return for people what a thread that cannot go on waits for, in a static buffer; tell it as an event. */
const char *vm_thread_waits_for(const struct vm_thread *thread);
void vm_thread_tell_blocked(const struct vm_thread *thread, const char *waits);

/* Is what the thread does next something that may have to wait, be it now or in another state? */
bool vm_thread_may_block(const vm_stored_header *header);

/* Return the slot that holds the mutex at `address`, or that which begins with `range` in a stored state; max_threads if there is
 * none. */
unsigned vm_mutex_holder(uint64_t address);
unsigned vm_mutex_holder_in(vm_ref state, const struct vm_range *range);

/* Is the mutex free, and does a lock of it find out no more than that?  A robust or destroyed mutex tells more. */
bool vm_mutex_only_blocks_in(vm_ref state, const struct vm_range *range);

/* Does a request of cancellation end this wait? */
bool vm_wait_is_cancellable(enum vm_wait wait);

/* Return how many outcomes the next step of `thread` has in the working state, without regard to atomic sections of other
 * threads. */
unsigned vm_thread_outcomes(struct vm_thread *thread);

/* Fill in how many outcomes each slot has in the working state, with regard to atomic sections: vm_this.exclusive tells whether one
 * keeps other threads out. */
void vm_outcomes(uint8_t *outcomes);

/* Note that the step under way depends on what a thread that cannot go on waits for: whatever could let the thread go on writes to
 * one of these things. */
void vm_footprint_add_awaited(const struct vm_thread *thread);

/* ---- what operations have in common --------------------------------------------------------------------------------- */

/* Let the thread of the call wait for arguments[0] in this way, with a time-out if the row's data is the number of the argument
 * that is the deadline. */
void vm_wait_for(struct vm_call *call, enum vm_wait wait);
/* Refuse to wait for an object in the upper half of a part (state/whole.h): image_number() is to tell where a thread waits. */
void vm_wait_place(uint64_t address);

/* Let a timed call end without what it waited for, and take one from the budget of time-outs.  Return what the call returns: EINVAL
 * for a bad deadline, else ETIMEDOUT. */
int vm_timed_out(const struct vm_call *call);

bool vm_is_timed(const struct vm_call *call);

/* Is the deadline of a timed call valid? */
bool vm_deadline_is_valid(const struct vm_call *call);

/* Is this row the variant of its family that never waits? */
bool vm_only_tries(const struct vm_call *call);

/* Return the bytes of an object for a look from outside of any step, which records nothing; NULL if they are not there. */
const uint8_t *vm_peek(uint64_t address, uint64_t size);

/* Set the thread's errno and return -1, as functions of semaphore.h do. */
uint64_t vm_fail(struct vm_call *call, int error);

/* Return the address, for the running thread, of the memory `name` that the translator provides for a function of the C library
 * (translator/symbols/provided.c); 0 if the program does not have it. */
uint64_t vm_provided(const char *name);

/* ---- init twice ----------------------------------------------------------------------------------------------------
 *
 * What an init function writes into an object beside its fields: a number made of the address.  So a copy of the object, which
 * may be initialised, does not bear it; neither does one that was zeroed or assigned PTHREAD_MUTEX_INITIALIZER, which may be
 * initialised once; destroying clears it.  It is a constant of the address, so objects that differ only in who used them have
 * equal bytes as before.  It lies in the upper half of an aligned word and is never taken for part of a pointer.
 *
 * Where threads are symmetric, all objects of threads bear the same number, as their addresses are renamed.  Then a copy bears it,
 * too: the search ends where one that does is initialised, and begins again without symmetry. */
uint32_t vm_init_mark(uint64_t address);

/* Report the violation that the object at `address`, which bears its mark, is initialised. */
void vm_refuse_marked(uint64_t address);

/* Report a violation if the object of `size` bytes bears its mark at `offset`. */
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

/* Let a new thread block the signals that its creator blocks. */
void vm_signals_inherit(unsigned creator, unsigned slot);

/* ---- signals that interrupt threads (interrupt.c) --------------------------------------------------------------------- */

/* Can a timer of the program interrupt a thread?  Is one set? */
bool vm_has_timers(void);
bool vm_timers_send(void);

/* What can interrupt a thread where it rests: each is one more outcome of its step, in this order, behind its own. */
enum vm_interruption { INTERRUPTED_NOT, INTERRUPTED_BY_SIGNAL, INTERRUPTED_BY_REQUEST };

/* Can a signal interrupt the thread where it rests?  Return how many things can; which of them `choice` is. */
bool vm_interruptible(const struct vm_thread *thread);
unsigned vm_interruptions(const struct vm_thread *thread);
enum vm_interruption vm_interruption_chosen(const struct vm_thread *thread, uint32_t choice);

/* Has the program a handler for a signal, in the working state, that people or other processes send? */
bool vm_awaits_signals(void);

/* Interrupt the thread: let it run the handler, and then be here again. */
void vm_interrupt(struct vm_thread *thread);

/* Set the results of a call that has been interrupted; of __bitspin_await(). */
void vm_interrupt_fails(struct vm_call *call);
void vm_await_fails(struct vm_call *call);

/* Does the thread wait for the address in this way, or will it wait once its handlers have returned?  A thread that waits on a
 * condition variable or at a barrier can be woken while it runs a handler. */
bool vm_thread_sleeps(const struct vm_thread *thread, enum vm_wait wait, uint64_t address);

/* The wait that vm_thread_sleeps() finds.  vm_thread_exchange: exchange it with the wait in the header of the thread, which has
 * been vm_thread_change()d. */
struct vm_paused {
	uint64_t *words; /* NULL: the wait is the one in the header */
};
struct vm_paused vm_thread_paused(const struct vm_thread *thread, enum vm_wait wait, uint64_t address);
void vm_thread_exchange(struct vm_thread *thread, struct vm_paused paused);

/* Is the thread blocked where it rests, except for time-outs and the like? */
bool vm_thread_is_blocked(const struct vm_thread *thread);

/* ---- the clock (clock.c) --------------------------------------------------------------------------------------------- */

/* Return the time in nanoseconds since the start of the program; 0 if the clock stands still. */
int64_t vm_clock(void);

/* Let the time be `then` at least; the timespec at `address` at least. */
void vm_clock_reach(int64_t then);
void vm_clock_reach_deadline(uint64_t address);

/* Keep the deadline of a thread that falls asleep, if there is one.  vm_clock_kept: take the deadline back when the thread is
 * awake; 0 if there is none. */
void vm_clock_keep(struct vm_thread_header *header, uint64_t address, bool relative);
int64_t vm_clock_kept(struct vm_thread_header *header);

void vm_sleep_is_over(struct vm_call *call);

/* Is this a sleep, which takes a number, and is it of no consequence for how long?  What sleep() has not slept is returned. */
bool vm_sleep_is_any(const struct vm_call *call);

/* Does the call sleep for a time, or by a clock, that does not exist, so that it fails? */
bool vm_sleep_fails(struct vm_call *call);

/* ---- futexes (futex.c) ----------------------------------------------------------------------------------------------- */

/* A futex with an owner (futex_owned.c).  vm_futex_take: let the thread in `slot` own it; return 0 or an error number, EBUSY if the
 * thread has to wait.  vm_futex_owns: does it?  vm_futex_give: let another one own it, or nobody if `slot` is none.
 * vm_futex_owner_ends: the thread ends. */
int vm_futex_take(uint64_t address, unsigned slot, bool tries);
bool vm_futex_owns(uint64_t address, unsigned slot);
void vm_futex_give(uint64_t address, unsigned slot);
void vm_futex_owner_ends(unsigned slot);
void vm_futex_owned_explain(char *text, size_t size, const struct vm_thread *thread);

static inline bool vm_wait_is_futex(enum vm_wait wait)
{
	return wait == WAIT_FUTEX || wait == WAIT_PRIVATE;
}

/* Return in how many ways a thread at rest before a wake-up (WAIT_WAKE) can choose whom it wakes. */
uint32_t vm_futex_outcomes(const struct vm_thread *thread);

/* Note that the step under way depends on what threads that sleep on this futex wait for. */
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

/* Append to the text who holds the lock, as in ", held by thread 1, which has ended". */
void vm_holder_explain(char *text, size_t size, const struct vm_thread *thread, uint64_t lock, unsigned holder);

/* ---- functions that call back -------------------------------------------------------------------------------------- */

/* Push a frame of the program's function at `entry`, which is `what` ("a destructor") and must be of the type `type`
 * (signature.h).  Return its first registers, at least one, for the arguments.  The external function then returns CALL_ENTERED;
 * its call is made again when the frame returns. */
uint64_t *vm_enter(struct vm_thread *thread, uint64_t entry, const char *what, const char *type);

/* ---- leaving frames without a return (jump.c) ---------------------------------------------------------------------- */

/* Drop the thread's frames above depth `keep`. */
void vm_drop_frames(struct vm_thread *thread, uint32_t keep);

/* Return again, with a value, from the setjmp() that filled the buffer.  Return the outcome of the call that asks for it. */
enum vm_outcome vm_jump(struct vm_thread *thread, uint64_t buffer, uint32_t value);

/* ---- the end of a thread (cancel.c, keys.c, once.c) ---------------------------------------------------------------- */

/* Must the thread end at its next cancellation point? */
bool vm_cancel_pending(const struct vm_thread *thread);

/* Can the program ask threads to end? */
bool vm_program_cancels(void);

/* Does the call take a handle, or tell one, for anything but to wait for the end of a thread? */
bool vm_takes_handle(const struct builtin *builtin);
/* Does it detach a thread, or let one begin detached? */
bool vm_detaches(const struct builtin *builtin);

/* Asynchronous cancellation: does a request end the thread where it rests, as one more outcome?  vm_cancel_strike: let that happen
 * to the running thread; return false if nothing of it is left to run. */
bool vm_cancel_strikes(const struct vm_thread *thread);
bool vm_cancel_strike(struct vm_thread *thread);

/* Must the running thread end at this cancellation point?  Its step depends on the answer. */
bool vm_cancel_due(const struct vm_thread *thread);

/* End the running thread with a value, after its cleanup handlers and destructors.  Return the outcome of its call. */
enum vm_outcome vm_unwind(struct vm_thread *thread, uint64_t result);

/* Push the next destructor of thread-specific values of a thread without frames, which is about to finish.  Return false if there
 * is none. */
bool vm_push_destructor(struct vm_thread *thread);
/* Return how far the thread is in calling destructors: 1, plus the number of the key that it looks at next.  The numbers of a round
 * are PTHREAD_KEYS_MAX higher than those of the round before. */
uint32_t vm_ending_position(const struct vm_thread *thread);

/* Abandon the initialization, if there is one, that the running thread leaves with its top frame, which is inside an external
 * call. */
void vm_once_abandon(struct vm_thread *thread);

#endif
