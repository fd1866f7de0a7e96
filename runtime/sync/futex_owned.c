/* SPDX-License-Identifier: MIT
 *
 * Futexes with owners: FUTEX_LOCK_PI, FUTEX_TRYLOCK_PI and FUTEX_UNLOCK_PI.
 *
 * The word is the number of the thread that owns the futex (gettid()), 0 if nobody does, with a bit that says that others wait.
 * As in Linux, who unlocks it gives it to a waiter, so nobody else gets it in between.  Linux chooses the first one of the highest
 * priority; here it may be any.  Priorities are not modelled.  Unlike other futexes, these order what comes before an unlock before
 * what comes after the next lock.
 *
 * A thread that ends while it owns one, which others wait for, gives it away in Linux; here that cuts the path.  So does an attempt
 * to lock one whose owner has ended: as both do, it does not matter which of them a search comes to, where the end of a thread
 * takes no step of its own.
 */
#include "../calls/atomic.h"
#include "../memory/buffers.h"
#include "../memory/footprint.h"
#include "../memory/messages.h"
#include "../memory/records.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <string.h>

enum { WORD = 4, PROCESS = 1000 }; /* as in run_gettid() */

static uint32_t number_of(unsigned slot)
{
	return PROCESS + slot;
}

static uint32_t word_peek(uint64_t address)
{
	uint32_t word = 0;
	const uint8_t *bytes = vm_peek(address, WORD);
	if (bytes)
		memcpy(&word, bytes, sizeof word);
	return word;
}

/* Return the slot of the running thread that owns the futex; the number of slots if there is none. */
static unsigned owner_of(uint32_t word)
{
	uint32_t owner = word & FUTEX_TID_MASK;
	unsigned slot = owner - PROCESS;
	bool runs = owner >= PROCESS && slot < vm_this.slots && vm_thread_load(slot)->header.status == THREAD_RUNNING;
	return runs ? slot : vm_this.slots;
}

static bool waits(unsigned slot, uint64_t address)
{
	const struct vm_thread_header *header = &vm_thread_load(slot)->header;
	return header->status == THREAD_RUNNING && header->wait == WAIT_OWNED && header->address == address;
}

static bool has_waiters(uint64_t address)
{
	bool some = false;
	for (unsigned i = 0; i < vm_this.slots; i++)
		some = some || waits(i, address);
	return some;
}

/* Does the owner wait for a futex of the thread in `slot`, at the end of a chain of such waits?  That thread waits for nothing, so
 * the chain comes to an end. */
static bool closes_circle(unsigned owner, unsigned slot)
{
	for (unsigned steps = 0; owner < vm_this.slots && owner != slot && steps < vm_this.slots; steps++) {
		const struct vm_thread_header *header = &vm_thread_load(owner)->header;
		if (header->wait != WAIT_OWNED)
			return false;
		owner = owner_of(word_peek(header->address));
	}
	return owner == slot;
}

/* Read the word, which the system does as an atomic access. */
static uint32_t word_at(uint64_t address)
{
	if (vm_has_messages() || vm_has_buffers())
		vm_inconclusive(LIMIT_FUNCTION, "FUTEX_LOCK_PI is not modelled under another memory model than sc");
	vm_order_read(address, true, "look at a futex");
	return (uint32_t)vm_load64(address, WORD, ACCESS_SYNC_READ);
}

static void set_word(uint64_t address, uint32_t word, bool releases)
{
	vm_store64(address, WORD, word, ACCESS_SYNC_WRITE);
	vm_order_write(address, releases, true, releases ? "unlock" : "lock");
}

int vm_futex_take(uint64_t address, unsigned slot, bool tries)
{
	uint32_t word = word_at(address);
	unsigned owner = owner_of(word);
	if ((word & FUTEX_TID_MASK) == number_of(slot))
		return EDEADLK;
	if (!(word & FUTEX_TID_MASK)) {
		if (has_waiters(address))
			return EINVAL;
		set_word(address, number_of(slot) | (word & FUTEX_OWNER_DIED), false);
		vm_event_about(ACTION_CALL, VM_ABOUT(.address = address), "lock futex %s", vm_describe(address));
		return 0;
	}
	uint32_t number = word & FUTEX_TID_MASK;
	if (number >= PROCESS && number - PROCESS < vm_this.max_threads)
		vm_footprint_add(FOOTPRINT_THREAD + number - PROCESS, 0, 1, false);
	if (owner == vm_this.slots && number >= PROCESS && number - PROCESS < vm_this.max_threads)
		vm_inconclusive(LIMIT_FUNCTION, "FUTEX_LOCK_PI of a futex whose owner has ended");
	if (owner == vm_this.slots)
		return ESRCH;
	if (closes_circle(owner, slot))
		return EDEADLK;
	set_word(address, word | FUTEX_WAITERS, false);
	return tries ? EAGAIN : EBUSY;
}

bool vm_futex_owns(uint64_t address, unsigned slot)
{
	return (word_at(address) & FUTEX_TID_MASK) == number_of(slot);
}

void vm_futex_give(uint64_t address, unsigned slot)
{
	bool given = slot < vm_this.slots;
	set_word(address, given ? number_of(slot) | FUTEX_WAITERS : 0, true);
	if (given)
		vm_order_follow(vm_this.current->slot, slot, "unlock");
	vm_event_about(ACTION_CALL, VM_ABOUT(.address = address), "unlock futex %s", vm_describe(address));
}

static bool locks(const struct builtin *builtin)
{
	return builtin->run == run_futex;
}

void vm_futex_owner_ends(unsigned slot)
{
	static VM_OWN bool known, used;
	used = known ? used : builtin_is_used(locks);
	known = true;
	for (unsigned i = 0; used && i < vm_this.slots; i++) {
		const struct vm_thread_header *header = &vm_thread_load(i)->header;
		if (header->status == THREAD_RUNNING && header->wait == WAIT_OWNED &&
		    (word_peek(header->address) & FUTEX_TID_MASK) == number_of(slot))
			vm_inconclusive(LIMIT_FUNCTION, "a thread ends while it owns a futex that others wait for (FUTEX_LOCK_PI)");
	}
}

void vm_futex_owned_explain(char *text, size_t size, const struct vm_thread *thread)
{
	uint32_t word = word_peek(thread->header.address);
	unsigned owner = owner_of(word);
	if (owner < vm_this.slots)
		snprintf(text, size, "waits for futex %s, owned by thread %u", vm_describe(thread->header.address), owner);
	else
		snprintf(text, size, "waits for futex %s, which no running thread owns", vm_describe(thread->header.address));
}
