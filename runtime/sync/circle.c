/* SPDX-License-Identifier: MIT
 *
 * Circular waits: threads that each wait for what the next one holds (a lock, an initialisation under way, its own end)
 * never go on, whatever other threads do.  Only the holder can let go of what it holds, and it does nothing any more; a wait
 * that somebody else could end is no part of a circle (vm_thread_is_held_up()).
 *
 * Such a state is a violation at the end of the step that closes the circle, and so its footprint is everything, like that
 * of any violation: no super-step goes past it, and who may run into it is put off by no persistent set.  It does not matter
 * which of two independent steps comes last, though their footprints do not say that they close a circle together: a circle
 * stays, so it is there after both in any order.  (And it cannot open again: its locks are held by threads that do not move.)
 *
 * A step closes a circle only if it makes a thread of it wait: its own one, or one that it wakes and that must have a mutex
 * back.  These are the threads it has changed.  To wait for writing is to wait for each reader, so a circle through any of
 * them is one.
 */

#include "../state/suppress.h"
#include "sync.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MOST_THREADS 256u

static VM_OWN struct {
	unsigned slots[MOST_THREADS], length; /* each waits on the next, the last on the first */
	bool seen[MOST_THREADS];
} circle;

/* Is there a way from the thread in `slot` to the first thread of the circle?  Then the circle has the threads on it. */
static bool closes(unsigned slot)
{
	const struct vm_thread *thread = vm_thread_load(slot);
	if (!vm_thread_is_held_up(thread))
		return false;
	assert(circle.length < MOST_THREADS);
	circle.slots[circle.length++] = slot;
	for (unsigned next = 0; next < vm_this.slots; next++) {
		if (circle.seen[next] || !vm_thread_is_held_up_by(thread, next))
			continue;
		circle.seen[next] = true;
		if (next == circle.slots[0] || closes(next))
			return true;
	}
	circle.length--;
	return false;
}

/* Do threads run that are no part of the circle? */
static bool others_run(void)
{
	unsigned running = 0;
	for (unsigned i = 0; i < vm_this.slots; i++)
		running += vm_thread_load(i)->header.status == THREAD_RUNNING;
	return running > circle.length;
}

/* Does the user not want to hear of the circle?  It is one fault, whichever step closes it, so any of its threads decides. */
static bool is_suppressed(void)
{
	for (unsigned i = 0; vm_this.image.counts[IMAGE_SUPPRESSIONS] && i < circle.length; i++) {
		struct vm_thread *thread = vm_thread_load(circle.slots[i]);
		uint32_t location = vm_thread_location(thread);
		uint32_t suppression = vm_suppression_of(VIOLATION_DEADLOCK, thread, location);
		if (suppression == IMAGE_NONE)
			continue;
		vm_suppressed(VIOLATION_DEADLOCK, suppression, thread, location, false);
		return true;
	}
	return false;
}

static void report(void)
{
	assert(circle.length > 0);
	char message[sizeof vm_this.ending.message] = "";
	for (unsigned i = 0; i < circle.length; i++) {
		struct vm_thread *thread = vm_thread_load(circle.slots[i]);
		const char *waits = vm_thread_waits_for(thread);
		size_t used = strlen(message);
		snprintf(message + used, sizeof message - used, "%sthread %u %s", used ? "; " : "", thread->slot, waits);
		vm_thread_tell_blocked(thread, waits);
	}
	snprintf(vm_this.ending.message, sizeof vm_this.ending.message, "%s", message);
	if (is_suppressed())
		return;
	vm_this.current = vm_thread_load(circle.slots[0]);
	vm_this.location = vm_thread_location(vm_this.current);
	vm_violation(VIOLATION_DEADLOCK, "%s%s", message, others_run() ? "; no other thread can end this" : "");
}

bool vm_thread_closes_circle(unsigned slot)
{
	assert(slot < vm_this.slots && vm_this.slots <= MOST_THREADS);
	circle.length = 0;
	memset(circle.seen, 0, vm_this.slots * sizeof *circle.seen);
	return vm_thread_load(slot)->header.wait != WAIT_NONE && closes(slot);
}

void vm_check_circles(void)
{
	for (unsigned i = 0; i < vm_this.slots; i++)
		if (vm_thread_load(i)->dirty && vm_thread_closes_circle(i))
			report();
}
