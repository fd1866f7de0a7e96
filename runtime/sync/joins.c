/* SPDX-License-Identifier: MIT
 *
 * Joins of symmetric threads: a sequence of joins is one wait for a set of threads (search/reduce/sort_threads.c has the argument).
 *
 * While the reduction is on, a join of main takes any thread that has ended, not the one that it names.  Main keeps the set of
 * those that it has yet to name (its `peers`), so it is known whether each is joined, and only once.  Which is which makes no
 * difference if nobody can tell that main has come past one join and not past the next.  So while the set is not empty, main must
 * do nothing but join: it rests before a join, holds no lock, and has read nothing but the handles since the join before.  If it
 * is otherwise, the search is over, and begins again without the reduction.
 */
#include "../memory/memory.h"
#include "../memory/messages.h"
#include "../memory/records.h"
#include "../state/symmetry.h"
#include "sync.h"

#include <assert.h>

static bool can_be_joined(unsigned slot)
{
	const struct vm_thread_header *header = &vm_thread_load(slot)->header;
	return (header->status == THREAD_RUNNING || header->status == THREAD_FINISHED) && !header->detached;
}

/* Return the first thread that has ended; max_threads if there is none. */
static unsigned first_ended(void)
{
	for (unsigned slot = 1; slot < vm_this.slots; slot++)
		if (can_be_joined(slot) && vm_thread_load(slot)->header.status == THREAD_FINISHED)
			return slot;
	return vm_this.max_threads;
}

static uint64_t bit_of(uint64_t name)
{
	return name > 0 && name <= SYMMETRIC_SLOTS ? UINT64_C(1) << (name - 1) : 0;
}

bool vm_only_handles(const struct vm_thread *thread)
{
	for (uint32_t i = 0; i < thread->header.ranges; i++)
		if (!vm_keeps_handles(thread->ranges[i].object))
			return false;
	return true;
}

void vm_joins_begin(const struct vm_thread *thread)
{
	if (!vm_is_symmetric())
		return;
	if (thread->slot != 0)
		vm_symmetry_ends("a thread other than main joins one");
	if (thread->header.held)
		vm_symmetry_ends("main joins threads while it holds a lock");
	if (!vm_only_handles(thread))
		vm_symmetry_ends("main joins threads after it has accessed memory that they share");
}

bool vm_joins_can(const struct vm_thread *thread)
{
	assert(vm_is_symmetric());
	uint64_t name = thread->header.address;
	if (thread->header.peers && !(thread->header.peers & bit_of(name)))
		return true; /* to the end of the search */
	unsigned named = vm_thread_of(name);
	if (!thread->header.peers && (named == vm_this.max_threads || named == thread->slot || !can_be_joined(named)))
		return true; /* into a violation */
	return first_ended() < vm_this.max_threads;
}

unsigned vm_joins_any(struct vm_thread *thread, uint64_t name)
{
	assert(vm_is_symmetric() && thread->slot == 0 && vm_this.slots <= SYMMETRIC_SLOTS);
	uint64_t *unjoined = &thread->header.peers;
	for (unsigned slot = 1, none = *unjoined == 0; none && slot < vm_this.slots; slot++)
		*unjoined |= can_be_joined(slot) ? bit_of(vm_thread_name(slot)) : 0;
	unsigned first = first_ended();
	if (!(*unjoined & bit_of(name)) || first == vm_this.max_threads)
		vm_symmetry_ends("main joins a thread twice, or itself");
	*unjoined &= ~bit_of(name);
	return first;
}

void vm_joins_rest(const struct vm_thread *thread, bool at_rest)
{
	if (thread->header.peers && !(at_rest && thread->header.wait == WAIT_JOIN))
		vm_symmetry_ends("main does something after it has joined some of the threads, not all");
}

void vm_joins_await(void)
{
	assert(vm_is_symmetric());
	for (unsigned slot = 1; slot < vm_this.slots; slot++)
		vm_footprint_add(FOOTPRINT_THREAD + slot, 0, 1, false);
}

void vm_joins_know(void)
{
	for (unsigned slot = 1; slot < vm_this.slots; slot++) {
		if (!can_be_joined(slot))
			continue;
		vm_messages_await(0, slot);
		if (vm_thread_load(slot)->header.status == THREAD_FINISHED)
			vm_order_leave(slot);
	}
}
