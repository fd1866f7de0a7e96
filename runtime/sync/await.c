/* SPDX-License-Identifier: MIT
 *
 * What the C library in C (libc/) needs of the VM to make threads wait and to send signals.
 *
 * __bitspin_await(list, count, object, how, fd): wait until some word of the list has one of the bits that its row asks for, then
 * enter an atomic section.  `how`: 1 if the wait is timed, and above that bit what becomes of it if it is interrupted
 * (interrupt.c).  A request of cancellation interrupts it, too; the library then gives back what it holds, and calls
 * pthread_testcancel().  Who changes these words does so in an atomic section in which it also writes to `object`, four bytes: so
 * a wait is for one object, as the reductions need (wait.c).
 *
 * Signals: each thread has two words, what it blocks and what is pending for it; so has the process, behind those of all threads,
 * where the first is what has a handler.  Behind those, the first word is what timers may send.
 */
#include "../calls/inject.h"
#include "../memory/footprint.h"
#include "../memory/records.h"
#include "../trace/history.h"
#include "sync.h"

#include <assert.h>
#include <string.h>

enum { LIST, COUNT, OBJECT, TIMED, DESCRIPTOR };
enum { ROW_SIZE = 16 }; /* an address, a mask */

bool vm_event_is_there(uint64_t object, const struct vm_thread *thread)
{
	uint64_t list = vm_resting_argument(thread, LIST), count = vm_resting_argument(thread, COUNT);
	(void)object;
	for (uint64_t i = 0; i < count; i++) {
		const uint8_t *row = vm_peek(list + i * ROW_SIZE, ROW_SIZE);
		uint64_t address;
		uint32_t mask, word;
		if (!row)
			return true; /* the thread goes on, into a violation */
		memcpy(&address, row, sizeof address);
		memcpy(&mask, row + sizeof address, sizeof mask);
		const uint8_t *bytes = vm_peek(address, sizeof word);
		if (!bytes)
			return true;
		memcpy(&word, bytes, sizeof word);
		if (word & mask)
			return true;
	}
	return false;
}

/* Return a descriptor and what it names, as "descriptor 3 (the reading end of a pipe)". */
static const char *name_descriptor(uint64_t descriptor)
{
	static const char *const kinds[] = {
#define DUCT(kind, name) name,
#include "../state/duct.def"
#undef DUCT
	};
	enum { KIND = 8 }; /* as in libc/ducts.h */
	char *text = vm_text();
	uint64_t kind = descriptor >> KIND;
	const char *name = kind < sizeof kinds / sizeof *kinds ? kinds[kind] : "";
	snprintf(text, VM_TEXT, *name ? "descriptor %llu (%s)" : "descriptor %llu%s",
		 (unsigned long long)(descriptor & ((1u << KIND) - 1)), name);
	return text;
}

/* Name what a thread waits for; if `whole`, with what is to happen to it. */
static void name_event(char *text, size_t size, int64_t descriptor, bool whole)
{
	assert(size > 0);
	enum { A_SIGNAL = -2, A_SET = -3 }; /* as in libc/signal.c and libc/queues.c */
	if (descriptor == A_SIGNAL)
		snprintf(text, size, "a signal%s", whole ? " to come" : "");
	else if (descriptor == A_SET)
		snprintf(text, size, "a set of semaphores%s", whole ? " to change" : "");
	else
		snprintf(text, size, "%s%s", descriptor >= 0 ? name_descriptor((uint64_t)descriptor) : "a descriptor",
			 whole ? " to be ready" : "");
}

void vm_event_explain(char *text, size_t size, const struct vm_thread *thread)
{
	char name[100];
	name_event(name, sizeof name, vm_signed(vm_resting_argument(thread, DESCRIPTOR), 32), true);
	snprintf(text, size, "waits for %s", name);
}

void prepare_await(struct vm_call *call)
{
	call->thread->header.wait = WAIT_EVENT;
	vm_wait_place(call->arguments[OBJECT]);
	call->thread->header.address = call->arguments[OBJECT];
	call->thread->header.timed = (uint32_t)call->arguments[TIMED] & 1;
}

enum vm_outcome run_await(struct vm_call *call)
{
	char name[100];
	if (vm_cancel_due(call->thread)) {
		vm_await_fails(call);
		return CALL_DONE;
	}
	bool there = vm_event_is_there(call->arguments[OBJECT], call->thread);
	call->thread->header.atomic += LIBRARY_SECTION;
	vm_access(call->arguments[OBJECT], sizeof(uint32_t), ACCESS_SYNC_READ);
	if (!there && !vm_injection_spend(INJECT_TIMEOUT))
		VM_BUG("a wait for an event is over for no reason");
	name_event(name, sizeof name, vm_signed(call->arguments[DESCRIPTOR], 32), false);
	vm_event_about(ACTION_WAIT, VM_ABOUT(.address = call->arguments[OBJECT], .name = name), "for %s is over%s", name,
		       there ? "" : ": the time is up");
	call->results[0] = there;
	return CALL_DONE;
}

void vm_await_fails(struct vm_call *call)
{
	call->thread->header.atomic += LIBRARY_SECTION;
	call->results[0] = UINT32_MAX;
}

enum vm_outcome run_told(struct vm_call *call)
{
	enum { READ, WRITE, CLOSE, MADE }; /* as in libc/ducts.h */
	int64_t what = vm_signed(call->arguments[0], 32), bytes = vm_signed(call->arguments[2], 64);
	static const char *const plural[] = { "s", "" };
	const char *name = vm_tracing ? name_descriptor(call->arguments[1] & UINT32_MAX) : "", *s = plural[bytes == 1];
	if (what == CLOSE)
		vm_event(ACTION_CALL, "close %s", name);
	else if (what == MADE && bytes >= 0)
		vm_event(ACTION_CALL, "make %s; its other end is descriptor %lld", name, (long long)bytes);
	else if (what == MADE)
		vm_event(ACTION_CALL, "make %s", name);
	else if (what == READ && bytes == 0)
		vm_event(ACTION_CALL, "end of file at %s", name);
	else
		vm_event(ACTION_CALL, "%s %lld byte%s %s %s", what == READ ? "read" : "write", (long long)bytes, s,
			 what == READ ? "from" : "to", name);
	return CALL_DONE;
}

enum vm_outcome run_timeout(struct vm_call *call)
{
	vm_met_timer();
	call->results[0] = vm_injection_spend(INJECT_TIMEOUT);
	return CALL_DONE;
}

enum vm_outcome run_refuse(struct vm_call *call)
{
	vm_inconclusive(LIMIT_FUNCTION, "%s", vm_string(call->arguments[0], UINT64_MAX, NULL));
}

enum vm_outcome run_untried(struct vm_call *call)
{
	vm_met_untried((enum vm_untried)call->arguments[0], vm_string(call->arguments[1], UINT64_MAX, NULL));
	return CALL_DONE;
}

enum vm_outcome run_killed(struct vm_call *call)
{
	vm_violation(VIOLATION_ABORT, "the program is killed by %s", vm_string(call->arguments[0], UINT64_MAX, NULL));
}

/* ---- signals -------------------------------------------------------------------------------------------------------- */

#define SIGNALS "signals of threads"

enum { SELF = -1, PROCESS = -2, TIMERS = -3, WORDS = 16 }; /* bytes of the words of a thread */

/* Return the address of the words of the thread, or of what else argument 0 names; 0 if there is no such thread. */
static uint64_t words_of(struct vm_call *call)
{
	int64_t number = vm_signed(call->arguments[0], 32);
	uint64_t table = vm_provided(SIGNALS),
		 slot = number == SELF ? call->thread->slot :
		number == PROCESS      ? VM_MAX_SLOTS :
		number == TIMERS       ? VM_MAX_SLOTS + 1 :
					 (uint64_t)number;
	if (slot < VM_MAX_SLOTS && slot != call->thread->slot) {
		vm_footprint_add(FOOTPRINT_THREAD + (uint32_t)slot, 0, 1, false);
		if (slot >= vm_this.slots || vm_thread_load((unsigned)slot)->header.status != THREAD_RUNNING)
			return 0;
	}
	assert(table && slot <= VM_MAX_SLOTS + 1);
	return table + slot * WORDS;
}

enum vm_outcome run_signal_words(struct vm_call *call)
{
	call->results[0] = words_of(call);
	return CALL_DONE;
}

enum vm_outcome run_signal_get(struct vm_call *call)
{
	call->results[0] = vm_load64(words_of(call) + 8 * call->arguments[1], 8, ACCESS_SYNC_READ);
	return CALL_DONE;
}

enum vm_outcome run_signal_set(struct vm_call *call)
{
	vm_store64(words_of(call) + 8 * call->arguments[1], 8, call->arguments[2], ACCESS_SYNC_WRITE);
	return CALL_DONE;
}

enum vm_outcome run_thread_number(struct vm_call *call)
{
	unsigned slot = vm_thread_of(call->arguments[0]);
	bool running = false;
	if (slot < vm_this.max_threads) {
		if (slot != call->thread->slot)
			vm_footprint_add(FOOTPRINT_THREAD + slot, 0, 1, false);
		running = slot < vm_this.slots && vm_thread_load(slot)->header.status == THREAD_RUNNING;
	}
	call->results[0] = running ? slot : UINT32_MAX;
	return CALL_DONE;
}

static bool sends_signals(const struct builtin *builtin)
{
	return builtin->run == run_thread_number || builtin->run == run_interrupts_others;
}

enum vm_outcome run_signals_are_sent(struct vm_call *call)
{
	static VM_OWN bool known, sent;
	sent = known ? sent : builtin_is_used(sends_signals);
	known = true;
	call->results[0] = sent;
	return CALL_DONE;
}

void vm_signals_inherit(unsigned creator, unsigned slot)
{
	assert(creator != slot && slot < vm_this.max_threads);
	uint64_t table = vm_provided(SIGNALS);
	if (!table)
		return;
	uint64_t mask = vm_load64(table + creator * WORDS, 8, ACCESS_SYNC_READ), child = table + slot * WORDS;
	vm_store64(child, 8, mask, ACCESS_SYNC_WRITE);
	vm_store64(child + 8, 8, 0, ACCESS_SYNC_WRITE);
}
