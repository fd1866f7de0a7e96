/* SPDX-License-Identifier: MIT
 *
 * Names of threads: which slot a new thread gets.  A slot is a thread's number in all that people see, and its pthread_t.
 *
 * If each took the lowest free slot, a state would tell which of two threads created first, although they have nothing else to do
 * with each other.  So slots are kept for the threads of one creator: for its first child, its second, and so on
 * (search/step/trial.c finds out how many each needs).  A new thread gets the lowest free slot that is kept for its creator; if
 * there is none, the lowest free one that is kept for nobody; else the lowest free one.
 *
 * Which slot it gets is a function of which slots are free, of those that were looked at: they are read, and the one that is taken
 * is written (FOOTPRINT_SLOTS, a byte each).  So two creations are independent if neither looks at the slot that the other takes:
 * with either order both get the same slots.  That holds for any way to keep slots; what is kept decides how much is independent,
 * not what is found.  There are finitely many slots, so programs that create threads for ever have finitely many states.
 *
 * Spent slots.  A thread that ends detached would give its slot back at any time, so its end would depend on all creations.  Where
 * slots are used once (vm_names.once), it leaves the slot spent instead (THREAD_DEAD).  Only a creation that finds no free slot
 * takes a spent one, and depends on the ends of all threads.  That is another way to choose slots, with which a program does
 * nothing that it could not do without, and the same but for slots: no thread asks which one it has, and handles are only joined
 * and detached (translator/analyse/handles.c).  To join or detach a thread whose slot may be another's by now is a violation in
 * both ways, as it is in the schedule in which the thread has not ended.
 *
 * To detach a thread does not depend on its end then: before or after, the slot becomes spent once both have happened, nobody
 * notices that only one has, and neither waits.  A join of the same thread by somebody else depends on both.
 */
#include "../memory/memory.h"
#include "sync.h"

#include <assert.h>
#include <stdio.h>

enum look { OWN, NOBODYS, ANY, LOOKS };

static bool is_free(unsigned slot)
{
	return slot >= vm_this.slots || vm_thread_load(slot)->header.status == THREAD_UNUSED;
}

/* Return the lowest free slot among those that this look is at; max_threads if there is none. */
static unsigned look_for(enum look look, unsigned creator)
{
	const struct vm *vm = &vm_this;
	for (unsigned slot = 0; slot < vm->max_threads; slot++) {
		unsigned kept = vm->names.kept[slot];
		if (look != ANY && kept != (look == OWN ? creator + 1 : 0))
			continue;
		bool taken = is_free(slot);
		vm_footprint_add(FOOTPRINT_SLOTS, slot, slot + 1, taken);
		if (taken)
			return slot;
	}
	return vm->max_threads;
}

/* Free the lowest slot that is spent, and return it; max_threads if there is none. */
static unsigned look_for_spent(void)
{
	for (unsigned slot = 0; slot < vm_this.slots; slot++) {
		const struct vm_thread_header *header = &vm_thread_load(slot)->header;
		vm_footprint_add(FOOTPRINT_THREAD + slot, 0, 2, false);
		if (header->status != THREAD_DEAD || header->held)
			continue;
		vm_footprint_add(FOOTPRINT_SLOTS, slot, slot + 1, true);
		vm_thread_change(slot)->header = (struct vm_thread_header){ .status = THREAD_UNUSED };
		return slot;
	}
	return vm_this.max_threads;
}

unsigned vm_thread_slot(unsigned creator)
{
	struct vm *vm = &vm_this;
	unsigned slot = vm->max_threads;
	assert(creator < vm->slots);
	for (enum look look = OWN; look < (vm->names.trial ? ANY : LOOKS) && slot == vm->max_threads; look++)
		slot = look_for(look, creator);
	if (slot == vm->max_threads)
		slot = look_for_spent();
	if (slot == vm->max_threads)
		vm_inconclusive(LIMIT_THREADS, "more than %u threads are alive at once, the most that the model allows",
				vm->max_threads);
	assert(slot < vm->max_threads && is_free(slot));
	if (vm->names.trial)
		vm->names.kept[slot] = (uint8_t)(creator + 1);
	return slot;
}

const char *vm_thread_title(unsigned slot, unsigned creator)
{
	assert(slot < VM_MAX_SLOTS);
	static VM_OWN char text[64];
	const uint8_t *kept = vm_this.names.kept;
	unsigned ordinal = 1;
	for (unsigned i = 0; i < slot; i++)
		ordinal += kept[i] == kept[slot];
	const char *suffix = ordinal / 10 % 10 == 1 ? "th" :
		ordinal % 10 == 1                   ? "st" :
		ordinal % 10 == 2                   ? "nd" :
		ordinal % 10 == 3                   ? "rd" :
						      "th";
	if (creator > 0 && kept[slot] == creator + 1)
		snprintf(text, sizeof text, "thread %u (the %u%s of thread %u)", slot, ordinal, suffix, creator);
	else
		snprintf(text, sizeof text, "thread %u", slot);
	return text;
}
