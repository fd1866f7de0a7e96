/* SPDX-License-Identifier: MIT
 *
 * pthread_once and call_once.  The word of a once object is 0 before, 2 after, and in between says which thread runs the
 * initialisation, and from which frame, so that the call knows its own return from a call of the initialisation by itself.
 */
#include "../memory/records.h"
#include "sync.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

enum { ONCE_SIZE = sizeof(pthread_once_t), NOT_YET = 0, UNDER_WAY = 1, DONE = 2 };
enum { SLOT_SHIFT = 2, SLOT_MASK = 0xff, FRAME_SHIFT = 10 }; /* in a word that says under way */

static uint32_t word_of(const struct vm_thread *thread)
{
	assert(thread->slot <= SLOT_MASK && thread->header.frames < UINT32_C(1) << (32 - FRAME_SHIFT));
	return UNDER_WAY | thread->slot << SLOT_SHIFT | thread->header.frames << FRAME_SHIFT;
}

static uint32_t word_peek(uint64_t address)
{
	const uint8_t *bytes = vm_peek(address, ONCE_SIZE);
	uint32_t word = DONE; /* the thread goes on, into a violation */
	if (bytes)
		memcpy(&word, bytes, sizeof word);
	return word;
}

/* Does the word say that an initialization is under way?  A word that names no running thread is no once object's. */
static bool is_under_way(uint32_t word)
{
	unsigned slot = word >> SLOT_SHIFT & SLOT_MASK;
	return (word & 3) == UNDER_WAY && slot < vm_this.slots && vm_thread_load(slot)->header.status == THREAD_RUNNING;
}

bool vm_once_free(uint64_t address, const struct vm_thread *thread)
{
	uint32_t word = word_peek(address);
	return !is_under_way(word) || word == word_of(thread);
}

bool vm_once_runs(uint64_t address, unsigned slot)
{
	uint32_t word = word_peek(address);
	return is_under_way(word) && (word >> SLOT_SHIFT & SLOT_MASK) == slot;
}

void vm_once_explain(char *text, size_t size, const struct vm_thread *thread)
{
	unsigned slot = word_peek(thread->header.address) >> SLOT_SHIFT & SLOT_MASK;
	if (slot == thread->slot)
		snprintf(text, size, "waits for the initialization of %s, which it runs itself",
			 vm_describe(thread->header.address));
	else
		snprintf(text, size, "waits for thread %u to end the initialization of %s", slot,
			 vm_describe(thread->header.address));
}

void prepare_once(struct vm_call *call)
{
	vm_wait_for(call, WAIT_ONCE);
}

enum vm_outcome run_once(struct vm_call *call)
{
	uint64_t address = call->arguments[0];
	vm_order_read(address, true, "call");
	uint32_t word = (uint32_t)vm_load64(address, ONCE_SIZE, ACCESS_SYNC_READ);
	if (word == DONE)
		return CALL_DONE;
	if (word == word_of(call->thread)) {
		vm_store64(address, ONCE_SIZE, DONE, ACCESS_SYNC_WRITE);
		vm_order_write(address, true, false, "initialization");
		vm_event_about(ACTION_CALL, VM_ABOUT(.address = address, .writes = true), "the initialization of %s is done",
			       vm_describe(address));
		return CALL_DONE;
	}
	if (word != NOT_YET)
		vm_violation(VIOLATION_MUTEX_MISUSE, "%s is used without PTHREAD_ONCE_INIT", vm_describe(address));
	vm_store64(address, ONCE_SIZE, word_of(call->thread), ACCESS_SYNC_WRITE);
	vm_event_about(ACTION_CALL, VM_ABOUT(.address = address, .reads = true), "the initialization of %s begins",
		       vm_describe(address));
	assert(call->builtin->flags & BUILTIN_ENTERS);
	vm_enter(call->thread, call->arguments[1], "an initialization", "void (void)");
	return CALL_ENTERED;
}

void vm_once_abandon(struct vm_thread *thread)
{
	const struct builtin *builtin = vm_resting_call(thread);
	if (!builtin || builtin->run != run_once)
		return;
	uint64_t address = vm_resting_argument(thread, 0);
	if (word_peek(address) == word_of(thread))
		vm_store64(address, ONCE_SIZE, NOT_YET, ACCESS_SYNC_WRITE);
}
