/* SPDX-License-Identifier: MIT
 *
 * See creations.h, and rule C in superstep.c.  Here is when nobody but main has to do with slots and handles of threads:
 *   - no function that another thread may come to creates a thread, or calls what gets a handle, or a futex, whose word may be the
 *     number of a thread.  Such a call may be an error before the creation, and none after it;
 *   - no end of a thread gives its slot back: no thread is detached, or slots are used once (sync/names.c).  Nor does an unlock:
 *     no thread has ended that holds a lock, or only one whose slot is spent;
 *   - main has made no plain access after the step that let others go on: they compare theirs with it while main rests there.
 * And what is leaked when another thread ends the program is not looked at, nor whether formulas change between two creations.
 */
#include "creations.h"
#include "../step/trial.h"

#include <assert.h>

static bool names_threads(const struct builtin *builtin)
{
	return vm_takes_handle(builtin) || builtin->run == run_thread_create || builtin->run == run_thrd_create ||
		builtin->run == run_thread_join || builtin->run == run_thrd_join || builtin->run == run_futex;
}

/* Does the program look as the head of this file says? */
static bool suits(void)
{
	static VM_OWN bool known, good;
	if (!known)
		good = !vm_is_temporal() && !vm_this.image.options->leaks &&
			(vm_this.names.once || !builtin_is_used(vm_detaches)) && !vm_others_call(names_threads);
	known = true;
	return good;
}

static bool is_there(vm_ref state, unsigned slot)
{
	const uint32_t *words = vm_state_words(state);
	return slot < words[1] && vm_state_thread(words, slot);
}

bool vm_creations_pass(vm_ref end)
{
	assert(is_there(end, 0));
	if (!vm_reduces(REDUCTION_PERSISTENT) || !suits() || vm_thread_stored(end, 0)->ranges > 0)
		return false;
	for (unsigned i = 1; i < vm_state_words(end)[1]; i++) {
		const vm_stored_header *thread = is_there(end, i) ? vm_thread_stored(end, i) : NULL;
		if (thread && thread->status == THREAD_DEAD && !thread->detached)
			return false;
	}
	return true;
}

/* Is the range about a slot that no thread has, or about who joins a thread, which only main asks? */
static bool is_mains(const struct vm_range *range, vm_ref before)
{
	uint32_t slot = range->object - FOOTPRINT_THREAD;
	if (range->object < FOOTPRINT_THREAD || range->object >= FOOTPRINT_SLOTS)
		return false;
	return !is_there(before, slot) || (range->low == 1 && vm_this.names.once && suits());
}

bool vm_only_creates(const struct footprint *step, vm_ref before)
{
	for (uint32_t i = 0; i < step->count; i++) {
		const struct vm_range *range = &step->ranges[i];
		bool handles = vm_is_symmetric() && vm_keeps_handles(range->object);
		if (range->object != FOOTPRINT_SLOTS && !handles && !is_mains(range, before))
			return false;
	}
	return !step->everything;
}
