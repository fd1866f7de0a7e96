/* SPDX-License-Identifier: MIT
 *
 * The clock that goes forward (--clock forward).  One number of nanoseconds since the start is the time of all clocks; it is part
 * of the state.  Left alone it stands still.  What moves it:
 *
 *     a program looks at it: it finds it as it was, or one step later (IMAGE's clock_step), a choice;
 *     a wait times out, or a sleep ends: it is not before the end of that, so it moves there unless it has been there already.
 *
 * So what a program reads never goes back, and agrees with the time-outs that it has seen.  How often it may move on a path is
 * limited; without that, states would have no end.  Looks have a budget as faults have (INJECT_CLOCK): when it is used up, there is
 * no choice any more.  Ends of waits and sleeps are counted apart, so that looks do not take what a sleep cannot do without: one
 * too many ends the path as inconclusive, since nothing true could come after it.
 *
 * Looking at a clock orders nothing: who sees a time that another thread has brought about is not synchronized with it.  That needs
 * records (translator/analyse/happens_before.c).
 */
#include "../calls/inject.h"
#include "../symbolic/symbolic.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

enum { NANOSECONDS = 1000000000 };
#define START  INT64_C(946684800) /* as NOW in libc/time.c */
#define LATEST (INT64_MAX / 4)    /* 73 years: nothing is later */

enum { MOVES = 8 }; /* where the number of ends is, behind the time */

/* Return the address of the time; 0 if the clock stands still, or nobody looks at it. */
static uint64_t the_clock(void)
{
	return vm_this.image.options->clock_step ? vm_provided("the clock") : 0;
}

static int64_t sum(int64_t time, int64_t seconds, int64_t nanoseconds)
{
	assert(time >= 0);
	if (seconds >= LATEST / NANOSECONDS || seconds <= -LATEST / NANOSECONDS)
		return seconds > 0 ? LATEST : 0;
	int64_t then = time + seconds * NANOSECONDS + nanoseconds;
	return then > LATEST ? LATEST : then;
}

int64_t vm_clock(void)
{
	uint64_t at = the_clock();
	return at ? (int64_t)vm_load64(at, 8, ACCESS_SYNC_READ) : 0;
}

void vm_clock_reach(int64_t then)
{
	uint64_t at = the_clock();
	if (!at || vm_clock() >= then)
		return;
	uint64_t moves = vm_load64(at + MOVES, 8, ACCESS_SYNC_READ), most = vm_this.image.options->clock_moves;
	if (moves >= most)
		vm_inconclusive(LIMIT_CLOCK,
				"%llu sleeps and time-outs have moved the clock, and one more would; --clock forward:%llu "
				"allows it, and --faults timeout:N limits time-outs",
				(unsigned long long)most, (unsigned long long)most + 1);
	vm_store64(at + MOVES, 8, moves + 1, ACCESS_SYNC_WRITE);
	vm_store64(at, 8, (uint64_t)then, ACCESS_SYNC_WRITE);
	vm_event(ACTION_CALL, "the clock goes forward to %.9g s after the start", (double)then / NANOSECONDS);
}

/* Return the time that comes so long after `time` as the timespec at `address` says. */
static int64_t read_after(int64_t time, uint64_t address)
{
	int64_t seconds = (int64_t)vm_load64(address + offsetof(struct timespec, tv_sec), 8, ACCESS_READ);
	return sum(time, seconds, (int64_t)vm_load64(address + offsetof(struct timespec, tv_nsec), 8, ACCESS_READ));
}

static int64_t read_point(uint64_t address)
{
	int64_t seconds = (int64_t)vm_load64(address + offsetof(struct timespec, tv_sec), 8, ACCESS_READ);
	int64_t nanoseconds = (int64_t)vm_load64(address + offsetof(struct timespec, tv_nsec), 8, ACCESS_READ);
	return seconds < START ? 0 : sum(0, seconds - START, nanoseconds);
}

void vm_clock_reach_deadline(uint64_t address)
{
	if (the_clock())
		vm_clock_reach(read_point(address));
}

/* Keep the deadline of a wait of two steps, which is read when the wait begins.  It is kept where the value of the thread will be
 * when the thread ends.  So the waits of threads that are ending keep none: they count as over at any time. */
void vm_clock_keep(struct vm_thread_header *header, uint64_t address, bool relative)
{
	if (the_clock() && address && !(header->cancel & CANCEL_ENDING))
		header->result = (uint64_t)(relative ? read_after(vm_clock(), address) : read_point(address));
}

int64_t vm_clock_kept(struct vm_thread_header *header)
{
	int64_t then = 0;
	if (vm_this.image.options->clock_step && !(header->cancel & CANCEL_ENDING)) {
		then = (int64_t)header->result;
		header->result = 0;
	}
	return then;
}

/* ---- sleeps ---------------------------------------------------------------------------------------------------------- */

/* Keep in the header when the sleep begins: when the thread has come to the call. */
void prepare_sleep(struct vm_call *call)
{
	call->thread->header.other = (uint64_t)vm_clock();
}

/* Is the number at an address less than `end`?  No more is asked if it is an input. */
static bool is_below(uint64_t address, uint64_t end)
{
	if (!vm_symbolic_is_at(address, 8))
		return vm_load64(address, 8, ACCESS_READ) < end;
	struct vm_bytes read = vm_access_bits(address, 8, ACCESS_READ);
	struct vm_bits64 number = vm_symbolic_gather(read.bytes, read.shadow, 8, 64);
	return vm_symbolic_is_true(vm_symbolic_with(IMAGE_ICMP, 64, ICMP_ULT, number, end), "a duration");
}

static bool is_duration(uint64_t address)
{
	return is_below(address + offsetof(struct timespec, tv_sec), UINT64_C(1) << 63) &&
		is_below(address + offsetof(struct timespec, tv_nsec), NANOSECONDS);
}

/* Return the error by which clock_nanosleep() of Linux refuses a clock; 0 if it does not. */
static int error_of_clock(clockid_t clock)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_MONOTONIC:
	case CLOCK_BOOTTIME:
	case CLOCK_TAI:
	case CLOCK_PROCESS_CPUTIME_ID: return 0;
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_MONOTONIC_COARSE: return ENOTSUP;
	default: return EINVAL;
	}
}

bool vm_sleep_fails(struct vm_call *call)
{
	bool takes_clock = *call->builtin->data == '-', takes_time = takes_clock || *call->builtin->data == '0';
	int error = takes_clock ? error_of_clock((clockid_t)call->arguments[0]) : 0;
	if (!error && takes_time && !is_duration(call->arguments[takes_clock ? 2 : 0]))
		error = EINVAL;
	if (!error)
		return false;
	call->thread->header.other = 0;
	if (takes_clock)
		call->results[0] = (uint64_t)error;
	else if (strcmp(call->builtin->name, "thrd_sleep") == 0)
		call->results[0] = (uint32_t)-2;
	else
		vm_fail(call, error);
	return true;
}

/* End a sleep.  The data of the row is the unit of argument 0, or the number of the argument that points to a timespec; '-' for
 * clock_nanosleep(), whose timespec may be a point in time. */
void vm_sleep_is_over(struct vm_call *call)
{
	int64_t begin = (int64_t)call->thread->header.other;
	call->thread->header.other = 0;
	if (!the_clock())
		return;
	uint32_t number = (uint32_t)call->arguments[0];
	switch (*call->builtin->data) {
	case 's': vm_clock_reach(sum(begin, number, 0)); break;
	case 'u': vm_clock_reach(sum(begin, 0, (int64_t)number * 1000)); break;
	case '0': vm_clock_reach(read_after(begin, call->arguments[0])); break;
	default:
		if ((uint32_t)call->arguments[1] & TIMER_ABSTIME)
			vm_clock_reach_deadline(call->arguments[2]);
		else
			vm_clock_reach(read_after(begin, call->arguments[2]));
	}
}

bool vm_sleep_is_any(const struct vm_call *call)
{
	bool sleeps = call->builtin->flags & BUILTIN_SLEEPS, unused = call->insn->aux & IMAGE_BLIND;
	return sleeps && !the_clock() && (*call->builtin->data == 'u' || (*call->builtin->data == 's' && unused));
}

/* ---- for libc/ ------------------------------------------------------------------------------------------------------- */

void prepare_clock_read(struct vm_call *call)
{
	vm_injection_offer(call->thread, INJECT_CLOCK);
}

enum vm_outcome run_clock_read(struct vm_call *call)
{
	vm_this.outward = true;
	if (the_clock() && vm_injection_happens(INJECT_CLOCK)) {
		int64_t then = sum(vm_clock(), 0, (int64_t)vm_this.image.options->clock_step);
		vm_store64(the_clock(), 8, (uint64_t)then, ACCESS_SYNC_WRITE);
		vm_event(ACTION_CALL, "a look at the clock: it has gone forward to %.9g s after the start",
			 (double)then / NANOSECONDS);
	}
	call->results[0] = (uint64_t)vm_clock();
	return CALL_DONE;
}

enum vm_outcome run_clock_passed(struct vm_call *call)
{
	call->results[0] = (uint64_t)vm_clock();
	return CALL_DONE;
}

enum vm_outcome run_clock_reach(struct vm_call *call)
{
	vm_clock_reach((int64_t)call->arguments[0]);
	return CALL_DONE;
}
