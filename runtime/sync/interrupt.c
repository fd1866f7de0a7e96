/* SPDX-License-Identifier: MIT
 *
 * Signals that interrupt a thread.
 *
 * One that another thread has sent is pending (libc/signal.c).  While it is, and the thread neither blocks it nor is in an
 * atomic section, to be interrupted is one more outcome of the thread's next step, wherever it rests; memory/interrupts.h says
 * where that is.  The thread runs a frame of __bitspin_interrupted(), which takes a signal, calls its handler, and returns to
 * the rest.  What the thread waits for there is kept in the arguments of that frame meanwhile, so handlers may wait for things
 * of their own.
 *
 * A thread that rests before a call that may fail with EINTR, and has to wait there, may be before the call or in it.  The
 * function chooses: after the handler the thread begins the call anew, or the call fails.  SA_RESTART leaves the first, for
 * those calls that it concerns.  Waiting for locks, on condition variables, at barriers and for threads never fails so; who
 * waits on a condition variable or at a barrier stays one of its waiters, and may be woken meanwhile, as in glibc.
 */
#include "../calls/inject.h"
#include "../memory/interrupts.h"
#include "../memory/records.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

enum { MASK, PENDING, WORDS = 16 }; /* of the table, as in await.c */
enum { SELF = -1, PROCESS = -2, TIMERS = VM_MAX_SLOTS + 1 };
#define SUSPENDED (UINT64_C(1) << 8) /* as in libc/signal.c */

/* When a call fails that is interrupted, as in libc/signal.c. */
enum { GOES_ON, UNLESS_RESTARTED, FAILS, MASKED };
enum { TIMED = 3 }; /* argument of __bitspin_await(): whether it is timed, and above that bit one of these */

/* Return a word of the thread in `slot`, or of what stands behind the threads. */
static uint64_t word(unsigned slot, unsigned which)
{
	static VM_OWN uint64_t table;
	uint64_t value = 0;
	assert(slot <= TIMERS && which <= PENDING);
	table = table ? table : vm_provided("signals of threads");
	const uint8_t *bytes = table ? vm_peek(table + slot * WORDS + which * 8, 8) : NULL;
	if (bytes)
		memcpy(&value, bytes, sizeof value);
	return value;
}

bool vm_awaits_signals(void)
{
	static const int errors[] = { SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE, SIGSYS };
	uint64_t handled = word(VM_MAX_SLOTS, MASK);
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		handled &= ~(UINT64_C(1) << (errors[i] - 1));
	return handled != 0;
}

static bool is_of_timers(const struct builtin *builtin)
{
	return builtin->run == run_timeout;
}

bool vm_has_timers(void)
{
	static VM_OWN bool known, has;
	has = known ? has : builtin_is_used(is_of_timers);
	known = true;
	return has && vm_has_interrupts();
}

bool vm_timers_send(void)
{
	return word(TIMERS, MASK);
}

bool vm_interruptible(const struct vm_thread *thread)
{
	const struct vm_thread_header *header = &thread->header;
	if (!vm_has_interrupts() || header->status != THREAD_RUNNING || header->atomic || header->wait == WAIT_DEATH)
		return false;
	uint64_t blocked = word(thread->slot, MASK), handled = word(VM_MAX_SLOTS, MASK);
	uint64_t pending = word(thread->slot, PENDING) | word(VM_MAX_SLOTS, PENDING) | word(TIMERS, MASK);
	if (!(pending & handled & ~blocked) || (blocked & SUSPENDED))
		return false;
	/* A wait with a mask of its own is over if it can be, and then the mask is the other one again. */
	return header->wait != WAIT_EVENT || vm_resting_argument(thread, TIMED) >> 1 != MASKED || vm_thread_is_blocked(thread);
}

unsigned vm_interruptions(const struct vm_thread *thread)
{
	return vm_has_interrupts() ? (unsigned)vm_interruptible(thread) + (unsigned)vm_cancel_strikes(thread) : 0;
}

/* ---- what it waited for ---------------------------------------------------------------------------------------------- */

static void pack(const struct vm_thread_header *header, uint64_t *words)
{
	words[0] = header->wait | (uint64_t)header->woken << 8 | (uint64_t)header->timed << 16;
	words[1] = header->address;
	words[2] = header->other;
	words[3] = header->low | (uint64_t)header->count << 32;
}

static void unpack(struct vm_thread_header *header, const uint64_t *words)
{
	assert((uint8_t)words[0] < VM_WAITS);
	header->wait = (uint8_t)words[0];
	header->woken = (uint8_t)(words[0] >> 8);
	header->timed = (uint8_t)(words[0] >> 16);
	header->address = words[1];
	header->other = words[2];
	header->low = (uint32_t)words[3];
	header->count = (uint32_t)(words[3] >> 32);
}

struct vm_paused vm_thread_paused(const struct vm_thread *thread, enum vm_wait wait, uint64_t address)
{
	for (uint32_t i = vm_has_interrupts() ? thread->header.frames : 0; i > 0; i--) {
		const struct vm_frame *frame = &thread->frames[i - 1];
		uint64_t *words = thread->registers + frame->base;
		if (vm_is_interrupt(frame->function) && (uint8_t)words[0] == wait && words[1] == address)
			return (struct vm_paused){ words };
	}
	return (struct vm_paused){ NULL };
}

void vm_thread_exchange(struct vm_thread *thread, struct vm_paused paused)
{
	uint64_t words[4];
	if (!paused.words)
		return;
	pack(&thread->header, words);
	unpack(&thread->header, paused.words);
	memcpy(paused.words, words, sizeof words);
}

bool vm_thread_sleeps(const struct vm_thread *thread, enum vm_wait wait, uint64_t address)
{
	const struct vm_thread_header *header = &thread->header;
	return (header->wait == wait && header->address == address) || vm_thread_paused(thread, wait, address).words;
}

/* ---- being interrupted ----------------------------------------------------------------------------------------------- */

/* Return what becomes of the call that the thread rests at.  A sleep may be under way; other waits are under way only if the thread
 * is blocked. */
static unsigned consequence(const struct vm_thread *thread)
{
	const struct builtin *builtin = vm_resting_call(thread);
	enum vm_wait wait = thread->header.wait;
	if (!builtin)
		return GOES_ON;
	if (builtin->flags & BUILTIN_SLEEPS)
		return FAILS;
	if (vm_wait_is_futex(wait) || (wait == WAIT_SEMAPHORE && vm_thread_is_blocked(thread)))
		return UNLESS_RESTARTED;
	if (wait == WAIT_EVENT && vm_thread_is_blocked(thread))
		return (unsigned)vm_resting_argument(thread, TIMED) >> 1;
	return GOES_ON;
}

void vm_interrupt(struct vm_thread *thread)
{
	const struct image *image = &vm_this.image;
	uint32_t function = 0;
	uint64_t words[5];
	assert(vm_has_interrupts() && thread->header.status == THREAD_RUNNING && !thread->header.atomic);
	while (!vm_is_interrupt(function))
		function++;
	assert(function < image->counts[IMAGE_FUNCTIONS]);
	assert(image->functions[function].parameters <= sizeof words / sizeof *words);
	pack(&thread->header, words);
	words[4] = consequence(thread);
	if (vm_wait_is_futex((enum vm_wait)words[0])) /* it does not sleep any more, and looks again at the futex */
		memset(words, 0, 4 * sizeof *words);
	thread->header.wait = WAIT_NONE;
	thread->header.woken = thread->header.timed = 0;
	thread->header.address = thread->header.other = 0;
	thread->header.low = thread->header.count = 0;
	uint64_t *registers = vm_thread_push(thread, function);
	if (!registers)
		vm_stack_overflow(thread);
	memcpy(registers, words, image->functions[function].parameters * sizeof *words);
	if (thread->shadowed)
		memset(thread->shadows + thread->frames[thread->header.frames - 1].base, 0, sizeof words);
	thread->header.atomic += LIBRARY_SECTION;
}

/* Let the thread wait for what it waited for before the handlers, or fail; the section that vm_interrupt() has entered ends. */
enum vm_outcome run_interrupt_ends(struct vm_call *call)
{
	struct vm_thread_header *header = &call->thread->header;
	uint64_t words[4];
	bool fails = (uint32_t)call->arguments[4] != 0;
	memcpy(words, call->arguments, sizeof words);
	if (fails)
		memset(words, 0, sizeof words);
	unpack(header, words);
	header->woken = fails ? WOKEN_INTERRUPTED : header->woken;
	assert(header->atomic >= LIBRARY_SECTION);
	header->atomic -= LIBRARY_SECTION;
	return CALL_DONE;
}

enum vm_outcome run_signal_told(struct vm_call *call)
{
	const char *signal = vm_string(call->arguments[0], UINT64_MAX, NULL);
	int64_t thread = vm_signed(call->arguments[1], 32);
	if (thread == SELF)
		vm_event(ACTION_CALL, "interrupted by %s", signal);
	else if (thread == PROCESS)
		vm_event(ACTION_CALL, "sends %s to the process", signal);
	else
		vm_event(ACTION_CALL, "sends %s to thread %u", signal, (unsigned)thread);
	return CALL_DONE;
}

enum vm_outcome run_interrupts_others(struct vm_call *call)
{
	(void)call;
	if (!vm_has_interrupts())
		vm_inconclusive(LIMIT_INTERRUPTS, "a signal is sent to another thread, whose handler is to run");
	return CALL_DONE;
}

/* ---- calls that fail -------------------------------------------------------------------------------------------------- */

/* Say that all of the time of a sleep remains. */
static void tell_remaining(uint64_t requested, uint64_t remaining)
{
	uint64_t time[2];
	if (!remaining)
		return;
	memcpy(time, vm_access(requested, sizeof time, ACCESS_READ), sizeof time);
	vm_write(remaining, time, NULL, sizeof time, ACCESS_WRITE);
}

static void sleep_fails(struct vm_call *call)
{
	if (vm_sleep_fails(call))
		return;
	call->thread->header.other = 0;
	switch (*call->builtin->data) {
	case 's': call->results[0] = (uint32_t)call->arguments[0]; break;
	case 'u': vm_fail(call, EINTR); break;
	case '0':
		tell_remaining(call->arguments[0], call->arguments[1]);
		if (strcmp(call->builtin->name, "thrd_sleep") == 0)
			call->results[0] = UINT32_MAX;
		else
			vm_fail(call, EINTR);
		break;
	default:
		if (!((uint32_t)call->arguments[1] & TIMER_ABSTIME))
			tell_remaining(call->arguments[2], call->arguments[3]);
		call->results[0] = EINTR;
	}
}

void vm_interrupt_fails(struct vm_call *call)
{
	if (call->builtin->flags & BUILTIN_SLEEPS)
		sleep_fails(call);
	else if (call->builtin->run == run_await)
		vm_await_fails(call);
	else
		vm_fail(call, EINTR);
	vm_event(ACTION_CALL, "%s fails, interrupted", call->builtin->run == run_await ? "the wait" : call->builtin->name);
}
