/* SPDX-License-Identifier: MIT
 *
 * See ticks.h.  Where all threads are blocked and a timer may send signals, their handlers may run again and again.  The state is a
 * deadlock if what all threads can come to from it, by every outcome of every step, is finite, and each of them stays in the call
 * that it was in: no handler wakes anybody.
 */
#include "ticks.h"
#include "../../bitspin_vm.h"
#include "../../memory/interrupts.h"
#include "../../sync/sync.h"
#include "alone.h"
#include "../step/bounded_waits.h"
#include "../step/single.h"

#include <string.h>

enum { MOST_STATES = 2048 };

/* what all threads can come to */
static VM_OWN struct vm_alone all;

/* Are all threads blocked, unless signals of timers end that?  Put the depth of each thread's stack into `depths`. */
static bool all_blocked(vm_ref state, uint32_t *depths)
{
	vm_state_load(state);
	if (!vm_timers_send())
		return false;
	for (unsigned i = 0; i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_load(i);
		depths[i] = thread->header.status == THREAD_RUNNING ? thread->header.frames : 0;
		if (thread->header.status == THREAD_RUNNING && vm_thread_outcomes(thread) > vm_interruptible(thread))
			return false;
	}
	return true;
}

/* Is the thread where it was, with `depth` frames, or in a handler that has interrupted it there? */
static bool stays(const struct vm_thread *thread, uint32_t depth)
{
	if (thread->header.status != THREAD_RUNNING || thread->header.frames < depth)
		return !depth && thread->header.status != THREAD_RUNNING;
	return thread->header.frames > depth ? vm_is_interrupt(thread->frames[depth].function) : vm_thread_is_blocked(thread);
}

/* Take all steps of all threads from `state`, and add the states to which they lead.  Return false if a thread is not where it
 * was, or a step is not known. */
static bool all_stay(vm_ref state, const uint32_t *depths)
{
	uint8_t outcomes[VM_MAX_SLOTS];
	vm_state_load(state);
	unsigned slots = vm_this.slots;
	for (unsigned i = 0; i < slots; i++)
		if (!stays(vm_thread_load(i), depths[i]))
			return false;
	memcpy(outcomes, vm_state_outcomes(vm_state_words(state)), slots);
	for (unsigned i = 0; i < slots; i++)
		for (uint32_t choice = 0; choice < vm_offered(outcomes[i]); choice++) {
			vm_ref next = vm_transient_is_crowded() ? 0 : vm_joined(state, i, choice);
			if (!next || vm_state_words(next)[1] != slots)
				return false;
			vm_alone_add(&all, next);
		}
	return true;
}

bool vm_all_tick(vm_ref state)
{
	static VM_OWN uint32_t depths[VM_MAX_SLOTS];
	if (!vm_has_timers() || !all_blocked(state, depths))
		return false;
	all.count = 0;
	vm_alone_add(&all, state);
	for (uint32_t i = 0; i < all.count; i++)
		if (all.count > MOST_STATES || !all_stay(all.states[i], depths))
			return false;
	return true;
}
