/* SPDX-License-Identifier: MIT
 *
 * Context bounding: only schedules with a limited number of preemptions are explored (Musuvathi and Qadeer, "Iterative context
 * bounding for systematic testing of multithreaded programs", PLDI 2007).  A step of a thread is a preemption when another
 * thread took the step before, could go on, and was not about to yield.
 *
 * The thread that moved last and the preemptions used are part of pan's state, beside the handle.  A last thread that
 * cannot go on is forgotten, as leaving it costs nothing.  Super-steps are off under a bound: their runs need switches that
 * the bound may not have left.
 */
#include "../bitspin_vm.h"
#include "../calls/builtin.h"
#include "identity.h"
#include "path.h"
#include "results.h"
#include "superstep.h"

extern int readtrail; /* pan's: replaying a trail, which may have been made with other sets of threads on offer */

enum { NOBODY = 255 };

static VM_OWN bool refused; /* the bound has cut a schedule */

static unsigned bound(void)
{
	return vm_this.image.options->preemptions; /* most preemptions plus one; 0: no bound */
}

/* Is what the thread is about to do a yield, or to time out? */
static bool yields(int state, unsigned slot)
{
	vm_state_load(vm_ref_of(state));
	struct vm_thread *thread = vm_thread_load(slot);
	if (thread->header.frames == 0)
		return false;
	if (vm_thread_idles(thread))
		return true;
	const struct builtin *builtin = vm_resting_call(thread);
	return builtin && (builtin->flags & (BUILTIN_YIELDS | BUILTIN_SLEEPS));
}

static bool preempts(int state, unsigned last, int thread)
{
	return last != NOBODY && (int)last != thread && vm_enabled(state, (int)last, 0) && !yields(state, last);
}

int vm_allowed(int state, unsigned char last, unsigned char used, int thread, int choice)
{
	if (!vm_enabled(state, thread, choice)) /* says nothing of where pan is: all guards of a state are asked */
		return 0;
	if ((vm_this.reductions & REDUCTION_PERSISTENT) && !readtrail) {
		vm_path_at(vm_ref_of(state));
		return vm_offers(vm_ref_of(state), (unsigned)thread);
	}
	if (bound() == 0 || state == 0 || used + 1u < bound() || !preempts(state, last, thread))
		return 1;
	if (!refused)
		vm_report_inconclusive(LIMIT_PREEMPTIONS, "schedules with more preemptions were not explored", 0);
	refused = true;
	return 0;
}

void vm_take_bounded(int *state, unsigned char *last, unsigned char *used, int thread, int choice)
{
	if (bound() && *state != 0 && preempts(*state, *last, thread))
		++*used;
	vm_this.preemptions = *used;
	*state = vm_step(*state, thread, choice);
	vm_path_step(vm_ref_of(*state));
	if (bound())
		*last = vm_enabled(*state, thread, 0) ? (unsigned char)thread : NOBODY;
}

void vm_take(int *state, unsigned char *last, unsigned char *used, int thread, int choice)
{
	vm_take_bounded(state, last, used, thread, choice);
	vm_count_end(*state, 0, *last, *used);
}
